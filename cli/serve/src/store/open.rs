//! The file: its form, its version, and what an earlier run left in it.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::sweep::ENDED;
use super::{Store, StoreError};

/// In the file's head: `derS`.
const APPLICATION: i64 = 0x6465_7253;

/// Of the tables below.
const VERSION: i64 = 2;

/// Lengths and states are held by the code; the database holds what belongs together.
const TABLES: &str = "
CREATE TABLE sweep (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    platform TEXT NOT NULL,
    device TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT,
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

/// Version 1 did not say why a sweep was interrupted, as there was one reason; nor which passes an MLP runs and where
/// attention has its scores, as there was one way.
fn convert_first_version(db: &Connection) -> rusqlite::Result<()> {
    db.execute_batch(&format!(
        "BEGIN; ALTER TABLE sweep ADD COLUMN reason TEXT; \
         UPDATE sweep SET reason = '{ENDED}' WHERE state = 'interrupted'; \
         UPDATE point SET subject = json_set(subject, '$.backward', json('true'), '$.apart', json('false')) \
         WHERE json_valid(subject) AND subject LIKE '{{\"kind\":\"mlp\"%'; \
         UPDATE point SET subject = json_set(subject, '$.window', NULL, '$.scores', 'fused') \
         WHERE json_valid(subject) AND subject LIKE '{{\"kind\":\"attention\"%'; \
         PRAGMA user_version = {VERSION}; COMMIT;"
    ))
}

impl Store {
    /// Opens the file, or makes it.
    pub(crate) fn open(path: &Path) -> Result<Self, StoreError> {
        let text = path.to_string_lossy();
        // SQLite does not take these for files: their content is lost at the end, or goes somewhere else.
        if text.is_empty() || text == ":memory:" || text.starts_with("file:") {
            return Err(StoreError::NotAFile(path.to_owned()));
        }
        let failed = |verb| move |source| StoreError::File { path: path.to_owned(), verb, source };
        let refused = |error: rusqlite::Error| match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                StoreError::InUse(path.to_owned())
            }
            _ => StoreError::NotAStore(path.to_owned()),
        };
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = Connection::open_with_flags(path, flags).map_err(failed("opened"))?;
        db.busy_timeout(Duration::from_millis(200)).map_err(failed("opened"))?;
        let number = |pragma: &str| db.query_row(pragma, [], |row| row.get::<_, i64>(0));
        // The first statement that reads the file finds out what it is.
        let (tables, application, version) = db
            .execute_batch("PRAGMA locking_mode = EXCLUSIVE; PRAGMA foreign_keys = ON;")
            .and_then(|()| {
                let tables = number("SELECT count(*) FROM sqlite_schema")?;
                Ok((tables, number("PRAGMA application_id")?, number("PRAGMA user_version")?))
            })
            .map_err(refused)?;
        let fresh = tables == 0 && application == 0 && version == 0;
        if !fresh && application != APPLICATION {
            return Err(StoreError::NotAStore(path.to_owned()));
        }
        if !fresh && !(1..=VERSION).contains(&version) {
            let path = path.to_owned();
            return Err(StoreError::NewerVersion { path, version, known: VERSION });
        }
        // A commit is on the disk when it returns.
        db.execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; BEGIN EXCLUSIVE; COMMIT;",
        )
        .map_err(refused)?;
        if fresh {
            let head =
                format!("PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};");
            db.execute_batch(&["BEGIN;", TABLES, &head, "COMMIT;"].concat())
                .map_err(failed("written"))?;
        } else if version == 1 {
            convert_first_version(&db).map_err(failed("brought to this version"))?;
        }
        let mut store = Self { db, path: path.to_owned() };
        store.interrupt_sweeps()?;
        Ok(store)
    }
}

#[cfg(test)]
mod tests {
    use derate_model::operator::{Attention, Mlp, Shape};

    use super::*;

    #[test]
    fn a_file_of_others_or_of_a_newer_version_is_refused_and_left_as_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let refused = |path: &Path| Store::open(path).err().map(|error| error.to_string());

        let text = dir.path().join("notes.txt");
        std::fs::write(&text, "these are notes, and no database at all".repeat(40)).unwrap();
        let before = std::fs::read(&text).unwrap();
        assert!(refused(&text).unwrap().contains("is not a store of derate serve"));
        assert_eq!(std::fs::read(&text).unwrap(), before);

        let other = dir.path().join("other.sqlite");
        Connection::open(&other).unwrap().execute_batch("CREATE TABLE t (a)").unwrap();
        assert!(refused(&other).unwrap().contains("is not a store of derate serve"));

        let newer = dir.path().join("newer.sqlite");
        drop(Store::open(&newer).unwrap());
        Connection::open(&newer).unwrap().execute_batch("PRAGMA user_version = 3").unwrap();
        assert!(refused(&newer).unwrap().contains("has version 3"));
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
    #[test]
    fn what_sqlite_takes_for_no_file_is_refused() {
        for text in [":memory:", "", "file::memory:", "file:r.sqlite?mode=memory"] {
            let error = Store::open(Path::new(text)).err().unwrap().to_string();
            assert!(error.contains("is not a path of a file: give one"), "{error}");
        }
        assert!(!Path::new("r.sqlite").exists());
    }

    #[test]
    fn a_store_of_the_first_version_is_read_with_what_it_took_for_granted() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("first.sqlite");
        let first = TABLES.replace("    reason TEXT,\n    points", "    points");
        assert_eq!(first.matches("reason").count(), 1, "that of a point");
        let db = Connection::open(&path).unwrap();
        db.execute_batch(&first).unwrap();
        // As that version wrote them.
        let old = [
            r#"{"kind":"gemv","n":4,"k":8}"#,
            r#"{"kind":"mlp","width":16,"layers":2,"batch":4}"#,
            r#"{"kind":"attention","batch":1,"heads":6,"kv_heads":3,"head_dim":8,"queries":2,"keys":9,"causal":true}"#,
        ];
        db.execute_batch(&format!(
            "PRAGMA application_id = {APPLICATION}; PRAGMA user_version = 1; \
             INSERT INTO sweep (kind, platform, device, state, points) VALUES ('spot', 't4', 'cpu', 'interrupted', 3);"
        ))
        .unwrap();
        for (at, subject) in (0_i64..).zip(old) {
            let text = "INSERT INTO point (sweep, ordinal, subject, precision, predicted, state) VALUES (1, ?1, ?2, 'fp32', '', 'waiting')";
            db.execute(text, rusqlite::params![at, subject]).unwrap();
        }
        drop(db);
        let known = [
            Shape::Gemv { n: 4, k: 8 },
            Shape::Mlp(Mlp { batch: 4, width: 16, layers: 2, backward: true, apart: false }),
            Shape::Attention(Attention { causal: true, ..Attention::fused([1, 6, 3, 8, 2, 9]) }),
        ];
        for _ in 0..2 {
            let store = Store::open(&path).unwrap();
            let sweep = store.find_sweep(1).unwrap().unwrap();
            assert_eq!(
                (sweep.state.as_str(), sweep.reason.as_deref()),
                ("interrupted", Some(ENDED))
            );
            let read: Vec<_> =
                store.points_from(1, 0).unwrap().into_iter().map(|p| p.workload).collect();
            assert_eq!(read, known.map(Some));
        }
    }
}
