//! A loop starts its rounds further apart than it was asked to.
//!
//! ## What it does
//!
//! Compares the initiation interval (II) that each loop reached with its target. Where a report prints no target, the
//! tool's own word for it (`II Violation`) counts, and the target is said to be unknown.
//!
//! ## Why it matters
//!
//! A loop's time is nearly its rounds times its II: at II = 4 the kernel runs at a quarter of the rate that a peak
//! derived from its multipliers assumes.
//!
//! ## Example
//!
//! `acc += a[i] * b[i]` in `float`: each addition waits for the one before it, and II is the adder's latency.
//!
//! ## How to fix
//!
//! Break the chain with several partial sums or with the loops interchanged; partition the arrays that are read more
//! than twice in a round; give each array a port of its own.

use derate_hls::{Figure, Located, Module, Report, ReportedLoop, Span};
use serde::Serialize;

use super::cases::{Case, NAMED, file, labels};
use super::evidence;
use crate::Analysis;
use crate::audit::{Finding, Label, Level};
use crate::figures::count;

/// What the finding stands on.
#[derive(Debug, Serialize)]
struct Intervals {
    file: String,
    loops: Vec<Interval>,
}

/// One loop.
#[derive(Clone, Debug, Serialize)]
struct Interval {
    name: String,
    target: Option<u64>,
    achieved: Option<u64>,
}

impl Interval {
    fn sentence(&self) -> String {
        let number = |n: Option<u64>| n.map_or_else(|| "unknown".to_owned(), |n| n.to_string());
        format!("`{}` II {} (target {})", self.name, number(self.achieved), number(self.target))
    }
}

/// See the module's page.
pub(super) fn check(analysis: &Analysis) -> Vec<Finding> {
    analysis.build.reports.iter().filter_map(|report| finding(analysis, report)).collect()
}

fn finding(analysis: &Analysis, report: &Report) -> Option<Finding> {
    let (loops, cases): (Vec<Interval>, Vec<Case>) = report.modules.iter().flat_map(missed).unzip();
    let first = loops.first()?.sentence();
    let file = file(&analysis.sources, &cases);
    let mut named: Vec<String> = loops.iter().take(NAMED).map(Interval::sentence).collect();
    if loops.len() > NAMED {
        named.push(format!("and {} more", loops.len() - NAMED));
    }
    Some(Finding {
        code: "report/ii",
        level: Level::Warning,
        subject: file.clone(),
        message: match loops.len() {
            1 => format!("a loop misses its initiation interval: {first}"),
            many => format!("{} miss their initiation interval", count(many, "loop")),
        },
        labels: labels(&cases),
        // One loop stands in the message.
        notes: if loops.len() > 1 { vec![named.join(", ")] } else { Vec::new() },
        help: "break the dependence with partial sums or interchanged loops, partition the arrays, or use more ports"
            .to_owned(),
        evidence: evidence(&Intervals { file, loops }),
        fixes: Vec::new(),
    })
}

/// Loops with a target that they miss, then those of which the tool says so without a target.
fn missed(module: &Module) -> Vec<(Interval, Case)> {
    let loops = module.all_loops();
    let mut found: Vec<(Interval, Case)> = loops.iter().filter_map(|one| above(one)).collect();
    let admitted = module.violations.iter().filter(|one| {
        // `II` or `II Violation`; `Timing` is another rule's.
        one.issue.value.split_whitespace().next() == Some("II")
    });
    for violation in admitted {
        let name = violation.loop_name.as_ref().unwrap_or(&module.name.value);
        if found.iter().any(|(interval, _)| interval.name == *name) {
            continue;
        }
        let one = loops.iter().find(|one| one.name.value == *name);
        let target = one.and_then(|one| known(one.ii_target.as_ref()));
        let achieved = one.and_then(|one| known(one.ii_achieved.as_ref()));
        let span =
            one.and_then(|one| one.ii_achieved.as_ref()).map_or(violation.issue.span, |ii| ii.span);
        found.push(case(name, target, achieved, span));
    }
    found
}

fn above(one: &ReportedLoop) -> Option<(Interval, Case)> {
    let target = known(one.ii_target.as_ref())?;
    let achieved = one.ii_achieved.as_ref()?;
    let reached = achieved.value.known().filter(|reached| *reached > target)?;
    Some(case(&one.name.value, Some(target), Some(reached), achieved.span))
}

fn case(name: &str, target: Option<u64>, achieved: Option<u64>, span: Span) -> (Interval, Case) {
    let text = match target {
        Some(target) => format!("the target is {target}"),
        None => "the tool calls it a violation; the target is unknown".to_owned(),
    };
    let interval = Interval { name: name.to_owned(), target, achieved };
    (interval, Case::new(name, Label::new(span, text)))
}

fn known(figure: Option<&Located<Figure>>) -> Option<u64> {
    figure.and_then(|figure| figure.value.known())
}
