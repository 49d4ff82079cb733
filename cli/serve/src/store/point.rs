//! Points: one operator in one precision, predicted, and measured or refused.

use derate_model::operator::Shape;
use rusqlite::{OptionalExtension, Row, params};
use serde::Serialize;
use serde_json::Value;

use super::{Store, StoreError};
use crate::outlook::Outlook;

/// A point that is asked for; its parts are JSON.
pub(crate) struct NewPoint {
    pub(crate) subject: String,
    pub(crate) precision: String,
    pub(crate) predicted: String,
}

/// A row of the store that cannot be read.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the store's row of this point cannot be read: {0}")]
pub(crate) struct UnreadableRow(String);

/// A point that is to be measured.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) id: i64,
    pub(crate) sweep: i64,
    pub(crate) workload: Result<Shape, UnreadableRow>,
    pub(crate) precision: String,
}

/// Its result.
pub(crate) enum Ending {
    /// It was measured on that device; the middle one of its times, and all that is known, as JSON.
    Measured { device: String, seconds: f64, measurement: String },
    /// It cannot be, and why.
    Refused(String),
}

/// What was measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Measured {
    /// What it ran on.
    pub(crate) device: String,
    /// The middle one of its times.
    pub(crate) seconds: f64,
    /// The operations of the prediction by that time.
    pub(crate) rate: Option<f64>,
    /// Bytes that the run read and wrote; of the prediction they may differ, as where results are wider than operands.
    pub(crate) bytes: Option<f64>,
    /// How those bytes are known: `formulas` if they follow from the operator's extents.
    pub(crate) bytes_from: Option<String>,
    /// Those bytes by that time.
    pub(crate) bandwidth: Option<f64>,
    /// `measured`.
    pub(crate) provenance: &'static str,
    /// `derate.measurement/1`: every repetition, and how the result was checked.
    pub(crate) measurement: Value,
}

/// A point with all that is known of it; what the store cannot read is not known.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct PointRow {
    pub(crate) id: i64,
    pub(crate) sweep: i64,
    /// Its place in the sweep, from 0.
    pub(crate) ordinal: i64,
    pub(crate) workload: Option<Shape>,
    pub(crate) precision: String,
    /// `waiting`, `running`, `measured`, `refused` or `cancelled`.
    pub(crate) state: String,
    pub(crate) predicted: Option<Outlook>,
    pub(crate) measured: Option<Measured>,
    /// Why it was refused.
    pub(crate) reason: Option<String>,
}

const SELECT: &str = "SELECT id, sweep, ordinal, subject, precision, state, predicted, device, seconds, measurement, reason FROM point";

/// So many points at most are read at once.
pub(crate) const MOST: u32 = 500;

fn read_measured(row: &Row<'_>, predicted: Option<&Outlook>) -> rusqlite::Result<Option<Measured>> {
    let (device, seconds) = (row.get::<_, Option<String>>(7)?, row.get::<_, Option<f64>>(8)?);
    let (Some(device), Some(seconds)) = (device, seconds) else { return Ok(None) };
    let text: Option<String> = row.get(9)?;
    let measurement: Value =
        text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let run = |name: &str| measurement.pointer(&format!("/runs/0/{name}"));
    let bytes = |name: &str| run(name).and_then(Value::as_f64);
    let moved = bytes("bytes_read").zip(bytes("bytes_written")).map(|(read, wrote)| read + wrote);
    Ok(Some(Measured {
        device,
        seconds,
        rate: predicted.map(|predicted| predicted.flops / seconds),
        bytes: moved,
        bytes_from: run("bytes_from").and_then(Value::as_str).map(str::to_owned),
        bandwidth: moved.map(|bytes| bytes / seconds),
        provenance: "measured",
        measurement,
    }))
}

fn read_point(row: &Row<'_>) -> rusqlite::Result<PointRow> {
    let (subject, predicted): (String, String) = (row.get(3)?, row.get(6)?);
    let predicted: Option<Outlook> = serde_json::from_str(&predicted).ok();
    Ok(PointRow {
        id: row.get(0)?,
        sweep: row.get(1)?,
        ordinal: row.get(2)?,
        workload: serde_json::from_str(&subject).ok(),
        precision: row.get(4)?,
        state: row.get(5)?,
        measured: read_measured(row, predicted.as_ref())?,
        predicted,
        reason: row.get(10)?,
    })
}

