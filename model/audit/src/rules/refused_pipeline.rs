//! The tool did not make a pipeline that the source asks for.
//!
//! ## What it does
//!
//! Reads what a log of a synthesis says of it (`Unable to satisfy pipeline directive`, in `vitis_hls.log`, `solution1.log`) beside the
//! reports of its top, or above them: reports do not say so. Where there are no reports, the only log of a top counts beside its
//! sources. A loop counts where the report has it without an interval, and a function where it is not pipelined there and someone asks
//! for it. It is a note where the loop takes less than 1 % of the top's cycles, by the report or by the model.
//!
//! ## Why it matters
//!
//! The iterations run one after another, each at its full depth. Reports only leave the column of the interval empty.
//!
//! ## Example
//!
//! `WARNING: [SCHED 204-65] Unable to satisfy pipeline directive for loop 'rows': contains subloop(s) that are not unrolled or flattened.`
//!
//! ## How to fix
//!
//! Pipeline the innermost loop in place of the one around it, or give the loops in it constant bounds, so that they can be unrolled. Where a
//! function is called that is not pipelined, pipeline or inline it.

use std::collections::BTreeSet;

use derate_estimate::find_slight_loop;
use derate_hls::{
    DirectiveKind, Pragma, Refusal, Refused, copied_function, find_small_loops, list_refused,
    top_name,
};
use derate_project::asked_interval::is_pipelined_by_tool;
use derate_project::burst_weight::describe_share;
use serde_json::json;

use super::repeats::{ReportFinding, drop_repeats, make_key};
use crate::AuditInput;
use crate::modelled::each_kernel;
use crate::{Finding, Label, Level};

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let all = list_refused(&input.build.reports, &input.build.logs);
    let asked = all.iter().filter(|one| is_asked(input, one));
    drop_repeats(input, asked.map(|one| report_refused(input, one)))
}

/// Whether someone asks for the pipeline: Vitis HLS tries some by itself, also of the copies that it makes of a function.
fn is_asked(input: &AuditInput<'_>, one: &Refused<'_>) -> bool {
    if !one.log.is_function {
        return !is_pipelined_by_tool(input.code, input.sources, one.name);
    }
    let name = copied_function(one.name);
    let is_pipeline = |kind: &DirectiveKind| matches!(kind, DirectiveKind::Pipeline(it) if !it.off);
    let asks = |pragma: &Pragma| pragma.directive().is_some_and(|it| is_pipeline(&it.kind));
    let mut own = input.code.functions().filter(|function| function.name == name);
    let scripted =
        input.asked().into_iter().flat_map(|asked| &asked.of_top(top_name(one.report)).directives);
    own.any(|function| function.pragmas.iter().any(asks))
        || scripted.into_iter().any(|it| it.function == name && is_pipeline(&it.kind))
}

fn report_refused(input: &AuditInput<'_>, one: &Refused<'_>) -> ReportFinding {
    let module = copied_function(&one.log.module);
    let what = if one.log.is_function {
        format!("`{}`", one.name)
    } else {
        let within = if one.may_be_within { ", or a loop in it," } else { "" };
        format!("`{}` of `{module}`{within}", one.name)
    };
    let (why, help) = match &one.log.why {
        Refusal::Loops => (
            "the loops in it are not unrolled".to_owned(),
            "pipeline the innermost loop instead, or give the loops in this one constant bounds, so that they can be unrolled".to_owned(),
        ),
        Refusal::Callee(name) => (
            format!("`{name}`, which it calls, is not pipelined"),
            format!("pipeline or inline `{name}`"),
        ),
        Refusal::Control => (
            "its branches and jumps are too many".to_owned(),
            "replace `break`, `continue` and nested conditions by a flag".to_owned(),
        ),
        Refusal::Unnamed => (
            "the tool gives no reason".to_owned(),
            "look at what the log warns of before this line".to_owned(),
        ),
    };
    let small = find_small(input, one, module);
    let level = if small.is_some() { Level::Note } else { Level::Warning };
    let here = if one.log.is_function {
        "it starts again only when it has ended"
    } else {
        "its iterations run one after another"
    };
    let log = (one.span != one.log.span).then(|| Label::new(one.log.span, "the log says so"));
    let finding = Finding::new("report/refused-pipeline", level, one.name)
        .by_file()
        .with_message(format!("{what} asks for a pipeline and got none: {why}"))
        .with_label(one.span, here)
        .with_labels(log)
        .with_notes(small)
        .with_help(help)
        .with_evidence(
            json!({ "module": one.log.module, "loop": (!one.log.is_function).then_some(one.name) }),
        );
    ReportFinding { key: make_key(&[module, one.name]), instance: None, weight: 0, finding }
}

/// Why it costs little.
fn find_small(input: &AuditInput<'_>, one: &Refused<'_>, module: &str) -> Option<String> {
    if one.log.is_function {
        return None;
    }
    let reported = find_small_loops(one.report, &BTreeSet::from([one.name]), 0);
    reported.map(|small| format!("it takes {}", describe_share(&small))).or_else(|| {
        each_kernel(input).find_map(|(_, kernel)| {
            let mut own = kernel.answer.loops.iter();
            let own = own.find(|it| it.function == module && it.label == one.name)?;
            find_slight_loop(kernel, own)
        })
    })
}
