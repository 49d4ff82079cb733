//! What the rules about modelled kernels share: places, names, and where the model is not sure.

use std::borrow::Cow;

use crate::{AuditInput, Finding, Level};
use derate_design::{find_stale, follow_lines};
use derate_estimate::{KernelModels, ModelledKernel, find_slight_line};
use derate_hls::{DirectiveKind, Span, Synthesis, name_tool};
use derate_kernel::ir::Place;
use derate_machine::FlowTarget;
use derate_project::pipelined_callers::find_loop_around;
use derate_units::figures::quantity;

/// The modelled kernels with what they are scheduled for; empty where the card's part is not known.
pub(crate) fn each_kernel<'a>(
    input: &AuditInput<'a>,
) -> impl Iterator<Item = (&'a KernelModels, &'a ModelledKernel)> + use<'a> {
    let models = input.kernel_models();
    models.into_iter().flat_map(|models| models.kernels.iter().map(move |kernel| (models, kernel)))
}

/// A finding of the model, or a note where the tool compiles other statements than the sources have.
pub(crate) fn hedge_rewritten(input: &AuditInput<'_>, top: &str, finding: Finding) -> Finding {
    let Some(script) = input.rewritten_by(top) else { return finding };
    Finding { level: Level::Note, ..finding }.with_note(format!(
        "`{script}` sets LLVM_CUSTOM_CMD: a program of the project's own rewrites the code before it is scheduled"
    ))
}

/// Why the loop with a place in it costs too little for a warning in each kernel that has it.
pub(crate) fn find_slight_loop_at(input: &AuditInput<'_>, place: Span) -> Option<String> {
    let (_, own) = find_loop_around(input.code, place)?;
    let (file, line) = (input.sources.name(own.span.file), input.sources.position(own.span).line);
    find_slight_line(&input.kernel_models()?.kernels, file, line)
}

/// The first version that makes ports wider by itself.
const WIDENS: (u16, u16) = (2020, 2);

/// Whether the tool may make an `m_axi` port wider than its elements by itself.
pub(crate) fn may_widen(
    input: &AuditInput<'_>,
    models: &KernelModels,
    kernel: &ModelledKernel,
    port: &str,
) -> bool {
    let (top, answer) = (kernel.program.functions.first(), &kernel.answer);
    let mut settings = models.settings.clone();
    if let Some(asked) = input.asked() {
        settings.apply_tool_settings(&asked.of_top(&answer.top).settings);
    }
    let interfaces = top.into_iter().flat_map(|top| &top.pragmas).filter_map(|one| {
        let DirectiveKind::Interface(interface) = &one.kind else { return None };
        (interface.port.as_deref() == Some(port)).then_some(interface)
    });
    let own = interfaces.filter_map(|one| one.max_widen_bitwidth.as_ref()?.number()).next_back();
    // A card is linked by v++ also where a script of its own does not say so.
    let flow = match input.platform {
        Some(card) if card.flow.value == FlowTarget::Vitis => FlowTarget::Vitis,
        _ => settings.flow,
    };
    let widest = own.or(settings.max_widen).unwrap_or(flow.widest());
    let bits = answer.ports.iter().find(|one| one.name == port).and_then(|one| one.bits);
    settings.tool >= WIDENS && bits.is_none_or(|bits| bits < widest)
}

/// What shows that a synthesis is of another version of a kernel's source.
pub(crate) fn list_differences(
    input: &AuditInput<'_>,
    synthesis: &Synthesis,
    kernel: &ModelledKernel,
) -> Vec<String> {
    find_stale(synthesis, &kernel.program, &kernel.answer, &list_texts(input, kernel), None)
}

/// Whether a synthesis is of another version of the loops in one file of a kernel.
pub(crate) fn differs_in(
    input: &AuditInput<'_>,
    synthesis: &Synthesis,
    kernel: &ModelledKernel,
    file: &str,
) -> bool {
    let texts = list_texts(input, kernel);
    !find_stale(synthesis, &kernel.program, &kernel.answer, &texts, Some(file)).is_empty()
}

/// A synthesis with the lines that the sources of a kernel have today.
pub(crate) fn follow_sources<'a>(
    input: &AuditInput<'_>,
    synthesis: &'a Synthesis,
    kernel: &ModelledKernel,
) -> Cow<'a, Synthesis> {
    follow_lines(synthesis, &kernel.program, &list_texts(input, kernel))
}

/// The sources of a kernel, each with its path.
fn list_texts(input: &AuditInput<'_>, kernel: &ModelledKernel) -> Vec<(String, String)> {
    let sources = input.sources;
    let find = |name: &String| {
        let file = sources.files().find(|file| sources.name(*file) == name)?;
        Some((name.clone(), sources.text(file).to_owned()))
    };
    kernel.program.files.iter().filter_map(find).collect()
}

/// The line of a place, without the blanks around it. `None` for a file that is not the project's.
pub(crate) fn line_span(
    input: &AuditInput<'_>,
    kernel: &ModelledKernel,
    place: Place,
) -> Option<Span> {
    let name = kernel.program.files.get(usize::from(place.file))?;
    let mut own = input.code.headers().iter().map(|header| header.file);
    let file = own.find(|file| input.sources.name(*file) == name)?;
    input.sources.line_span(file, place.line)
}

/// What the figures are of, in a sentence without a full stop.
pub(crate) fn conditions(models: &KernelModels, kernel: &ModelledKernel) -> String {
    let settings = &models.settings;
    let assumed = if models.assumes_clock { " (assumed: no file names a clock)" } else { "" };
    let part = match &models.part_from {
        Some(readme) => format!(" (assumed: only `{readme}` names a part)"),
        None if settings.part.lacks_counts => " (only its family is known)".to_owned(),
        None => String::new(),
    };
    format!(
        "modelled from the source for {}, {}{part} at {}{assumed}; nothing was synthesised",
        name_tool(settings.tool),
        settings.part.name,
        quantity(kernel.clock)
    )
}
