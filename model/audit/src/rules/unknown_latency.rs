//! The tool does not know how long the design takes.
//!
//! ## What it does
//!
//! Reads the latency of the top module (of each module in `system_estimate`) and the trip counts of all loops. Where
//! one of them is not a number (`undef`, `?`, `-`), or an end of its range is not (`1 ~ ?`), it names the loops. A range
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
use serde_json::json;

use super::occurrences::{Occurrence, file_of, first_labels, list_names, names_of, top_name};
use super::repeats::{ReportFinding, drop_repeats, make_key};
use crate::{Finding, Label, Level};
use derate_estimate::Analysis;
use derate_units::figures::count;

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    drop_repeats(analysis.build.reports.iter().filter_map(|report| make_finding(analysis, report)))
}

fn make_finding(analysis: &Analysis, report: &Report) -> Option<ReportFinding> {
    let every = report.kind == ReportKind::SystemEstimate;
    let modules = report.modules.iter().filter(|_| every);
    let modules: Vec<Occurrence> = modules
        .chain(report.top_module().filter(|_| !every))
        .filter_map(|module| {
            let latency = unknown_figure(module.latency.as_ref())?;
            let text = format!("a latency of `{}` cycles", latency.value);
            Some(Occurrence::new(module.name.value.clone(), Label::new(latency.span, text)))
        })
        .collect();
    let loops: Vec<Occurrence> = report
        .modules
        .iter()
        .flat_map(derate_hls::Module::all_loops)
        .filter_map(|one| {
            let trips = unknown_figure(one.trip_count.as_ref())?;
            let text = format!("`{}` runs `{}` times", one.name.value, trips.value);
            Some(Occurrence::new(one.name.value.clone(), Label::new(trips.span, text)))
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
                "in `{}` the tool does not know how many iterations {} has",
                top_name(report),
                count_loops(many)
            )
        }
    };
    let mut notes = vec!["no latency can be derived from what is unknown".to_owned()];
    if !loops.is_empty() {
        notes.push(list_names(loops.iter().map(|case| case.name.as_str())));
    }
    let (module_names, loop_names) = (names_of(&modules), names_of(&loops));
    let mut cases = modules;
    cases.truncate(1);
    cases.extend(loops);
    let file = file_of(&analysis.sources, &cases);
    let keys = module_names
        .iter()
        .map(|name| make_key(&["module", name]))
        .chain(loop_names.iter().map(|name| make_key(&["loop", top_name(report), name])))
        .collect();
    let finding = Finding::new("report/unknown-latency", Level::Warning, file.clone())
        .with_message(message)
        .with_labels(first_labels(&cases))
        .with_notes(notes)
        .with_help("give the loops fixed bounds, or state them with `#pragma HLS LOOP_TRIPCOUNT`")
        .with_evidence(json!({ "file": file, "modules": module_names, "loops": loop_names }));
    Some(ReportFinding { keys, weight: 0, finding })
}

fn count_loops(many: usize) -> String {
    if many == 1 { "one loop".to_owned() } else { format!("each of {}", count(many, "loop")) }
}

/// The count, if it is a word in place of a number or has an end that is none.
fn unknown_figure(figure: Option<&Located<Figure>>) -> Option<&Located<Figure>> {
    figure.filter(|figure| figure.value.min().is_none() || figure.value.max().is_none())
}
