//! Matrices as the kernels have them: each row padded to whole words.

use half::bf16;
use ndarray::Array2;

use super::Element;
use super::tile::{WORD, row_words};

/// Numbers that look random and are the same everywhere.
#[derive(Clone, Debug)]
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// The next 32 bits (xorshift64*, Vigna 2016).
    pub(crate) fn next(&mut self) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) as u32
    }

    /// In [-1, 1), a multiple of 2^-23.
    pub(crate) fn unit(&mut self) -> f32 {
        #[expect(clippy::cast_possible_wrap, reason = "24 bits are no sign")]
        let number = (self.next() >> 8) as i32 - (1 << 23);
        number as f32 / (1 << 23) as f32
    }
}

/// Random elements; `f64` holds each of them exactly.
pub(super) fn draw(element: Element, rows: u64, columns: u64, seed: u64) -> Array2<f64> {
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

/// As it lies on the device. The padding is what would show if it counted: no number, or -1.
pub(super) fn pack(element: Element, matrix: &Array2<f64>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for row in matrix.rows() {
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
    bytes
}

/// Bytes of a result on the device.
pub(super) fn result_bytes(element: Element, rows: u64, columns: u64) -> u64 {
    rows * row_words(columns, element.result_bytes()) * WORD
}

/// A result as it lies on the device; `None` where the padding is not zero.
pub(super) fn unpack(
    element: Element,
    bytes: &[u8],
    rows: u64,
    columns: u64,
) -> Option<Array2<f64>> {
    #[expect(clippy::cast_possible_truncation, reason = "a matrix that fits into this machine")]
    let (rows, columns, size) = (rows as usize, columns as usize, element.result_bytes() as usize);
    #[expect(clippy::cast_possible_truncation, reason = "64")]
    let stride = (columns * size).next_multiple_of(WORD as usize);
    let mut values = Vec::with_capacity(rows * columns);
    for row in bytes.chunks(stride.max(1)).take(rows) {
        let (numbers, padding) = row.split_at_checked(columns * size)?;
        if padding.iter().any(|&byte| byte != 0) {
            return None;
        }
        for one in numbers.chunks_exact(size) {
            values.push(match (element, one) {
                (Element::Fp32, &[a, b, c, d]) => f64::from(f32::from_le_bytes([a, b, c, d])),
                (Element::Int8, &[a, b, c, d]) => f64::from(i32::from_le_bytes([a, b, c, d])),
                (Element::Bf16, &[a, b]) => bf16::from_le_bytes([a, b]).to_f64(),
                _ => return None,
            });
        }
    }
    Array2::from_shape_vec((rows, columns), values).ok()
}
