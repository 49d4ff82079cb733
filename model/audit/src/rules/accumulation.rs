//! A pipelined loop carries a floating-point sum from one iteration to the next.
//!
//! ## What it does
//!
//! Looks for `+=` and `-=` (also spelt out) on a floating-point variable in an innermost loop for which `pipeline` with
//! II=1 is asked, where the target is the same in every iteration: a scalar from outside, or an element whose index does not
//! follow the loop's variable. What the body resets, or indexes with another variable of its own, is not judged.
//!
//! ## Why it matters
//!
//! The next addition needs the last one's result, so an iteration starts only every few cycles, whatever the pragma
//! says: the adder's latency bounds the interval. A model that counts one iteration per cycle is off by that factor.
//!
//! ## Example
//!
//! ```cpp
//! for (int l = 0; l < k; l++) {
//! #pragma HLS PIPELINE II=1
//!     sum += a[l] * b[l];
//! }
//! ```
//!
//! ## How to fix
//!
//! Interchange the loops so that neighbouring iterations add to different sums, or keep as many partial sums as the adder has
//! stages; or count with the interval that the synthesis report gives.

use derate_hls::{
    AccessKind, DirectiveKind, Function, HlsType, Local, Loop, NumberKind, Resolver, Sources,
    Update,
};
use serde::Serialize;
use serde_json::json;

use crate::allow_groups::AllowGroups;
use crate::words::{is_word_char, split_words};
use crate::{Finding, Label, Level};
use derate_estimate::Analysis;
use derate_units::figures::count;

const CODE: &str = "kernel/accumulation";

#[derive(Debug, Serialize)]
struct Sum {
    target: String,
    underlying: String,
    line: usize,
    trip_count: Option<u64>,
}

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    let resolver = Resolver::new(analysis.code.all_headers(), &analysis.sources);
    let functions = analysis.code.functions();
    let groups = AllowGroups::new(analysis, CODE);
    functions
        .flat_map(|function| {
            let groups = groups
                .split_allowed(find_sums(analysis, &resolver, function), |(_, [at, _])| at.span);
            groups.into_iter().map(|sums| make_finding(function, sums))
        })
        .collect()
}

/// The pragma that asks for II=1 in a loop that nothing unrolls.
fn find_pipeline(function: &Function, inner: &Loop, name: &str) -> Option<derate_hls::Span> {
    let mut asked = None;
    for pragma in inner.pragmas.iter().filter_map(|&at| function.pragmas.get(at)) {
        match pragma.directive().map(|directive| directive.kind) {
            Some(DirectiveKind::Pipeline(it)) => {
                let one = it.ii.is_none_or(|ii| ii.number() == Some(1));
                asked = (one && !it.off).then_some(pragma.span);
            }
            Some(DirectiveKind::Unroll { .. }) => return None,
            // The author has thought of it.
            Some(DirectiveKind::Dependence(it)) if it.variable.as_deref() == Some(name) => {
                return None;
            }
            _ => {}
        }
    }
    asked
}

/// Whether a spelling names one of these.
fn mentions_any(spelling: &str, names: &[&str]) -> bool {
    split_words(spelling).any(|word| names.contains(&word))
}

/// A call may return another element in every iteration, and so may `p[n++]` and `*p`.
fn is_still(target: &str) -> bool {
    !target.starts_with('*') && ["(", "++", "--"].iter().all(|it| !target.contains(it))
}

/// The loop that carries a sum, and the pragma in it.
fn find_carrier<'a>(
    function: &'a Function,
    update: &Update,
) -> Option<(&'a Loop, derate_hls::Span)> {
    let at = update.loop_index?;
    let inner = function.loops.get(at)?;
    let innermost = function.loops.iter().all(|other| other.parent != Some(at));
    if !innermost || matches!(inner.trip_count, Some(0 | 1)) {
        return None;
    }
    // Where it is not known what the loop counts with, nobody knows what follows it.
    let variable = inner.variable.as_deref()?;
    let own = |local: &&Local| {
        local.loop_index == Some(at) || (!local.constant && local.name != update.name)
    };
    let mut moving: Vec<&str> =
        function.locals.iter().filter(own).map(|local| local.name.as_str()).collect();
    moving.push(variable);
    let still = !mentions_any(&update.target, &moving) && is_still(&update.target);
    still.then(|| find_pipeline(function, inner, &update.name).map(|span| (inner, span))).flatten()
}

