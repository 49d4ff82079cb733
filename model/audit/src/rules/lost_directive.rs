//! A directive is not one that the tool knows, or names what the code does not have.
//!
//! ## What it does
//!
//! Reports a `#pragma HLS` whose first word is not a directive of Vivado HLS or Vitis HLS; files
//! for Libero `SmartHLS` are passed over: those with a directive that begins with `function`, `loop` or `memory`, and none of AMD's
//! `pipeline` and `unroll`. Reports a directive of Tcl or of `hls_config.cfg` for a function that nothing in the design defines, or for a label
//! that is not in that function: those of one function in one file are one finding. Notes a directive of these files that is not read, as it names no place or as its words are only
//! known when the script runs. If there are several solutions, the rule reads the one that the design is built with: of those that
//! the tool has made from one project, the newest by its reports. It is a note where the function has no loop, or is pipelined as a whole, or where each of its loops
//! has the same directive as a pragma, or is in a loop that is pipelined like this. Where most of the functions that a script names, and two or more, are not in
//! the code, it is of another program: that is one finding. A word that is not a directive is a note in a loop that takes less than 1 % of the kernel, or that a dataflow
//! does not wait for.
//!
//! A label of the tool's own making (`VITIS_LOOP_12_1`, `Loop-1`) is not looked for. A function or a label is not missed where an
//! include was not found, or a macro puts names together.
//!
//! ## Why it matters
//!
//! The tool skips such a directive with a warning among thousands of lines, or stops. The script reads as if the loop were
//! pipelined; it is built without.
//!
//! ## Example
//!
//! `set_directive_pipeline "fir/Tap_loop"`, where the loop of `fir` is called `TAP_LOOP`.
//!
//! ## How to fix
//!
//! Give the directive the name that the code has now, or remove it.

use std::collections::{BTreeMap, BTreeSet};

use derate_estimate::{Asked, AskedByTop};
use derate_hls::{DirectiveKind, Header, Pragma, Span, TclDirective, bare_name, split_words};
use serde_json::json;
use strsim::normalized_damerau_levenshtein;

use crate::AuditInput;
use crate::modelled::find_slight_loop_at;
use crate::{Finding, Level};
use derate_finding::{Edit, Fix, Strategy};
use derate_project::pipelined_whole::{has_asked_loops, has_fixed_loops, has_own_pipeline};

const CODE: &str = "kernel/lost-directive";

/// Directives that have no options which derate reads.
const OTHERS: [&str; 15] = [
    "alias",
    "array_map",
    "array_stencil",
    "array_stream",
    "cache",
    "clock",
    "expression_balance",
    "latency",
    "loop_flatten",
    "loop_merge",
    "occurrence",
    "protocol",
    "reset",
    "shared",
    "top",
];

/// The share of letters from which on a word is taken for a misspelt directive: `depence` is `dependence`.
const ALIKE: f64 = 0.7;

/// A script that names so many functions that are not there, and more of them than of those that are, is of another program.
const OTHER_PROGRAM: usize = 2;

/// The first words of directives of Libero `SmartHLS`, and of conditions in templates.
const OF_OTHER_TOOLS: [&str; 5] = ["array", "function", "if", "loop", "memory"];
/// Those that show that a file is for `SmartHLS`.
const OF_SMART_HLS: [&str; 3] = ["function", "loop", "memory"];

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let headers = input.code.headers();
    let kinds = |header: &Header| -> Vec<DirectiveKind> {
        header.pragmas.iter().filter_map(|pragma| Some(pragma.directive()?.kind)).collect()
    };
    let is_smart = |kind: &DirectiveKind| matches!(kind, DirectiveKind::Other(name) if OF_SMART_HLS.contains(&name.as_str()));
    let is_amd = |kind: &DirectiveKind| {
        matches!(kind, DirectiveKind::Pipeline(_) | DirectiveKind::Unroll { .. })
    };
    let own = headers.iter().filter(|header| {
        let kinds = kinds(header);
        !kinds.iter().any(is_smart) || kinds.iter().any(is_amd)
    });
    let pragmas = own.flat_map(|header| &header.pragmas);
    let unknown = pragmas.filter_map(|pragma| report_pragma(input, pragma));
    let mut found: Vec<Finding> = unknown.collect();
    let asked = input.asked().into_iter().flat_map(AskedByTop::all);
    for finding in asked.flat_map(|asked| report_script(input, asked)) {
        if found.iter().all(|known| known.place() != finding.place()) {
            found.push(finding);
        }
    }
    found
}

