//! What synthesis does not know, a simulation of the same solution may have measured.

use derate_hls::{ModuleCalls, Report, ReportOrder, find_solution};
use derate_units::figures::grouped;
use serde_json::Value;

use crate::{AuditInput, Finding, Label, Level};

/// Makes a note of what is unknown where a co-simulation in the same solution measured the latency of the top, and is not known to be
/// older than the synthesis: one without a date is taken to be of it, as a simulation needs a synthesis before it.
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
    let reports = &input.build.reports;
    let of_place = |one: &&Report| one.place.as_ref().is_some_and(|place| place.path() == name);
    let is_older = |simulation: &Report| {
        let own = reports.iter().find(of_place);
        own.is_some_and(|own| simulation.order_beside(own, reports) == ReportOrder::Older)
    };
    let measured = reports.iter().filter(is_of).filter_map(|report| {
        let passed = report.cosim.iter().filter(|one| one.status.value == "Pass");
        passed.filter_map(|one| one.latency.max.as_ref()).find_map(|figure| {
            let cycles = figure.value.known().filter(|cycles| *cycles > 0)?;
            Some((cycles, figure.span, is_older(report)))
        })
    });
    let measured = measured.min_by_key(|one| one.2).filter(|_| finding.level != Level::Note);
    let Some((cycles, span, is_older)) = measured else {
        return;
    };
    let cycles = grouped(cycles as f64);
    if is_older {
        finding.notes.push(format!(
            "co-simulation measured {cycles} cycles of the top, and is older than this synthesis: `{}`",
            input.sources.name(span.file)
        ));
        return;
    }
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
