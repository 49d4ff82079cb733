//! What a graph computes and moves, by kind of operation.

use std::collections::BTreeMap;

use super::{Graph, Operation, OperationKind, Origin};
use serde::Serialize;

/// Sums over the operations of a kind, loops included.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
pub struct KindTotals {
    /// Operations, each as often as it runs.
    pub operations: u64,
    /// Of matrix products; a multiply-add counts two.
    pub flops: u64,
    /// Bytes of the operands in their own formats, each read or written once.
    pub bytes: u64,
}

impl OperationKind {
    /// Its name in the file.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Product => "product",
            Self::Convolution(_) => "convolution",
            Self::Attention => "attention",
            Self::Norm => "norm",
            Self::Softmax => "softmax",
            Self::Pool { .. } => "pool",
            Self::Embedding => "embedding",
            Self::Elementwise => "elementwise",
            Self::Reduction => "reduction",
            Self::Copy => "copy",
            Self::Fill => "fill",
            Self::Unknown => "unknown",
        }
    }
}

impl Graph {
    /// Operations of all matrix products, loops included.
    pub fn count_flops(&self) -> u64 {
        self.totals().values().fold(0, |sum: u64, kind| sum.saturating_add(kind.flops))
    }

    /// Bytes that all operations read and write where nothing is kept from one to the next, loops included.
    pub fn count_bytes(&self) -> u64 {
        self.totals().values().fold(0, |sum: u64, kind| sum.saturating_add(kind.bytes))
    }

    /// Elements that an operation reads of one of its inputs. Of what is gathered or copied it reads no more than it
    /// writes; a table of rows is read row by row.
    pub(crate) fn count_read(&self, operation: &Operation, input: usize) -> u64 {
        let (_, elements) = self.find_base(input);
        let written = || {
            let made = operation.outputs.iter().map(|&at| self.values[at].elements());
            made.fold(0, u64::saturating_add)
        };
        match operation.kind {
            OperationKind::Copy => elements.min(written()),
            OperationKind::Embedding if operation.inputs.first() == Some(&input) => written(),
            _ => elements,
        }
    }

    /// Bytes of one run of an operation: each distinct input and each result once.
    pub(crate) fn count_moved(&self, operation: &Operation) -> u64 {
        let bytes = |elements: u64, at: usize| {
            let bits = u128::from(elements) * u128::from(self.values[at].dtype.bits());
            u64::try_from(bits.div_ceil(8)).unwrap_or(u64::MAX)
        };
        let mut seen: Vec<usize> = operation.inputs.clone();
        seen.sort_unstable();
        seen.dedup();
        let read = seen.iter().map(|&at| bytes(self.count_read(operation, at), at));
        let written = operation.outputs.iter().map(|&at| bytes(self.find_base(at).1, at));
        read.chain(written).fold(0, u64::saturating_add)
    }

    /// Sums by kind, by the kind's name.
    pub fn totals(&self) -> BTreeMap<&'static str, KindTotals> {
        let mut all: BTreeMap<&'static str, KindTotals> = BTreeMap::new();
        for operation in &self.operations {
            let runs = self.count_runs(operation);
            let products = self.list_products(operation).unwrap_or_default();
            let flops = products.iter().fold(0_u64, |sum, product| {
                let macs = product.batch.saturating_mul(product.m).saturating_mul(product.k);
                sum.saturating_add(macs.saturating_mul(product.n).saturating_mul(2))
            });
            let kind = all.entry(operation.kind.name()).or_default();
            kind.operations = kind.operations.saturating_add(runs);
            kind.flops = kind.flops.saturating_add(flops.saturating_mul(runs));
            let moved = self.count_moved(operation).saturating_mul(runs);
            kind.bytes = kind.bytes.saturating_add(moved);
        }
        all
    }

    /// The operators that the file has no words for, each once, with how often they occur.
    pub fn list_unknown(&self) -> BTreeMap<&str, u64> {
        let mut all = BTreeMap::new();
        for operation in self.operations.iter().filter(|one| one.kind == OperationKind::Unknown) {
            *all.entry(operation.function.as_str()).or_default() += self.count_runs(operation);
        }
        all
    }

    /// The parameters, with their places.
    pub fn list_parameters(&self) -> impl Iterator<Item = (&str, usize)> {
        self.values.iter().enumerate().filter_map(|(at, value)| match &value.origin {
            Origin::Parameter(name) => Some((name.as_str(), at)),
            _ => None,
        })
    }
}
