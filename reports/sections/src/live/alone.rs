//! The kernels that the claim models, at one precision and a number of tokens.

use derate_render::Formula;
use derate_render::formula::{Function, column};

use super::roofs::Times;
use super::samples::{Samples, Size};
use derate_workload::{Matmul, Op, Operand, Part, Role};

/// So many different kernels are written into one formula.
const MOST: usize = 16;
/// Partial sums are kept at 32 bits.
const SUM_BITS: f64 = 32.0;

/// One kernel of one layer.
struct One {
    calls: Size,
    /// Operations, elements that cross memory, and weights among them.
    flops: Size,
    elements: Size,
    weights: Size,
    /// `m`, `k` and `n` of a product.
    dims: Option<[Size; 3]>,
}

/// The sizes of the kernels that the claim models, or of all that an inference runs where it models none.
pub(crate) struct Alone<'a> {
    samples: &'a Samples,
    /// Part by part, in the order of the workload.
    parts: Vec<Vec<One>>,
    /// Work, elements and weights of all calls of the first part.
    totals: [Size; 3],
}

/// Operations of one run.
fn operations(op: Op) -> Option<u64> {
    match op {
        Op::Matmul(Matmul { batch, m, k, n }) => {
            [batch, m, k, n].into_iter().try_fold(2_u64, u64::checked_mul)
        }
        Op::Elementwise(_) | Op::Gather => Some(0),
    }
}

/// Elements of all operands, or of the weights alone.
fn elements(operands: &[Operand], weights: bool) -> Option<u64> {
    let chosen = operands.iter().filter(|o| !weights || o.role == Role::Weight);
    chosen.map(|o| o.elements).try_fold(0, u64::checked_add)
}

/// The sum over all calls of a part.
fn total(part: &Part, of: impl Fn(Op, &[Operand]) -> Option<u64>) -> Option<u64> {
    part.blocks.iter().try_fold(0_u64, |sum, repeated| {
        let block = &repeated.block;
        let kernels = block.kernels.iter().map(|k| of(k.op, block.operands_of(k)));
        let one = kernels.into_iter().try_fold(0_u64, |sum, own| sum.checked_add(own?))?;
        let calls = repeated.runs.checked_mul(block.layers.len() as u64)?;
        sum.checked_add(one.checked_mul(calls)?)
    })
}

fn one(samples: &Samples, part: usize, block: usize, kernel: usize) -> Option<One> {
    let found = |parts: &[Part]| -> Option<(u64, Op, [u64; 2])> {
        let repeated = parts.get(part)?.blocks.get(block)?;
        let own = repeated.block.kernels.get(kernel)?;
        let operands = repeated.block.operands_of(own);
        let layers = repeated.block.layers.len() as u64;
        let elements = [elements(operands, false)?, elements(operands, true)?];
        Some((repeated.runs.checked_mul(layers)?, own.op, elements))
    };
    let matmul = |op: Op| match op {
        Op::Matmul(matmul) => Some(matmul),
        Op::Elementwise(_) | Op::Gather => None,
    };
    let is_product = matmul(found(&samples.base()?.parts)?.1).is_some();
    let dim = |of: fn(Matmul) -> u64| samples.size(|parts| Some(of(matmul(found(parts)?.1)?)));
    Some(One {
        calls: samples.size(|parts| Some(found(parts)?.0))?,
        flops: samples.size(|parts| operations(found(parts)?.1))?,
        elements: samples.size(|parts| Some(found(parts)?.2[0]))?,
        weights: samples.size(|parts| Some(found(parts)?.2[1]))?,
        dims: if is_product { Some([dim(|p| p.m)?, dim(|p| p.k)?, dim(|p| p.n)?]) } else { None },
    })
}

