//! Sweeps: points that were asked for together, and how far they are.

use rusqlite::{OptionalExtension, Row, params};
use serde::Serialize;

use super::{NewPoint, Store, StoreError, Task};

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
    /// `waiting`, `running`, `done`, `cancelled`, or `interrupted` by the end of derate or by what does not work just now.
    pub(crate) state: String,
    /// Why it was interrupted.
    pub(crate) reason: Option<String>,
    /// Points.
    pub(crate) points: i64,
    /// Those that were measured or refused.
    pub(crate) finished: i64,
    /// Those that were measured.
    pub(crate) measured: i64,
}

const SELECT: &str =
    "SELECT id, kind, platform, device, state, reason, points, finished, measured FROM sweep";

/// So many are listed at once, the latest first.
const LISTED: usize = 100;

/// Why a sweep is interrupted that the end of derate found at work.
pub(super) const ENDED: &str = "derate ended before it was through";

fn row(row: &Row<'_>) -> rusqlite::Result<SweepRow> {
    Ok(SweepRow {
        id: row.get(0)?,
        kind: row.get(1)?,
        platform: row.get(2)?,
        device: row.get(3)?,
        state: row.get(4)?,
        reason: row.get(5)?,
        points: row.get(6)?,
        finished: row.get(7)?,
        measured: row.get(8)?,
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

    /// One of them.
    pub(crate) fn sweep(&self, id: i64) -> Result<Option<SweepRow>, StoreError> {
        let text = format!("{SELECT} WHERE id = ?1");
        self.read(|db| db.query_row(&text, [id], row).optional())
    }

    /// The latest ones before a number, and the number before which there are more.
    pub(crate) fn sweeps(&self, before: i64) -> Result<(Vec<SweepRow>, Option<i64>), StoreError> {
        let text = format!("{SELECT} WHERE id < ?1 ORDER BY id DESC LIMIT ?2");
        let one_more = i64::try_from(LISTED + 1).unwrap_or(i64::MAX);
        let mut all: Vec<SweepRow> = self
            .read(|db| db.prepare(&text)?.query_map(params![before, one_more], row)?.collect())?;
        let more = all.len() > LISTED;
        all.truncate(LISTED);
        let next = all.last().map(|last| last.id).filter(|_| more);
        Ok((all, next))
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
                    let text = "UPDATE sweep SET state = ?2, reason = NULL WHERE id = ?1";
                    db.execute(text, params![id, to])?;
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

    /// On what else than that device, of that name, a sweep was begun or measured; nothing where on no other.
    pub(crate) fn elsewhere(
        &self,
        id: i64,
        device: &str,
        name: &str,
    ) -> Result<Option<String>, StoreError> {
        let text = "SELECT device FROM point WHERE sweep = ?1 AND state = 'measured' AND device <> ?3 \
             UNION ALL SELECT device FROM sweep WHERE id = ?1 AND device <> ?2 LIMIT 1";
        self.read(|db| db.query_row(text, params![id, device, name], |row| row.get(0)).optional())
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

    /// A point cannot be measured just now: it waits, and its sweep is interrupted for that reason.
    pub(crate) fn suspend(&mut self, task: &Task, reason: &str) -> Result<(), StoreError> {
        self.write(|db| {
            let text = "UPDATE point SET state = 'waiting' WHERE id = ?1 AND state = 'running'";
            db.execute(text, [task.id])?;
            db.execute(
                "UPDATE sweep SET state = 'interrupted', reason = ?2 \
                 WHERE id = ?1 AND state IN ('waiting', 'running')",
                params![task.sweep, reason],
            )?;
            Ok(())
        })
    }

    /// What an earlier run left unfinished, or this one leaves.
    pub(crate) fn interrupt(&mut self) -> Result<(), StoreError> {
        self.write(|db| {
            db.execute("UPDATE point SET state = 'waiting' WHERE state = 'running'", [])?;
            db.execute(
                "UPDATE sweep SET state = 'interrupted', reason = ?1 WHERE state IN ('waiting', 'running')",
                [ENDED],
            )?;
            Ok(())
        })
    }
}
