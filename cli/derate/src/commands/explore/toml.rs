//! Changes of `derate.toml`.

use std::collections::BTreeMap;

use anyhow::Error;
use derate_model::Analysis;
use derate_model::explore::array::{Insertion, write_design};

use super::asked::Asked;
use super::diff::Change;

/// The project with other values in `[design]`, and the change of its file.
pub(super) fn change_design(
    asked: &Asked<'_>,
    values: &[String],
) -> Result<(Analysis, Change), Error> {
    let analysis = asked.analysis;
    let file = analysis.project.file;
    let old = analysis.sources.text(file);
    let new = apply(old, write_design(old, &analysis.project, values));
    let again = analysis.with_texts(&BTreeMap::from([(file, new.clone())]))?;
    let name = analysis.sources.name(file).to_owned();
    Ok((again, Change { name, old: Some(old.to_owned()), new }))
}

/// A text with insertions, which are sorted.
pub(super) fn apply(text: &str, edits: Vec<Insertion>) -> String {
    let mut out = text.to_owned();
    for edit in edits.into_iter().rev() {
        out.replace_range(edit.range, &edit.text);
    }
    out
}
