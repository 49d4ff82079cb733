//! Loops whose bounds are arguments of the kernel: how often they run is the caller's choice.

use std::collections::BTreeSet;

use derate_hls::{
    Call, Function, Loop, LoopKind, Parameter, Sources, Span, bare_name, may_set, split_words,
};

use crate::{Code, Level};

/// Values and calls are followed this deep.
const DEPTH: usize = 6;

/// Whether all loops that a report calls by these names, in the function of a module, have bounds that are made of scalar
/// arguments of the kernel, numbers and constants; false where the source does not show it.
pub fn are_arguments((code, sources): (&Code, &Sources), module: &str, names: &[&str]) -> bool {
    let constants = code.constant_names();
    let bounds = Bounds { sources, all: list_bodies(code), constants };
    find_loops((code, sources), module, names).is_some_and(|(function, loops)| {
        loops.into_iter().all(|one| bounds.is_argument_bound(function, one))
    })
}

/// Whether all loops that a report calls by these names run until a packet of a stream ends (`TLAST`); false where the
/// source does not show it.
pub fn are_packets((code, sources): (&Code, &Sources), module: &str, names: &[&str]) -> bool {
    let reads_end = |one: &Loop| {
        let text = sources.slice(one.body);
        // It is read, and not written.
        let is_member = |rest: &str| {
            let behind = rest.strip_prefix("last").unwrap_or_default().trim_start();
            split_words(rest).next() == Some("last")
                && (!behind.starts_with('=') || behind.starts_with("=="))
        };
        let mut members = text.split('.').skip(1);
        one.trip_count.is_none()
            && (one.exits || one.bound.is_none())
            && (members.any(is_member) || split_words(text).any(|word| word == "get_last"))
    };
    find_loops((code, sources), module, names)
        .is_some_and(|(_, loops)| loops.into_iter().all(reads_end))
}

/// What it means that the tool finds no end of loops: nothing where the source has none, as in a kernel that runs for ever. Where it
/// has one, the hardware hangs there. The level, what is added to the message, and the help.
pub fn judge_endless(
    texts: (&Code, &Sources),
    module: &str,
    names: &[&str],
) -> (Level, &'static str, &'static str) {
    let has_end = |one: &Loop| {
        let head = texts.1.slice(one.span).replace("->", "");
        one.exits || one.comparison.is_some() || head.contains(['<', '>'])
    };
    match find_loops(texts, module, names) {
        Some((_, loops)) if loops.iter().any(|one| has_end(one)) => (
            Level::Warning,
            ", though the source has an end for it: the kernel hangs there",
            "look at the schedule of the loop, and write its bound another way: a count of iterations that the tool can follow",
        ),
        _ => (Level::Note, "", "count what it does with one input in place of the whole"),
    }
}

fn list_bodies(code: &Code) -> Vec<&Function> {
    code.functions().filter(|one| one.body.is_some()).collect()
}

/// The one function of a module, which may be a copy that the tool numbers (`load35` of `load`), and its loops of all these
/// names; `None` where one is not there.
fn find_loops<'a>(
    (code, sources): (&'a Code, &Sources),
    module: &str,
    names: &[&str],
) -> Option<(&'a Function, Vec<&'a Loop>)> {
    let all = list_bodies(code);
    let named = |name: &str| -> Vec<&'a Function> {
        all.iter().copied().filter(|one| one.name == name).collect()
    };
    let mut own = named(module);
    // A function of this name without a body here is not the copy of another one.
    if own.is_empty() && code.functions().all(|one| one.name != module) {
        own = named(module.trim_end_matches(|sign: char| sign.is_ascii_digit()));
    }
    let [function] = own[..] else { return None };
    let mut found = Vec::new();
    for name in names {
        let is_it = |one: &&Loop| {
            // A nest that the tool made one loop of has the names of all of them.
            let labels = one.label.as_deref();
            let line = sources.line(one.span);
            let of_tool = format!("VITIS_LOOP_{line}_");
            let is_label = |label: &str| format!("_{name}_").contains(&format!("_{label}_"));
            labels.map_or_else(|| name.contains(&of_tool), is_label)
        };
        let before = found.len();
        found.extend(function.loops.iter().filter(is_it));
        if found.len() == before {
            return None;
        }
    }
    (!found.is_empty()).then_some((function, found))
}

