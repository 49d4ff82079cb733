//! The project file as serde sees it; unknown keys are refused here.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use super::{Checker, ProjectError};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) model: Option<Model>,
    pub(super) hls: Option<Hls>,
    pub(super) platform: Platform,
    pub(super) claims: Option<Claims>,
    pub(super) derate: Option<Derate>,
    pub(super) measurements: Option<Measurements>,
    pub(super) design: Option<Design>,
    pub(super) audit: Option<Audit>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Model {
    pub(super) shapes: Option<Spanned<String>>,
    pub(super) workload: Option<Spanned<String>>,
    pub(super) cameras: Option<Spanned<i64>>,
    pub(super) language_tokens: Option<Spanned<i64>>,
    pub(super) denoise_steps: Option<Spanned<i64>>,
    pub(super) chunk: Option<Spanned<i64>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Hls {
    pub(super) sources: Option<Vec<Spanned<String>>>,
    pub(super) include: Option<Vec<Spanned<String>>>,
    pub(super) defines: Option<Vec<Spanned<String>>>,
    pub(super) connectivity: Option<Spanned<String>>,
    pub(super) reports: Option<Vec<Spanned<String>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Platform {
    pub(super) name: Spanned<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Claims {
    pub(super) precision: Option<Spanned<String>>,
    pub(super) batch: Option<Spanned<i64>>,
    pub(super) sequence_length: Option<Spanned<i64>>,
    pub(super) clock: Option<Spanned<String>>,
    pub(super) bandwidth: Option<Spanned<String>>,
    pub(super) peak: Option<BTreeMap<Spanned<String>, Spanned<String>>>,
    pub(super) latency: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Derate {
    pub(super) bandwidth: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Measurements {
    pub(super) files: Option<Vec<Spanned<String>>>,
    pub(super) points: Option<Spanned<String>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Design {
    pub(super) precision: Option<Spanned<String>>,
    pub(super) dsp_per_mac: Option<BTreeMap<Spanned<String>, Spanned<f64>>>,
    pub(super) rows: Option<Spanned<i64>>,
    pub(super) columns: Option<Spanned<i64>>,
    pub(super) unroll: Option<Spanned<i64>>,
    pub(super) accumulation_ii: Option<Spanned<i64>>,
    pub(super) fill: Option<Spanned<i64>>,
    pub(super) lanes: Option<Spanned<i64>>,
    pub(super) memory_latency: Option<Spanned<i64>>,
    pub(super) launch: Option<Spanned<String>>,
    pub(super) launches: Option<Spanned<String>>,
    pub(super) clock: Option<Spanned<String>>,
    pub(super) schedule: Option<Spanned<String>>,
    pub(super) buffer: Option<Spanned<String>>,
    pub(super) ports: Option<Spanned<i64>>,
    pub(super) port_bits: Option<Spanned<i64>>,
    pub(super) hold: Option<Vec<Spanned<String>>>,
    pub(super) hoist_cross_kv: Option<Spanned<bool>>,
    pub(super) drop_dead_work: Option<Spanned<bool>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Audit {
    pub(super) levels: Option<BTreeMap<Spanned<String>, Spanned<String>>>,
}

/// The parser's words and ours.
const WORDS: [(&str, &str); 8] = [
    ("unknown field", "unknown key"),
    ("missing field", "missing key or table"),
    ("expected a string", "expected a text in quotes"),
    ("expected i64", "expected a whole number"),
    ("expected f64", "expected a number"),
    ("expected a map", "expected a table, such as { fp32 = ... }"),
    ("expected a sequence", "expected a list in brackets"),
    (" as i128", ""),
];

/// The parser's error as one sentence with file and line.
pub(super) fn sentence(check: &Checker<'_>, error: &toml::de::Error) -> ProjectError {
    let reason = WORDS
        .iter()
        .fold(error.message().to_owned(), |text, (theirs, ours)| text.replace(theirs, ours));
    let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
    let span = check.span(error.span().unwrap_or(0..0));
    let before = check.sources.text(span.file).get(..span.start).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    // The parser says what it found, not under which key.
    let key = line.split_once('=').map(|(key, _)| key.trim()).filter(|key| !key.is_empty());
    let reason = key.map_or_else(|| reason.clone(), |key| format!("{key}: {reason}"));
    ProjectError::at(check.sources, span, reason)
}
