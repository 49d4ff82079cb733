//! The names of encodings, as `--precision` takes them and JSON has them.

use std::fmt;

use serde::{Serialize, Serializer};

use super::{Encoding, EncodingFamily, Per};
use crate::{ElementFormat, Precision};

impl Encoding {
    /// The encoding of a name: `mxfp8`, `nvfp4`, `nf4`, `nf4-double`, `int4-g128`, `int4-g128-zp`, `int8-row`, `q4_0`, or
    /// a plain precision. `fp8` and `mxfp8` are those of four exponent bits, as inference has them.
    ///
    /// `None` for a name that is not known.
    pub fn parse(name: &str) -> Option<Self> {
        let name = name.trim().to_ascii_lowercase();
        Some(match name.as_str() {
            "fp8" => Precision::FP8_E4M3.into(),
            "fp4" => Precision::FP4_E2M1.into(),
            "mxfp8" | "mxfp8-e4m3" => Self::MXFP8,
            "mxfp8-e5m2" => Self::MXFP8_E5M2,
            "mxfp6" | "mxfp6-e3m2" => Self::MXFP6,
            "mxfp6-e2m3" => Self::MXFP6_E2M3,
            "mxfp4" => Self::MXFP4,
            "mxint8" => Self::MXINT8,
            "nvfp4" => Self::NVFP4,
            "nf4" => Self::NF4,
            "nf4-double" => Self::NF4_DOUBLE,
            "int8-row" => Self::INT8_ROW,
            "q4_0" => Self::int4_groups(32, false)?,
            name => match name.strip_prefix("int4-g") {
                Some(group) => {
                    let (length, zero) = match group.strip_suffix("-zp") {
                        Some(length) => (length, true),
                        None => (group, false),
                    };
                    Self::int4_groups(length.parse().ok()?, zero)?
                }
                None => Precision::parse(name)?.into(),
            },
        })
    }

    /// Why a name was refused, with those that are known.
    pub fn describe_unknown(name: &str) -> String {
        let known: Vec<String> = Self::catalogue().iter().map(ToString::to_string).collect();
        format!(
            "`{name}` is not a known encoding: write a precision or one of {}",
            known.join(", ")
        )
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let element = self.element;
        f.pad(&match self.family {
            EncodingFamily::Plain => element.key(),
            EncodingFamily::Nvfp4 => "nvfp4".to_owned(),
            EncodingFamily::Nf4 if self.second_level.is_some() => "nf4-double".to_owned(),
            EncodingFamily::Nf4 => "nf4".to_owned(),
            EncodingFamily::PerRow => format!("{}-row", element.key()),
            EncodingFamily::Grouped => {
                let length = match self.scale.map(|scale| scale.per) {
                    Some(Per::Block(length) | Per::FlatBlock(length)) => length,
                    _ => 0,
                };
                let zero = if self.zero_point.is_some() { "-zp" } else { "" };
                format!("{}-g{length}{zero}", element.key())
            }
            EncodingFamily::Microscaled => match element.format() {
                ElementFormat::Float { exponent: 5, mantissa: 2 } => "mxfp8-e5m2".to_owned(),
                ElementFormat::Float { exponent: 2, mantissa: 3 } => "mxfp6-e2m3".to_owned(),
                ElementFormat::Float { .. } => format!("mxfp{}", element.bits()),
                _ => format!("mxint{}", element.bits()),
            },
        })
    }
}

impl Serialize for Encoding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
