//! The rows that a table of parts has.

use derate_render::Cell;

use derate_estimate::{ScenarioEstimate, Totals};
use derate_units::Seconds;

/// Each part that an inference runs, and the whole where that is more than one part.
pub(super) fn list_part_rows(estimate: &ScenarioEstimate) -> Vec<(&str, &Totals)> {
    let parts = estimate.parts.iter().filter(|part| part.runs);
    let mut rows: Vec<(&str, &Totals)> =
        parts.map(|part| (part.name.as_str(), &part.totals)).collect();
    if rows.len() > 1 || find_host_call(estimate).is_some() {
        rows.push((estimate.all_parts(), &estimate.totals));
    }
    rows
}

/// The name of the row at that place; that of the whole is a total.
pub(super) fn name_row(estimate: &ScenarioEstimate, at: usize, name: &str) -> Cell {
    match estimate.running_parts().nth(at) {
        Some(_) => Cell::text(name),
        None => Cell::Total(name.to_owned()),
    }
}

/// The time of the call that starts all parts, not that of a part.
pub(super) fn find_host_call(estimate: &ScenarioEstimate) -> Option<Seconds> {
    estimate.latency.as_ref().map(|latency| latency.host_call).filter(|time| time.0 > 0.0)
}