impl<'a> Alone<'a> {
    /// `None` where a size is no polynomial.
    pub(super) fn of(samples: &'a Samples) -> Option<Self> {
        let parts = &samples.base()?.parts;
        let claimed = parts.iter().filter(|part| part.never_runs.is_some()).count();
        let count = if claimed == 0 { parts.len() } else { claimed };
        let kernels = |(at, part): (usize, &Part)| {
            let blocks = part.blocks.iter().enumerate();
            let sites = blocks.flat_map(|(block, repeated)| {
                (0..repeated.block.kernels.len()).map(move |kernel| (block, kernel))
            });
            sites.map(|(block, kernel)| one(samples, at, block, kernel)).collect::<Option<Vec<_>>>()
        };
        let parts = parts.iter().take(count).enumerate().map(kernels).collect::<Option<_>>()?;
        let first = |of: &dyn Fn(Op, &[Operand]) -> Option<u64>| {
            samples.size(|parts| total(parts.first()?, of))
        };
        let totals = [
            first(&|op, _| operations(op))?,
            first(&|_, operands| elements(operands, false))?,
            first(&|_, operands| elements(operands, true))?,
        ];
        Some(Self { samples, parts, totals })
    }

    /// What gives that number of tokens.
    pub(super) fn tokens(&self, count: f64) -> Option<Formula> {
        self.samples.tokens(super::whole(count))
    }

    fn kernels(&self) -> impl Iterator<Item = &One> {
        self.parts.iter().flatten()
    }

    /// Whether at so many tokens every product of elements so wide has an operand or its sums on the chip.
    pub(super) fn fits(&self, tokens: f64, bits: f64, capacity: f64) -> bool {
        self.kernels().filter_map(|kernel| kernel.dims.as_ref()).all(|dims| {
            let at = |size: &Size| size.at(self.samples, super::whole(tokens));
            let [m, k, n] = dims.each_ref().map(at);
            let hold = m
                .zip(k)
                .zip(n)
                .map(|((m, k), n)| (m * k * bits).min(k * n * bits).min(m * n * SUM_BITS) / 8.0);
            hold.is_some_and(|bytes| bytes <= capacity)
        })
    }

    /// The most that any product must hold, in MB, over the columns `tokens` and `bits`; `None` where there are too many.
    pub(super) fn hold(&self) -> Option<Formula> {
        let mut distinct: Vec<&[Size; 3]> = Vec::new();
        for dims in self.kernels().filter_map(|kernel| kernel.dims.as_ref()) {
            if !distinct.contains(&dims) {
                distinct.push(dims);
            }
        }
        let least = |dims: &[Size; 3]| {
            let [m, k, n] = dims.each_ref().map(|size| size.with_tokens(&column("tokens")));
            let bits = column("bits");
            let terms =
                vec![m.clone() * k.clone() * bits.clone(), k * n.clone() * bits, m * n * SUM_BITS];
            Formula::Call(Function::Min, terms)
        };
        let most = Formula::Call(Function::Max, distinct.iter().map(|dims| least(dims)).collect());
        (distinct.len() <= MOST).then(|| most / 8e6)
    }

    /// Work, elements and weights of one call of each kernel, with `tokens`.
    pub(super) fn each(&self, tokens: &Formula) -> Vec<[Formula; 3]> {
        let sizes = |one: &One| {
            [&one.flops, &one.elements, &one.weights].map(|size| size.with_tokens(tokens))
        };
        self.kernels().map(sizes).collect()
    }

    /// Work, elements and weights of all calls of the first part, with `tokens`.
    pub(super) fn first(&self, tokens: &Formula) -> [Formula; 3] {
        self.totals.each_ref().map(|size| size.with_tokens(tokens))
    }

    /// Roofline time of the first part in ms, with `tokens`, bits of an element, TOP/s and GB/s; `None` where it has too
    /// many different kernels.
    pub(super) fn time(
        &self,
        tokens: &Formula,
        [bits, peak, bandwidth]: [&Formula; 3],
    ) -> Option<Formula> {
        let mut distinct: Vec<(&One, f64)> = Vec::new();
        for one in self.parts.iter().take(1).flatten() {
            let same = |other: &One| {
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
            let flops = one.flops.with_tokens(tokens);
            let bytes = one.elements.with_tokens(tokens) * bits.clone() / 8.0;
            let times = Times::new(flops, bytes, peak.clone(), bandwidth.clone());
            let time = if one.dims.is_some() { times.roofs() } else { times.memory() };
            time * one.calls.formula() * *count
        });
        let sum = terms.reduce(|a, b| a + b)?;
        (distinct.len() <= MOST).then(|| super::cell::or_unknown(sum / 1e3))
    }
}
