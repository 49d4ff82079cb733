//! A pipelined loop carries a floating-point sum from one iteration to the next.
//!
//! ## What it does
//!
//! Looks for `+=` and `-=` (also spelt out) on a floating-point variable in an innermost loop for which `pipeline` with
//! II=1 is asked, where the target is the same in every iteration: a scalar from outside, what a pointer that is not moved points to, or an element whose index does not
//! follow the loop's variable. What the body resets, or indexes with another variable of its own, is not judged, nor a loop
//! that a pipeline around it unrolls, that of the function included where all its bounds are fixed. On Versal it is a note: no report of its adders is known to derate.
//! It is a note too where it costs little: a call of the function makes fewer than 64 additions, makes them beside a loop that
//! takes far longer, makes fewer than 16 in one run of the loop beside one of unknown length, or the cycles are less than 1 % of the kernel's,
//! or the loop is in a stage of a dataflow that waits for a slower one, or beside a nest of at least two more loops with arguments as bounds.
//! And where a report of this source has the interval of the loop. All sums of a loop are one finding. And where no chip is taken, and the design may be for Versal: a file names one, or a design beside it is for one.
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

use derate_design::pair_loops;
use derate_estimate::{find_slight_interval, find_slight_sum};
use derate_hls::{
    AccessKind, DirectiveKind, Function, HlsType, Local, Loop, NumberKind, Resolver, Sources, Span,
    SynthesisedLoop, Update, base_of,
};
use serde_json::json;

use crate::AuditInput;
use crate::modelled::{conditions, each_kernel, line_span, list_differences};
use crate::{Finding, Level};
use derate_estimate::ModelledKernel;
use derate_hls::{is_word_char, split_words};
use derate_kernel::{HeldBy, LoopAnswer};
use derate_machine::m_axi::m_axi_ports;
use derate_project::lost_sum::is_never_moved;
use derate_project::pipelined_whole::{has_fixed_loops, has_own_pipeline};

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let resolver = Resolver::new(input.code.all_headers(), input.sources);
    let updates = input.code.functions().flat_map(|function| {
        let sums = function.updates.iter().filter(|it| matches!(it.operator.as_str(), "+" | "-"));
        sums.map(move |update| (function, update))
    });
    let mut found: Vec<Finding> = updates
        .filter_map(|(function, update)| report_sum(input, &resolver, function, update))
        .map(|(finding, slight)| add_prediction(input, finding, slight))
        .collect();
    lower_siblings(&mut found);
    found
}

/// The model names one sum of a loop as what bounds it: what is said of that one holds for the others.
fn lower_siblings(found: &mut [Finding]) {
    let cause = |one: &Finding| one.joint.as_ref().map(|joint| joint.cause.clone());
    let slight: Vec<_> =
        found.iter().filter(|one| one.level == Level::Note).filter_map(cause).collect();
    for one in found {
        if cause(one).is_some_and(|own| slight.contains(&own)) {
            one.level = Level::Note;
        }
    }
}

/// Adds the interval that the model predicts, where it schedules the sum's loop.
/// `slight` is why it costs little by the text alone.
fn add_prediction(
    input: &AuditInput<'_>,
    mut finding: Finding,
    mut slight: Option<String>,
) -> Finding {
    let Some(place) = finding.place() else { return finding };
    if let Some(lent) = input.doubt_adders() {
        finding.level = Level::Note;
        finding = finding.with_note(lent);
    }
    let line = input.sources.position(place).line;
    let of_sum = |kernel: &ModelledKernel, one: &LoopAnswer| match &one.held_by {
        Some(HeldBy::Recurrence { places, .. }) => {
            let held = places.iter().filter(|held| usize::try_from(held.line) == Ok(line));
            let mut held = held.filter_map(|held| line_span(input, kernel, *held));
            held.any(|span| span.file == place.file)
        }
        _ => false,
    };
    let predicted = each_kernel(input).find_map(|(models, kernel)| {
        let one = kernel.answer.loops.iter().find(|one| of_sum(kernel, one))?;
        slight = slight.take().or_else(|| find_slight_interval(kernel, one, 1, one.ii?));
        slight = slight.take().or_else(|| is_reported(input, kernel, one).then(|| SAID.to_owned()));
        Some(format!("II={} is predicted, {}", one.ii?, conditions(models, kernel)))
    });
    if slight.is_some() {
        finding.level = Level::Note;
    }
    finding.with_notes(slight).with_notes(predicted)
}

/// Why a sum is a note whose interval a report has.
const SAID: &str = "a report of this source has the interval of the loop: that counts";

/// Whether a report has the interval that is predicted for a loop, or one of this very source has another one: of the loop, or of
/// the nest that the tool made of it and the loops around it, `rows_columns`.
fn is_reported(input: &AuditInput<'_>, kernel: &ModelledKernel, one: &LoopAnswer) -> bool {
    input.syntheses().iter().any(|report| {
        let mut pairs = pair_loops(report, &kernel.answer).into_iter();
        let own = pairs.find(|pair| pair.modelled.is_some_and(|own| std::ptr::eq(own, one)));
        let is_nest = |nest: &&SynthesisedLoop| {
            let around = nest.label.strip_suffix(&one.label);
            around.is_some_and(|around| around.ends_with('_'))
                && base_of(&nest.function) == one.function
        };
        let nest = || report.loops.iter().find(is_nest);
        let known = |reported: &SynthesisedLoop| reported.ii.as_ref()?.known();
        let reached = own.map(|pair| pair.synthesised).or_else(nest).and_then(known);
        reached.is_some()
            && (reached == one.ii || list_differences(input, report, kernel).is_empty())
    })
}

