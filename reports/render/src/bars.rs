//! Bar charts: a few lengths to compare, whole or in parts.

use serde::Serialize;

use crate::table::name_with_unit;
use crate::{Formula, NumberFormat};

/// A chart of horizontal bars.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Bars {
    /// The short name, for a file or an anchor, such as `latency-gap`.
    pub name: String,
    /// What is shown.
    pub title: String,
    /// What to conclude from it.
    pub caption: String,
    /// The quantity of the lengths.
    pub label: String,
    /// Its unit.
    pub unit: String,
    /// How a length is written.
    pub format: NumberFormat,
    /// The name of each bar, from top to bottom.
    pub bars: Vec<String>,
    /// The parts of a bar, or values beside one another.
    pub series: Vec<BarSeries>,
    /// Whether the series of a bar are drawn end to end.
    pub stacked: bool,
}

/// One part of every bar.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BarSeries {
    /// What it is.
    pub name: String,
    /// Its length in each bar; `None` where it is unknown.
    pub lengths: Vec<Option<Length>>,
}

/// A length of a bar, and its formula.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Length {
    /// The value in the chart's unit.
    pub value: f64,
    /// The formula that gives it. It has no [`Formula::Column`], because a chart has no row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub live: Option<Formula>,
}

impl Bars {
    /// The quantity with its unit: `Time (ms)`.
    pub(crate) fn axis_name(&self) -> String {
        name_with_unit(&self.label, &self.unit)
    }
}
