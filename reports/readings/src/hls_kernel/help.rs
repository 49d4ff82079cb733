//! What would help, and what is not known.

use derate_kernel::ir::Place;
use derate_units::figures::significant;

use super::data::{file_of, reasons};
use super::{KernelDetail, KernelStudy, words};

/// Reasons that a screen shows.
const REASONS: usize = 2;

/// One line for each change and each reason.
pub(super) fn help_lines(study: &KernelStudy<'_>, detail: KernelDetail) -> Vec<String> {
    let known = reasons(study.answer);
    let shown = if detail == KernelDetail::All { known.len() } else { REASONS.min(known.len()) };
    let changes = study.advice.iter().map(|one| {
        format!(
            "- {}{}: {} cycles, {} x faster",
            place(study, one.place),
            words::change(one),
            words::cycles(one.after),
            gain(one.before / one.after)
        )
    });
    let unknown = known
        .iter()
        .take(shown)
        .map(|(at, reason)| format!("- {}not known: {reason}", place(study, *at)));
    let mut lines: Vec<String> = changes.chain(unknown).collect();
    if shown < known.len() {
        lines.push(format!("- {} more not known; --detail shows all", known.len() - shown));
    }
    lines
}

/// How many times as fast: with a third digit where two would say 1.
fn gain(times: f64) -> String {
    significant(times, if times < 1.1 { 3 } else { 2 })
}

pub(super) fn help_title(study: &KernelStudy<'_>) -> &'static str {
    match (study.advice.is_empty(), reasons(study.answer).is_empty()) {
        (true, _) => "What is not known",
        (false, true) => "What would help most, predicted anew",
        (false, false) => "What would help most, predicted anew; what is not known",
    }
}

/// `gemv.cpp:12 `, or nothing where the line is not known.
fn place(study: &KernelStudy<'_>, place: Place) -> String {
    if place.line == 0 {
        return String::new();
    }
    let file = file_of(study.answer, place);
    format!("{}:{} ", file.rsplit('/').next().unwrap_or(&file), place.line)
}
