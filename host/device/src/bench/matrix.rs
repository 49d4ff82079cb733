//! Matrices as the kernels have them: in panels of columns, each row of a panel padded to whole words.

use half::bf16;
use ndarray::{Array2, Axis};

use super::tile::{WORD, row_words};
use crate::oracle::{Element, Numbers};

/// Random elements; `f64` holds each of them exactly.
pub(super) fn draw_matrix(element: Element, rows: u64, columns: u64, seed: u64) -> Array2<f64> {
    let mut numbers = Numbers::new(seed);
    let mut one = || match element {
        Element::Fp32 => f64::from(numbers.unit()),
        Element::Bf16 => bf16::from_f32(numbers.unit()).to_f64(),
        Element::Int8 => f64::from(((numbers.next() >> 24) as u8).cast_signed()),
    };
    #[expect(clippy::cast_possible_truncation, reason = "a matrix that fits into this machine")]
    let shape = (rows as usize, columns as usize);
    Array2::from_shape_simple_fn(shape, &mut one)
}

/// As it lies on the device, in panels of so many columns. The padding is what would show if it counted: no number, or -1.
pub(super) fn pack_panels(element: Element, matrix: &Array2<f64>, panel: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    #[expect(clippy::cast_possible_truncation, reason = "a tile's extent")]
    let panels = matrix.axis_chunks_iter(Axis(1), panel as usize);
    for panel in panels {
        for row in panel.rows() {
            for &value in row {
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "each element was made of this type"
                )]
                match element {
                    Element::Fp32 => bytes.extend((value as f32).to_le_bytes()),
                    Element::Bf16 => bytes.extend(bf16::from_f64(value).to_le_bytes()),
                    Element::Int8 => bytes.extend((value as i8).to_le_bytes()),
                }
            }
            #[expect(clippy::cast_possible_truncation, reason = "64")]
            bytes.resize(bytes.len().next_multiple_of(WORD as usize), 0xff);
        }
    }
    bytes
}

/// Bytes of a result on the device.
pub(super) fn result_bytes(element: Element, rows: u64, columns: u64) -> u64 {
    rows * row_words(columns, element.result_bytes()) * WORD
}

/// A result as it lies on the device, in panels of so many columns; `None` where the padding is not zero.
pub(super) fn unpack_panels(
    element: Element,
    bytes: &[u8],
    rows: u64,
    columns: u64,
    panel: u64,
) -> Option<Array2<f64>> {
    #[expect(clippy::cast_possible_truncation, reason = "a matrix that fits into this machine")]
    let (shape, size) = ((rows as usize, columns as usize), element.result_bytes() as usize);
    let mut result = Array2::zeros(shape);
    let mut left = bytes;
    #[expect(clippy::cast_possible_truncation, reason = "a tile's extent")]
    for mut panel in result.axis_chunks_iter_mut(Axis(1), panel as usize) {
        let wide = panel.ncols() * size;
        for mut row in panel.rows_mut() {
            #[expect(clippy::cast_possible_truncation, reason = "64")]
            let (this, rest) = left.split_at_checked(wide.next_multiple_of(WORD as usize))?;
            left = rest;
            let (numbers, padding) = this.split_at_checked(wide)?;
            if padding.iter().any(|&byte| byte != 0) {
                return None;
            }
            for (to, one) in row.iter_mut().zip(numbers.chunks_exact(size)) {
                *to = match (element, one) {
                    (Element::Fp32, &[a, b, c, d]) => f64::from(f32::from_le_bytes([a, b, c, d])),
                    (Element::Int8, &[a, b, c, d]) => f64::from(i32::from_le_bytes([a, b, c, d])),
                    (Element::Bf16, &[a, b]) => bf16::from_le_bytes([a, b]).to_f64(),
                    _ => return None,
                };
            }
        }
    }
    Some(result)
}
