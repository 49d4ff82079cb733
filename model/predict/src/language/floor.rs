//! What no run of a decoder goes below, however it overlaps and fuses.

use super::generation::{StraightLine, sums_of_higher};
use super::{Deployment, GenerationCase};
use derate_units::{Bytes, Seconds};
use derate_workload::operator::{OperationTotals, StoredAs};

/// The least times of a whole run on these roofs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Floor {
    /// All products at their peaks; `None` where one is not known.
    pub compute: Option<Seconds>,
    /// What every pass has to read, less what the chip may have kept from the pass before: the matrices, and keys and
    /// values of earlier passes. `None` where it is not known how much the chip holds.
    pub memory: Option<Seconds>,
}

impl Floor {
    /// The longer of those that are known.
    pub fn seconds(&self) -> Seconds {
        let known = |time: Option<Seconds>| time.unwrap_or(Seconds(0.0)).0;
        Seconds(known(self.compute).max(known(self.memory)))
    }
}

impl Deployment<'_> {
    /// The floor of the run of `case`, which comes to `totals`, on a chip that holds `on_chip`.
    ///
    /// Of keys and values each token counts its bits without scales of a row, so that no format is counted too high.
    pub fn find_floor(
        &self,
        case: &GenerationCase,
        totals: &OperationTotals,
        on_chip: Option<Bytes>,
    ) -> Floor {
        let read = on_chip.map(|on_chip| self.must_read(case, on_chip));
        Floor { compute: totals.compute, memory: read.map(|read| read / self.roofs.bandwidth) }
    }

    fn must_read(&self, case: &GenerationCase, on_chip: Bytes) -> Bytes {
        let (model, generation) = (self.model, &case.generation);
        let missed = self.matrix_bytes().0 - on_chip.0;
        let prompts = missed.max(0.0);
        if generation.steps() == 0 {
            return Bytes(prompts);
        }
        let token = self.formats.of(StoredAs::Cache).nominal_bits() / 8.0
            * (2.0 * model.layers as f64 * model.kv_width() as f64 * generation.batch as f64);
        let (first, last) = (generation.prompt.saturating_add(1), generation.context());
        // A step reads what the tokens before its own left, up to the window.
        let grown = last.min(model.window.unwrap_or(u64::MAX)).max(generation.prompt);
        let growing = StraightLine { constant: missed - token, slope: token };
        let (read, _) = if first <= grown {
            sums_of_higher(growing, StraightLine { constant: 0.0, slope: 0.0 }, first, grown)
        } else {
            (0.0, 0.0)
        };
        let full = growing.at(model.attended(last) as f64).max(0.0);
        Bytes(prompts + read + full * last.saturating_sub(grown) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{Decoder, Generation, Logits};
    use derate_machine::Target;
    use derate_units::Mixture;
    use derate_workload::operator::{OperatorFormats, RoofOverrides, Scores, TargetRoofs};

    fn floor(
        model: &Decoder,
        on: &str,
        mixture: &str,
        on_chip: Option<Bytes>,
    ) -> (OperationTotals, Floor) {
        let formats = OperatorFormats::new(Mixture::parse(mixture).unwrap());
        let target = Target::named(on).unwrap();
        let roofs = TargetRoofs::new(&target, &formats, &RoofOverrides::default()).unwrap().roofs;
        let on = Deployment { model, formats, roofs, scores: Scores::Fused };
        let generation = Generation { batch: 1, prompt: 100, generate: 100 };
        let case = GenerationCase { generation, context: None, logits: Logits::Last };
        let totals = on.sum_run(&generation, case.logits);
        (totals, on.find_floor(&case, &totals, on_chip))
    }

    /// 14.2 GB of matrices at 320 GB/s, 100 times: a cache of 4 MiB takes nothing worth naming off that.
    #[test]
    fn a_large_model_is_read_in_every_pass() {
        let model = Decoder::named("mistral-7b").unwrap();
        let (totals, floor) = floor(&model, "t4", "fp16", Some(Bytes(4_194_304.0)));
        let memory = floor.memory.unwrap();
        assert!(floor.seconds() == memory && memory < totals.overlapped_time());
        assert!(memory / totals.seconds > 0.99, "{memory:?} {totals:?}");
        // A window of eight tokens leaves the matrices, and next to nothing of the cache.
        let narrow = Decoder { window: Some(8), ..model };
        let own = self::floor(&narrow, "t4", "fp16", Some(Bytes(0.0))).1.memory.unwrap();
        let matrices = (7_241_732_096.0 - 32_000.0 * 4096.0) * 2.0 * 100.0 / 320e9;
        assert!((own.0 / matrices - 1.0).abs() < 1e-3, "{own:?} {matrices}");
    }

    /// A model that a cache holds whole is read once at most: its roofline is not a floor.
    #[test]
    fn what_a_cache_holds_need_not_be_read_again() {
        let model = Decoder::named("smollm2-135m").unwrap();
        let (totals, kept) = floor(&model, "l40s", "int4-g128", Some(Bytes(100_663_296.0)));
        assert_eq!(kept.memory, Some(Seconds(0.0)));
        assert_eq!(Some(kept.seconds()), totals.compute);
        let unknown = floor(&model, "l40s", "int4-g128", None).1;
        assert_eq!((unknown.memory, Some(unknown.seconds())), (None, totals.compute));
    }
}
