//! A directive names a variable or a port that its function does not have.
//!
//! ## What it does
//!
//! Takes the `variable=` and `port=` of every directive in a function's body and looks for the name. It is there if the
//! function has it anywhere outside of comments and pragmas, or if one of the files has it outside of functions: as an
//! object, a member, or in a macro.
//!
//! It is a note where no variable of the function that has no directive is called much like it: the line is left over.
//!
//! Four kinds of functions are not judged: those that a macro with `##` may give names, those with an `#include` in
//! their body, those of a class whose bases or members were not all read, and those in a file of which an include is
//! missing.
//!
//! ## Why it matters
//!
//! C simulation skips every pragma. A name that was changed in the code and not in the pragma shows only in synthesis, which
//! stops there or goes on without the directive: the array is not partitioned, or the port has no bundle.
//!
//! ## Example
//!
//! ```cpp
//! void top(const float *in, float *out) {
//!     float buf[64];
//! #pragma HLS array_partition variable=buffer complete   // it was renamed `buf`
//! ```
//!
//! ## How to fix
//!
//! Give the directive the variable's present name, or remove the directive.

use std::collections::BTreeSet;

use derate_hls::{Function, Header, Pragma, Sources, Span};
use serde_json::json;

use crate::AuditInput;
use crate::{Finding, Level};
use derate_finding::Fix;
use derate_hls::split_words;

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let outside = Outside::read(input);
    let functions = input
        .code
        .headers()
        .iter()
        .flat_map(|header| header.functions.iter().map(move |function| (header, function)));
    functions
        .filter(|(_, function)| function.pragmas.iter().any(|one| !list_names(one).is_empty()))
        .flat_map(|(header, function)| report_function(input, &outside, header, function))
        .collect()
}

/// What the files say outside of functions.
struct Outside<'a> {
    /// Every name: declarations, members, and the texts of macros.
    words: BTreeSet<&'a str>,
    /// Macros that put names together.
    joining: BTreeSet<&'a str>,
}

impl<'a> Outside<'a> {
    fn read(input: &AuditInput<'a>) -> Self {
        let mut outside = Self { words: BTreeSet::new(), joining: BTreeSet::new() };
        for header in input.code.all_headers() {
            let text = input.sources.text(header.file);
            let whole = Span { file: header.file, start: 0, end: text.len() };
            let functions = header.functions.iter().map(|one| one.span);
            let pieces = list_pieces(input.sources, header, whole, functions);
            outside.words.extend(pieces.into_iter().flat_map(split_words));
            outside.joining.extend(joining_macros(text));
        }
        outside
    }
}

/// The macros of a text that have `##` in them.
fn joining_macros(text: &str) -> Vec<&str> {
    let (mut joining, mut above) = (Vec::new(), None);
    for line in text.lines() {
        let own = line.trim_start().strip_prefix('#').map(str::trim_start);
        let name = own.and_then(|line| line.strip_prefix("define")).map(split_words);
        // A line that goes on belongs to the macro above it.
        let Some(name) = name.and_then(|mut words| words.next()).or(above) else { continue };
        joining.extend(line.contains("##").then_some(name));
        above = line.trim_end().ends_with('\\').then_some(name);
    }
    joining
}

/// The variables and ports of a directive, as they are spelt.
fn list_names(pragma: &Pragma) -> Vec<String> {
    let Some(directive) = pragma.directive() else { return Vec::new() };
    let options = directive.options.into_iter();
    options
        .filter(|one| one.key == "variable" || one.key == "port")
        .filter_map(|one| one.value)
        .collect()
}

/// The text at a span without comments, pragmas and these other parts.
fn list_pieces<'a>(
    sources: &'a Sources,
    header: &Header,
    span: Span,
    without: impl Iterator<Item = Span>,
) -> Vec<&'a str> {
    let pragmas = header.pragmas.iter().map(|one| one.span);
    let mut gaps: Vec<Span> =
        header.comments.iter().copied().chain(pragmas).chain(without).collect();
    gaps.retain(|gap| gap.end > span.start && gap.start < span.end);
    gaps.sort_unstable();
    let text = sources.text(span.file);
    let (mut pieces, mut at) = (Vec::new(), span.start);
    for gap in gaps {
        pieces.extend(text.get(at..gap.start));
        at = at.max(gap.end);
    }
    pieces.extend(text.get(at..span.end));
    pieces
}

