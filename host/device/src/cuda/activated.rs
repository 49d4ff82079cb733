//! What each layer of an MLP must give, at entries that are spread over its result.

use derate_model::measurement::ResultCheck;
use derate_model::operator::Mlp;

use super::Arithmetic;
use super::entries::{entry, spread_over};
use super::expected::{COMPARED, Entry, WHEN};
use super::memory::GpuMemory;
use crate::error::{BenchError, CudaError};
use crate::measure::Cancel;
use crate::oracle::{GELU_SLOPE, Worst, exact_gelu, unit_roundoff};

/// The seeds of the input, and of the weights of all layers.
pub(super) const SEEDS: [u64; 2] = [21, 22];

/// One set: all weights one behind the other, the input, and what each layer makes of it.
pub(super) struct Set {
    /// What each layer's products are multiplied with; of all sets the same.
    pub(super) scales: Vec<f32>,
    pub(super) weights: GpuMemory,
    pub(super) input: GpuMemory,
    pub(super) flows: GpuMemory,
}

/// Rows and columns that are compared, with the weights that these columns have in each layer.
#[derive(Debug)]
pub(super) struct Activated {
    of: Mlp,
    arithmetic: Arithmetic,
    rows: Vec<u64>,
    columns: Vec<u64>,
    /// Layer by layer, column by column.
    weights: Vec<i8>,
    seen: Worst,
}

impl Activated {
    pub(super) fn new(
        of: &Mlp,
        arithmetic: Arithmetic,
        cancel: Cancel<'_>,
    ) -> Result<Self, BenchError> {
        let columns: Vec<u64> = spread_over(of.width, COMPARED).collect();
        let mut weights = Vec::new();
        for layer in 0..of.layers {
            if cancel() {
                return Err(BenchError::Cancelled);
            }
            for column in &columns {
                let first = (layer * of.width + column) * of.width;
                weights.extend((first..first + of.width).map(|at| entry(SEEDS[1], at)));
            }
        }
        let rows = spread_over(of.batch, COMPARED).collect();
        Ok(Self { of: *of, arithmetic, rows, columns, weights, seen: Worst::new() })
    }

    /// Bytes of a row.
    fn row_bytes(&self) -> u64 {
        self.of.width * self.arithmetic.operand_bytes()
    }

    /// The rows that are compared of what a layer wrote.
    pub(super) fn compared_rows(
        &self,
        flows: &GpuMemory,
        layer: u64,
    ) -> Result<Vec<f64>, CudaError> {
        let (bytes, first) = (self.row_bytes(), layer * self.of.batch);
        let mut all = Vec::new();
        for row in &self.rows {
            all.extend(self.decode_numbers(&flows.read((first + row) * bytes, bytes)?));
        }
        Ok(all)
    }

    /// Each layer against the exact one of what it really read.
    pub(super) fn check_layers(&mut self, set: &Set) -> Result<(), CudaError> {
        let (size, row_bytes) = (self.arithmetic.operand_bytes(), self.row_bytes());
        let flow = self.of.batch * row_bytes;
        let width = usize::try_from(self.of.width).unwrap_or(usize::MAX);
        for &row in &self.rows {
            let mut read = self.decode_numbers(&set.input.read(row * row_bytes, row_bytes)?);
            let mut weights = self.weights.chunks_exact(width.max(1));
            for (layer, &scale) in (0..).zip(&set.scales) {
                let at = layer * flow + row * row_bytes;
                let made = self.decode_numbers(&set.flows.read(at, row_bytes)?);
                for (&column, weights) in self.columns.iter().zip(weights.by_ref()) {
                    let got = usize::try_from(column).ok().and_then(|at| made.get(at).copied());
                    let entry =
                        expected_entry(&read, weights, scale, self.arithmetic, at + column * size);
                    entry.check_value(got.unwrap_or(f64::NAN), &mut self.seen);
                }
                read = made;
            }
        }
        Ok(())
    }

    fn decode_numbers(&self, bytes: &[u8]) -> Vec<f64> {
        let size = usize::try_from(self.arithmetic.operand_bytes()).unwrap_or(4);
        let number = |part: &[u8]| {
            let mut element = [0; 4];
            element.iter_mut().zip(part).for_each(|(to, from)| *to = *from);
            self.arithmetic.decode(element)
        };
        bytes.chunks_exact(size).map(number).collect()
    }

    pub(super) fn into_check(self) -> ResultCheck {
        self.seen.check(format!(
            "entries at {COMPARED} rows and columns at most, spread over the result of every layer, against sums and GELU in f64 \
             of what the layer read: {WHEN}"
        ))
    }
}

/// One entry of a layer: the product errs by [`Arithmetic::of_a_term`] for each term and by what it does not read of its operands,
/// is rounded where it is stored, scaled, and passes through GELU, whose own loops err by `2^-19` of what they are given at most
/// (`2 u` is off by a few `2^-24` of itself, and so is `e^(2 u)` by as many of its value); then it is stored again.
fn expected_entry(
    read: &[f64],
    weights: &[i8],
    scale: f32,
    arithmetic: Arithmetic,
    offset: u64,
) -> Entry {
    let (roundoff, least) = arithmetic.stored();
    let (mut sum, mut size) = (0.0, 0.0);
    for (&value, &weight) in read.iter().zip(weights) {
        let product = value * f64::from(weight);
        sum += product;
        size += product.abs();
    }
    let terms = read.len() as f64 * arithmetic.of_a_term() + arithmetic.of_an_operand();
    let made = terms * size;
    let stored = made + roundoff * (sum.abs() + made) + least;
    let scale = f64::from(scale);
    let x = sum * scale;
    let exact = exact_gelu(x);
    let off = GELU_SLOPE * stored * scale + unit_roundoff(19) * (x.abs() + stored * scale);
    Entry {
        offset,
        exact,
        allowed: off + roundoff * (exact.abs() + off) + least,
        size: size * scale,
    }
}
