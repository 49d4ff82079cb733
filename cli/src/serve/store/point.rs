//! Points: one operator in one precision, predicted, and measured or refused.

use rusqlite::{OptionalExtension, Row, params};
use serde::Serialize;
use serde_json::Value;

use super::{Store, StoreError};
use crate::serve::outlook::Outlook;
use crate::serve::subject::Subject;

/// A point that is asked for; its parts are JSON.
pub(crate) struct NewPoint {
    pub(crate) subject: String,
    pub(crate) precision: String,
    pub(crate) predicted: String,
}

/// What became of it.
pub(crate) enum Result {
    /// It was measured on that device; the middle one of its times, and all that is known, as JSON.
    Measured { device: String, seconds: f64, measurement: String },
    /// It was not, and why.
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
    pub(crate) rate: f64,
    /// The bytes of the prediction by that time.
    pub(crate) bandwidth: f64,
    /// `measured`.
    pub(crate) provenance: &'static str,
    /// `derate.measurement/1`: every repetition, and how the result was checked.
    pub(crate) measurement: Value,
}

/// A point with all that is known of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct PointRow {
    pub(crate) id: i64,
    pub(crate) sweep: i64,
    /// Its place in the sweep, from 0.
    pub(crate) ordinal: i64,
    pub(crate) workload: Subject,
    pub(crate) precision: String,
    /// `waiting`, `running`, `measured`, `refused` or `cancelled`.
    pub(crate) state: String,
    pub(crate) predicted: Outlook,
    pub(crate) measured: Option<Measured>,
    /// Why it was refused.
    pub(crate) reason: Option<String>,
}

const SELECT: &str = "SELECT id, sweep, ordinal, subject, precision, state, predicted, device, seconds, measurement, reason FROM point";

/// So many points at most are read at once.
pub(crate) const MOST: u32 = 500;

fn parsed<T: serde::de::DeserializeOwned>(row: &Row<'_>, at: usize) -> rusqlite::Result<T> {
    let text: String = row.get(at)?;
    serde_json::from_str(&text).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(at, rusqlite::types::Type::Text, error.into())
    })
}

fn row(row: &Row<'_>) -> rusqlite::Result<PointRow> {
    let predicted: Outlook = parsed(row, 6)?;
    let measured = match (row.get::<_, Option<String>>(7)?, row.get::<_, Option<f64>>(8)?) {
        (Some(device), Some(seconds)) => Some(Measured {
            device,
            seconds,
            rate: predicted.flops / seconds,
            bandwidth: predicted.bytes / seconds,
            provenance: "measured",
            measurement: parsed(row, 9)?,
        }),
        _ => None,
    };
    Ok(PointRow {
        id: row.get(0)?,
        sweep: row.get(1)?,
        ordinal: row.get(2)?,
        workload: parsed(row, 3)?,
        precision: row.get(4)?,
        state: row.get(5)?,
        predicted,
        measured,
        reason: row.get(10)?,
    })
}

impl Store {
    /// The next point to measure, which runs from now on.
    pub(crate) fn next(&mut self) -> std::result::Result<Option<PointRow>, StoreError> {
        self.write(|db| {
            let text = format!(
                "{SELECT} WHERE state = 'waiting' AND sweep = (SELECT min(s.id) FROM sweep s \
                 WHERE s.state IN ('waiting', 'running') AND EXISTS \
                 (SELECT 1 FROM point p WHERE p.sweep = s.id AND p.state = 'waiting')) ORDER BY ordinal LIMIT 1"
            );
            let next = db.query_row(&text, [], row).optional()?;
            if let Some(PointRow { id, sweep, .. }) = next {
                db.execute("UPDATE point SET state = 'running' WHERE id = ?1", [id])?;
                db.execute("UPDATE sweep SET state = 'running' WHERE id = ?1", [sweep])?;
            }
            Ok(next)
        })
    }

    /// Keeps what became of a point. When this returns, it is on the disk.
    pub(crate) fn finish(
        &mut self,
        point: &PointRow,
        result: &Result,
    ) -> std::result::Result<(), StoreError> {
        self.write(|db| {
            let kept = match result {
                Result::Measured { device, seconds, measurement } => db.execute(
                    "UPDATE point SET state = 'measured', device = ?2, seconds = ?3, measurement = ?4 WHERE id = ?1",
                    params![point.id, device, seconds, measurement],
                )?,
                Result::Refused(reason) => db.execute(
                    "UPDATE point SET state = 'refused', reason = ?2 WHERE id = ?1",
                    params![point.id, reason],
                )?,
            };
            // Somebody may have taken the sweep away meanwhile.
            let kept = i64::from(kept > 0);
            let measured = if matches!(result, Result::Measured { .. }) { kept } else { 0 };
            db.execute(
                "UPDATE sweep SET finished = finished + ?2, measured = measured + ?3 WHERE id = ?1",
                params![point.sweep, kept, measured],
            )?;
            db.execute(
                "UPDATE sweep SET state = 'done' WHERE id = ?1 AND finished = points",
                [point.sweep],
            )?;
            Ok(())
        })
    }

    /// The points of a sweep, from a place on, in their order.
    pub(crate) fn points(
        &self,
        sweep: i64,
        from: i64,
    ) -> std::result::Result<Vec<PointRow>, StoreError> {
        let text = format!("{SELECT} WHERE sweep = ?1 AND ordinal >= ?2 ORDER BY ordinal LIMIT ?3");
        self.read(|db| db.prepare(&text)?.query_map(params![sweep, from, MOST], row)?.collect())
    }

    /// What was measured, of all sweeps, after a point.
    pub(crate) fn measured(&self, after: i64) -> std::result::Result<Vec<PointRow>, StoreError> {
        let text = format!("{SELECT} WHERE state = 'measured' AND id > ?1 ORDER BY id LIMIT ?2");
        self.read(|db| db.prepare(&text)?.query_map(params![after, MOST], row)?.collect())
    }
}
