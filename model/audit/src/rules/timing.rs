//! The clock that the tools reached or expect is slower than the clock that is wanted.
//!
//! ## What it does
//!
//! Holds each estimated clock period of a report against its target, each estimated frequency of a `system_estimate`
//! against its own, and looks for negative slack. The clock that a bitstream reached (`DATA_CLK` of `xclbin.info`) is
//! held against the claimed one. What a report prints without a number is not taken for met: where the clock that was
//! reached is no number, the finding is a note that says so. The clock uncertainty is told beside the estimate and
//! added to nothing.
//!
//! ## Why it matters
//!
//! A latency is cycles times period. Cycles that were counted for a clock that the design does not reach give a time
//! that it does not reach either, and tools lower the clock of a kernel that fails its timing without an error.
//!
//! ## Example
//!
//! `clock = "300 MHz"` under `[claims]`, and `Frequency: 186 MHz` for `DATA_CLK` in `xclbin.info`.
//!
//! ## How to fix
//!
//! Claim the clock that was reached. To reach the other one, shorten the path that the report names: a deeper pipeline,
//! a smaller unroll factor, one die per compute unit.

use derate_hls::{Decimal, Frequency, Located, Report, Span};
use serde::Serialize;

use super::cases::{Case, file, labels, named, names};
use super::evidence;
use super::repeats::{Said, key, once};
use crate::{Finding, Label, Level};
use derate_estimate::Analysis;
use derate_units::Hertz;
use derate_units::figures::{count, quantity, significant};

/// What the finding stands on.
#[derive(Debug, Serialize)]
struct Timing {
    file: String,
    missed: Vec<String>,
    claimed_hertz: Option<f64>,
    reached_hertz: Option<f64>,
}

/// See the module's page.
pub(super) fn check(analysis: &Analysis) -> Vec<Finding> {
    let reports = &analysis.build.reports;
    let mut found = once(reports.iter().filter_map(|report| estimated(analysis, report)));
    found.extend(reports.iter().filter_map(|report| reached(analysis, report)));
    found
}

/// What the tools expect, against what they were asked for.
fn estimated(analysis: &Analysis, report: &Report) -> Option<Said> {
    let cases = missed(report);
    let first = cases.first()?;
    let (first_is, file) = (first.label.text.clone(), file(&analysis.sources, &cases));
    let uncertainty = report.clock.uncertainty.as_ref().and_then(|margin| margin.value.known());
    let mut notes = vec![named(cases.iter().map(|case| case.name.as_str()))];
    notes.push(match uncertainty {
        Some(margin) => format!(
            "the clock uncertainty of {} ns is kept back on top of that; an estimate is no promise",
            significant(margin, 4)
        ),
        None => {
            "the report prints no clock uncertainty that is a number; an estimate is no promise"
                .to_owned()
        }
    });
    let top = super::cases::top(report);
    let keys = cases.iter().map(|case| key(&[top, &case.name, &case.label.text])).collect();
    let finding = Finding {
        code: "report/timing",
        level: Level::Error,
        subject: file.clone(),
        message: match cases.len() {
            1 => format!("timing is not met: {first_is}"),
            many => {
                format!("timing is not met in {}; the first: {first_is}", count(many, "place"))
            }
        },
        labels: labels(&cases),
        notes,
        help: "take the cycles at the clock that is reached, or shorten the path: a deeper pipeline, a smaller \
               unroll factor"
            .to_owned(),
        evidence: evidence(&Timing {
            file,
            missed: names(&cases),
            claimed_hertz: None,
            reached_hertz: None,
        }),
        fixes: Vec::new(),
    };
    Some(Said { keys, weight: 0, finding })
}