/// Whether all members that a function may use were read: it is a member of no class, or of one without bases.
fn has_read_members(input: &AuditInput<'_>, function: &Function) -> bool {
    let Some(class) = function.scope.parts().last() else { return true };
    let structures = input.code.all_headers().iter().flat_map(|one| &one.structures);
    let classes: Vec<_> = structures.filter(|one| one.name == *class).collect();
    let head = input.sources.slice(function.span).split('(').next().unwrap_or_default().trim_end();
    let before = head.strip_suffix(function.name.as_str()).unwrap_or(head);
    // `cache::fill()` may be of a class that was not read.
    let is_known = !classes.is_empty() || !before.trim_end().ends_with("::");
    is_known && classes.iter().all(|one| one.bases.is_empty() && one.unread.is_none())
}

fn report_function(
    input: &AuditInput<'_>,
    outside: &Outside<'_>,
    header: &Header,
    function: &Function,
) -> Vec<Finding> {
    let Some(body) = function.body else { return Vec::new() };
    let whole = Span { end: body.end, ..function.span };
    let pieces = list_pieces(input.sources, header, whole, std::iter::empty());
    let words: BTreeSet<&str> = pieces.iter().flat_map(|piece| split_words(piece)).collect();
    let is_open = pieces.iter().any(|piece| piece.contains("#include"))
        || words.iter().any(|word| outside.joining.contains(word));
    if is_open {
        return Vec::new();
    }
    let is_known = |word: &str| {
        ["this", "return"].contains(&word)
            || word.starts_with(|letter: char| letter.is_ascii_digit())
            || words.contains(word)
            || outside.words.contains(word)
    };
    let is_written = |one: &&Pragma| input.sources.slice(one.span).trim_start().starts_with('#');
    let names = function
        .pragmas
        .iter()
        .filter(is_written)
        .flat_map(|pragma| list_names(pragma).into_iter().map(move |name| (pragma, name)));
    let is_unknown =
        |name: &str| split_words(name).next().is_some() && !split_words(name).any(is_known);
    let named: BTreeSet<String> = function.pragmas.iter().flat_map(list_names).collect();
    let findings: Vec<Finding> = names
        .filter(|(_, name)| is_unknown(name))
        .map(|(pragma, name)| report_name(function, pragma, &name, &named))
        .collect();
    // What was not read may have the name. Few functions need this question, which asks every file.
    let is_read = findings.is_empty()
        || (has_read_members(input, function) && input.code.is_complete(function.span.file));
    if is_read { findings } else { Vec::new() }
}

/// Whether two names begin and end alike for half of their length: one may be the other, renamed.
fn is_like(one: &str, other: &str) -> bool {
    let begin = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let end = one.bytes().rev().zip(other.bytes().rev()).take_while(|(a, b)| a == b).count();
    2 * (begin + end) >= one.len().max(other.len())
}

/// `named` are the variables of the function's directives.
fn report_name(
    function: &Function,
    pragma: &Pragma,
    name: &str,
    named: &BTreeSet<String>,
) -> Finding {
    let within = function.qualified();
    let locals = function.locals.iter().map(|one| &one.name);
    let mut own = locals.chain(function.parameters.iter().map(|one| &one.name));
    let is_renamed = own.any(|one| !named.contains(one) && is_like(one, name));
    let is_dead = !is_renamed && !pragma.text.contains("port");
    let level = if is_dead { Level::Note } else { Level::Warning };
    Finding::new("kernel/unknown-variable", level, format!("{within}::{name}"))
        .in_group(within.clone())
        .with_message(format!(
            "a directive of `{}` names `{name}`, and the function has no such variable",
            function.name
        ))
        .with_label(pragma.span, format!("`{name}` is only in directives"))
        .with_note(
            "C simulation skips pragmas; synthesis stops here or goes on without the directive",
        )
        .with_notes(
            is_dead.then_some(
                "no variable of a like name is without a directive: the line is left over",
            ),
        )
        .with_help("give the directive the variable's present name, or remove the directive")
        .with_fix(Fix::only(
            format!("name another variable than `{name}`"),
            Err("the code does not say which variable was meant".to_owned().into()),
        ))
        .with_evidence(json!({
            "function": within,
            "name": name,
            "directive": pragma.text,
        }))
}
