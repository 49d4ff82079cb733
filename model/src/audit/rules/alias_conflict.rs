//! One alias is different types in different places.
//!
//! ## What it does
//!
//! Compares what all declarations of one alias, scope included, resolve to. Different types in different files are an
//! error; different types under an `#if` that the text does not decide are a warning. A difference between simulation and
//! synthesis is `precision/simulation-type`. Macros, names inside functions and structs, and what cannot be resolved are
//! left out.
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

use std::collections::BTreeSet;

use derate_hls::{AliasKind, Sources};
use serde::Serialize;

use super::evidence;
use super::simulation_type::depends_on_the_tool;
use crate::Analysis;
use crate::audit::twins::{Twins, twins};
use crate::audit::{Finding, Label, Level};
use crate::figures::count;

/// What the finding stands on.
#[derive(Debug, Serialize)]
struct AliasConflict {
    alias: String,
    types: Vec<Kind>,
}

#[derive(Debug, Serialize)]
struct Kind {
    underlying: String,
    declarations: usize,
    /// The first of them.
    file: String,
    line: usize,
    condition: Option<String>,
}

/// See the module's page.
pub(super) fn check(analysis: &Analysis) -> Vec<Finding> {
    twins(analysis)
        .iter()
        .filter(|twins| !depends_on_the_tool(twins))
        .filter_map(|twins| finding(&analysis.sources, twins))
        .collect()
}

/// An error where no `#if` chooses, a warning where one does; nothing where macros of one name stand in two files.
fn level(twins: &Twins<'_>) -> Option<Level> {
    if twins.conditions().is_some() {
        return Some(Level::Warning);
    }
    let types = twins.types();
    let files: BTreeSet<_> = types.iter().map(|(alias, _)| alias.alias.span.file).collect();
    let macros = types.iter().any(|(alias, _)| alias.alias.kind == AliasKind::Define);
    let free = types.iter().filter(|(alias, _)| alias.alias.condition.is_none()).count();
    match (macros, files.len(), free) {
        (true, ..) | (_, 1, _) => None,
        (_, _, 2..) => Some(Level::Error),
        _ => Some(Level::Warning),
    }
}

fn finding(sources: &Sources, twins: &Twins<'_>) -> Option<Finding> {
    let level = level(twins)?;
    let name = &twins.name;
    let types: Vec<Kind> = twins
        .types()
        .iter()
        .map(|(alias, kind)| Kind {
            underlying: kind.to_string(),
            declarations: twins.with(kind),
            file: sources.name(alias.alias.span.file).to_owned(),
            line: sources.position(alias.alias.span).line,
            condition: alias.alias.condition.clone(),
        })
        .collect();
    let labels = twins
        .types()
        .iter()
        .zip(&types)
        .map(|((alias, _), one)| {
            let condition =
                one.condition.as_ref().map_or(String::new(), |it| format!(" if `{it}`"));
            Label::new(alias.alias.span, format!("`{}` here{condition}", one.underlying))
        })
        .collect();
    let shown: Vec<String> = types.iter().map(|one| format!("`{}`", one.underlying)).collect();
    Some(Finding {
        code: "precision/alias-conflict",
        level,
        subject: name.clone(),
        message: if level == Level::Error {
            format!("`{name}` is {} in different files", shown.join(" and "))
        } else {
            format!("`{name}` is {}, and a macro that is not set here chooses", shown.join(" or "))
        },
        labels,
        notes: types
            .iter()
            .map(|one| {
                format!(
                    "`{}` in {}, the first at {}:{}",
                    one.underlying,
                    count(one.declarations, "declaration"),
                    one.file,
                    one.line
                )
            })
            .collect(),
        help: format!("declare `{name}` once, in a header that all kernels include"),
        evidence: evidence(&AliasConflict { alias: name.clone(), types }),
        fixes: Vec::new(),
    })
}
