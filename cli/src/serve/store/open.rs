//! The file: its form, its version, and what an earlier run left in it.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Error, bail};
use rusqlite::Connection;

use super::Store;

/// In the file's head: `derS`.
const APPLICATION: i64 = 0x6465_7253;

/// Of the tables below.
const VERSION: i64 = 1;

/// Lengths and states are held by the code; the database holds what belongs together.
const TABLES: &str = "
CREATE TABLE sweep (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    platform TEXT NOT NULL,
    device TEXT NOT NULL,
    state TEXT NOT NULL,
    points INTEGER NOT NULL,
    finished INTEGER NOT NULL DEFAULT 0,
    measured INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE point (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    sweep INTEGER NOT NULL REFERENCES sweep(id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    subject TEXT NOT NULL,
    precision TEXT NOT NULL,
    predicted TEXT NOT NULL,
    state TEXT NOT NULL,
    device TEXT,
    seconds REAL,
    reason TEXT,
    measurement TEXT
) STRICT;
CREATE INDEX point_of_sweep ON point (sweep, ordinal);
CREATE INDEX point_by_state ON point (state, id);
";

impl Store {
    /// Opens the file, or makes it.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let name = path.display();
        let db = Connection::open(path).with_context(|| {
            format!("{name} cannot be opened or made: check the folder and its permissions")
        })?;
        db.busy_timeout(Duration::from_millis(200))?;
        let number = |pragma: &str| db.query_row(pragma, [], |row| row.get::<_, i64>(0));
        let refused = |error: &rusqlite::Error| match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked) => {
                format!(
                    "{name} is in use by another derate serve: end that one, or take another --store"
                )
            }
            _ => format!("{name} is no store of derate serve: take another --store"),
        };
        // The first statement that reads the file finds out what it is.
        let known = db
            .execute_batch("PRAGMA locking_mode = EXCLUSIVE; PRAGMA foreign_keys = ON;")
            .and_then(|()| {
                let tables = number("SELECT count(*) FROM sqlite_schema")?;
                Ok((tables, number("PRAGMA application_id")?, number("PRAGMA user_version")?))
            });
        let (tables, application, version) = known.map_err(|error| Error::msg(refused(&error)))?;
        let fresh = tables == 0 && application == 0 && version == 0;
        if !fresh && application != APPLICATION {
            bail!("{name} is no store of derate serve: take another --store");
        }
        if !fresh && version != VERSION {
            bail!(
                "{name} has version {version} of the store and this derate knows {VERSION}: take a newer derate, or another --store"
            );
        }
        // A commit is on the disk when it returns.
        let ready = db.execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; BEGIN EXCLUSIVE; COMMIT;",
        );
        ready.map_err(|error| Error::msg(refused(&error)))?;
        if fresh {
            let head =
                format!("PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};");
            db.execute_batch(&["BEGIN;", TABLES, &head, "COMMIT;"].concat())
                .with_context(|| format!("{name} cannot be written: check its permissions"))?;
        }
        let mut store = Self { db, path: path.to_owned() };
        store.interrupt()?;
        Ok(store)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_others_or_of_a_newer_version_is_refused_and_left_as_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let refused = |path: &Path| Store::open(path).err().map(|error| error.to_string());

        let text = dir.path().join("notes.txt");
        std::fs::write(&text, "these are notes, and no database at all".repeat(40)).unwrap();
        let before = std::fs::read(&text).unwrap();
        assert!(refused(&text).unwrap().contains("is no store of derate serve"));
        assert_eq!(std::fs::read(&text).unwrap(), before);

        let other = dir.path().join("other.sqlite");
        Connection::open(&other).unwrap().execute_batch("CREATE TABLE t (a)").unwrap();
        assert!(refused(&other).unwrap().contains("is no store of derate serve"));

        let newer = dir.path().join("newer.sqlite");
        drop(Store::open(&newer).unwrap());
        Connection::open(&newer).unwrap().execute_batch("PRAGMA user_version = 2").unwrap();
        assert!(refused(&newer).unwrap().contains("has version 2"));
    }

    #[test]
    fn one_store_has_one_server() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("r.sqlite");
        let first = Store::open(&path).unwrap();
        let error = Store::open(&path).err().unwrap().to_string();
        assert!(error.contains("is in use by another derate serve"), "{error}");
        drop(first);
        assert!(Store::open(&path).is_ok());
    }
}
