//! The formats that have a name, each with where its layout is written down.

use super::{Encoding, EncodingFamily, Extra, Per};
use crate::Precision;

const fn microscaled(element: Precision) -> Encoding {
    Encoding {
        family: EncodingFamily::Microscaled,
        element,
        scale: Some(Extra { per: Per::Block(32), bits: 8 }),
        zero_point: None,
        second_level: None,
        expanded: None,
    }
}

const fn nf4(scale_bits: u32, second_level: Option<Extra>) -> Encoding {
    Encoding {
        family: EncodingFamily::Nf4,
        element: Precision::integer(4, false),
        scale: Some(Extra { per: Per::FlatBlock(64), bits: scale_bits }),
        zero_point: None,
        second_level,
        expanded: Some(Precision::BF16),
    }
}

impl Encoding {
    /// MXFP8 of four exponent bits: blocks of 32 with an E8M0 scale (OCP Microscaling Formats 1.0).
    pub const MXFP8: Self = microscaled(Precision::FP8_E4M3);
    /// MXFP8 of five exponent bits.
    pub const MXFP8_E5M2: Self = microscaled(Precision::FP8_E5M2);
    /// MXFP6 of three exponent bits.
    pub const MXFP6: Self = microscaled(Precision::FP6_E3M2);
    /// MXFP6 of two exponent bits.
    pub const MXFP6_E2M3: Self = microscaled(Precision::FP6_E2M3);
    /// MXFP4.
    pub const MXFP4: Self = microscaled(Precision::FP4_E2M1);
    /// MXINT8.
    pub const MXINT8: Self = microscaled(Precision::INT8);
    /// FP4 in blocks of 16, an E4M3 scale each, and one FP32 scale for the tensor.
    pub const NVFP4: Self = Self {
        family: EncodingFamily::Nvfp4,
        element: Precision::FP4_E2M1,
        scale: Some(Extra { per: Per::Block(16), bits: 8 }),
        zero_point: None,
        second_level: Some(Extra { per: Per::Tensor, bits: 32 }),
        expanded: None,
    };
    /// NF4 with an FP32 constant for each 64 elements (`QLoRA`).
    pub const NF4: Self = nf4(32, None);
    /// NF4 whose constants are stored in 8 bits, with an FP32 constant for each 256 of them (`QLoRA`, double quantisation).
    pub const NF4_DOUBLE: Self = nf4(8, Some(Extra { per: Per::FlatBlock(64 * 256), bits: 32 }));
    /// Integers of 8 bits with an FP32 scale for each row.
    pub const INT8_ROW: Self = Self {
        family: EncodingFamily::PerRow,
        element: Precision::INT8,
        scale: Some(Extra { per: Per::Row, bits: 32 }),
        zero_point: None,
        second_level: None,
        expanded: None,
    };

    /// Integers of 4 bits in groups with an FP16 scale each, and a zero point of 4 bits if wanted: groups of 128 as GPTQ
    /// and AWQ have them, of 32 as GGUF's `Q4_0`. `None` for a group of no element.
    pub const fn int4_groups(length: u32, zero_point: bool) -> Option<Self> {
        if length == 0 {
            return None;
        }
        let per = Per::Block(length);
        Some(Self {
            family: EncodingFamily::Grouped,
            element: Precision::INT4,
            scale: Some(Extra { per, bits: 16 }),
            zero_point: if zero_point { Some(Extra { per, bits: 4 }) } else { None },
            second_level: None,
            expanded: Some(Precision::FP16),
        })
    }

    /// The named formats, widest first.
    pub fn catalogue() -> Vec<Self> {
        let plain = [
            Precision::FP32,
            Precision::TF32,
            Precision::FP16,
            Precision::BF16,
            Precision::FP8_E4M3,
            Precision::FP8_E5M2,
            Precision::INT8,
            Precision::INT4,
        ];
        let blocks = [
            Self::INT8_ROW,
            Self::MXFP8,
            Self::MXFP8_E5M2,
            Self::MXINT8,
            Self::MXFP6,
            Self::MXFP6_E2M3,
            Self::MXFP4,
            Self::NVFP4,
            Self::NF4,
            Self::NF4_DOUBLE,
        ];
        let groups = [(128, false), (128, true), (32, false)];
        let groups =
            groups.into_iter().filter_map(|(length, zero)| Self::int4_groups(length, zero));
        plain.into_iter().map(Self::from).chain(blocks).chain(groups).collect()
    }
}
