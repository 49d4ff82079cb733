//! Which model of GEMM times serves which products of a prediction, or why none does.

use super::{BasisRow, Expected, Setting};
use crate::gemm_time::{GemmEstimate, GemmModel};
use crate::language::SHARED_INPUT;
use derate_machine::Target;
use derate_units::{Encoding, Precision};
use derate_workload::Matmul;
use derate_workload::operator::{Factors, Ground, Operation, Stored};

/// Times of products with the weights, and with the table where it is multiplied.
#[derive(Clone, Debug)]
pub(super) struct GemmTimes {
    kinds: Vec<Kind>,
}

#[derive(Clone, Debug)]
struct Kind {
    products: Stored,
    arithmetic: Precision,
    /// The error is a sentence.
    model: Result<GemmModel, String>,
}

impl GemmTimes {
    pub(super) fn new(setting: &Setting, ground: &Ground) -> Self {
        let kinds = [(Stored::Weights, Factors::Weights), (Stored::Table, Factors::Table)];
        let kind = |(products, factors)| {
            let arithmetic = setting.formats.arithmetic(factors)?;
            let model = model(setting, ground, arithmetic, products);
            Some(Kind { products, arithmetic, model })
        };
        Self { kinds: kinds.into_iter().filter_map(kind).collect() }
    }

    /// What the times of these operations rest on, each kind of product once.
    pub(super) fn bases<'a>(
        &self,
        operations: impl Iterator<Item = &'a Operation>,
    ) -> Vec<BasisRow> {
        let used: Vec<Stored> = operations.filter_map(product).map(|(stored, _)| stored).collect();
        let among = |kind: &&Kind| used.contains(&kind.products);
        let row = |kind: &Kind| BasisRow::new(kind.products, kind.arithmetic, &kind.model);
        self.kinds.iter().filter(among).map(row).collect()
    }

    /// The expected time of one run of each of these operations. Those that read the same activations are expected as one
    /// product, whose time stands at the first of them; as products of their own only where none so wide was timed.
    pub(super) fn expected(&self, operations: &[(Operation, u64)]) -> Vec<Expected> {
        let alone = |(operation, _): &(Operation, u64)| match self.time(&[operation]) {
            Some(Ok(estimate)) => Expected::of(&estimate, &[operation.name]),
            Some(Err(why)) => Expected::unknown(why),
            None => Expected::no_product(),
        };
        let mut all: Vec<Expected> = operations.iter().map(alone).collect();
        for names in SHARED_INPUT {
            let (places, parts): (Vec<usize>, Vec<&Operation>) = operations
                .iter()
                .map(|(operation, _)| operation)
                .enumerate()
                .filter(|(_, operation)| names.contains(&operation.name))
                .unzip();
            let Some(Ok(estimate)) = self.time(&parts) else { continue };
            for (at, place) in places.into_iter().enumerate() {
                if let Some(own) = all.get_mut(place) {
                    let first = at == 0;
                    *own =
                        if first { Expected::of(&estimate, names) } else { Expected::with(names) };
                }
            }
        }
        all
    }

    /// The time of the one product that makes the results of `parts`, which read the same activations; `None` where they are no
    /// products with weights. The error is a sentence.
    fn time(&self, parts: &[&Operation]) -> Option<Result<GemmEstimate, String>> {
        let (first, others) = parts.split_first()?;
        let (stored, mut whole) = product(first)?;
        for other in others {
            whole.n = whole.n.saturating_add(product(other)?.1.n);
        }
        let kind = self.kinds.iter().find(|kind| kind.products == stored)?;
        Some(kind.model.as_ref().map_err(Clone::clone).and_then(|model| model.estimate(whole)))
    }
}

/// The product of activations with a matrix that an operation is, and as what the matrix is stored; `None` where it is none.
fn product(operation: &Operation) -> Option<(Stored, Matmul)> {
    let stored = match operation.factors {
        Factors::Weights => Stored::Weights,
        Factors::Table => Stored::Table,
        Factors::Activations | Factors::Cache | Factors::Nothing => return None,
    };
    let [left, right, ..] = operation.matrices() else { return None };
    let rows = |rows: u128| u64::try_from(rows).ok();
    Some((stored, Matmul::gemm(rows(left.rows)?, right.columns, rows(right.rows)?)))
}

/// The times of products with a matrix that is stored so; the error says, in a sentence, why none can be had.
fn model(
    setting: &Setting,
    ground: &Ground,
    arithmetic: Precision,
    stored: Stored,
) -> Result<GemmModel, String> {
    let Target::Processor(processor) = &setting.target else {
        return Err("no GEMM timings of FPGA cards are known here".to_owned());
    };
    let model = GemmModel::of(processor, arithmetic)?;
    for of in [stored, Stored::Activations] {
        let encoding = setting.formats.of(of);
        if encoding != Encoding::from(arithmetic) {
            let of = match of {
                Stored::Table => "the table",
                Stored::Activations => "activations",
                _ => "weights",
            };
            return Err(format!(
                "the timings are of operands in {arithmetic}, and converting {of} from {encoding} was not timed"
            ));
        }
    }
    if setting.given.peak.is_some() || setting.given.bandwidth.is_some() {
        return Err("the constants go with peak and bandwidth of the platform's file, of which --peak or --bandwidth replaces one".to_owned());
    }
    // The peak of the ground is that of the sums that were asked for.
    let usual = processor.peak(arithmetic)?;
    let own = ground.peaks.iter().find(|peak| peak.arithmetic == arithmetic);
    if own.is_none_or(|own| own.peak.as_ref() != Ok(&usual.rate)) {
        return Err(format!(
            "the timings are taken to be of sums in {}, as the first peak of the platform's file is",
            usual.accumulate
        ));
    }
    Ok(model)
}
