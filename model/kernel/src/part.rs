//! The parts that kernels are built for: what they have.

use serde::Deserialize;

/// A family of parts that share operators and memories.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
pub enum Family {
    /// Virtex, Kintex, Zynq `UltraScale+`: DSP48E2.
    #[serde(rename = "ultrascale+")]
    UltraScalePlus,
    /// Artix-7 and the small Zynq-7000: DSP48E1.
    #[serde(rename = "series7")]
    Series7,
    /// Virtex-7 and Kintex-7: DSP48E1 in faster fabric.
    #[serde(rename = "virtex7")]
    Virtex7,
}

impl Family {
    /// The family whose numbers hold where a table has none for this one.
    pub(crate) fn stand_in(self) -> Self {
        match self {
            Self::Virtex7 => Self::Series7,
            other => other,
        }
    }
}

/// A part.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The beginning of its name: `xcu280`.
    pub name: String,
    /// Its family.
    pub family: Family,
    /// DSP slices.
    pub dsp: u64,
    /// Halves of block memories, 18 Kb each.
    pub bram18: u64,
    /// `UltraRAM` blocks.
    pub uram: u64,
    /// Look-up tables.
    pub lut: u64,
    /// Flip-flops.
    pub ff: u64,
    /// Super logic regions.
    pub slr: u32,
    /// Where the numbers are from.
    pub source: String,
}

#[derive(Deserialize)]
struct Parts {
    part: Vec<Part>,
}

const BUILT_IN: &str = include_str!("../data/parts.toml");

/// The parts that derate knows.
///
/// # Panics
///
/// Never: a test reads the table.
pub fn known_parts() -> Vec<Part> {
    let parts: Parts = toml::from_str(BUILT_IN).expect("the built-in table is read by a test");
    parts.part
}

/// The part of a name such as `xcu280-fsvh2892-2L-e`.
pub fn find_part(name: &str) -> Option<Part> {
    let name = name.to_ascii_lowercase();
    known_parts().into_iter().find(|part| name.starts_with(&part.name))
}