fn report_pragma(input: &AuditInput<'_>, pragma: &Pragma) -> Option<Finding> {
    let DirectiveKind::Other(name) = pragma.directive()?.kind else { return None };
    let known = |name: &str| OTHERS.contains(&name) || OF_OTHER_TOOLS.contains(&name);
    if known(&name) {
        return None;
    }
    let written = input.sources.slice(pragma.span);
    let near = find_near(&name);
    let lower = written.to_ascii_lowercase();
    // Behind the word HLS: the name may be a part of what is before it.
    let behind = lower.find("hls").map_or(0, |at| at + "hls".len());
    let at = behind + lower[behind..].find(&name)?;
    let help = match near {
        Some(near) => format!("write `{near}`, or remove the pragma"),
        None => "look the directive up in UG1399, or remove the pragma".to_owned(),
    };
    let start = pragma.span.start + at;
    let place = Span { start, end: start + name.len(), ..pragma.span };
    let fix = near.map(|near| {
        Fix::of(Strategy::Code, format!("write {near}"), Ok(vec![Edit::new(place, near)]))
    });
    let slight = find_slight_loop_at(input, pragma.span);
    let level = if slight.is_some() { Level::Note } else { Level::Warning };
    Some(
        Finding::new(CODE, level, name.clone())
            .by_file()
            .with_notes(slight)
            .with_message(format!(
                "`{name}` is not a directive of Vitis HLS or Vivado HLS: the tool ignores it"
            ))
            .with_label(place, "not a directive")
            .with_help(help)
            .with_fixes(fix)
            .with_evidence(json!({ "directive": pragma.text.trim() })),
    )
}

/// The directive that a word is nearest to, where most letters are the same and no other one is as near.
fn find_near(word: &str) -> Option<&'static str> {
    const COMMON: [&str; 20] = [
        "aggregate",
        "allocation",
        "array_partition",
        "array_reshape",
        "bind_op",
        "bind_storage",
        "data_pack",
        "dataflow",
        "dependence",
        "disaggregate",
        "function_instantiate",
        "inline",
        "interface",
        "loop_tripcount",
        "performance",
        "pipeline",
        "resource",
        "stable",
        "stream",
        "unroll",
    ];
    let alike = |known: &'static str| (normalized_damerau_levenshtein(word, known), known);
    let all = || COMMON.into_iter().chain(OTHERS).map(alike);
    let (most, nearest) = all().max_by(|(one, _), (other, _)| one.total_cmp(other))?;
    let is_alone = all().filter(|(other, _)| other.total_cmp(&most).is_eq()).count() == 1;
    (most >= ALIKE && is_alone).then_some(nearest)
}

/// What the taken solution of a script asks for and is not there.
fn report_script(input: &AuditInput<'_>, asked: &Asked) -> Vec<Finding> {
    let Some(solution) = &asked.solution else { return Vec::new() };
    let mut found = Vec::new();
    if !is_open(input) {
        let lost = asked.directives.iter().filter_map(|one| {
            let reason = find_loss(input, one)?;
            let script = one.script.as_deref().unwrap_or(&solution.file);
            let at = input.sources.line_span(input.sources.find(script)?, one.line)?;
            let read = one.script.as_ref();
            let read = read.map(|_| format!("`{}` reads it with `source`", solution.file));
            let place = format!("`{}`", one.label.as_ref().unwrap_or(&one.function));
            let harmless = explain_harmless(input, asked, one);
            let level = if harmless.is_some() { Level::Note } else { Level::Warning };
            let lost = report_line(at, &one.function, level, &reason).with_notes(read);
            let lost = lost.with_notes(harmless.map(str::to_owned));
            Some((lost, script.to_owned(), one.function.as_str(), place))
        });
        let lost: Vec<_> = lost.collect();
        let mut named: BTreeMap<&str, BTreeMap<&str, bool>> = BTreeMap::new();
        for one in &asked.directives {
            let own = named.entry(one.script.as_deref().unwrap_or(&solution.file)).or_default();
            let is_gone = || find_own(input, &one.function).is_empty();
            own.entry(&one.function).or_insert_with(is_gone);
        }
        let count = |own: &BTreeMap<&str, bool>| own.values().filter(|gone| **gone).count();
        named.retain(|_, own| count(own) >= OTHER_PROGRAM && 2 * count(own) > own.len());
        found.extend(lost.iter().map(|(finding, script, function, place)| {
            let of = if named.contains_key(script.as_str()) { "" } else { function };
            finding.clone().with_cause(format!("{script} {of}"), place.clone(), 0.0)
        }));
    }
    let file = input.sources.find(&solution.file);
    let is_config = is_config_file(&solution.file);
    let asks = |text: &str| !is_config || text.starts_with("syn.directive.");
    let unread = asked.unread.iter().filter(|(_, text)| asks(text));
    found.extend(unread.filter_map(|(line, text)| {
        let at = input.sources.line_span(file?, *line)?;
        let word = text.split_whitespace().next()?;
        // A line of a script that this one reads has the number of another file.
        let is_here = input.sources.slice(at).contains(word);
        let is_directive = is_config || word.starts_with("set_directive_");
        let (reason, help) = explain_unread(is_config, text);
        (is_here && is_directive)
            .then(|| report_line(at, word, Level::Note, reason).with_help(help))
    }));
    found
}

