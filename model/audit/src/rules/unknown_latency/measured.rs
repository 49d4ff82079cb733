//! What synthesis does not know, a simulation of the same solution may have measured.

use derate_hls::{ModuleCalls, Report, find_solution};
use derate_units::figures::grouped;
use serde_json::Value;

use crate::{AuditInput, Finding, Label, Level};

/// Makes a note of what is unknown where a co-simulation in the same solution measured the latency of the top.
pub(super) fn weaken_measured(
    input: &AuditInput<'_>,
    calls: &ModuleCalls<'_>,
    finding: &mut Finding,
) {
    let module = finding.evidence.get("module").and_then(Value::as_str).unwrap_or_default();
    let Some(place) = finding.place() else { return };
    let name = input.sources.name(place.file);
    let Some(own) = name.rsplit_once('/').and_then(|(folder, _)| find_solution(folder)) else {
        return;
    };
    let is_within = |top: &str| top == module || calls.around(module).contains(&top);
    let is_of = |report: &&Report| {
        let Some(place) = report.place.as_ref() else { return false };
        let top = report.top.as_ref().map_or("", |top| top.value.as_str());
        // The component `k` has `k/hls/syn/report` and `k/reports/hls_cosim.rpt`, which names no top.
        let component = own.strip_suffix("/hls");
        let is_component = place.path().strip_suffix("/reports/hls_cosim.rpt") == component;
        find_solution(place.folder()) == Some(own) && is_within(top)
            || component.is_some() && is_component
    };
    let measured = input.build.reports.iter().filter(is_of).find_map(|report| {
        let passed = report.cosim.iter().filter(|one| one.status.value == "Pass");
        passed.filter_map(|one| one.latency.max.as_ref()).find_map(|figure| {
            figure.value.known().filter(|cycles| *cycles > 0).map(|cycles| (cycles, figure.span))
        })
    });
    let Some((cycles, span)) = measured.filter(|_| finding.level != Level::Note) else {
        return;
    };
    let cycles = grouped(cycles as f64);
    finding.level = Level::Note;
    finding.notes.retain(|note| note != super::NO_LATENCY);
    finding.notes.push(format!(
        "co-simulation measured {cycles} cycles of the top: `{}`",
        input.sources.name(span.file)
    ));
    finding.labels.push(Label::new(span, format!("{cycles} cycles were simulated")));
    "count with the simulated latency, if its data is what counts; state the bounds for other data"
        .clone_into(&mut finding.help);
}
