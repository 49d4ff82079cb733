//! Whole dumps: the published model, variants of the forms, and damage.

use std::fs;
use std::path::{Path, PathBuf};

use derate_source::Sources;

use super::{DumpFormat, ModelShape, ProblemKind, ShapeError};

mod damage;
mod forms;
mod identity;
mod layers;
mod ordinary;
mod ordinary_files;
mod published;
mod subtree;
mod wild;

/// Reads a text as a dump of an unknown form.
fn parse(text: &str) -> Result<ModelShape, ShapeError> {
    parse_as(text, None)
}

fn parse_as(text: &str, format: Option<DumpFormat>) -> Result<ModelShape, ShapeError> {
    let mut sources = Sources::default();
    let file = sources.add("dump.txt", text);
    ModelShape::parse(&sources, file, format)
}

fn fixture(path: &str) -> String {
    let root: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    fs::read_to_string(root.join(path)).expect(path)
}

/// Names with their dimensions.
fn listed(model: &ModelShape) -> Vec<(&str, &[u64])> {
    model.tensors.iter().map(|t| (t.name.as_str(), t.dims.as_slice())).collect()
}

fn kinds(model: &ModelShape) -> Vec<ProblemKind> {
    model.problems.iter().map(|problem| problem.kind).collect()
}
