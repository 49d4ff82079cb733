//! What changed between two reports: finding by finding and figure by figure.
//!
//! Both are read as `derate.report/1`, field by field: fields that a later derate adds or leaves out do not matter.

mod figures;
mod findings;
mod rest;

use derate_hls::Reason;
use serde_json::Value;

pub use figures::{FigureChange, Reading};
pub use findings::{Change, FindingChange};

/// The schema of the reports that can be compared.
pub const SCHEMA: &str = "derate.report/1";

/// What changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Findings that are new, gone, or not the same.
    pub findings: Vec<FindingChange>,
    /// Figures that have another value.
    pub figures: Vec<FigureChange>,
    /// How many findings the newer report has: errors, warnings, notes.
    pub remaining: [usize; 3],
    /// How many figures both reports have.
    pub compared: usize,
    /// Where the reports differ though no finding and no figure changed: `estimate/bandwidths`.
    pub elsewhere: Vec<String>,
}

impl Comparison {
    /// Holds `new` against `old`; the error is a sentence without its subject, the old file.
    pub fn of(old: &Value, new: &Value) -> Result<Self, Reason> {
        match old.get("schema").and_then(Value::as_str) {
            Some(SCHEMA) => {}
            Some(other) => {
                let other: String = other.chars().take(60).collect();
                return Err(format!(
                    "it is `{}`, not `{SCHEMA}`: name a report.json that `derate report` wrote",
                    other.escape_debug()
                )
                .into());
            }
            None => {
                return Err(format!(
                    "it has no schema `{SCHEMA}`: name a report.json that `derate report` wrote"
                )
                .into());
            }
        }
        let (figures, compared) = figures::find_changes(old, new);
        let findings = findings::find_changes(old, new);
        let is_found = !findings.is_empty() || !figures.is_empty();
        let elsewhere = if is_found { Vec::new() } else { rest::list_differing(old, new) };
        let remaining = findings::count_by_level(new);
        Ok(Self { findings, figures, remaining, compared, elsewhere })
    }

    /// Whether both reports say the same.
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty() && self.figures.is_empty() && self.elsewhere.is_empty()
    }
}

/// The elements of the array at `pointer`; none where there is no array.
fn array_items<'a>(value: &'a Value, pointer: &str) -> &'a [Value] {
    value.pointer(pointer).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The text of a field; empty where there is none.
fn text_of(value: &Value, field: &str) -> String {
    value.get(field).and_then(Value::as_str).unwrap_or_default().to_owned()
}
