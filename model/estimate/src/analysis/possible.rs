//! What `[design]` asks for and the card or the workload does not have.

use derate_hls::Span;

use super::Analysis;
use derate_units::figures::quantity;
use derate_workload::Part;

/// The line of `[design]` that cannot be, with a sentence that says why.
pub(super) fn find_impossible(analysis: &Analysis) -> Option<(Span, String)> {
    let (design, platform) = (&analysis.project.design, &analysis.platform);
    if let (Some(buffer), Some(chip)) = (&design.buffer, platform.on_chip_bytes())
        && buffer.value > chip.value
    {
        return Some((
            buffer.span,
            format!(
                "buffer: {} is more than the {} of on-chip memory that {} has ({}): write no more than that",
                quantity(buffer.value),
                quantity(chip.value),
                platform.name,
                chip.source
            ),
        ));
    }
    if design.hold.is_empty() {
        return None;
    }
    let parts = analysis
        .workload
        .inference_parts(&analysis.workload.default_parameters(1, analysis.batch()));
    design.hold.iter().find_map(|name| Some((name.span, unknown_part(&name.value, &parts)?)))
}

/// Says that `name` is none of `parts`.
fn unknown_part(name: &str, parts: &[Part]) -> Option<String> {
    if parts.iter().any(|part| part.is_named(name)) {
        return None;
    }
    let known: Vec<&str> = parts.iter().map(|part| part.key.as_ref()).collect();
    Some(format!("hold: `{name}` is not a part of the inference: there are {}", known.join(", ")))
}
