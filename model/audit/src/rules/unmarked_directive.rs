//! A directive lacks the word `HLS`, so the tool ignores it.
//!
//! ## What it does
//!
//! Lists the pragmas that read as a directive of Vitis HLS once `HLS` is before them: `#pragma pipeline II=1`,
//! `#pragma array_partition variable=a complete`. They count only in files that kernels are compiled from, of a design that has
//! directives with that word, and only where no other compiler knows them in this form: `#pragma unroll`, `#pragma unroll 4`,
//! `#pragma interface "a.h"`, `#pragma once` and `#pragma omp` are not reported. A `pipeline` of a function that is only called in
//! pipelined loops and functions is a note: it is pipelined with them. Vitis HLS pipelines an innermost loop by itself from
//! 64 iterations on, or from what `config_compile -pipeline_loops` says: where the design names this tool, a `pipeline` of such a loop is a note.
//! A directive is a note, too, in a loop that takes less than 1 % of the kernel, or that a dataflow does not wait for.
//!
//! ## Why it matters
//!
//! A compiler skips a pragma that it does not know, without an error. The code reads as if the loop were pipelined or the array
//! cut, and it is not.
//!
//! ## Example
//!
//! ```cpp
//! for (int i = 0; i < 64; i++) {
//! #pragma pipeline II=1   // without HLS: the loop is not asked to be pipelined
//! ```
//!
//! ## How to fix
//!
//! Write `#pragma HLS`, or remove the pragma. `derate audit --fix=code` writes it.

use derate_estimate::{KernelModels, ToolOrigin};
use derate_hls::{Directive, DirectiveKind, Pragma, Span, is_vitis, read_directive};
use serde_json::json;

use crate::AuditInput;
use crate::modelled::find_slight_loop_at;
use crate::{Finding, Level};
use derate_finding::{Edit, Fix, Strategy};
use derate_project::pipelined_callers::{find_called_in_pipelines, find_loop_around, is_innermost};

/// Directives that have no options of their own here.
const OTHERS: [&str; 3] = ["loop_flatten", "loop_merge", "expression_balance"];

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let headers = input.code.headers();
    if !headers.iter().flat_map(|one| &one.pragmas).any(|one| one.directive().is_some()) {
        return Vec::new();
    }
    let reach = input.reach();
    let reached = headers.iter().filter(|header| reach.has(header.file));
    reached
        .flat_map(|header| &header.pragmas)
        .filter_map(|pragma| report_pragma(input, pragma))
        .collect()
}

fn report_pragma(input: &AuditInput<'_>, pragma: &Pragma) -> Option<Finding> {
    let name = pragma.text.split(|c: char| !(c.is_alphanumeric() || c == '_')).next()?;
    let written = input.sources.slice(pragma.span);
    // A macro may write another pragma.
    let at = find_text(written)?;
    let directive = read_directive(&format!("HLS {}", pragma.text))?;
    if !is_directive(&directive) {
        return None;
    }
    let is_pipeline = matches!(directive.kind, DirectiveKind::Pipeline(_));
    let called = find_called_in_pipelines(input.code, pragma.span).filter(|_| is_pipeline);
    let by_itself = is_plain_pipeline(&directive.kind) && is_pipelined_anyway(input, pragma.span);
    let slight = find_slight_loop_at(input, pragma.span);
    let is_note = called.is_some() || by_itself || slight.is_some();
    let level = if is_note { Level::Note } else { Level::Warning };
    let start = pragma.span.start + at;
    let place = Span { start, end: start, ..pragma.span };
    let edit = Edit::new(place, "HLS ");
    Some(
        Finding::new("kernel/unmarked-directive", level, name)
            .by_file()
            .with_message(format!("`#pragma {name}` lacks the word HLS: the tool ignores it"))
            .with_label(pragma.span, "not a directive as it is written")
            .with_notes(called.map(|name| format!("`{name}` is only called in pipelines, and is pipelined with them: it costs nothing")))
            .with_notes(by_itself.then_some("Vitis HLS pipelines an innermost loop of this many iterations by itself"))
            .with_notes(slight)
            .with_help(format!("write `#pragma HLS {}`, or remove the pragma", pragma.text.trim()))
            .with_fix(Fix::of(Strategy::Code, "add HLS", Ok(vec![edit])))
            .with_evidence(json!({ "pragma": pragma.text.trim() })),
    )
}

/// Whether it asks for the interval that the tool takes by itself.
fn is_plain_pipeline(kind: &DirectiveKind) -> bool {
    matches!(kind, DirectiveKind::Pipeline(one)
        if !one.off && one.ii.as_ref().is_none_or(|ii| ii.number() == Some(1)))
}

/// Whether the design names Vitis HLS, and a place is in an innermost loop that it pipelines without a directive.
fn is_pipelined_anyway(input: &AuditInput<'_>, place: Span) -> bool {
    let Some((function, own)) = find_loop_around(input.code, place) else { return false };
    let does = |one: &KernelModels| {
        let least = one.settings.pipeline_loops;
        !matches!(one.tool.origin, ToolOrigin::Assumed | ToolOrigin::Beside(_))
            && is_vitis(one.settings.tool)
            && least > 0
            && own.trip_count.is_some_and(|trips| trips >= least)
    };
    input.kernel_models().is_some_and(does) && is_innermost(function, own)
}

/// Where the text behind `#pragma` begins in a line.
fn find_text(line: &str) -> Option<usize> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("pragma")?;
    Some(line.len() - rest.trim_start().len())
}

/// Whether only this tool has the directive in this form.
fn is_directive(directive: &Directive) -> bool {
    let options = &directive.options;
    let is_bare = |words: &[&str]| {
        options.iter().all(|one| one.value.is_none() && words.contains(&one.key.as_str()))
    };
    match &directive.kind {
        // Compilers for processors and the tools of others unroll, too.
        DirectiveKind::Unroll { factor } => {
            factor.as_ref().is_some_and(|factor| !factor.to_string().is_empty())
        }
        // GCC has an `interface` of its own, and compilers for small processors `inline=forced`.
        DirectiveKind::Interface(one) => one.mode.is_some() && one.port.is_some(),
        DirectiveKind::Inline(_) => is_bare(&["off", "recursive", "region"]),
        DirectiveKind::Pipeline(one) => one.ii.is_some() || is_bare(&["off", "rewind"]),
        DirectiveKind::Dataflow => is_bare(&["disable_start_propagation"]),
        DirectiveKind::ArrayPartition(one) | DirectiveKind::ArrayReshape(one) => {
            one.variable.is_some()
        }
        DirectiveKind::Stream(one) => one.variable.is_some(),
        DirectiveKind::BindOp(one) | DirectiveKind::BindStorage(one) => one.variable.is_some(),
        DirectiveKind::Resource { variable, .. }
        | DirectiveKind::FunctionInstantiate { variable }
        | DirectiveKind::Aggregate { variable }
        | DirectiveKind::Disaggregate { variable }
        | DirectiveKind::DataPack { variable }
        | DirectiveKind::Stable { variable } => variable.is_some(),
        DirectiveKind::Allocation { instances, .. } => instances.is_some(),
        DirectiveKind::LoopTripcount(one) => {
            one.min.is_some() || one.max.is_some() || one.avg.is_some()
        }
        DirectiveKind::Dependence(one) => one.variable.is_some(),
        DirectiveKind::Performance { target_ti } => target_ti.is_some(),
        DirectiveKind::Other(name) => OTHERS.contains(&name.as_str()) && is_bare(&["off"]),
    }
}
