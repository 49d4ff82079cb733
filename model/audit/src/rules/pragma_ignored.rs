//! The tool did not take a pragma as it stands.
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
use serde::Serialize;

use super::cases::{Case, file, labels, named, names, top};
use super::evidence;
use super::repeats::{Said, key, once};
use crate::{Finding, Label, Level};
use derate_estimate::Analysis;
use derate_units::figures::count;

/// What the finding stands on.
#[derive(Debug, Serialize)]
struct IgnoredPragmas {
    file: String,
    invalid: usize,
    warning: usize,
    pragmas: Vec<String>,
}

/// See the module's page.
pub(super) fn check(analysis: &Analysis) -> Vec<Finding> {
    once(analysis.build.reports.iter().filter_map(|report| finding(analysis, report)))
}

fn finding(analysis: &Analysis, report: &Report) -> Option<Said> {
    let of =
        |status: &'static str| report.pragmas.iter().filter(move |one| one.status.value == status);
    let (invalid, warning) = (of("invalid").count(), of("warning").count());
    // What is invalid is nowhere in the design: it comes first.
    let cases: Vec<Case> = of("invalid").chain(of("warning")).map(case).collect();
    let ignored = match (invalid, warning) {
        (0, 0) => return None,
        (0, warning) => format!("{} taken with a warning", were(warning)),
        (invalid, 0) => format!("{} invalid", were(invalid)),
        (invalid, warning) => {
            format!("{} invalid, and {warning} taken with a warning", were(invalid))
        }
    };
    let file = file(&analysis.sources, &cases);
    let keys = cases.iter().map(|case| key(&[top(report), &case.name, &case.label.text])).collect();
    let finding = Finding {
        code: "report/pragma-ignored",
        level: Level::Warning,
        subject: file.clone(),
        message: format!("in `{}` {ignored}", top(report)),
        labels: labels(&cases),
        notes: vec![named(cases.iter().map(|case| case.name.as_str()))],
        help: "replace them by what the tool asks for, or remove them".to_owned(),
        evidence: evidence(&IgnoredPragmas { file, invalid, warning, pragmas: names(&cases) }),
        fixes: Vec::new(),
    };
    Some(Said { keys, weight: 0, finding })
}

fn were(number: usize) -> String {
    format!("{} {}", count(number, "pragma"), if number == 1 { "was" } else { "were" })
}

fn case(pragma: &ReportedPragma) -> Case {
    let name = format!("{} {}", pragma.kind.value, pragma.options.value);
    let why = pragma
        .message
        .as_ref()
        .map(|message| message.value.as_str())
        .filter(|message| !message.is_empty())
        .unwrap_or("the report does not say why");
    let at = pragma.location.as_ref().map(|at| format!(" at {}", at.value)).unwrap_or_default();
    let text = format!("{}{at}: {why}", pragma.status.value);
    Case::new(name.trim_end(), Label::new(pragma.kind.span, text))
}
