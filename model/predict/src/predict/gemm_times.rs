//! Which model of GEMM times serves which products of a prediction, or why none does.

use super::{BasisRow, ExpectedTime, PredictionSetup};
use crate::gemm_time::{GemmEstimate, GemmModel, GemmTimeError};
use crate::language::SHARED_INPUT;
use derate_machine::Target;
use derate_units::{Encoding, Precision};
use derate_workload::Matmul;
use derate_workload::operator::{Factors, Operation, StoredAs, TargetRoofs};

/// Times of products with the weights, and with the table where it is multiplied.
#[derive(Clone, Debug)]
pub(super) struct GemmTimes {
    kinds: Vec<ProductModel>,
}

#[derive(Clone, Debug)]
struct ProductModel {
    products: StoredAs,
    arithmetic: Precision,
    model: Result<GemmModel, GemmTimeError>,
}

impl GemmTimes {
    pub(super) fn new(setting: &PredictionSetup, ground: &TargetRoofs) -> Self {
        let kinds = [(StoredAs::Weights, Factors::Weights), (StoredAs::Table, Factors::Table)];
        let kind = |(products, factors)| {
            let arithmetic = setting.formats.arithmetic(factors)?;
            let model = choose_model(setting, ground, arithmetic, products);
            Some(ProductModel { products, arithmetic, model })
        };
        Self { kinds: kinds.into_iter().filter_map(kind).collect() }
    }

    /// What the times of these operations rest on, each kind of product once.
    pub(super) fn list_bases<'a>(
        &self,
        operations: impl Iterator<Item = &'a Operation>,
    ) -> Vec<BasisRow> {
        let used: Vec<StoredAs> =
            operations.filter_map(find_product).map(|(stored, _)| stored).collect();
        let among = |kind: &&ProductModel| used.contains(&kind.products);
        let row = |kind: &ProductModel| BasisRow::new(kind.products, kind.arithmetic, &kind.model);
        self.kinds.iter().filter(among).map(row).collect()
    }

    /// The expected time of one run of each of these operations. Those that read the same activations are expected as one
    /// product, whose time is at the first of them; as products of their own only where none so wide was timed.
    pub(super) fn expected_times(&self, operations: &[(Operation, u64)]) -> Vec<ExpectedTime> {
        let alone = |(operation, _): &(Operation, u64)| match self.estimate_product(&[operation]) {
            Some(Ok(estimate)) => ExpectedTime::of(&estimate, &[operation.name]),
            Some(Err(why)) => ExpectedTime::unknown(why.to_string()),
            None => ExpectedTime::no_product(),
        };
        let mut all: Vec<ExpectedTime> = operations.iter().map(alone).collect();
        for names in SHARED_INPUT {
            let (places, parts): (Vec<usize>, Vec<&Operation>) = operations
                .iter()
                .map(|(operation, _)| operation)
                .enumerate()
                .filter(|(_, operation)| names.contains(&operation.name))
                .unzip();
            let Some(Ok(estimate)) = self.estimate_product(&parts) else { continue };
            for (at, place) in places.into_iter().enumerate() {
                if let Some(own) = all.get_mut(place) {
                    let first = at == 0;
                    *own = if first {
                        ExpectedTime::of(&estimate, names)
                    } else {
                        ExpectedTime::part_of(names)
                    };
                }
            }
        }
        all
    }

    /// The time of the one product that makes the results of `parts`, which read the same activations; `None` where they are not
    /// products with weights.
    fn estimate_product(
        &self,
        parts: &[&Operation],
    ) -> Option<Result<GemmEstimate, GemmTimeError>> {
        let (first, others) = parts.split_first()?;
        let (stored, mut whole) = find_product(first)?;
        for other in others {
            whole.n = whole.n.saturating_add(find_product(other)?.1.n);
        }
        let kind = self.kinds.iter().find(|kind| kind.products == stored)?;
        Some(kind.model.as_ref().map_err(Clone::clone).and_then(|model| model.estimate_time(whole)))
    }
}

/// The product of activations with a matrix that an operation is, and as what the matrix is stored; `None` where it is none.
fn find_product(operation: &Operation) -> Option<(StoredAs, Matmul)> {
    let stored = match operation.factors {
        Factors::Weights => StoredAs::Weights,
        Factors::Table => StoredAs::Table,
        Factors::Activations | Factors::Cache | Factors::Nothing => return None,
    };
    let [left, right, ..] = operation.matrices() else { return None };
    let rows = |rows: u128| u64::try_from(rows).ok();
    Some((stored, Matmul::gemm(rows(left.rows)?, right.columns, rows(right.rows)?)))
}

/// The times of products with a matrix that is stored so; the error says why none can be had.
fn choose_model(
    setting: &PredictionSetup,
    ground: &TargetRoofs,
    arithmetic: Precision,
    stored: StoredAs,
) -> Result<GemmModel, GemmTimeError> {
    let Target::Processor(processor) = &setting.target else {
        return Err(GemmTimeError::Card);
    };
    // Where the platform has no peak of its own, what is missing is not that one.
    if setting.given.peak.of(arithmetic).is_some() {
        return Err(GemmTimeError::OtherRoofs);
    }
    let model = GemmModel::of(processor, arithmetic)?;
    for of in [stored, StoredAs::Activations] {
        let encoding = setting.formats.of(of);
        if encoding != Encoding::from(arithmetic) {
            let operand = match of {
                StoredAs::Table => "the table",
                StoredAs::Activations => "activations",
                _ => "weights",
            };
            return Err(GemmTimeError::Converted { arithmetic, operand, encoding });
        }
    }
    if !setting.given.peak.is_empty() || setting.given.bandwidth.is_some() {
        return Err(GemmTimeError::OtherRoofs);
    }
    // The peak of the ground is that of the sums that were asked for.
    let usual = processor.peak(arithmetic)?;
    let own = ground.peaks.iter().find(|peak| peak.arithmetic == arithmetic);
    if own.is_none_or(|own| own.peak.as_ref() != Ok(&usual.rate)) {
        return Err(GemmTimeError::OtherSums(usual.accumulate));
    }
    Ok(model)
}
