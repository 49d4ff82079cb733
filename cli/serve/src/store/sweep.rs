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
    /// `waiting`, `running`, `done`, `cancelled`, or `interrupted` by the end of derate or by a lack of memory or of a device.
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

/// The reason of a sweep that ran when derate ended.
pub(super) const ENDED: &str = "derate ended before it was through";

fn read_sweep(row: &Row<'_>) -> rusqlite::Result<SweepRow> {
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

/// The result of a request to change a sweep.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Changed {
    /// It is changed.
    Yes,
    /// There is no such sweep.
    Absent,
    /// Its state does not allow it.
    No,
}

impl Store {
    /// A new sweep, waiting; gives its number.
    pub(crate) fn begin_sweep(
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
    pub(crate) fn find_sweep(&self, id: i64) -> Result<Option<SweepRow>, StoreError> {
        let text = format!("{SELECT} WHERE id = ?1");
        self.read(|db| db.query_row(&text, [id], read_sweep).optional())
    }

    /// The latest ones before a number, and the number before which there are more.
    pub(crate) fn list_sweeps(
        &self,
        before: i64,
    ) -> Result<(Vec<SweepRow>, Option<i64>), StoreError> {
        let text = format!("{SELECT} WHERE id < ?1 ORDER BY id DESC LIMIT ?2");
        let one_more = i64::try_from(LISTED + 1).unwrap_or(i64::MAX);
        let mut all: Vec<SweepRow> = self.read(|db| {
            db.prepare(&text)?.query_map(params![before, one_more], read_sweep)?.collect()
        })?;
        let more = all.len() > LISTED;
        all.truncate(LISTED);
        let next = all.last().map(|last| last.id).filter(|_| more);
        Ok((all, next))
    }

    /// Sets the state of a sweep that has one of `from`, and that of its points.
    fn change_state(
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
    pub(crate) fn cancel_sweep(&mut self, id: i64) -> Result<Changed, StoreError> {
        let points = "UPDATE point SET state = 'cancelled' WHERE sweep = ?1 AND state IN ('waiting', 'running')";
        self.change_state(id, &["waiting", "running", "interrupted"], "cancelled", points)
    }

    /// Another device on which a sweep was started or measured; `None` if there is none.
    pub(crate) fn other_device(
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
    pub(crate) fn resume_sweep(&mut self, id: i64) -> Result<Changed, StoreError> {
        let points = "UPDATE point SET state = 'waiting' WHERE sweep = ?1 AND state IN ('cancelled', 'running')";
        self.change_state(id, &["cancelled", "interrupted"], "waiting", points)
    }

    /// Takes it away with its points, unless it is at work.
    pub(crate) fn remove_sweep(&mut self, id: i64) -> Result<Changed, StoreError> {
        let delete = "DELETE FROM sweep WHERE id = ?1";
        self.change_state(id, &["done", "cancelled", "interrupted"], "removed", delete)
    }

    /// A point cannot be measured just now: it waits, and its sweep is interrupted for that reason.
    pub(crate) fn suspend_sweep(&mut self, task: &Task, reason: &str) -> Result<(), StoreError> {
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
    pub(crate) fn interrupt_sweeps(&mut self) -> Result<(), StoreError> {
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
