//! The tree of loops as a table, with the modelled figures beside.

use derate_design::{LoopPair, pair_loops};
use derate_render::Table;
use derate_units::figures::grouped;

use super::figures::{error, reported, show, show_error, worst};
use super::{ModelledSide, SynthesisStudy, pairs_of};
use crate::hls_kernel::{loops::short_label, words};

/// A loop of the reports, with the modelled one.
struct Row<'a> {
    pair: LoopPair<'a>,
    share: Option<f64>,
}

pub(super) fn loop_table(study: &SynthesisStudy<'_>) -> Option<Table> {
    let synthesis = study.synthesis;
    let pairs = pairs_of(study);
    let whole = worst(synthesis.latency.as_ref()).filter(|cycles| *cycles > 0.0);
    #[allow(clippy::cast_precision_loss)]
    let share = |pair: &LoopPair<'_>| {
        let total = pair.synthesised.total_cycles()? as f64;
        Some(total / whole?)
    };
    let rows = pairs.into_iter().map(|pair| Row { share: share(&pair), pair });
    let figure = |figure: &Option<derate_hls::Figure>| figure.as_ref().map(show);
    let table = Table::from_items("loops", "", rows)
        .text("loop", "Loop", |row| {
            short_label(&row.pair.synthesised.label, row.pair.synthesised.nest)
        })
        .figure("line", "Line", |row| row.pair.modelled.map(|one| one.place.line.to_string()))
        .figure("trips", "Trips", |row| figure(&row.pair.synthesised.trip))
        .figure("ii", "II", |row| figure(&row.pair.synthesised.ii))
        .figure("depth", "Depth", |row| figure(&row.pair.synthesised.depth))
        .figure("cycles", "Cycles", |row| figure(&row.pair.synthesised.latency))
        .figure("share", "Share", |row| row.share.map(|share| format!("{:.1} %", 100.0 * share)));
    if study.modelled.is_none() {
        return table.without_empty_columns().build_unless_empty();
    }
    table
        .figure("model_trips", "Model trips", Row::trips)
        .figure("model_ii", "Model II", |row| row.pair.modelled?.ii.map(|ii| ii.to_string()))
        .figure("model_depth", "Model depth", |row| {
            row.pair.modelled.map(|one| words::cycles(one.depth))
        })
        .figure("model_cycles", "Model cycles", |row| {
            reported(&row.pair.modelled?.cycles).map(words::cycles)
        })
        .figure("error", "Error", |row| row.error().map(show_error))
        .without_empty_columns()
        .build_unless_empty()
}

impl Row<'_> {
    /// The modelled trips, where they are not the reported ones.
    fn trips(&self) -> Option<String> {
        let (least, most, _) = self.pair.modelled?.trip?;
        #[allow(clippy::float_cmp, reason = "both are whole numbers")]
        let is_fixed = least == most;
        let other = worst(self.pair.synthesised.trip.as_ref()) != Some(most);
        (is_fixed && other).then(|| grouped(most))
    }

    /// The first of trips, II and depth that the model has otherwise.
    fn find_cause(&self) -> Option<String> {
        let (own, other) = (self.pair.modelled?, self.pair.synthesised);
        if let Some(trips) = self.trips() {
            let reported = other.trip.as_ref().map_or_else(|| "unknown".to_owned(), show);
            return Some(format!("the model counts {trips} iterations, the tool {reported}"));
        }
        if let (Some(ii), Some(reported)) = (own.ii, worst(other.ii.as_ref())) {
            #[allow(clippy::cast_precision_loss)]
            let differs = (ii as f64 - reported).abs() >= 0.5;
            if differs {
                return Some(format!(
                    "the model has an II of {ii}, the tool {}",
                    grouped(reported)
                ));
            }
        }
        let is_pipelined = |is_it: bool| if is_it { "pipelined" } else { "not pipelined" };
        let reported_ii = worst(other.ii.as_ref()).is_some();
        if own.ii.is_some() != reported_ii {
            let (own, reported) = (is_pipelined(own.ii.is_some()), is_pipelined(reported_ii));
            return Some(format!("the model has it {own}, the tool {reported}"));
        }
        let depth = worst(other.depth.as_ref()).filter(|depth| (depth - own.depth).abs() >= 0.5)?;
        let (own, reported) = (words::cycles(own.depth), words::cycles(depth));
        Some(format!("an iteration takes {own} cycles in the model, {reported} in the tool"))
    }

    fn error(&self) -> Option<f64> {
        let modelled = reported(&self.pair.modelled?.cycles);
        error(modelled, worst(self.pair.synthesised.latency.as_ref()))
    }
}

/// The loops whose cycles are off by more.
const FAR: f64 = 0.25;
/// So many of them are named.
const NAMED: usize = 3;

/// What of a loop the model has otherwise, for the loops that are far off; those first whose cycles differ most. Between two
/// versions of a source nothing is explained.
pub(super) fn explain_errors(
    study: &SynthesisStudy<'_>,
    side: &ModelledSide<'_>,
) -> Option<String> {
    if !side.stale.is_empty() {
        return None;
    }
    let mut far: Vec<(f64, String)> = pairs_of(study)
        .into_iter()
        .filter_map(|pair| {
            let row = Row { pair, share: None };
            let error = row.error().filter(|error| error.abs() > FAR)?;
            #[allow(clippy::cast_precision_loss)]
            let cycles = pair.synthesised.total_cycles().map_or(0.0, |cycles| cycles as f64);
            let name = short_label(&pair.synthesised.label, pair.synthesised.nest);
            let text = format!("`{}` {} ({})", name.trim(), show_error(error), row.find_cause()?);
            Some((cycles * error.abs(), text))
        })
        .collect();
    far.sort_by(|a, b| b.0.total_cmp(&a.0));
    let more = match far.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let shown: Vec<String> = far.into_iter().take(NAMED).map(|(_, text)| text).collect();
    let percent = 100.0 * FAR;
    (!shown.is_empty())
        .then(|| format!("Off by more than {percent} %: {}{more}.", shown.join("; ")))
}

/// Loops of the source that the reports do not have: unrolled, merged or inlined by the tool otherwise than by the model.
pub(super) fn only_modelled(study: &SynthesisStudy<'_>, side: &ModelledSide<'_>) -> Vec<String> {
    let pairs = pair_loops(study.synthesis, side.answer);
    let mut names: Vec<String> = side
        .answer
        .loops
        .iter()
        .filter(|one| {
            pairs.iter().all(|pair| {
                pair.modelled
                    .is_none_or(|known| (known.place, &known.label) != (one.place, &one.label))
            })
        })
        .map(|one| one.label.clone())
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}
