//! Results in an `SQLite` database: a finished point is on the disk before it is shown.

mod open;
mod point;
mod room;
mod sweep;

pub(crate) use point::{Ending, NewPoint, PointRow, Task};
pub(crate) use sweep::{Changed, SweepRow};

use std::path::PathBuf;

use rusqlite::Connection;

/// Why the database of the results cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// A statement fails.
    #[error("{path}: the store cannot be used ({cause}): look at its disk and its permissions")]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What `SQLite` says.
        cause: rusqlite::Error,
    },
    /// A name that `SQLite` does not take for a file.
    #[error("--store `{0}` is not a path of a file: give one, such as ./derate-results.sqlite")]
    NotAFile(PathBuf),
    /// The file cannot be opened, created, written or converted.
    #[error("{path} cannot be {verb}: check the folder, its disk and its permissions")]
    File {
        /// The file.
        path: PathBuf,
        /// `opened`, `written`.
        verb: &'static str,
        /// What `SQLite` says.
        source: rusqlite::Error,
    },
    /// Another server has it open.
    #[error("{0} is in use by another derate serve: end that one, or take another --store")]
    InUse(PathBuf),
    /// Another program's file.
    #[error("{0} is not a store of derate serve: take another --store")]
    NotAStore(PathBuf),
    /// A newer derate wrote it.
    #[error(
        "{path} has version {version} of the store and this derate knows {known}: take a newer derate, or another --store"
    )]
    NewerVersion {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: i64,
        /// The last version that this derate knows.
        known: i64,
    },
}

/// The database. One process has it open at a time.
pub(crate) struct Store {
    db: Connection,
    path: PathBuf,
}

impl Store {
    /// Runs `work`, all of it or nothing.
    fn write<T>(
        &mut self,
        work: impl FnOnce(&rusqlite::Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let path = self.path.clone();
        let wrong = |cause| StoreError::Unusable { path: path.clone(), cause };
        let transaction = self.db.transaction().map_err(wrong)?;
        let done = work(&transaction).map_err(wrong)?;
        transaction.commit().map_err(wrong)?;
        Ok(done)
    }

    /// Reads.
    fn read<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        work(&self.db).map_err(|cause| StoreError::Unusable { path: self.path.clone(), cause })
    }
    /// A disk that takes nothing more, or one that does again.
    #[cfg(test)]
    pub(crate) fn read_only(&self, is: bool) {
        self.db.pragma_update(None, "query_only", is).unwrap();
    }

    /// Runs SQL of a test.
    #[cfg(test)]
    pub(crate) fn run(&self, text: &str) {
        self.db.execute_batch(text).unwrap();
    }
}
