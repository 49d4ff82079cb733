//! Weights in packed formats: expanded in registers or in the caches, multiplied with FP32, summed in FP32.
//!
//! As software for language models runs them: memory carries the packed bytes, and arithmetic is that of FP32.

mod gemm;
mod gemv;
mod mlp;
mod registers;
mod rows;
mod sys;

use std::array::from_fn;

use derate_model::Encoding;
use derate_model::measurement::Computed;
use derate_model::operator::Shape;

use super::{Made, Operator, to_extent};
use crate::error::BenchError;
use crate::measure::Cancel;
use crate::packed::{PackedFormat, PackedMatrix, Scale};
use gemv::PackedRows;
use registers::Registers;

/// Products of the portable loops that are summed before they are scaled, where nothing else says how many.
const AT_ONCE: usize = 128;

/// What rows are multiplied with.
#[derive(Clone, Copy)]
struct Vector<'a> {
    plain: &'a [f32],
    /// As [`gemv::arrange`] lays it out for these registers.
    arranged: &'a [f32],
    /// `None`: by portable loops.
    registers: Option<Registers>,
}

/// Some rows, from one on, times the vector.
fn sum_rows<const N: usize>(matrix: &PackedMatrix, first: usize, vector: &Vector<'_>) -> [f32; N] {
    let format = matrix.format;
    let (bytes, scales) = (
        format.row_bytes(matrix.columns),
        format.row_scales(matrix.columns) * format.scale.bytes(),
    );
    let own = PackedRows {
        format,
        columns: matrix.columns,
        codes: from_fn(|at| pick_row(&matrix.codes, first + at, bytes)),
        scales: from_fn(|at| pick_row(&matrix.scales, first + at, scales)),
        vector: vector.plain,
        arranged: vector.arranged,
    };
    let wide = vector.registers.and_then(|registers| {
        let whole = matrix.columns / registers.group() * registers.group();
        sum_wide(registers, &own).map(|sums| (sums, whole))
    });
    let (mut sums, from) = wide.unwrap_or(([0.0; N], 0));
    for (row, sum) in (first..).zip(&mut sums) {
        let by = if format.scale == Scale::Row { matrix.scale(row, 0) } else { 1.0 };
        *sum = (*sum + sum_rest(matrix, row, vector.plain, from)) * by * matrix.tensor;
    }
    sums
}

/// The bytes of a row.
fn pick_row(all: &[u8], row: usize, bytes: usize) -> &[u8] {
    all.get(row * bytes..(row + 1) * bytes).unwrap_or_default()
}

#[cfg(target_arch = "x86_64")]
fn sum_wide<const N: usize>(registers: Registers, rows: &PackedRows<'_, N>) -> Option<[f32; N]> {
    sys::sum_groups(registers, rows)
}

#[cfg(not(target_arch = "x86_64"))]
fn sum_wide<const N: usize>(_: Registers, _: &PackedRows<'_, N>) -> Option<[f32; N]> {
    None
}

/// The same from a column on by portable loops, without the scales of row and tensor.
fn sum_rest(matrix: &PackedMatrix, row: usize, vector: &[f32], from: usize) -> f32 {
    let code = matrix.format.code;
    let block = match matrix.format.scale {
        Scale::None | Scale::Row => AT_ONCE,
        scale => scale.block(matrix.columns).unwrap_or(AT_ONCE),
    };
    let mut total = 0.0;
    let mut column = from;
    while column < matrix.columns {
        let end = ((column / block + 1) * block).min(matrix.columns);
        let mut sum = 0.0;
        for (at, &x) in (column..end).zip(vector.get(column..end).unwrap_or_default()) {
            sum += code.value(matrix.code(row, at)) * x;
        }
        let scale = match matrix.format.scale {
            Scale::None | Scale::Row => 1.0,
            _ => matrix.scale(row, column / block),
        };
        total += sum * scale;
        column = end;
    }
    total
}

/// What computes it.
pub(super) fn describe(encoding: Encoding) -> Computed {
    let vectors = Registers::best().map_or("portable", Registers::name);
    Computed {
        arithmetic: "fp32".to_owned(),
        accumulate: "fp32".to_owned(),
        engine: format!(
            "weights stored in {encoding}, expanded in registers and multiplied with FP32 by loops of derate's own ({vectors}); activations and results are FP32: no {encoding} arithmetic"
        ),
    }
}

/// The length of the rows of weights.
pub(super) fn row_length(shape: &Shape) -> u64 {
    match *shape {
        Shape::Gemv { k, .. } | Shape::Gemm { k, .. } => k,
        Shape::Mlp(of) => of.width,
        Shape::Attention(of) => of.head_dim,
    }
}

/// The operator with its operands drawn; `None` where there is none.
pub(super) fn make(
    format: PackedFormat,
    shape: &Shape,
    threads: usize,
    cancel: Cancel<'_>,
) -> Made {
    let operator: Box<dyn Operator> = match *shape {
        Shape::Gemv { n, k } => Box::new(gemv::PackedGemv::new(
            format,
            [to_extent(n)?, to_extent(k)?],
            threads,
            cancel,
        )?),
        Shape::Gemm { m, n, k } => {
            let extents = [to_extent(m)?, to_extent(n)?, to_extent(k)?];
            Box::new(gemm::PackedGemm::new(format, extents, threads, cancel)?)
        }
        Shape::Mlp(of) if !of.backward => {
            let extents = [to_extent(of.batch)?, to_extent(of.width)?, to_extent(of.layers)?];
            Box::new(mlp::PackedMlp::new(format, extents, threads, cancel)?)
        }
        Shape::Mlp(_) | Shape::Attention(_) => return Ok(None),
    };
    Ok(Some(operator))
}

/// A sentence where a packed format has no kernel for a shape.
pub(super) fn check(
    format: PackedFormat,
    encoding: Encoding,
    shape: &Shape,
) -> Result<(), BenchError> {
    let refuse = |text: String| Err(BenchError::Setup(text));
    match shape {
        Shape::Attention(_) => refuse(format!(
            "attention has no kernel for {encoding}, as it has no weights: give fp32, fp16 or bf16"
        )),
        Shape::Mlp(of) if of.backward => refuse(format!(
            "an mlp in {encoding} runs forward only: leave --backward out, or give fp32, fp16 or bf16"
        )),
        _ => {
            let (length, unit) = (row_length(shape), format.row_unit() as u64);
            if length.is_multiple_of(unit) {
                return Ok(());
            }
            refuse(format!(
                "rows of {length} weights are not whole blocks of {encoding}: give a multiple of {unit} columns"
            ))
        }
    }
}

#[cfg(test)]
mod tests;
