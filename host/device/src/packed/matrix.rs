//! A matrix in a packed format: codes in order along its rows, the first of a byte's two in its low half, and scales beside them.

use half::f16;
use ndarray::{Array1, Array2};

use super::code::Code;
use super::format::{PackedFormat, Scale};
use crate::error::BenchError;
use crate::measure::Cancel;
use crate::oracle::Numbers;

/// Rows of weights, packed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PackedMatrix {
    pub(crate) format: PackedFormat,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) codes: Vec<u8>,
    /// As they are stored, those of a row together.
    pub(crate) scales: Vec<u8>,
    /// What all of it is scaled by.
    pub(crate) tensor: f32,
}

/// Rows that are drawn between two questions whether to go on.
const AT_ONCE: usize = 64;

impl PackedMatrix {
    /// Zeros, of whole blocks.
    pub(crate) fn zeros(format: PackedFormat, rows: usize, columns: usize) -> Self {
        let scales = format.row_scales(columns) * format.scale.bytes();
        Self {
            format,
            rows,
            columns,
            codes: vec![0; rows * format.row_bytes(columns)],
            scales: vec![0; rows * scales],
            tensor: 1.0,
        }
    }

    /// Numbers in [-1, 1) that look random, each row packed as the format's authors say: scaled by its largest.
    pub(crate) fn draw(
        format: PackedFormat,
        [rows, columns]: [usize; 2],
        seed: u64,
        cancel: Cancel<'_>,
    ) -> Result<Self, BenchError> {
        let mut numbers = Numbers::new(seed);
        let mut packed = Self::zeros(format, rows, columns);
        packed.scale_tensor(1.0);
        let mut row = vec![0.0; columns];
        for at in 0..rows {
            if at.is_multiple_of(AT_ONCE) && cancel() {
                return Err(BenchError::Cancelled);
            }
            row.fill_with(|| numbers.unit());
            packed.pack_row(at, &row);
        }
        Ok(packed)
    }

    /// Chooses what all of it is scaled by, so that numbers of that size fit.
    pub(crate) fn scale_tensor(&mut self, largest: f32) {
        if let Scale::E4m3(_) = self.format.scale {
            self.tensor = largest / (Code::E4m3.largest() * self.format.code.largest());
        }
    }

    /// Stores the scale of a block whose largest element is of that size; returns what the block is divided by.
    fn store_scale(&mut self, at: usize, largest: f32) -> f32 {
        let code = self.format.code;
        let wanted = largest / code.largest();
        let (value, bytes) = match self.format.scale {
            Scale::None => return 1.0,
            Scale::Half(_) => {
                let half = f16::from_f32(wanted);
                (half.to_f32(), half.to_le_bytes().to_vec())
            }
            Scale::E4m3(_) => {
                let bits = Code::E4m3.nearest(wanted / self.tensor);
                (Code::E4m3.value(bits) * self.tensor, vec![bits])
            }
            Scale::Exponent(_) => {
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "the exponent of a float is small"
                )]
                let exponent = if largest > 0.0 {
                    (largest.log2().floor() as i32 - code.largest_exponent()).clamp(-126, 127)
                } else {
                    0
                };
                #[expect(
                    clippy::cast_sign_loss,
                    clippy::cast_possible_truncation,
                    reason = "from 1 to 254"
                )]
                let biased = (exponent + 127) as u8;
                (decode_exponent(biased), vec![biased])
            }
            Scale::Single(_) | Scale::Row => (wanted, wanted.to_le_bytes().to_vec()),
        };
        let from = at * bytes.len();
        if let Some(to) = self.scales.get_mut(from..from + bytes.len()) {
            to.copy_from_slice(&bytes);
        }
        value
    }

    /// Packs one row.
    pub(crate) fn pack_row(&mut self, row: usize, values: &[f32]) {
        let block = self.format.scale.block(self.columns).unwrap_or(self.columns).max(1);
        let scales = self.format.row_scales(self.columns);
        for (at, values) in values.chunks(block).enumerate() {
            let largest = values.iter().fold(0.0_f32, |most, value| most.max(value.abs()));
            let by = self.store_scale(row * scales + at, largest);
            // What no scale lifts keeps its size; integers without one are of the size of their numbers.
            let by = match (self.format.scale, self.format.code) {
                (Scale::None, Code::Int4) => 1.0 / self.format.code.largest(),
                _ => by,
            };
            for (place, &value) in (at * block..).zip(values) {
                let code = if by == 0.0 { 0 } else { self.format.code.nearest(value / by) };
                self.put_code(
                    row,
                    place,
                    if by == 0.0 { self.format.code.nearest(0.0) } else { code },
                );
            }
        }
    }

    /// Stores a code.
    pub(crate) fn put_code(&mut self, row: usize, column: usize, code: u8) {
        let begin = row * self.format.row_bytes(self.columns);
        if self.format.code.bits() == 8 {
            self.codes[begin + column] = code;
            return;
        }
        let byte = &mut self.codes[begin + column / 2];
        *byte = if column.is_multiple_of(2) {
            *byte & 0xf0 | code & 15
        } else {
            *byte & 15 | code << 4
        };
    }

    /// The code of an element.
    #[inline]
    pub(crate) fn code(&self, row: usize, column: usize) -> u8 {
        let begin = row * self.format.row_bytes(self.columns);
        if self.format.code.bits() == 8 {
            return self.codes[begin + column];
        }
        let byte = self.codes[begin + column / 2];
        if column.is_multiple_of(2) { byte & 15 } else { byte >> 4 }
    }

    /// The scale of a block of a row, without that of the tensor.
    #[inline]
    pub(crate) fn scale(&self, row: usize, block: usize) -> f32 {
        let at = row * self.format.row_scales(self.columns) + block;
        match self.format.scale {
            Scale::None => 1.0,
            Scale::Half(_) => {
                f16::from_le_bytes([self.scales[2 * at], self.scales[2 * at + 1]]).to_f32()
            }
            Scale::E4m3(_) => Code::E4m3.value(self.scales[at]),
            Scale::Exponent(_) => decode_exponent(self.scales[at]),
            Scale::Single(_) | Scale::Row => {
                let bytes = self.scales.get(4 * at..4 * at + 4).and_then(|own| own.try_into().ok());
                f32::from_le_bytes(bytes.unwrap_or_default())
            }
        }
    }

    /// Elements of a row from one on, expanded.
    pub(crate) fn expand(&self, row: usize, from: usize, to: &mut [f32]) {
        let block = self.format.scale.block(self.columns).unwrap_or(self.columns).max(1);
        let mut scale = (usize::MAX, 0.0);
        for (column, to) in (from..).zip(to) {
            if scale.0 != column / block {
                scale = (column / block, self.scale(row, column / block) * self.tensor);
            }
            *to = self.format.code.value(self.code(row, column)) * scale.1;
        }
    }

    /// The elements of a row as f64, which holds each of them.
    pub(crate) fn exact_row(&self, row: usize) -> Array1<f64> {
        let block = self.format.scale.block(self.columns).unwrap_or(self.columns).max(1);
        Array1::from_shape_fn(self.columns, |column| {
            let scale = f64::from(self.scale(row, column / block)) * f64::from(self.tensor);
            f64::from(self.format.code.value(self.code(row, column))) * scale
        })
    }

    /// All elements as f64.
    pub(crate) fn exact(&self) -> Array2<f64> {
        let mut all = Array2::zeros((self.rows, self.columns));
        for (row, mut to) in all.outer_iter_mut().enumerate() {
            to.assign(&self.exact_row(row));
        }
        all
    }
}

