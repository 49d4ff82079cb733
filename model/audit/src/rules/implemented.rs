//! Reports of HLS beside what Vivado made of the same kernel.

use derate_hls::{Report, ReportKind};

use crate::AuditInput;

/// Whether Vivado synthesised or placed the solution of this report of HLS, so that its resources are known.
pub(super) fn is_superseded(input: &AuditInput<'_>, report: &Report) -> bool {
    let kinds = [ReportKind::RtlSynthesis, ReportKind::Implementation];
    find_later(input, report, &kinds).is_some()
}

/// What Vivado placed and routed of the solution of this report of HLS, so that its clock is known.
pub(super) fn find_implementation<'a>(
    input: &AuditInput<'a>,
    report: &Report,
) -> Option<&'a Report> {
    find_later(input, report, &[ReportKind::Implementation])
}

fn find_later<'a>(
    input: &AuditInput<'a>,
    report: &Report,
    kinds: &[ReportKind],
) -> Option<&'a Report> {
    if kinds.contains(&report.kind) {
        return None;
    }
    // Modules of the top have reports of their own there.
    let own = find_solution(input, report, "syn")?;
    input.build.reports.iter().find(|other| {
        kinds.contains(&other.kind) && find_solution(input, other, "impl") == Some(own)
    })
}

/// The folder that holds both the step's folder and those of the other steps: `hls` of `hls/syn/report/csynth.xml`.
fn find_solution<'a>(input: &AuditInput<'a>, report: &Report, step: &str) -> Option<&'a str> {
    let named = report.top.as_ref().or(report.utilisation.first().map(|row| &row.name));
    let named = named.or(report.modules.first().map(|module| &module.name))?;
    let path = input.sources.name(named.span.file);
    let is_step = |(at, _): &(usize, &str)| {
        let before = path.get(..*at).unwrap_or_default();
        let after = path.get(at + step.len()..).unwrap_or_default();
        after.starts_with('/') && (before.is_empty() || before.ends_with('/'))
    };
    let (at, _) = path.rmatch_indices(step).find(is_step)?;
    path.get(..at)
}
