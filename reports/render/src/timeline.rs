//! Timelines: who is busy when.

use serde::Serialize;

use crate::Table;
use crate::{Cell, NumberFormat};

/// A chart of lanes over time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Timeline {
    /// The short name, for a file or an anchor, such as `card-0`.
    pub name: String,
    /// What is shown.
    pub title: String,
    /// What to conclude from it.
    pub caption: String,
    /// The unit of time, such as `ms`.
    pub unit: String,
    /// What the colours mean.
    pub kinds: Vec<String>,
    /// Each lane, from top to bottom.
    pub lanes: Vec<TimelineLane>,
}

/// One lane.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TimelineLane {
    /// Who is busy.
    pub name: String,
    /// A word at its end, such as `62 % busy`.
    pub end: String,
    /// When, in order of time.
    pub spans: Vec<TimelineSpan>,
}

/// Something that takes time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TimelineSpan {
    /// Its colour: a place in [`Timeline::kinds`].
    pub kind: usize,
    /// Its name, shown where it fits.
    pub name: String,
    /// Its start in the unit of time.
    pub from: f64,
    /// Its end.
    pub to: f64,
}

impl Timeline {
    /// A row for each lane, for a format without pictures.
    pub(crate) fn tabulate(&self) -> Table {
        let fixed = |value: f64| Cell::number(value, NumberFormat::Significant(4));
        let busy =
            |lane: &TimelineLane| lane.spans.iter().fold(0.0, |sum, one| sum + one.to - one.from);
        Table::from_items(&self.name, &self.caption, &self.lanes)
            .text("lane", "Lane", |lane| lane.name.as_str())
            .number("spans", "Spans", "", |lane| {
                Cell::number(lane.spans.len() as f64, NumberFormat::Integer)
            })
            .number("busy", "Busy", self.unit.as_str(), |lane| fixed(busy(lane)))
            .text("share", "Of the time", |lane| lane.end.as_str())
            .build()
    }
}
