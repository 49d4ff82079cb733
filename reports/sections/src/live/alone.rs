//! The kernels that the claim models, at one precision and a number of tokens.

use derate_render::Formula;
use derate_render::formula::{Function, column};

use super::name;
use super::polynomial::Polynomial;
use super::roofs::Times;
use super::row::SUM_BITS;
use super::symbols::Symbols;
use derate_workload::{Count, Kernel, Part, Repeated, Role};

/// At most so many different kernels are written into one formula.
const MOST: usize = 16;

/// One kernel of one layer.
struct LoneKernel {
    calls: Polynomial,
    /// Operations, elements that cross memory, and weights among them.
    flops: Polynomial,
    elements: Polynomial,
    weights: Polynomial,
    /// `m`, `k` and `n` of a product.
    dims: Option<[Polynomial; 3]>,
}

impl LoneKernel {
    fn of(repeated: &Repeated<Polynomial>, kernel: &Kernel<Polynomial>) -> Self {
        let block = &repeated.block;
        let sum = |weights: bool| {
            let operands = block.operands_of(kernel).iter();
            let chosen = operands.filter(|o| !weights || o.role == Role::Weight);
            chosen.map(|o| o.elements.clone()).sum()
        };
        let (flops, dims) = match kernel.op.product() {
            Some(own) => {
                (own.count_operations(), Some([own.m.clone(), own.k.clone(), own.n.clone()]))
            }
            None => (Polynomial::default(), None),
        };
        let calls = repeated.runs.scaled(block.layers.len() as u64);
        Self { calls, flops, elements: sum(false), weights: sum(true), dims }
    }
}

/// The sizes of the kernels that the claim models, or of all that an inference runs where it models none.
pub(crate) struct Alone<'a> {
    symbols: &'a Symbols,
    /// Part by part, in the order of the workload.
    parts: Vec<Vec<LoneKernel>>,
}

fn list_kernels(part: &Part<Polynomial>) -> Vec<LoneKernel> {
    let blocks = part.blocks.iter();
    let kernels = blocks.flat_map(|repeated| {
        repeated.block.kernels.iter().map(move |kernel| LoneKernel::of(repeated, kernel))
    });
    kernels.collect()
}

impl<'a> Alone<'a> {
    pub(super) fn of(symbols: &'a Symbols) -> Self {
        let claimed = symbols.list_parts(true).filter(|part| part.never_runs.is_some());
        let mut parts: Vec<_> = claimed.map(list_kernels).collect();
        if parts.is_empty() {
            let mut all: Vec<_> = symbols.list_parts(true).collect();
            all.sort_by_key(|part| !part.is_main);
            parts = all.into_iter().map(list_kernels).collect();
        }
        Self { symbols, parts }
    }

    /// What gives that number of tokens.
    pub(super) fn find_tokens(&self, count: f64) -> Option<Formula> {
        self.symbols.find_tokens(super::to_count(count))
    }

    fn all_kernels(&self) -> impl Iterator<Item = &LoneKernel> {
        self.parts.iter().flatten()
    }

    /// Whether at so many tokens every product of elements so wide has an operand or its sums on the chip.
    pub(super) fn fits_on_chip(&self, tokens: f64, bits: f64, capacity: f64) -> bool {
        let point = self.symbols.point_with(name::TOKENS, super::to_count(tokens));
        self.all_kernels().filter_map(|kernel| kernel.dims.as_ref()).all(|dims| {
            let [m, k, n] = dims.each_ref().map(|size| size.value_at(&point) as f64);
            (m * k * bits).min(k * n * bits).min(m * n * SUM_BITS) / 8.0 <= capacity
        })
    }

    /// The most that any product must hold, in MB, over the columns `tokens` and `bits`; `None` where there are too many.
    pub(super) fn write_hold(&self) -> Option<Formula> {
        let mut distinct: Vec<&[Polynomial; 3]> = Vec::new();
        for dims in self.all_kernels().filter_map(|kernel| kernel.dims.as_ref()) {
            if !distinct.contains(&dims) {
                distinct.push(dims);
            }
        }
        let least = |dims: &[Polynomial; 3]| {
            let [m, k, n] = dims.each_ref().map(|size| over_tokens(size, &column("tokens")));
            let bits = column("bits");
            let terms =
                vec![m.clone() * k.clone() * bits.clone(), k * n.clone() * bits, m * n * SUM_BITS];
            Formula::Call(Function::Min, terms)
        };
        let most = Formula::Call(Function::Max, distinct.iter().map(|dims| least(dims)).collect());
        (distinct.len() <= MOST).then(|| most / 8e6)
    }

    /// Work, elements and weights of one call of each kernel, with `tokens`.
    pub(super) fn list_calls(&self, tokens: &Formula) -> Vec<[Formula; 3]> {
        let sizes = |one: &LoneKernel| {
            [&one.flops, &one.elements, &one.weights].map(|size| over_tokens(size, tokens))
        };
        self.all_kernels().map(sizes).collect()
    }

    /// Work, elements and weights of all calls of the first part, with `tokens`.
    pub(super) fn sum_first_part(&self, tokens: &Formula) -> [Formula; 3] {
        let sum = |of: fn(&LoneKernel) -> &Polynomial| {
            let first = self.parts.iter().take(1).flatten();
            over_tokens(&first.map(|one| of(one).times(&one.calls)).sum(), tokens)
        };
        [sum(|one| &one.flops), sum(|one| &one.elements), sum(|one| &one.weights)]
    }

    /// Roofline time of the first part in ms, with `tokens`, bits of an element, TOP/s and GB/s; `None` where it has too
    /// many different kernels.
    pub(super) fn time_first_part(
        &self,
        tokens: &Formula,
        [bits, peak, bandwidth]: [&Formula; 3],
    ) -> Option<Formula> {
        let mut distinct: Vec<(&LoneKernel, f64)> = Vec::new();
        for one in self.parts.iter().take(1).flatten() {
            let same = |other: &LoneKernel| {
                other.flops == one.flops
                    && other.elements == one.elements
                    && other.calls == one.calls
            };
            match distinct.iter_mut().find(|(other, _)| same(other)) {
                Some((_, count)) => *count += 1.0,
                None => distinct.push((one, 1.0)),
            }
        }
        let terms = distinct.iter().map(|(one, count)| {
            let flops = over_tokens(&one.flops, tokens);
            let bytes = over_tokens(&one.elements, tokens) * bits.clone() / 8.0;
            let times = Times::new(flops, bytes, peak.clone(), bandwidth.clone());
            let time = if one.dims.is_some() { times.both_roofs() } else { times.memory_time() };
            time * one.calls.formula() * *count
        });
        let sum = terms.reduce(|a, b| a + b)?;
        (distinct.len() <= MOST).then(|| super::cell::or_unknown(sum / 1e3))
    }
}

fn over_tokens(size: &Polynomial, tokens: &Formula) -> Formula {
    size.formula_with(name::TOKENS, tokens)
}
