//! Times and values as cells.

use derate_explore::{Exploration, FoundDesign, Objective, TimeLimit};
use derate_render::{Cell, Column, NumberFormat};

/// Rows of the front and of the ranking on a screen.
pub(super) const SHOWN: usize = 12;

/// Whether time is in cycles of one call of a kernel; else it is in seconds.
pub(super) fn is_in_cycles(found: &Exploration) -> bool {
    match found.objective {
        Objective::Cycles => true,
        Objective::Resource(_) => matches!(found.time_limit, Some(TimeLimit::Cycles(_))),
        Objective::Latency(_) | Objective::Interval => false,
    }
}

/// How long a design takes: the objective, unless that is a resource.
pub(super) fn time_of(design: &FoundDesign) -> f64 {
    design.time.unwrap_or(design.objective)
}

/// What the time is called, and its unit.
pub(super) fn name_time(found: &Exploration) -> (&'static str, &'static str) {
    match found.objective {
        _ if is_in_cycles(found) => ("Cycles", ""),
        Objective::Interval => ("Interval", "ms"),
        _ => ("Latency", "ms"),
    }
}

pub(super) fn time_column(found: &Exploration) -> Column {
    let (name, unit) = name_time(found);
    Column::number(name.to_lowercase(), name, unit)
}

pub(super) fn time_cell(found: &Exploration, design: &FoundDesign) -> Cell {
    let time = time_of(design);
    if is_in_cycles(found) {
        Cell::number(time.round(), NumberFormat::Integer)
    } else {
        Cell::number(1e3 * time, NumberFormat::Significant(4))
    }
}

/// A value that is blank is named.
pub(super) fn show_value(value: &str) -> String {
    if value.trim().is_empty() { "(blank)".to_owned() } else { value.to_owned() }
}

/// The value of an axis in the kernel as it is written, `unknown` where it is not known; `None` of a project, which has none.
pub(super) fn written_value(found: &Exploration, axis: usize) -> Option<&str> {
    found.written.get(axis).map(|own| own.as_deref().unwrap_or("unknown"))
}

/// Whether an axis has another value than the kernel as it is written.
pub(super) fn is_changed(found: &Exploration, axis: usize, value: &str) -> bool {
    found.written.get(axis).is_none_or(|own| own.as_deref() != Some(value))
}
