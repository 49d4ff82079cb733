//! One alias is different types in different places.
//!
//! ## What it does
//!
//! Compares what all declarations of one alias, scope included, resolve to. Different types in different files are an
//! error; different types under an `#if` that the text does not decide are a note: somebody chooses among them. A
//! difference between simulation and synthesis is `precision/simulation-type`. Names inside functions and structs, and what cannot be resolved are left out.
//!
//! Only declarations of one design are compared: files that includes join, that lie in one folder, or whose kernels one
//! v++ configuration links. Macros that name types count where their files do not include each other; those that are extents of arrays,
//! parameters or types are then a warning. A header that is another text for one source than for another, as they define
//! other macros before they include it, is an error. Where no `derate.toml` names a model, both are notes unless a script
//! or a `[[kernel]]` builds the files together, or one v++ configuration links their kernels: `derate init` names all files
//! of a folder, which may hold several designs.
//!
//! In a folder without a model, an error needs something that crosses: a function, a global or a structure that is declared with
//! the alias in one file and used in the other, or kernels that one v++ configuration links. Else it is a note. Macros that
//! differ in the files of an alias are named in its finding.
//!
//! Where no `derate.toml` names the files, only those that a kernel is compiled from count: `long` of a processor's
//! header may have 32 bits.
//!
//! ## Why it matters
//!
//! Each translation unit is consistent, so nothing fails to compile: one kernel writes floats to memory and the next one
//! reads fixed point from it. Bytes, DSPs and accuracy that are worked out from one file do not hold for the others.
//!
//! ## Example
//!
//! ```cpp
//! typedef float fixed32_14;            // layernorm.cpp
//! typedef ap_fixed<32, 14> fixed32_14; // mlp.cpp
//! ```
//!
//! ## How to fix
//!
//! Declare the alias once, in a header that all kernels include. Where a macro chooses, say which choice is analysed.

mod designs;
mod extents;

use std::collections::BTreeSet;

use derate_hls::{AliasKind, FileId, Resolution, Span};
use serde::Serialize;
use serde_json::json;

use designs::Designs;

use super::simulation_type::depends_on_the_tool;
use crate::AuditInput;
use crate::{Finding, Label, Level};
use derate_project::alias_variants::{AliasVariants, declared_otherwise, find_alias_variants};
use derate_project::{Alternative, Code, ResolvedAlias, When};
use derate_units::figures::count;

#[derive(Debug, Serialize)]
struct DeclaredType {
    underlying: String,
    declarations: usize,
    /// The first of them.
    file: String,
    line: usize,
    condition: Option<String>,
}

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let reach = input.reach();
    let mut twins = find_alias_variants(input.code);
    for twins in &mut twins {
        twins.all.retain(|(alias, _)| reach.has(alias.alias.span.file));
    }
    twins.retain(|twins| !twins.all.is_empty());
    let twins = twins.iter().filter(|twins| !depends_on_the_tool(twins));
    let crossing = extents::shared_words(input);
    let twins = twins.filter(|twins| !is_macro(twins) || crossing.contains(twins.name.as_str()));
    let designs = Designs::new(input);
    let twins = twins.filter_map(|twins| keep_one_design(&designs, twins));
    let mut found: Vec<Finding> = twins.filter_map(|twins| make_finding(input, &twins)).collect();
    let extents = extents::check_extents(input, &designs);
    found = extents.into_iter().fold(found, join_extent);
    let grade = |one: Finding| {
        let files: Vec<FileId> = one.labels.iter().map(|label| label.span.file).collect();
        designs.grade(one, &files)
    };
    let mut found: Vec<Finding> = found.into_iter().map(grade).collect();
    let readings = declared_otherwise(input.code, |alias| {
        alias.alternatives.iter().find(|one| matches!(one.when, When::IncludedBy(_)))
    });
    let readings = readings.into_iter().filter(|(alias, _)| reach.has(alias.alias.span.file));
    found.extend(readings.map(|(alias, other)| {
        let finding = report_two_readings(input, alias, other);
        designs.grade(finding, &list_readers(input, alias, &other.when))
    }));
    found
}

/// Joins a macro to the alias that differs in the same files: one has changed with the other.
fn join_extent(mut found: Vec<Finding>, extent: Finding) -> Vec<Finding> {
    let files = |one: &Finding| -> BTreeSet<FileId> {
        one.labels.iter().map(|label| label.span.file).collect()
    };
    match found.iter_mut().find(|one| files(one) == files(&extent)) {
        Some(alias) => alias.notes.push(extent.message),
        None => found.push(extent),
    }
    found
}

/// The source that reads a header otherwise, and the first that reads it.
fn list_readers(input: &AuditInput<'_>, alias: &ResolvedAlias, when: &When) -> Vec<FileId> {
    let When::IncludedBy(other) = when else { return Vec::new() };
    let mut headers = input.code.headers().iter();
    let header = headers.find(|header| header.file == alias.alias.span.file);
    let first = header.and_then(|header| header.read_by.first());
    first.into_iter().chain([other]).copied().collect()
}

