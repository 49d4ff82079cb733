//! Sweeps: points that were asked for together, and how far they are.

use rusqlite::{OptionalExtension, Row, params};
use serde::Serialize;

use super::{NewPoint, Store, StoreError};

/// A sweep, without its points.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct SweepRow {
    pub(crate) id: i64,
    /// `spot` or `sweep`.
    pub(crate) kind: String,
    /// What it is predicted for.
    pub(crate) platform: String,
    /// What it is measured on.
    pub(crate) device: String,
    /// `waiting`, `running`, `done`, `cancelled`, or `interrupted` by the end of derate.
    pub(crate) state: String,
    /// Points.
    pub(crate) points: i64,
    /// Those that were measured or refused.
    pub(crate) finished: i64,
    /// Those that were measured.
    pub(crate) measured: i64,
}

const SELECT: &str =
    "SELECT id, kind, platform, device, state, points, finished, measured FROM sweep";

/// So many are listed, the latest first.
const LISTED: u32 = 100;

fn row(row: &Row<'_>) -> rusqlite::Result<SweepRow> {
    Ok(SweepRow {
        id: row.get(0)?,
        kind: row.get(1)?,
        platform: row.get(2)?,
        device: row.get(3)?,
        state: row.get(4)?,
        points: row.get(5)?,
        finished: row.get(6)?,
        measured: row.get(7)?,
    })
}

/// What became of a wish to change a sweep.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Changed {
    /// It was.
    Yes,
    /// There is no such sweep.
    Absent,
    /// Its state does not allow it.
    No,
}

impl Store {
    /// A new sweep, waiting; gives its number.
    pub(crate) fn begin(
        &mut self,
        kind: &str,
        platform: &str,
        device: &str,
        points: &[NewPoint],
    ) -> Result<i64, StoreError> {
        self.write(|db| {
            db.execute(
                "INSERT INTO sweep (kind, platform, device, state, points) VALUES (?1, ?2, ?3, 'waiting', ?4)",
                params![kind, platform, device, i64::try_from(points.len()).unwrap_or(i64::MAX)],
            )?;
            let sweep = db.last_insert_rowid();
            let mut insert = db.prepare(
                "INSERT INTO point (sweep, ordinal, subject, precision, predicted, state) VALUES (?1, ?2, ?3, ?4, ?5, 'waiting')",
            )?;
            for (ordinal, point) in (0_i64..).zip(points) {
                let NewPoint { subject, precision, predicted } = point;
                insert.execute(params![sweep, ordinal, subject, precision, predicted])?;
            }
            Ok(sweep)
        })
    }

    /// Points that wait, of all sweeps.
    pub(crate) fn waiting(&self) -> Result<i64, StoreError> {
        let text = "SELECT count(*) FROM point p JOIN sweep s ON s.id = p.sweep \
            WHERE p.state = 'waiting' AND s.state IN ('waiting', 'running')";
        self.read(|db| db.query_row(text, [], |row| row.get(0)))
    }

    /// One of them.
    pub(crate) fn sweep(&self, id: i64) -> Result<Option<SweepRow>, StoreError> {
        let text = format!("{SELECT} WHERE id = ?1");
        self.read(|db| db.query_row(&text, [id], row).optional())
    }

    /// The latest ones.
    pub(crate) fn sweeps(&self) -> Result<Vec<SweepRow>, StoreError> {
        let text = format!("{SELECT} ORDER BY id DESC LIMIT ?1");
        self.read(|db| db.prepare(&text)?.query_map([LISTED], row)?.collect())
    }

    /// Sets the state of a sweep that has one of `from`, and that of its points.
    fn turn(
        &mut self,
        id: i64,
        from: &[&str],
        to: &str,
        points: &str,
    ) -> Result<Changed, StoreError> {
        self.write(|db| {
            let state: Option<String> = db
                .query_row("SELECT state FROM sweep WHERE id = ?1", [id], |row| row.get(0))
                .optional()?;
            match state {
                None => Ok(Changed::Absent),
                Some(state) if !from.contains(&state.as_str()) => Ok(Changed::No),
                Some(_) => {
                    db.execute("UPDATE sweep SET state = ?2 WHERE id = ?1", params![id, to])?;
                    db.execute(points, [id])?;
                    Ok(Changed::Yes)
                }
            }
        })
    }

    /// Ends it before its time; what is finished stays.
    pub(crate) fn cancel(&mut self, id: i64) -> Result<Changed, StoreError> {
        let points = "UPDATE point SET state = 'cancelled' WHERE sweep = ?1 AND state IN ('waiting', 'running')";
        self.turn(id, &["waiting", "running", "interrupted"], "cancelled", points)
    }

    /// Goes on with what was cancelled or interrupted.
    pub(crate) fn resume(&mut self, id: i64) -> Result<Changed, StoreError> {
        let points = "UPDATE point SET state = 'waiting' WHERE sweep = ?1 AND state IN ('cancelled', 'running')";
        self.turn(id, &["cancelled", "interrupted"], "waiting", points)
    }

    /// Takes it away with its points, unless it is at work.
    pub(crate) fn remove(&mut self, id: i64) -> Result<Changed, StoreError> {
        let delete = "DELETE FROM sweep WHERE id = ?1";
        self.turn(id, &["done", "cancelled", "interrupted"], "removed", delete)
    }

    /// What an earlier run left unfinished, or this one leaves.
    pub(crate) fn interrupt(&mut self) -> Result<(), StoreError> {
        self.write(|db| {
            db.execute("UPDATE point SET state = 'waiting' WHERE state = 'running'", [])?;
            db.execute(
                "UPDATE sweep SET state = 'interrupted' WHERE state IN ('waiting', 'running')",
                [],
            )?;
            Ok(())
        })
    }
}