/// Why a directive is not read, and what to do.
fn explain_unread(is_config: bool, text: &str) -> (&'static str, &'static str) {
    if is_config {
        ("the directive is not read: it names no function", "name the function that it is of")
    } else if text.contains(['$', '[']) {
        (
            "the directive is not read: only a run of the script decides its words",
            "what it asks for is not in the figures: write its words out to have them there",
        )
    } else {
        (
            "the directive is not read: it names no place",
            "name the function and the loop, or the variable, that it is of",
        )
    }
}

/// Whether it is an `hls_config.cfg`, by its name.
fn is_config_file(name: &str) -> bool {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    ["cfg", "ini"].iter().any(|config| ending.eq_ignore_ascii_case(config))
}

fn report_line(at: Span, subject: &str, level: Level, reason: &str) -> Finding {
    Finding::new(CODE, level, subject)
        .by_file()
        .with_message(reason)
        .with_label(at, "asked here")
        .with_help("give the directive the name that the code has, or remove it")
        .with_evidence(json!({ "reason": reason }))
}

/// Whether names may be somewhere that was not read, or be put together. What a script does not build is not looked at; regions
/// that are not read have their words all the same.
fn is_open(input: &AuditInput<'_>) -> bool {
    let headers = input.code.all_headers().iter();
    headers.filter(|header| input.is_built(header.file)).any(|header| {
        pastes_words(input.sources.text(header.file))
            || header.includes.iter().any(|include| include.missing)
    })
}

/// Whether a macro puts words together: `##` that is not in a string.
fn pastes_words(text: &str) -> bool {
    let is_plain = |line: &str| {
        line.match_indices("##").any(|(at, _)| line[..at].matches('"').count().is_multiple_of(2))
    };
    text.lines().any(is_plain)
}

/// Why a directive for the loop of a label would change nothing in its function.
fn explain_harmless(
    input: &AuditInput<'_>,
    asked: &Asked,
    directive: &TclDirective,
) -> Option<&'static str> {
    use DirectiveKind::{Pipeline, Unroll};
    directive.label.as_ref()?;
    let is_of_loop = matches!(directive.kind, Pipeline(_) | Unroll { .. });
    let own = find_own(input, &directive.function);
    let [span] = own[..] else { return None };
    let function = input.code.functions().find(|one| one.span == span).filter(|_| is_of_loop)?;
    if function.loops.is_empty() {
        return Some("nothing is lost: the function has no loop");
    }
    let is_asked = asked.directives.iter().any(|one| {
        one.function == directive.function
            && one.label.is_none()
            && one.variable.is_none()
            && matches!(&one.kind, Pipeline(kind) if !kind.off && !one.off)
    });
    if (is_asked || has_own_pipeline(function)) && has_fixed_loops(function) {
        return Some("nothing is lost: the function is pipelined, which unrolls all loops in it");
    }
    has_asked_loops(function, &directive.kind)
        .then_some("nothing is lost: each loop of the function is asked for the same")
}

/// Where the code defines a function that a directive names: in the files that scripts build, else in any.
fn find_own(input: &AuditInput<'_>, function: &str) -> Vec<Span> {
    let name = bare_name(function);
    let functions = input.code.all_headers().iter().flat_map(|header| &header.functions);
    let own = functions.filter(|one| one.name == name && one.body.is_some()).map(|one| one.span);
    let (built, others): (Vec<Span>, Vec<Span>) = own.partition(|span| input.is_built(span.file));
    if built.is_empty() { others } else { built }
}

/// Why a directive has no place in the code, as a sentence.
fn find_loss(input: &AuditInput<'_>, directive: &TclDirective) -> Option<String> {
    let name = bare_name(&directive.function);
    let own = find_own(input, &directive.function);
    if own.is_empty() {
        let is_said =
            input.code.all_headers().iter().any(|header| {
                split_words(input.sources.text(header.file)).any(|word| word == name)
            });
        return (!is_said && !input.code.all_headers().is_empty()).then(|| {
            format!("a directive names the function `{name}`, which the code does not have")
        });
    }
    let label = directive.label.as_deref()?;
    let is_made = ["VITIS_LOOP_", "Loop-", "Loop_", "LOOP_"];
    if is_made.iter().any(|made| {
        label.strip_prefix(made).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    }) {
        return None;
    }
    let wanted: BTreeSet<&str> = split_words(label).collect();
    let has = |span: &Span| {
        let words: BTreeSet<&str> = split_words(input.sources.slice(*span)).collect();
        wanted.is_subset(&words)
    };
    (!own.iter().any(has)).then(|| {
        format!("a directive names `{label}` in `{name}`, and nothing there has this label")
    })
}
