//! Loops that a pragma slows down by more than the modelled time.

use derate_hls::{Count, DirectiveKind, Sources, parse};
use derate_model::measurement::{Measurement, Run};
use derate_model::quantity::shown;
use derate_model::units::{Cycles, Hertz};

/// A sentence for each `pipeline II=` of the kernel with which moving a word in each round takes longer than was modelled, at
/// the largest size; `sources` are names and texts.
pub(super) fn slow_loops(
    sources: &[(String, String)],
    kernel: &str,
    measurement: &Measurement,
    clock: Hertz,
) -> Vec<String> {
    let Some((words, run)) = largest_run(measurement) else { return Vec::new() };
    let Some(modelled) = run.median() else { return Vec::new() };
    let mut texts = Sources::default();
    let mut notes = Vec::new();
    for (name, text) in sources {
        let file = texts.add(name.as_str(), text.as_str());
        let header = parse(&texts, file);
        let kernels =
            header.functions.iter().filter(|one| one.name == kernel && one.body.is_some());
        for pragma in kernels.flat_map(|one| &one.pragmas) {
            let Some(DirectiveKind::Pipeline(pipeline)) = pragma.directive().map(|d| d.kind) else {
                continue;
            };
            let Some(Count::Number(interval)) = pipeline.ii else { continue };
            let takes = Cycles(words * interval as f64) / clock;
            if takes > modelled {
                notes.push(format!(
                    "{}:{}: `II={interval}` lets a round of that loop begin every {interval} cycles. If each moves a word, the {words} \
                     words of a unit take {} at least, and not the {} that the memory alone would: the figure does not count it.",
                    texts.name(file),
                    texts.position(pragma.span).line,
                    shown(takes),
                    shown(modelled)
                ));
            }
        }
    }
    notes
}

/// The largest run, with the words that each of its units moves.
fn largest_run(measurement: &Measurement) -> Option<(f64, &Run)> {
    let units = measurement.compute_units? as f64;
    let word = measurement.ports.first()?.bits? as f64 / 8.0;
    let sized = measurement.runs.iter().filter_map(|run| Some((run.size?.0 / units / word, run)));
    sized.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(words, _)| words.is_finite())
}