/// Whether the loop's body resets the target, so that an iteration needs nothing from the one before.
fn is_set_anew(sources: &Sources, function: &Function, inner: &Loop, update: &Update) -> bool {
    let within = |start: usize, end: usize| update.span.start <= start && end <= update.span.end;
    let stored = function.accesses.iter().any(|access| {
        access.array == update.name
            && access.kind == AccessKind::Write
            && access.loop_index == update.loop_index
            && !within(access.span.start, access.span.end)
    });
    let body = sources.slice(inner.body);
    let assigned = body.match_indices(update.name.as_str()).any(|(at, name)| {
        let end = at + name.len();
        let (before, after) = (&body[..at], &body[end..]);
        let whole = !before.ends_with(is_word_char) && !after.starts_with(is_word_char);
        let after = after.trim_start();
        whole
            && after.starts_with('=')
            && !after.starts_with("==")
            && !within(inner.body.start + at, inner.body.start + end)
    });
    stored || assigned
}

/// The sums of a function, each with its place and that of the pragma.
fn find_sums(
    analysis: &Analysis,
    resolver: &Resolver<'_>,
    function: &Function,
) -> Vec<(Sum, [Label; 2])> {
    let mut sums = Vec::new();
    for update in function.updates.iter().filter(|it| matches!(it.operator.as_str(), "+" | "-")) {
        let Some((inner, pragma)) = find_carrier(function, update) else { continue };
        if is_set_anew(&analysis.sources, function, inner, update) {
            continue;
        }
        let resolution = resolver.variable(function, update.span, &update.name);
        let Some(HlsType::Scalar(scalar)) = resolution.known() else { continue };
        if scalar.kind() != NumberKind::Float {
            continue;
        }
        let text = format!("`{}` needs the sum of the iteration before", update.target);
        let sum = Sum {
            target: update.target.clone(),
            underlying: scalar.to_string(),
            line: analysis.sources.position(update.span).line,
            trip_count: inner.trip_count,
        };
        let asked = Label::new(pragma, "one iteration per cycle is asked for here");
        sums.push((sum, [Label::new(update.span, text), asked]));
    }
    sums
}

/// Two sums in one statement or one loop have one label in common.
fn drop_equal(labels: impl Iterator<Item = Label>) -> Vec<Label> {
    let mut kept: Vec<Label> = Vec::new();
    for label in labels {
        if kept.iter().all(|known| (known.span, &known.text) != (label.span, &label.text)) {
            kept.push(label);
        }
    }
    kept
}

fn make_finding(function: &Function, sums: Vec<(Sum, [Label; 2])>) -> Finding {
    let (sums, labels): (Vec<Sum>, Vec<[Label; 2]>) = sums.into_iter().unzip();
    let name = &function.name;
    Finding::new(CODE, Level::Warning, function.qualified())
        .with_message(format!(
            "{} of `{name}` cannot reach II=1: the adder's latency bounds the interval",
            count(sums.len(), "floating-point sum")
        ))
        .with_labels(drop_equal(labels.into_iter().flatten()))
        .with_note(
            "csynth reports on xcu280 have FP32 adders of 4 cycles at 200 MHz and 6 at \
                    300 MHz (pc2/hpcc_fpga_eval, published); a sum in BRAM adds 1 to 2",
        )
        .with_help(
            "interchange the loops or keep as many partial sums as the adder has stages; \
                    or count with the interval of the synthesis report",
        )
        .with_evidence(json!({ "function": function.qualified(), "sums": sums }))
}
