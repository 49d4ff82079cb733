//! The tool ignored a pragma, or took it with a warning.
//!
//! ## What it does
//!
//! Lists the pragmas and directives to which the report gives the status `warning` or `invalid`, with the tool's
//! message where there is one.
//!
//! ## Why it matters
//!
//! A pragma that is ignored reads in the code as if it held. An analysis that counts on its pipeline, its partition or
//! its dataflow counts on something that was not built.
//!
//! ## Example
//!
//! `data_pack` is invalid since 2020.1: the structure goes through the port member by member.
//!
//! ## How to fix
//!
//! Replace it by what the tool's message asks for (`aggregate` for `data_pack`, `bind_storage` for `resource`), or
//! remove it.

use derate_hls::{Report, ReportedPragma};
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
    let of =
        |status: &'static str| report.pragmas.iter().filter(move |one| one.status.value == status);
    let (invalid, warning) = (of("invalid").count(), of("warning").count());
    // What is invalid is nowhere in the design: it comes first.
    let cases: Vec<Occurrence> = of("invalid").chain(of("warning")).map(pragma_case).collect();
    let ignored = match (invalid, warning) {
        (0, 0) => return None,
        (0, warning) => format!("{} taken with a warning", count_were(warning)),
        (invalid, 0) => format!("{} invalid", count_were(invalid)),
        (invalid, warning) => {
            format!("{} invalid, and {warning} taken with a warning", count_were(invalid))
        }
    };
    let file = file_of(&analysis.sources, &cases);
    let keys = cases
        .iter()
        .map(|case| make_key(&[top_name(report), &case.name, &case.label.text]))
        .collect();
    let finding = Finding::new("report/pragma-ignored", Level::Warning, file.clone())
        .with_message(format!("in `{}` {ignored}", top_name(report)))
        .with_labels(first_labels(&cases))
        .with_note(list_names(cases.iter().map(|case| case.name.as_str())))
        .with_help("replace them by what the tool asks for, or remove them")
        .with_evidence(json!({
            "file": file,
            "invalid": invalid,
            "warning": warning,
            "pragmas": names_of(&cases),
        }));
    Some(ReportFinding { keys, weight: 0, finding })
}

fn count_were(number: usize) -> String {
    format!("{} {}", count(number, "pragma"), if number == 1 { "was" } else { "were" })
}

fn pragma_case(pragma: &ReportedPragma) -> Occurrence {
    let name = format!("{} {}", pragma.kind.value, pragma.options.value);
    let why = pragma
        .message
        .as_ref()
        .map(|message| message.value.as_str())
        .filter(|message| !message.is_empty())
        .unwrap_or("the report does not say why");
    let at = pragma.location.as_ref().map(|at| format!(" at {}", at.value)).unwrap_or_default();
    let text = format!("{}{at}: {why}", pragma.status.value);
    Occurrence::new(name.trim_end(), Label::new(pragma.kind.span, text))
}
