//! Reports of HLS beside what Vivado made of the same kernel.

use derate_hls::{Report, ReportKind};

use super::repeats::top_name;
use crate::AuditInput;

/// Whether Vivado synthesised or placed the top of this report of HLS in the same solution, so that its resources are known.
pub(super) fn is_superseded(input: &AuditInput<'_>, report: &Report) -> bool {
    is_followed(input, report, &[ReportKind::RtlSynthesis, ReportKind::Implementation])
}

/// Whether Vivado placed and routed the top of this report of HLS in the same solution, so that its clock is known.
pub(super) fn is_routed(input: &AuditInput<'_>, report: &Report) -> bool {
    is_followed(input, report, &[ReportKind::Implementation])
}

fn is_followed(input: &AuditInput<'_>, report: &Report, kinds: &[ReportKind]) -> bool {
    if kinds.contains(&report.kind) {
        return false;
    }
    let Some(own) = find_solution(input, report, "/syn/") else { return false };
    input.build.reports.iter().any(|other| {
        kinds.contains(&other.kind)
            && (other.top.is_none() || top_name(other) == top_name(report))
            && find_solution(input, other, "/impl/") == Some(own)
    })
}

/// The folder that holds both the step's folder and those of the other steps: `hls` of `hls/syn/report/csynth.xml`.
fn find_solution<'a>(input: &AuditInput<'a>, report: &Report, step: &str) -> Option<&'a str> {
    let named = report.top.as_ref().or(report.utilisation.first().map(|row| &row.name))?;
    let file = named.span.file;
    let (solution, _) = input.sources.name(file).rsplit_once(step)?;
    Some(solution)
}