/// `2^(bits - 127)`.
#[inline]
fn decode_exponent(bits: u8) -> f32 {
    if bits == 0 { f32::from_bits(0x0040_0000) } else { f32::from_bits(u32::from(bits) << 23) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Codes and scales that are stored are read again, for every format and block size; what is packed from what was
        /// unpacked is the same.
        #[test]
        fn pack_and_unpack_are_inverse(
            at in 0..20_usize, rows in 1..4_usize, blocks in 1..5_usize,
            seed in any::<u64>(), size in -20..20_i32,
        ) {
            let all = PackedFormat::all();
            let format = all[at % all.len()];
            let columns = format.row_unit() * blocks;
            let mut numbers = Numbers::new(seed);
            let mut packed = PackedMatrix::zeros(format, rows, columns);
            let codes: Vec<u8> = (0..rows * columns).map(|_| (numbers.next() >> 24) as u8).collect();
            let mask = if format.code.bits() == 4 { 15 } else { 255 };
            for (place, &code) in codes.iter().enumerate() {
                packed.put_code(place / columns, place % columns, code & mask);
            }
            for (place, &code) in codes.iter().enumerate() {
                prop_assert_eq!(packed.code(place / columns, place % columns), code & mask);
            }
            // Numbers of any size that a scale has; without one, of the size of the codes.
            let lift = if format.scale == Scale::None { 1.0 } else { 2.0_f32.powi(size / 4) };
            let mut first = PackedMatrix::zeros(format, rows, columns);
            first.scale_tensor(lift);
            let row = |numbers: &mut Numbers| -> Vec<f32> { (0..columns).map(|_| numbers.unit() * lift).collect() };
            let values: Vec<Vec<f32>> = (0..rows).map(|_| row(&mut numbers)).collect();
            for (at, values) in values.iter().enumerate() {
                first.pack_row(at, values);
            }
            let mut out = vec![0.0; columns];
            for (row, values) in values.iter().enumerate() {
                first.expand(row, 0, &mut out);
                for (column, (&got, &wanted)) in out.iter().zip(values).enumerate() {
                    let exact = first.exact()[(row, column)];
                    prop_assert!((f64::from(got) - exact).abs() <= exact.abs() * 2.4e-7);
                    // Plain integers have the size of their codes.
                    let size = if (format.scale, format.code) == (Scale::None, Code::Int4) { 7.0 } else { 1.0 };
                    prop_assert!((got / size - wanted).abs() <= lift * 0.26, "{:?}: {got} for {wanted}", format.encoding);
                }
                // What is unpacked part by part is what is unpacked whole.
                let mut part = vec![0.0; columns / 2];
                first.expand(row, columns - part.len(), &mut part);
                prop_assert_eq!(&part[..], &out[columns - part.len()..]);
            }
            // Once more with the same scales: each value has its own code.
            let block = format.scale.block(columns).unwrap_or(columns).max(1);
            for row in 0..rows {
                for column in 0..columns {
                    let code = first.code(row, column);
                    let value = format.code.value(code);
                    let again = format.code.nearest(value);
                    prop_assert!(again == code || value == 0.0);
                    prop_assert!(first.scale(row, column / block).is_finite());
                }
            }
        }
    }

    #[test]
    fn bytes_are_those_of_the_format() {
        for format in PackedFormat::all() {
            let columns = 256;
            let packed = PackedMatrix::zeros(format, 3, columns);
            let tensor = if matches!(format.scale, Scale::E4m3(_)) { 4 } else { 0 };
            let own = packed.codes.len() + packed.scales.len() + tensor;
            let said = format.encoding.bytes(3, columns as u64).0;
            assert!((own as f64 - said).abs() < 0.5, "{}: {own} {said}", format.encoding);
        }
    }
}
