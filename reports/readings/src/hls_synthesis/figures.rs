//! Figures of a report beside modelled ones.

use derate_hls::{Figure, Resource, Synthesis};
use derate_kernel::{ResourceAnswer, Span};
use derate_units::figures::grouped;

use crate::hls_kernel::words;

/// `1,234`, `1,234 to 5,678`, or the word that the tool printed.
pub(super) fn show(figure: &Figure) -> String {
    #[allow(clippy::cast_precision_loss)]
    let number = |value: u64| words::cycles(value as f64);
    match figure {
        Figure::Known(value) => number(*value),
        Figure::Range { min: Some(min), max: Some(max) } => {
            format!("{} to {}", number(*min), number(*max))
        }
        other => other.to_string(),
    }
}

/// The worst case as a number.
#[allow(clippy::cast_precision_loss)]
pub(super) fn worst(figure: Option<&Figure>) -> Option<f64> {
    figure.and_then(Figure::max).map(|value| value as f64)
}

/// What the tool would report, where data do not decide it.
pub(super) fn reported(span: &Span) -> Option<f64> {
    (!span.is_open).then_some(span.reported)
}

/// How far the model is from the report, as a share of the report.
pub(super) fn error(modelled: Option<f64>, synthesised: Option<f64>) -> Option<f64> {
    let (modelled, synthesised) = modelled.zip(synthesised)?;
    (synthesised > 0.0).then(|| modelled / synthesised - 1.0)
}

/// `+1.2 %`
pub(super) fn show_error(error: f64) -> String {
    let percent = 100.0 * error;
    if percent.abs() < 0.05 { "0.0 %".to_owned() } else { format!("{percent:+.1} %") }
}

/// A kind of resource: its name, that of reports, and the modelled figure.
pub(super) type ResourceRow = (&'static str, Option<Resource>, Option<ResourceAnswer>);

/// DSP, memories and logic.
pub(super) fn list_resources(
    synthesis: &Synthesis,
    modelled: Option<&derate_kernel::Resources>,
) -> Vec<ResourceRow> {
    let row = |name, key: &str, used: Option<ResourceAnswer>| {
        (name, synthesis.resources.get(key).cloned(), used)
    };
    vec![
        row("DSP", "DSP", modelled.map(|one| one.dsp)),
        row("BRAM18", "BRAM_18K", modelled.map(|one| one.bram18)),
        row("URAM", "URAM", modelled.map(|one| one.uram)),
        row("LUT", "LUT", modelled.map(|one| one.lut)),
        row("FF", "FF", modelled.map(|one| one.ff)),
    ]
}

/// What a report says is used; a dash is none.
pub(super) fn used(resource: &Resource) -> Option<f64> {
    match &resource.used.value {
        Figure::Unknown(word) if word == "-" => Some(0.0),
        figure => worst(Some(figure)),
    }
}

/// The same in words.
pub(super) fn show_used(resource: &Resource) -> String {
    used(resource).map_or_else(|| resource.used.value.to_string(), grouped)
}
