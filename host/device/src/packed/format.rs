//! How a packed matrix is laid out: its codes, and what scales them.

use derate_model::{Encoding, Precision};

use super::code::Code;

/// What scales a block of elements, and how it is stored.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Scale {
    /// Nothing.
    None,
    /// An FP16 number for so many elements of a row.
    Half(usize),
    /// An E4M3 number for so many, and an FP32 one for the tensor.
    E4m3(usize),
    /// A power of two, its exponent biased by 127.
    Exponent(usize),
    /// An FP32 number.
    Single(usize),
    /// An FP32 number for each row.
    Row,
}

impl Scale {
    /// Elements that share one in rows of so many; `None` where nothing scales them.
    pub(crate) fn block(self, columns: usize) -> Option<usize> {
        match self {
            Self::None => None,
            Self::Half(block) | Self::E4m3(block) | Self::Exponent(block) | Self::Single(block) => {
                Some(block)
            }
            Self::Row => Some(columns),
        }
    }

    /// Elements that share one within a row; `None` where a row has one, or none.
    pub(crate) fn shared(self) -> Option<usize> {
        match self {
            Self::None | Self::Row => None,
            scale => scale.block(0),
        }
    }

    /// Bytes of one.
    pub(crate) fn bytes(self) -> usize {
        match self {
            Self::None => 0,
            Self::E4m3(_) | Self::Exponent(_) => 1,
            Self::Half(_) => 2,
            Self::Single(_) | Self::Row => 4,
        }
    }
}

/// A format whose elements are expanded in registers before they are multiplied.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PackedFormat {
    /// Its name.
    pub(crate) encoding: Encoding,
    /// Its elements.
    pub(crate) code: Code,
    /// What scales them.
    pub(crate) scale: Scale,
}

/// Lengths of groups of integers that have a kernel.
const GROUPS: [u32; 4] = [32, 64, 128, 256];

impl PackedFormat {
    /// Of an encoding; `None` where no kernel here expands it.
    pub(crate) fn of(encoding: Encoding) -> Option<Self> {
        let (code, scale) = match encoding {
            own if own == Precision::FP8_E4M3.into() => (Code::E4m3, Scale::None),
            own if own == Precision::FP8_E5M2.into() => (Code::E5m2, Scale::None),
            own if own == Precision::INT4.into() => (Code::Int4, Scale::None),
            Encoding::MXFP8 => (Code::E4m3, Scale::Exponent(32)),
            Encoding::MXFP8_E5M2 => (Code::E5m2, Scale::Exponent(32)),
            Encoding::MXFP4 => (Code::E2m1, Scale::Exponent(32)),
            Encoding::NVFP4 => (Code::E2m1, Scale::E4m3(16)),
            Encoding::NF4 => (Code::Nf4, Scale::Single(64)),
            Encoding::INT8_ROW => (Code::Int8, Scale::Row),
            own => {
                let is = |length: &&u32| Encoding::int4_groups(**length, false) == Some(own);
                (Code::Int4, Scale::Half(*GROUPS.iter().find(is)? as usize))
            }
        };
        Some(Self { encoding, code, scale })
    }

    /// All that have a name in the catalogue.
    #[cfg(test)]
    pub(crate) fn all() -> Vec<Self> {
        Encoding::catalogue().into_iter().filter_map(Self::of).collect()
    }

    /// What the length of a row is a multiple of: whole blocks, whole bytes.
    pub(crate) fn row_unit(self) -> usize {
        let bytes = if self.code.bits() == 4 { 2 } else { 1 };
        match self.scale {
            Scale::None | Scale::Row => bytes,
            scale => scale.block(0).unwrap_or(bytes),
        }
    }

    /// Bytes of the codes of a row.
    pub(crate) fn row_bytes(self, columns: usize) -> usize {
        columns * self.code.bits() / 8
    }

    /// Scales of a row.
    pub(crate) fn row_scales(self, columns: usize) -> usize {
        self.scale.block(columns).map_or(0, |block| columns.div_ceil(block.max(1)))
    }
}
