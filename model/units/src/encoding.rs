//! How a tensor is stored: its elements and their scales.

mod catalogue;
mod name;
mod per;

pub use per::{Extra, Per};

use crate::Precision;
use crate::units::Bytes;

/// Which family of formats an encoding is of; its name follows from it.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
enum EncodingFamily {
    /// The elements alone.
    Plain,
    /// OCP Microscaling: blocks of 32 with a power-of-two scale.
    Microscaled,
    /// NVIDIA's FP4: blocks of 16 with an FP8 scale, and one FP32 scale for the tensor.
    Nvfp4,
    /// `NormalFloat`, a code book of 16 values (`QLoRA`).
    Nf4,
    /// Integers in groups along a row.
    Grouped,
    /// Integers with one scale a row.
    PerRow,
}

/// How a tensor is stored: an element, scales per block, row or tensor, and the arithmetic that it runs in.
///
/// Counted exactly, in bits: a partial last block has a whole scale.
///
/// ```
/// use derate_units::Encoding;
/// let nvfp4 = Encoding::parse("nvfp4").unwrap();
/// // 4 bits an element, 8 for each 16, and 32 for the tensor.
/// assert_eq!(nvfp4.bits(960, 960), 960 * 960 * 4 + 960 * 60 * 8 + 32);
/// ```
#[derive(Clone, Copy, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub struct Encoding {
    family: EncodingFamily,
    element: Precision,
    scale: Option<Extra>,
    zero_point: Option<Extra>,
    second_level: Option<Extra>,
    /// What elements are expanded to before they are multiplied; none where they are multiplied as they are.
    expanded: Option<Precision>,
}

impl Encoding {
    /// The format of one element: of NF4, a code of four bits.
    pub fn element(self) -> Precision {
        self.element
    }

    /// What is stored beside the elements: the scale, the zero point, the scale of the scales.
    pub fn extras(self) -> impl Iterator<Item = Extra> {
        [self.scale, self.zero_point, self.second_level].into_iter().flatten()
    }

    /// The arithmetic that a product of two such tensors runs in.
    pub fn arithmetic(self) -> Precision {
        self.expanded.unwrap_or(self.element)
    }

    /// The precision whose elements are all that it stores; `None` where there are scales, or a code book.
    pub fn plain(self) -> Option<Precision> {
        (self.family == EncodingFamily::Plain).then_some(self.element)
    }

    /// Whether elements are expanded to a wider format before they are multiplied, so that only memory gains.
    pub fn is_storage_only(self) -> bool {
        self.expanded.is_some()
    }

    /// Bits that a tensor of so many rows of so many columns takes: `elements x element bits + scales`. Blocks run along
    /// the columns, NF4's along the whole tensor, as its authors flatten it. Bits beyond `u128` stay at its end.
    #[inline]
    pub fn bits(self, rows: u128, columns: u64) -> u128 {
        let elements = rows.saturating_mul(u128::from(columns));
        let own = elements.saturating_mul(u128::from(self.element.bits()));
        self.extras().fold(own, |bits, extra| bits.saturating_add(extra.bits(rows, columns)))
    }

    /// The same in bytes, of which the last may be a part.
    #[inline]
    pub fn bytes(self, rows: u128, columns: u64) -> Bytes {
        Bytes(self.bits(rows, columns) as f64 / 8.0)
    }

    /// The same without the scale that the whole tensor has once: what more such rows add to a tensor that there is.
    #[inline]
    pub fn bytes_of_rows(self, rows: u128, columns: u64) -> Bytes {
        let once = self.extras().filter(|extra| extra.per == Per::Tensor);
        let once: u128 = once.map(|extra| extra.bits(rows, columns)).sum();
        Bytes(self.bits(rows, columns).saturating_sub(once) as f64 / 8.0)
    }

    /// Bits of such a tensor by its elements, all scales shared out; not a number for an empty one.
    pub fn bits_per_element(self, rows: u128, columns: u64) -> f64 {
        self.bits(rows, columns) as f64 / (rows as f64 * columns as f64)
    }

    /// Whether its elements are integers times a scale, and no code book.
    pub(crate) fn has_integer_codes(self) -> bool {
        !self.element.is_float() && self.family != EncodingFamily::Nf4
    }

    /// What `bits_per_element` tends to for large tensors of whole blocks: 4.5 for NVFP4, whatever its tensor scale.
    pub fn nominal_bits(self) -> f64 {
        let shared = self.extras().map(Extra::shared_bits);
        f64::from(self.element.bits()) + shared.sum::<f64>()
    }
}

impl From<Precision> for Encoding {
    fn from(element: Precision) -> Self {
        Self {
            family: EncodingFamily::Plain,
            element,
            scale: None,
            zero_point: None,
            second_level: None,
            expanded: None,
        }
    }
}

#[cfg(test)]
mod tests;
