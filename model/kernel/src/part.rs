//! The parts that kernels are built for: what they have.

use derate_machine::Platform;
use derate_units::Figure;
use serde::Deserialize;
use std::sync::OnceLock;

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

impl Part {
    /// The part of a platform, if its file gives the part with all its resources.
    #[must_use]
    pub fn of_platform(platform: &Platform) -> Option<Self> {
        let name = &platform.part.as_ref()?.value;
        let resources = &platform.resources;
        // A negative or fractional count does not get past the reader of platform files.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let whole = |figure: Option<&Figure<f64>>| figure.map(|figure| figure.value as u64);
        Some(Self {
            name: name.split('-').next().unwrap_or(name).to_ascii_lowercase(),
            family: Family::UltraScalePlus,
            dsp: whole(Some(&platform.dsp))?,
            bram18: whole(resources.bram36.as_ref())?.saturating_mul(2),
            uram: whole(resources.uram.as_ref())?,
            lut: whole(resources.lut.as_ref())?,
            ff: whole(resources.ff.as_ref())?,
            slr: u32::try_from(whole(platform.slr.as_ref())?).ok()?,
            source: format!("the platform {}: {}", platform.name, platform.dsp.source),
        })
    }
}

/// The part of a card: as its file describes it, else the known part of its chip's name.
#[must_use]
pub fn find_card_part(platform: &Platform) -> Option<Part> {
    let named = || find_part(&platform.part.as_ref()?.value);
    Part::of_platform(platform).or_else(named)
}

/// The parts that derate knows: those of the platforms in the catalogue, then those of the table.
///
/// # Panics
///
/// Never: a test reads the table.
pub fn known_parts() -> &'static [Part] {
    static KNOWN: OnceLock<Vec<Part>> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let table: Parts = toml::from_str(BUILT_IN).expect("the built-in table is read by a test");
        let cards = Platform::catalogue();
        cards.iter().filter_map(Part::of_platform).chain(table.part).collect()
    })
}

/// The part of a name such as `xcu280-fsvh2892-2L-e`.
#[must_use]
pub fn find_part(name: &str) -> Option<Part> {
    let name = name.to_ascii_lowercase();
    known_parts().iter().find(|part| name.starts_with(&part.name)).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_is_there_once() {
        let mut names: Vec<&str> = known_parts().iter().map(|part| part.name.as_str()).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count, "{names:?}");
        for name in ["xczu9eg", "xc7vx485t", "xc7z020", "xcu200", "xcu280", "xcu55c", "xcvu9p"] {
            assert!(names.contains(&name), "{name}");
        }
    }

    #[test]
    fn a_card_and_its_chip_have_the_same_resources() {
        // An Alveo U200 is a VU9P.
        let (card, chip) = (find_part("xcu200").unwrap(), find_part("xcvu9p-flga2104").unwrap());
        assert_eq!((card.dsp, card.bram18, card.uram), (chip.dsp, chip.bram18, chip.uram));
    }
}