struct Bounds<'a> {
    sources: &'a Sources,
    all: Vec<&'a Function>,
    constants: BTreeSet<&'a str>,
}

impl Bounds<'_> {
    fn is_argument_bound(&self, function: &Function, one: &Loop) -> bool {
        one.kind == LoopKind::For
            && one.bound.is_some()
            && [&one.start, &one.bound, &one.step]
                .into_iter()
                .flatten()
                .all(|text| self.rests_on_arguments(function, (text, one.span), DEPTH))
    }

    /// Whether a text is made of scalar arguments of the kernel, numbers and constants.
    fn rests_on_arguments(
        &self,
        function: &Function,
        (text, at): (&str, Span),
        depth: usize,
    ) -> bool {
        let Some(deeper) = depth.checked_sub(1) else { return false };
        if text.contains(['[', '.', '"']) || text.contains("->") {
            return false;
        }
        split_words(text).all(|word| {
            let is_number = word.starts_with(|sign: char| sign.is_ascii_digit());
            let is_outer =
                |one: &Loop| one.variable.as_deref() == Some(word) && one.body.contains(at);
            let local =
                function.locals.iter().rev().find(|one| {
                    one.name == word && one.span.end <= at.start && one.block.contains(at)
                });
            if is_number || TYPES.contains(&word) || function.loops.iter().any(is_outer) {
                return true;
            }
            if let Some(local) = local {
                let initial = local.initial.as_deref();
                return !self.is_set(function, (word, local.span.end))
                    && initial.is_some_and(|text| {
                        self.rests_on_arguments(function, (text, local.span), deeper)
                    });
            }
            match function.parameters.iter().position(|one| one.name == word) {
                Some(place) => {
                    is_scalar(&function.parameters[place])
                        && !self.is_set(function, (word, 0))
                        && self.is_handed_on(function, place, deeper)
                }
                None => self.constants.contains(word),
            }
        })
    }

    /// Whether the body sets a variable behind a place: it has another value then than the one that was handed on.
    fn is_set(&self, function: &Function, (name, from): (&str, usize)) -> bool {
        let Some(body) = function.body else { return true };
        let body = Span { start: body.start.max(from), ..body };
        let is_handed = |call: &Call| {
            let mut own = call.arguments.iter().enumerate().filter(|(_, one)| one.trim() == name);
            let callee = bare_name(&call.callee);
            let of_callee = |one: &&&Function| {
                one.name == callee && one.parameters.len() == call.arguments.len()
            };
            let takes = |place: usize| {
                let mut all = self.all.iter().filter(of_callee).peekable();
                all.peek().is_none() || all.any(|one| one.parameters[place].reference)
            };
            callee != "invoke" && !TYPES.contains(&callee) && own.any(|(place, _)| takes(place))
        };
        // Without the brackets around, a name that is handed on by value is none that is set.
        let text = self.sources.slice(body).replace(['(', ','], " ; ");
        may_set(&text, name)
            || text.split(">>").skip(1).any(|rest| split_words(rest).next() == Some(name))
            || function.calls.iter().any(is_handed)
    }

    /// Whether a parameter is an argument of the kernel: no function calls this one, or each one hands an argument on.
    fn is_handed_on(&self, function: &Function, place: usize, depth: usize) -> bool {
        let number = function.parameters.len();
        self.all.iter().all(|caller| {
            caller.calls.iter().all(|call| {
                let Some(given) = arguments_of(call, &function.name, number) else { return true };
                let text = given.get(place).map_or("", String::as_str);
                !text.is_empty() && self.rests_on_arguments(caller, (text, call.span), depth)
            })
        })
    }
}

/// The arguments of a call of a function, also of one that starts it as a task of TAPA.
fn arguments_of<'a>(call: &'a Call, name: &str, number: usize) -> Option<&'a [String]> {
    let arguments = call.arguments.as_slice();
    if bare_name(&call.callee) == name {
        return (arguments.len() == number).then_some(arguments);
    }
    let (first, rest) = arguments.split_first()?;
    (bare_name(&call.callee) == "invoke" && first.trim() == name && rest.len() == number)
        .then_some(rest)
}

fn is_scalar(one: &Parameter) -> bool {
    !one.pointer && one.dims.is_empty() && !one.element.contains(['<', '*'])
}

/// Words of casts.
const TYPES: [&str; 8] =
    ["int", "unsigned", "long", "short", "char", "const", "size_t", "uint32_t"];