/// An alias of a header that two sources read as different texts.
fn report_two_readings(
    input: &AuditInput<'_>,
    alias: &ResolvedAlias,
    other: &Alternative<Resolution>,
) -> Finding {
    let sources = input.sources;
    let name = alias.alias.qualified();
    let shown = |one: &Resolution| match one.known() {
        Some(kind) => format!("`{kind}`"),
        None => "unknown".to_owned(),
    };
    let (here, there) = (shown(&alias.resolution), shown(&other.what));
    let under = other.when.words(sources);
    let kind = |underlying: &str, span: Span| DeclaredType {
        underlying: underlying.trim_matches('`').to_owned(),
        declarations: 1,
        file: sources.name(span.file).to_owned(),
        line: sources.position(span).line,
        condition: None,
    };
    let types = vec![
        kind(&here, alias.alias.span),
        DeclaredType { condition: Some(under.clone()), ..kind(&there, other.span) },
    ];
    let mut labels = vec![Label::new(alias.alias.span, format!("{here} here"))];
    if other.span != alias.alias.span {
        labels.push(Label::new(other.span, format!("{there} where {under}")));
    }
    Finding::new("precision/alias-conflict", Level::Error, name.clone())
        .with_message(format!("`{name}` is {here}, and {there} where its header is {under}"))
        .with_labels(labels)
        .with_note("the sources define other macros before they include it")
        .with_help("define the macro once for all sources: in the header itself, or with -D")
        .with_evidence(json!({ "alias": name, "types": types }))
}

/// The declarations of the first design that has two of them which differ: a repository may hold several designs, each
/// with its own `acc_t`.
fn keep_one_design<'a>(
    designs: &Designs<'a>,
    twins: &AliasVariants<'a>,
) -> Option<AliasVariants<'a>> {
    let mut starts = twins.all.iter();
    starts.find_map(|(first, kind)| {
        let file = first.alias.span.file;
        let here = |alias: &ResolvedAlias| designs.have_both(file, alias.alias.span.file);
        let all: Vec<_> = twins.all.iter().filter(|(alias, _)| here(alias)).copied().collect();
        let differs = all.iter().any(|(_, other)| other.to_string() != kind.to_string());
        differs.then(|| AliasVariants { name: twins.name.clone(), all })
    })
}

fn is_macro(twins: &AliasVariants<'_>) -> bool {
    twins.all.iter().any(|(alias, _)| alias.alias.kind == AliasKind::Define)
}

/// An error where no `#if` chooses, a note where one chooses all of them, a warning where one chooses some; nothing where a file redefines a macro of a file that it
/// includes.
fn find_level(code: &Code, twins: &AliasVariants<'_>) -> Option<Level> {
    if twins.conditions().is_some() {
        return Some(Level::Note);
    }
    let types = twins.distinct_types();
    let files: BTreeSet<_> = types.iter().map(|(alias, _)| alias.alias.span.file).collect();
    let apart = types.iter().enumerate().any(|(at, (one, _))| {
        let file = one.alias.span.file;
        types.iter().skip(at + 1).any(|(other, _)| code.are_apart(file, other.alias.span.file))
    });
    let free = types.iter().filter(|(alias, _)| alias.alias.condition.is_none()).count();
    match (is_macro(twins), files.len(), free) {
        (_, 1, _) => None,
        (true, ..) if !apart => None,
        (_, _, 2..) => Some(Level::Error),
        _ => Some(Level::Warning),
    }
}

fn make_finding(input: &AuditInput<'_>, twins: &AliasVariants<'_>) -> Option<Finding> {
    let level = find_level(input.code, twins)?;
    let sources = input.sources;
    let name = &twins.name;
    let types: Vec<DeclaredType> = twins
        .distinct_types()
        .iter()
        .map(|(alias, kind)| DeclaredType {
            underlying: kind.to_string(),
            declarations: twins.count_of(kind),
            file: sources.name(alias.alias.span.file).to_owned(),
            line: sources.position(alias.alias.span).line,
            condition: alias.alias.condition.clone(),
        })
        .collect();
    let labels: Vec<Label> = twins
        .distinct_types()
        .iter()
        .zip(&types)
        .map(|((alias, _), one)| {
            let condition =
                one.condition.as_ref().map_or(String::new(), |it| format!(" if `{it}`"));
            Label::new(alias.alias.span, format!("`{}` here{condition}", one.underlying))
        })
        .collect();
    let shown: Vec<String> = types.iter().map(|one| format!("`{}`", one.underlying)).collect();
    Some(
        Finding::new("precision/alias-conflict", level, name.clone())
            .with_message(if level == Level::Error {
                format!("`{name}` is {} in different files", shown.join(" and "))
            } else {
                format!(
                    "`{name}` is {}, and a macro that is not set here chooses",
                    shown.join(" or ")
                )
            })
            .with_labels(labels)
            .with_notes(types.iter().map(|one| {
                format!(
                    "`{}` in {}, the first at {}:{}",
                    one.underlying,
                    count(one.declarations, "declaration"),
                    one.file,
                    one.line
                )
            }))
            .with_help(format!("declare `{name}` once, in a header that all kernels include"))
            .with_evidence(json!({ "alias": name, "types": types })),
    )
}
