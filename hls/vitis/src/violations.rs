//! The loops that the tool itself calls violations of their interval.

use std::collections::BTreeSet;

use super::synthesis::plain_loop_name;
use crate::csynth::{Module, Report, ReportKind, Violation};

/// Whether the report would name a loop that misses its target: XML does since 2023.2.
#[must_use]
pub fn prints_violations(report: &Report) -> bool {
    let xml = matches!(report.kind, ReportKind::CsynthXml | ReportKind::SummaryXml);
    let version = report.version.as_ref().map(|version| version.value.as_str());
    // `2023.2` and its like compare as text.
    !xml || version.is_some_and(|version| version >= "2023.2")
}

/// The modules whose `II` says nothing: some report has them start every cycle, or run on without a break, which
/// Vitis HLS 2022.2 marks where no interval was asked for.
#[must_use]
pub fn list_whole(reports: &[Report]) -> BTreeSet<&str> {
    let modules = reports.iter().flat_map(|report| &report.modules);
    let starts = |module: &&Module| {
        let rewinds = module.pipeline.as_ref().is_some_and(|word| word.value.contains("rewind"));
        module.interval.as_ref().and_then(|it| it.value.known()) == Some(1) || rewinds
    };
    modules.filter(starts).map(|module| module.name.value.as_str()).collect()
}

/// The loops, each with its module, whose targets some report prints or which the tool names itself.
#[must_use]
pub fn list_targets(reports: &[Report]) -> BTreeSet<(&str, String)> {
    let modules = reports.iter().flat_map(|report| &report.modules);
    let known = modules.flat_map(|module| {
        let name = module.name.value.as_str();
        let loops = module.all_loops().into_iter().filter(|one| one.ii_target.is_some());
        let loops = loops.map(|one| one.name.value.as_str());
        let violations = tool_violations(module).filter_map(|(one, _)| one.loop_name.as_deref());
        loops.chain(violations).map(move |one| (name, plain_loop_name(one))).collect::<Vec<_>>()
    });
    known.collect()
}

/// The loops that the tool itself reports as violations; a module's name is used for its only loop.
pub fn tool_violations(module: &Module) -> impl Iterator<Item = (&Violation, &str)> {
    module
        .violations
        .iter()
        // `II` or `II Violation`; `Timing` is another rule's.
        .filter(|one| one.issue.value.split_whitespace().next() == Some("II"))
        .map(|one| (one, one.loop_name.as_deref().unwrap_or(&module.name.value)))
}

/// Whether a module starts anew before it ends.
#[must_use]
pub fn is_pipelined(module: &Module) -> bool {
    let word = module.pipeline.as_ref();
    word.is_some_and(|word| !["no", "none", "dataflow", "-"].contains(&word.value.as_str()))
}

/// The module of a loop without the number of its copy: `top_Pipeline_rows` of `top_Pipeline_rows3`, where the loop around is
/// unrolled.
#[must_use]
pub fn without_copy<'m>(module: &'m str, name: &str) -> &'m str {
    let rest = module.split_once("_Pipeline_").and_then(|(_, own)| own.strip_prefix(name));
    let copy = rest.filter(|rest| rest.bytes().all(|sign| sign.is_ascii_digit()));
    &module[..module.len() - copy.map_or(0, str::len)]
}
