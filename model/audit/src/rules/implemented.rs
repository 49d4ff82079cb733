//! Reports of HLS beside what Vivado made of the same kernel.

use derate_hls::{Report, ReportKind};

use crate::AuditInput;

/// Whether Vivado synthesised or placed the solution of this report of HLS, so that its resources are known.
pub(super) fn is_superseded(input: &AuditInput<'_>, report: &Report) -> bool {
    is_followed(input, report, &[ReportKind::RtlSynthesis, ReportKind::Implementation])
}

/// Whether Vivado placed and routed the solution of this report of HLS, so that its clock is known.
pub(super) fn is_routed(input: &AuditInput<'_>, report: &Report) -> bool {
    is_followed(input, report, &[ReportKind::Implementation])
}

fn is_followed(input: &AuditInput<'_>, report: &Report, kinds: &[ReportKind]) -> bool {
    if kinds.contains(&report.kind) {
        return false;
    }
    // Modules of the top have reports of their own there.
    let Some(own) = find_solution(input, report, "syn") else { return false };
    input.build.reports.iter().any(|other| {
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
