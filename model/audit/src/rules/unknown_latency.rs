//! The tool does not know how long the design takes.
//!
//! ## What it does
//!
//! Reads the latency of the top module (of each module in `system_estimate`) and the trip counts of all loops. Where
//! one of them is no number (`undef`, `?`, `-`), or one of its ends is none (`1 ~ ?`), it names the loops. A range
//! with two ends is known.
//!
//! ## Why it matters
//!
//! No latency can be derived from such a report, and a word that is taken for 0 or for 1 gives one that is wrong. The
//! cause is nearly always a loop whose bound is a variable.
//!
//! ## Example
//!
//! `<Worst-caseLatency>undef</Worst-caseLatency>`, and `<TripCount>1 ~ ?</TripCount>` of a loop over `n` elements.
//!
//! ## How to fix
//!
//! Give the loops fixed bounds, or state them: `#pragma HLS LOOP_TRIPCOUNT min=2048 max=2048`.

use derate_hls::{Figure, Located, Report, ReportKind};
use serde::Serialize;

use super::cases::{Case, file, labels, named, names, top};
use super::evidence;
use super::repeats::{Said, key, once};
use crate::{Finding, Label, Level};
use derate_estimate::Analysis;
use derate_units::figures::count;

/// What the finding stands on.
#[derive(Debug, Serialize)]
struct UnknownLatency {
    file: String,
    modules: Vec<String>,
    loops: Vec<String>,
}

/// See the module's page.
pub(super) fn check(analysis: &Analysis) -> Vec<Finding> {
    once(analysis.build.reports.iter().filter_map(|report| finding(analysis, report)))
}

fn finding(analysis: &Analysis, report: &Report) -> Option<Said> {
    let every = report.kind == ReportKind::SystemEstimate;
    let modules = report.modules.iter().filter(|_| every);
    let modules: Vec<Case> = modules
        .chain(report.top_module().filter(|_| !every))
        .filter_map(|module| {
            let latency = open(module.latency.as_ref())?;
            let text = format!("a latency of `{}` cycles", latency.value);
            Some(Case::new(module.name.value.clone(), Label::new(latency.span, text)))
        })
        .collect();
    let loops: Vec<Case> = report
        .modules
        .iter()
        .flat_map(derate_hls::Module::all_loops)
        .filter_map(|one| {
            let trips = open(one.trip_count.as_ref())?;
            let text = format!("`{}` runs `{}` times", one.name.value, trips.value);
            Some(Case::new(one.name.value.clone(), Label::new(trips.span, text)))
        })
        .collect();
    let message = match (modules.first(), loops.len()) {
        (None, 0) => return None,
        (Some(module), 0) => {
            format!("the latency of `{}` is unknown, and no loop says why", module.name)
        }
        (Some(module), many) => format!(
            "the latency of `{}` is unknown: so {} of {}",
            module.name,
            if many == 1 { "is the trip count" } else { "are the trip counts" },
            count(many, "loop")
        ),
        (None, many) => {
            format!(
                "in `{}` the tool does not know how often {} runs",
                top(report),
                loops_run(many)
            )
        }
    };
    let mut notes = vec!["no latency can be derived from what is unknown".to_owned()];
    if !loops.is_empty() {
        notes.push(named(loops.iter().map(|case| case.name.as_str())));
    }
    let (module_names, loop_names) = (names(&modules), names(&loops));
    let mut cases = modules;
    cases.truncate(1);
    cases.extend(loops);
    let file = file(&analysis.sources, &cases);
    let keys = module_names
        .iter()
        .map(|name| key(&["module", name]))
        .chain(loop_names.iter().map(|name| key(&["loop", top(report), name])))
        .collect();
    let finding = Finding {
        code: "report/unknown-latency",
        level: Level::Warning,
        subject: file.clone(),
        message,
        labels: labels(&cases),
        notes,
        help: "give the loops fixed bounds, or state them with `#pragma HLS LOOP_TRIPCOUNT`"
            .to_owned(),
        evidence: evidence(&UnknownLatency { file, modules: module_names, loops: loop_names }),
        fixes: Vec::new(),
    };
    Some(Said { keys, weight: 0, finding })
}

fn loops_run(many: usize) -> String {
    if many == 1 { "one loop".to_owned() } else { format!("each of {}", count(many, "loop")) }
}

/// The count, if it is a word in place of a number or has an end that is none.
fn open(figure: Option<&Located<Figure>>) -> Option<&Located<Figure>> {
    figure.filter(|figure| figure.value.min().is_none() || figure.value.max().is_none())
}
