//! A measured time is outside of what the model gives.
//!
//! ## What it does
//!
//! Compares each time of `[[measured]]` with the predicted range of the same kernel or of the inference, and says which term of
//! the prediction, if it were another, would give the measured time. A time is outside if all timed calls are, and by more than
//! 5 %. A time below the modelled minimum is an error where it is also below what the whole card needs for the work.
//! Times of an emulation are not compared.
//!
//! ## Why it matters
//!
//! One of both is wrong. A slower card hides a term that was not modelled; a faster one skips work, or its calls are not
//! what is timed.
//!
//! ## Example
//!
//! An MLP of 25 ms that the model gives 30 to 34 ms: the calls do not do all of the work, or overlap.
//!
//! ## How to fix
//!
//! Check the likeliest term first: the clock that was reached, the host's calls, the waits for memory. State what is known of it.

use derate_units::figures::{quantity, significant};
use serde_json::json;

use crate::{Finding, Level};
use derate_design::find_design;
use derate_design::{ComparedTime, TermKind, TimeVerdict};
use derate_estimate::Analysis;

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    let Some(design) = find_design(analysis) else { return Vec::new() };
    design.measured.iter().filter_map(|one| judge_time(analysis, one)).collect()
}

fn judge_time(analysis: &Analysis, one: &ComparedTime) -> Option<Finding> {
    let section = analysis.project.measured.get(one.section)?;
    let subject = one.kernel.clone().unwrap_or_else(|| "inference".to_owned());
    let whose = one.kernel.as_ref().map_or_else(
        || "an inference was".to_owned(),
        |kernel| format!("a call of `{kernel}` was"),
    );
    let measured = one.measured.value;
    let [low, high] = one.range;
    let is_below_roof = one.roof.is_some_and(|roof| measured < roof);
    let (level, edge, words) = match one.verdict {
        TimeVerdict::Slower => (Level::Warning, high, "times the most that the model gives"),
        TimeVerdict::Faster if is_below_roof => {
            (Level::Error, low, "times the least that the model gives")
        }
        TimeVerdict::Faster => (Level::Warning, low, "times the least that the model gives"),
        TimeVerdict::Agrees | TimeVerdict::NotEvidence => return None,
    };
    let roof = one
        .roof
        .filter(|_| is_below_roof)
        .map(|roof| format!("the whole card needs at least {} for this work", quantity(roof)));
    let likely = one.terms.iter().find(|term| term.doubt.is_none());
    let finding = Finding::new("design/measured", level, &subject)
        .with_message(format!(
            "{whose} measured at {}, {} {words}",
            quantity(measured),
            significant(measured / edge, 3)
        ))
        .with_label(section.span(), format!("predicted: {} to {}", quantity(low), quantity(high)))
        .with_notes(roof)
        .with_notes(likely.map(|term| format!("the likeliest term is {}", name_term(term.term))))
        .with_help("check that term first, and state what is known of it in derate.toml")
        .with_evidence(json!({
            "subject": subject, "measured": measured.0, "predicted": one.predicted.value.0,
            "low": low.0, "high": high.0, "terms": one.terms,
        }));
    Some(finding)
}

fn name_term(term: TermKind) -> &'static str {
    match term {
        TermKind::Clock => "the clock that the kernels run at",
        TermKind::Launch => "what a call of the host takes",
        TermKind::Transfers => "the rate of transfers between host and card",
        TermKind::Bandwidth => "the bandwidth of the ports that hold stages",
        TermKind::MemoryStall => "waits for external memory",
        TermKind::Loops => "the loops: their intervals or iterations",
        TermKind::OtherWork => "the work that no kernel serves",
        TermKind::Sequence => "kernels that run side by side",
    }
}