/// The pragma that asks for II=1 in a loop that nothing unrolls as a whole.
fn find_pipeline(function: &Function, inner: &Loop, name: &str) -> Option<Span> {
    let mut asked = None;
    for pragma in inner.pragmas.iter().filter_map(|&at| function.pragmas.get(at)) {
        let Some(directive) = pragma.directive() else { continue };
        let is_off = directive.is_off();
        match directive.kind {
            DirectiveKind::Pipeline(it) => {
                let one = it.ii.is_none_or(|ii| ii.number() == Some(1));
                asked = (one && !it.off).then_some(pragma.span);
            }
            DirectiveKind::Unroll { factor } if !is_off => {
                // Some copies of the body add one after the other, and the loop is left.
                let copies = factor.map(|factor| factor.number()).unwrap_or_default();
                let is_left = |copies: u64| inner.trip_count.is_none_or(|trips| copies < trips);
                if !copies.is_some_and(|copies| copies == 1 || is_left(copies)) {
                    return None;
                }
            }
            // The author has thought of it.
            DirectiveKind::Dependence(it) if it.variable.as_deref() == Some(name) => {
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

/// A call may return another element in every iteration, and so may `p[n++]`, and `*p` where the function moves `p`.
fn is_still(sources: &Sources, function: &Function, target: &str) -> bool {
    let stays = |name: &str| {
        let is_own = function.parameters.iter().any(|one| one.name == name);
        let body = function.body.map_or("", |body| sources.slice(body));
        is_own && is_never_moved(body, name)
    };
    target.strip_prefix('*').is_none_or(stays)
        && ["(", "++", "--"].iter().all(|it| !target.contains(it))
}

/// Whether a pipeline around a loop unrolls it: its own pragma then has no effect.
fn is_unrolled(function: &Function, inner: &Loop) -> bool {
    let is_pipelined = |around: &Loop| {
        let own = around.pragmas.iter().filter_map(|&at| function.pragmas.get(at)?.directive());
        let mut kinds = own.map(|directive| directive.kind);
        kinds.any(|kind| matches!(kind, DirectiveKind::Pipeline(it) if !it.off))
    };
    let parent = |one: &Loop| function.loops.get(one.parent?);
    std::iter::successors(parent(inner), |one| parent(one)).any(is_pipelined)
        || has_own_pipeline(function) && has_fixed_loops(function)
}

/// The loop that carries a sum, and the pragma in it.
fn find_carrier<'a>(
    sources: &Sources,
    function: &'a Function,
    update: &Update,
) -> Option<(&'a Loop, Span)> {
    let at = update.loop_index?;
    let inner = function.loops.get(at)?;
    let innermost = function.loops.iter().all(|other| other.parent != Some(at));
    if !innermost || is_unrolled(function, inner) || matches!(inner.trip_count, Some(0 | 1)) {
        return None;
    }
    // Without the loop variable it is unknown which index follows it.
    let variable = inner.variable.as_deref()?;
    let own = |local: &&Local| {
        local.loop_index == Some(at) || (!local.constant && local.name != update.name)
    };
    let mut moving: Vec<&str> =
        function.locals.iter().filter(own).map(|local| local.name.as_str()).collect();
    moving.push(variable);
    let still =
        !mentions_any(&update.target, &moving) && is_still(sources, function, &update.target);
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

fn report_sum(
    input: &AuditInput<'_>,
    resolver: &Resolver<'_>,
    function: &Function,
    update: &Update,
) -> Option<(Finding, Option<String>)> {
    let (inner, pragma) = find_carrier(input.sources, function, update)?;
    if is_set_anew(input.sources, function, inner, update) {
        return None;
    }
    let resolution = resolver.variable(function, update.span, &update.name);
    let HlsType::Scalar(scalar) = resolution.known()? else { return None };
    if scalar.kind() != NumberKind::Float {
        return None;
    }
    let (name, target, within) = (&function.name, &update.target, function.qualified());
    let is_port = m_axi_ports(function).iter().any(|port| port.parameter.name == update.name);
    let in_memory = is_port.then(|| {
        format!("`{target}` is in external memory: add up in a variable, and write it once behind the loop")
    });
    let finding =
        Finding::new("kernel/accumulation", Level::Warning, format!("{within}::{target}"))
            .in_group(within.clone())
            .with_cause(format!("{within} {}", inner.body.start), format!("`{target}`"), 0.0)
            .with_message(format!(
                "the floating-point sum `{target}` of `{name}` cannot reach II=1: the adder's \
                 latency bounds the interval"
            ))
            .with_label(update.span, format!("`{target}` needs the sum of the iteration before"))
            .with_label(pragma, "one iteration per cycle is asked for here")
            .with_notes((scalar.bits() == 32).then(|| {
                "csynth reports on xcu280 have FP32 adders of 4 cycles at 200 MHz and 6 at \
                 300 MHz (pc2/hpcc_fpga_eval, published); a sum in BRAM adds 1 to 2"
                    .to_owned()
            }))
            .with_notes(in_memory)
            .with_help(
                "interchange the loops or keep as many partial sums as the adder has stages; \
                 or count with the interval of the synthesis report",
            )
            .with_evidence(json!({
                "function": within,
                "target": target,
                "underlying": scalar.to_string(),
                "line": input.sources.position(update.span).line,
                "trip_count": inner.trip_count,
            }));
    Some((finding, find_slight_sum(resolver, function, inner)))
}
