//! Macros that are extents, and other numbers in files that do not include each other.

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{Constant, ConstantKind};
use serde::Serialize;
use serde_json::json;

use super::designs::Designs;
use crate::AuditInput;
use crate::{Finding, Level};
use derate_hls::split_words;

#[derive(Debug, Serialize)]
struct ExtentValue {
    is: i128,
    file: String,
    line: usize,
}

/// The words in the extents and the types of arrays, parameters and aliases: what crosses from one file to another. A
/// function's own arrays do not.
pub(super) fn shared_words<'a>(input: &AuditInput<'a>) -> BTreeSet<&'a str> {
    let headers = input.code.headers();
    let mut texts: Vec<&str> = Vec::new();
    for header in headers {
        for array in &header.arrays {
            texts.push(&array.element);
            texts.extend(array.dims.iter().map(|dim| dim.expression.as_str()));
        }
        for parameter in header.functions.iter().flat_map(|function| &function.parameters) {
            texts.push(&parameter.element);
            texts.extend(parameter.dims.iter().map(|dim| dim.expression.as_str()));
        }
        texts.extend(header.aliases.iter().map(|alias| alias.spelling.as_str()));
    }
    texts.into_iter().flat_map(split_words).collect()
}

pub(super) fn check_extents(input: &AuditInput<'_>, designs: &Designs<'_>) -> Vec<Finding> {
    let mut names: BTreeMap<&str, Vec<(&Constant, i128)>> = BTreeMap::new();
    for constant in input.code.headers().iter().flat_map(|header| &header.constants) {
        let free = constant.kind == ConstantKind::Define && constant.condition.is_none();
        if let Some(value) = constant.value.filter(|_| free) {
            names.entry(&constant.name).or_default().push((constant, value));
        }
    }
    names.retain(|_, all| {
        all.iter().any(|(_, value)| all.first().is_some_and(|one| one.1 != *value))
    });
    if names.is_empty() {
        return Vec::new();
    }
    let shared = shared_words(input);
    names
        .into_iter()
        .filter(|(name, _)| shared.contains(name))
        .filter_map(|(name, all)| make_finding(input, designs, name, &all))
        .collect()
}

fn make_finding(
    input: &AuditInput<'_>,
    designs: &Designs<'_>,
    name: &str,
    all: &[(&Constant, i128)],
) -> Option<Finding> {
    let (first, value) = *all.first()?;
    let code = input.code;
    let apart = |one: &Constant| {
        code.are_apart(first.span.file, one.span.file)
            && designs.have_both(first.span.file, one.span.file)
    };
    let (other, second) = *all.iter().find(|(one, other)| *other != value && apart(one))?;
    let values = [(first, value), (other, second)].map(|(one, is)| ExtentValue {
        is,
        file: input.sources.name(one.span.file).to_owned(),
        line: input.sources.position(one.span).line,
    });
    Some(
        Finding::new("precision/alias-conflict", Level::Warning, name.to_owned())
            .with_message(format!("`{name}` is {value} and {second} in different files"))
            .with_label(first.span, format!("{value} here"))
            .with_label(other.span, format!("{second} here"))
            .with_note("it is part of a type or an extent that files share")
            .with_help(format!("define `{name}` once, in a header that all kernels include"))
            .with_evidence(json!({ "extent": name, "values": &values })),
    )
}