/// The report's own period, then the modules' periods, frequencies and slacks, then the loops' slacks.
fn missed(report: &Report) -> Vec<Case> {
    let mut cases = Vec::new();
    let top = super::cases::top(report);
    let whole = (report.clock.target.as_ref(), report.clock.estimated.as_ref());
    cases.extend(period(top, whole.0, whole.1));
    for module in &report.modules {
        let name = module.name.value.as_str();
        let own = (module.clock.target.as_ref(), module.clock.estimated.as_ref());
        cases.extend(period(name, own.0.or(whole.0), own.1));
        cases.extend(module.frequency.as_ref().and_then(|frequency| slower(name, frequency)));
        cases.extend(slack(name, module.slack.as_ref()));
        for one in module.all_loops() {
            cases.extend(slack(&one.name.value, one.slack.as_ref()));
        }
    }
    // The top's figures may stand for the report as well.
    let mut seen: Vec<Span> = Vec::new();
    cases.retain(|case| {
        let new = !seen.contains(&case.label.span);
        seen.push(case.label.span);
        new
    });
    cases
}

fn period(
    name: &str,
    target: Option<&Located<Decimal>>,
    estimated: Option<&Located<Decimal>>,
) -> Option<Case> {
    let (target, estimated) = (target?.value.known()?, estimated?);
    let expected = estimated.value.known().filter(|expected| *expected > target)?;
    let text = format!(
        "{} ns are expected, {} ns is the target",
        significant(expected, 4),
        significant(target, 4)
    );
    Some(Case::new(name, Label::new(estimated.span, text)))
}

fn slower(name: &str, frequency: &Frequency) -> Option<Case> {
    let target = frequency.target.value.known()?;
    let expected = frequency.estimated.value.known().filter(|expected| *expected < target)?;
    let text = format!(
        "{} MHz are expected, {} MHz is the target",
        significant(expected, 4),
        significant(target, 4)
    );
    Some(Case::new(name, Label::new(frequency.estimated.span, text)))
}

fn slack(name: &str, slack: Option<&Located<Decimal>>) -> Option<Case> {
    let slack = slack?;
    let left = slack.value.known().filter(|left| *left < 0.0)?;
    let text = format!("a slack of {} ns", significant(left, 4));
    Some(Case::new(name, Label::new(slack.span, text)))
}

/// The clock of the kernels in the bitstream, against the claim.
fn reached(analysis: &Analysis, report: &Report) -> Option<Finding> {
    let claim = analysis.project.claims.clock.as_ref()?;
    let clock = report.clocks.iter().find(|clock| clock.name.value == "DATA_CLK")?;
    let (reached, place) = match &clock.frequency {
        Some(frequency) => {
            (frequency.value.known().map(|megahertz| Hertz(megahertz * 1e6)), frequency.span)
        }
        None => (None, clock.name.span),
    };
    if reached.is_some_and(|reached| reached.0 >= claim.value.0 * (1.0 - 1e-9)) {
        return None;
    }
    let claimed = quantity(claim.value);
    let (level, message, here, notes) = match reached {
        Some(reached) => (
            Level::Error,
            format!("the clock that was reached is {}, {claimed} is claimed", quantity(reached)),
            format!("the bitstream runs its kernels at {}", quantity(reached)),
            vec![format!(
                "what takes a time t at the claimed clock takes {} t at the one that was reached",
                significant(claim.value.0 / reached.0, 4)
            )],
        ),
        None => (
            Level::Note,
            format!("the clock that was reached is unknown, {claimed} is claimed"),
            "no number of megahertz here".to_owned(),
            Vec::new(),
        ),
    };
    let file = analysis.sources.name(place.file).to_owned();
    Some(Finding {
        code: "report/timing",
        level,
        subject: "claims.clock".to_owned(),
        message,
        labels: vec![Label::new(place, here), Label::new(claim.span, "the claim")],
        notes,
        help: "claim the clock that was reached, or build for the one that is claimed".to_owned(),
        evidence: evidence(&Timing {
            file,
            missed: vec![clock.name.value.clone()],
            claimed_hertz: Some(claim.value.0),
            reached_hertz: reached.map(|reached| reached.0),
        }),
        fixes: Vec::new(),
    })
}