fn read_task(row: &Row<'_>) -> rusqlite::Result<Task> {
    let subject: String = row.get(2)?;
    let unread = |error: serde_json::Error| UnreadableRow(error.to_string());
    Ok(Task {
        id: row.get(0)?,
        sweep: row.get(1)?,
        workload: serde_json::from_str(&subject).map_err(unread),
        precision: row.get(3)?,
    })
}

impl Store {
    /// The next point to measure, which runs from now on.
    pub(crate) fn next_task(&mut self) -> Result<Option<Task>, StoreError> {
        self.write(|db| {
            let text = "SELECT id, sweep, subject, precision FROM point \
                 WHERE state = 'waiting' AND sweep = (SELECT min(s.id) FROM sweep s \
                 WHERE s.state IN ('waiting', 'running') AND EXISTS \
                 (SELECT 1 FROM point p WHERE p.sweep = s.id AND p.state = 'waiting')) ORDER BY ordinal LIMIT 1";
            let next = db.query_row(text, [], read_task).optional()?;
            if let Some(Task { id, sweep, .. }) = next {
                db.execute("UPDATE point SET state = 'running' WHERE id = ?1", [id])?;
                db.execute("UPDATE sweep SET state = 'running' WHERE id = ?1", [sweep])?;
            }
            Ok(next)
        })
    }

    /// Stores the result of a point. When this returns, it is on the disk; a second call changes nothing.
    pub(crate) fn finish_point(&mut self, task: &Task, ending: &Ending) -> Result<(), StoreError> {
        self.write(|db| {
            let kept = match ending {
                Ending::Measured { device, seconds, measurement } => db.execute(
                    "UPDATE point SET state = 'measured', device = ?2, seconds = ?3, measurement = ?4 \
                     WHERE id = ?1 AND state NOT IN ('measured', 'refused')",
                    params![task.id, device, seconds, measurement],
                )?,
                Ending::Refused(reason) => db.execute(
                    "UPDATE point SET state = 'refused', reason = ?2 WHERE id = ?1 AND state NOT IN ('measured', 'refused')",
                    params![task.id, reason],
                )?,
            };
            // Somebody may have taken the sweep away meanwhile.
            let kept = i64::from(kept > 0);
            let measured = if matches!(ending, Ending::Measured { .. }) { kept } else { 0 };
            db.execute(
                "UPDATE sweep SET finished = finished + ?2, measured = measured + ?3 WHERE id = ?1",
                params![task.sweep, kept, measured],
            )?;
            db.execute(
                "UPDATE sweep SET state = 'done' WHERE id = ?1 AND finished = points",
                [task.sweep],
            )?;
            Ok(())
        })
    }

    /// A stopped point waits again, unless its sweep was cancelled.
    pub(crate) fn put_back(&mut self, task: &Task) -> Result<(), StoreError> {
        self.write(|db| {
            let text = "UPDATE point SET state = 'waiting' WHERE id = ?1 AND state = 'running'";
            db.execute(text, [task.id]).map(drop)
        })
    }

    /// The points of a sweep, from a place on, in their order.
    pub(crate) fn points_from(&self, sweep: i64, from: i64) -> Result<Vec<PointRow>, StoreError> {
        let text = format!("{SELECT} WHERE sweep = ?1 AND ordinal >= ?2 ORDER BY ordinal LIMIT ?3");
        self.read(|db| {
            db.prepare(&text)?.query_map(params![sweep, from, MOST], read_point)?.collect()
        })
    }

    /// What was measured, of all sweeps, after a point.
    pub(crate) fn measured_points(&self, after: i64) -> Result<Vec<PointRow>, StoreError> {
        let text = format!("{SELECT} WHERE state = 'measured' AND id > ?1 ORDER BY id LIMIT ?2");
        self.read(|db| db.prepare(&text)?.query_map(params![after, MOST], read_point)?.collect())
    }
}
