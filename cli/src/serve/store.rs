//! Results, in an `SQLite` database: what is finished is on the disk before anybody sees it.

mod open;
mod point;
mod room;
mod sweep;

pub(crate) use point::{Ending, NewPoint, PointRow, Task};
pub(crate) use sweep::{Changed, SweepRow};

use std::path::PathBuf;

use rusqlite::Connection;

/// What went wrong with the database, in a sentence.
#[derive(Debug)]
pub(crate) struct StoreError {
    path: PathBuf,
    cause: String,
}

impl std::fmt::Display for StoreError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { path, cause } = self;
        write!(
            f,
            "{}: the store cannot be used ({cause}): look at its disk and its permissions",
            path.display()
        )
    }
}

impl std::error::Error for StoreError {}

/// The database. Whoever has it open is the only one.
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
        let path = &self.path;
        let wrong =
            |error: rusqlite::Error| StoreError { path: path.clone(), cause: error.to_string() };
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
        work(&self.db)
            .map_err(|error| StoreError { path: self.path.clone(), cause: error.to_string() })
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
