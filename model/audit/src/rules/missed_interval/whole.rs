//! The interval of a kernel that is pipelined as a whole.

use derate_estimate::{KernelModels, ModelledKernel, is_stencil};
use derate_hls::{Count, DirectiveKind, Figure, Synthesis};
use derate_kernel::ir::ObjectKind;
use serde_json::json;

use crate::AuditInput;
use crate::modelled::{conditions, line_span, list_differences, may_widen};
use crate::{Finding, Level};

/// The interval that the `pipeline` of the top function asks for, 1 where it names none.
fn find_asked(input: &AuditInput<'_>, kernel: &ModelledKernel) -> Option<u64> {
    let top = kernel.program.functions.first()?;
    let own = top.pragmas.iter().map(|one| &one.kind);
    let scripted = input.asked().into_iter().flat_map(|asked| &asked.of_top(&top.name).directives);
    let scripted = scripted.filter(|one| {
        one.function == top.name && one.label.is_none() && one.variable.is_none() && !one.off
    });
    let mut asked = own.chain(scripted.map(|one| &one.kind)).filter_map(|kind| match kind {
        DirectiveKind::Pipeline(it) => Some(it),
        _ => None,
    });
    let last = asked.next_back().filter(|one| !one.off)?;
    last.ii.as_ref().map_or(Some(1), Count::number)
}

/// Versions from this one on cut and copy arrays of functions by themselves.
const CUTS_LOCALS: (u16, u16) = (2020, 2);

/// Whether a memory that is no argument may hold the interval and need not: the tool may cut or copy it, or order what keeps
/// its value from run to run otherwise.
fn has_free_memory(kernel: &ModelledKernel, tool: (u16, u16)) -> bool {
    kernel.program.functions.iter().any(|function| {
        let own = function.objects.iter().enumerate();
        let mut own = own.filter(|(at, _)| !function.parameters.contains(at));
        own.any(|(_, one)| one.is_static || one.kind == ObjectKind::Array && tool >= CUTS_LOCALS)
    })
}

/// What a kernel without loops of its own, all of which its pipeline unrolls, cannot reach.
pub(super) fn report_kernel(
    input: &AuditInput<'_>,
    models: &KernelModels,
    kernel: &ModelledKernel,
) -> Option<Finding> {
    let (top, answer) = (kernel.program.functions.first()?, &kernel.answer);
    let asked = find_asked(input, kernel)?;
    let is_judged = answer.is_scheduled
        && answer.is_read
        && answer.loops.is_empty()
        && answer.regions.is_empty()
        && !answer.interval.is_open
        && answer.unknown.is_empty()
        && kernel.program.globals.is_empty()
        && !is_stencil(&kernel.program)
        && !has_free_memory(kernel, models.settings.tool);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let predicted = answer.interval.best.min(1e15) as u64;
    if !is_judged || predicted <= asked {
        return None;
    }
    let own = input
        .syntheses()
        .iter()
        .filter(|one| one.top == answer.top && list_differences(input, one, kernel).is_empty());
    let reached: Vec<u64> = own.filter_map(find_interval).collect();
    // The tool met it, or reached another one than the model: it knows better.
    if !reached.is_empty() && !reached.contains(&predicted) {
        return None;
    }
    let place = line_span(input, kernel, top.place)?;
    let mut buses = answer.ports.iter().filter(|port| port.kind == "m_axi");
    let widened = buses.any(|port| may_widen(input, models, kernel, &port.name));
    // `report/ii` does not say so of a function, but its report is there to be read.
    let is_certain = reached.is_empty() && !widened;
    let level = if is_certain { Level::Warning } else { Level::Note };
    let name = &answer.top;
    Some(
        Finding::new("kernel/interval", level, name.clone())
            .in_group(name.clone())
            .with_message(format!(
                "`{name}` is pipelined as a whole and asks for II={asked}; a run may start every {predicted} cycles"
            ))
            .with_label(place, format!("II={asked} is asked for, {predicted} is predicted"))
            .with_note("the pipeline unrolls all loops: what they access in one run shares the ports of each array")
            .with_note(conditions(models, kernel))
            .with_help(format!(
                "partition the arrays that the loops access, pipeline an inner loop instead, or ask for II={predicted}"
            ))
            .with_evidence(json!({
                "kernel": name,
                "function": name,
                "loop": null,
                "asked": asked,
                "predicted": predicted,
                "least": predicted,
                "held_by": "whole",
                "trip_count": null,
            })),
    )
}

/// The interval of a synthesis, if it is one number.
fn find_interval(synthesis: &Synthesis) -> Option<u64> {
    synthesis.interval.as_ref().and_then(Figure::known)
}
