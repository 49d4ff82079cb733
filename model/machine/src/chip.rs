//! The parts that kernels are built for: what they have.

use crate::{PartName, Platform, Series};
use derate_units::Figure;
use serde::Deserialize;
use std::sync::OnceLock;

/// A family of parts that share operators and memories.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
pub enum Family {
    /// `UltraScale` and `UltraScale+` without processors: DSP48E2.
    #[serde(rename = "ultrascale+")]
    UltraScalePlus,
    /// Zynq `UltraScale+`: the same fabric, with operators of its own for double precision.
    #[serde(rename = "zynq-ultrascale+")]
    ZynqUltraScalePlus,
    /// Artix-7 and the small Zynq-7000: DSP48E1.
    #[serde(rename = "series7")]
    Series7,
    /// Virtex-7 and Kintex-7: DSP48E1 in faster fabric.
    #[serde(rename = "virtex7")]
    Virtex7,
    /// Versal: DSP58. The tables have no numbers of its own.
    #[serde(rename = "versal")]
    Versal,
}

impl Family {
    /// The family of a part.
    #[must_use]
    pub fn of_part(part: &PartName) -> Self {
        match part.series() {
            Series::Artix7 => Self::Series7,
            Series::Kintex7 | Series::Virtex7 => Self::Virtex7,
            // DS190: up to the Z-7020 the fabric is that of Artix-7, above it that of Kintex-7.
            Series::Zynq7000 => {
                let small = ["007", "010", "012", "014", "015", "020"];
                let number = part.device().trim_start_matches("xc7z");
                let is_small = small.iter().any(|one| number.starts_with(one));
                if is_small { Self::Series7 } else { Self::Virtex7 }
            }
            Series::UltraScale | Series::UltraScalePlus => Self::UltraScalePlus,
            Series::ZynqUltraScalePlus => Self::ZynqUltraScalePlus,
            Series::Versal => Self::Versal,
        }
    }

    /// Why the numbers of another family stand for it, as a sentence; `None` where it has its own.
    #[must_use]
    pub fn lent_numbers(self) -> Option<&'static str> {
        (self == Self::Versal).then_some(
            "no report of Versal is in the tables of operators: those of UltraScale+ are used, so that cycles, DSP and LUT \
             of floating point may be wrong",
        )
    }

    /// Whether it is `UltraScale+`, with processors or without.
    #[must_use]
    pub fn is_ultrascale_plus(self) -> bool {
        matches!(self, Self::UltraScalePlus | Self::ZynqUltraScalePlus)
    }

    /// The family whose numbers hold where a table has none for this one.
    #[must_use]
    pub fn stand_in(self) -> Self {
        match self {
            Self::Virtex7 => Self::Series7,
            Self::ZynqUltraScalePlus | Self::Versal => Self::UltraScalePlus,
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
    /// Whether only the family is known: then its counts are 0 and say nothing.
    #[serde(skip)]
    pub lacks_counts: bool,
}

#[derive(Deserialize)]
struct Parts {
    part: Vec<Part>,
}

const BUILT_IN: &str = include_str!("../parts.toml");

impl Part {
    /// A part that is not in the table, of a family that is known by its name.
    #[must_use]
    pub fn of_family(name: &PartName) -> Self {
        Self {
            name: name.device().to_owned(),
            family: Family::of_part(name),
            dsp: 0,
            bram18: 0,
            uram: 0,
            lut: 0,
            ff: 0,
            slr: 1,
            source: "the family of its name".to_owned(),
            lacks_counts: true,
        }
    }

    /// The bits of the ports that its logic reaches the memory through; `None` where the chip has no processor.
    #[must_use]
    pub fn memory_port_bits(&self) -> Option<u64> {
        PartName::parse(&self.name)?.memory_port_bits()
    }

    /// The part of a platform, if its file gives the part with all its resources.
    #[must_use]
    pub fn of_platform(platform: &Platform) -> Option<Self> {
        let name = platform.part_name()?;
        let resources = &platform.resources;
        // A negative or fractional count does not get past the reader of platform files.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let whole = |figure: Option<&Figure<f64>>| figure.map(|figure| figure.value as u64);
        Some(Self {
            family: Family::of_part(&name),
            name: name.device().to_owned(),
            dsp: whole(Some(&platform.dsp))?,
            bram18: whole(resources.bram36.as_ref())?.saturating_mul(2),
            uram: whole(resources.uram.as_ref())?,
            lut: whole(resources.lut.as_ref())?,
            ff: whole(resources.ff.as_ref())?,
            slr: u32::try_from(whole(platform.slr.as_ref())?).ok()?,
            source: format!("the platform {}: {}", platform.name, platform.dsp.source),
            lacks_counts: false,
        })
    }
}

/// The part of a card: as its file describes it, else the known part of its chip's name.
#[must_use]
pub fn find_card_part(platform: &Platform) -> Option<Part> {
    let named = || find_part(&platform.part.as_ref()?.value);
    Part::of_platform(platform).or_else(named)
}

/// The parts that derate knows, sorted by name: those of the platforms in the catalogue, and those of the table.
///
/// # Panics
///
/// Never: a test reads the table.
pub fn known_parts() -> &'static [Part] {
    static KNOWN: OnceLock<Vec<Part>> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let table: Parts = toml::from_str(BUILT_IN).expect("the built-in table is read by a test");
        let cards = Platform::catalogue();
        let mut parts: Vec<Part> =
            cards.iter().filter_map(Part::of_platform).chain(table.part).collect();
        // Several boards carry one part. The sort keeps their order.
        parts.sort_by(|a, b| a.name.cmp(&b.name));
        parts.dedup_by(|again, first| again.name == first.name);
        parts
    })
}

/// The part of a name such as `xcu280-fsvh2892-2L-e`. The table has one row for the variants of a device: `xczu7` is
/// `xczu7eg` too, but not `xczu77`.
#[must_use]
pub fn find_part(name: &str) -> Option<Part> {
    let name = name.trim().to_ascii_lowercase();
    let is = |part: &&Part| {
        let rest = name.strip_prefix(part.name.as_str());
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    known_parts().iter().filter(is).max_by_key(|part| part.name.len()).cloned()
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
    fn a_variant_is_its_device_and_a_longer_number_is_another() {
        let named = |name: &str| find_part(name).map(|part| part.name);
        assert_eq!(named("xczu9cg-ffvb1156-1-e").as_deref(), Some("xczu9"));
        assert_eq!(named("xczu28dr-ffvg1517-2-e").as_deref(), Some("xczu28"));
        assert_eq!(named("XC7Z045FFG900-2").as_deref(), Some("xc7z045"));
        assert_eq!(named("xc7a35ticsg324-1L").as_deref(), Some("xc7a35t"));
        assert_eq!(named("xczu2"), Some("xczu2".to_owned()));
        assert_eq!(named("xc7z02"), None);
    }

    #[test]
    fn every_part_is_of_the_family_that_its_name_says() {
        for part in known_parts() {
            let name = PartName::parse(&part.name).unwrap_or_else(|| panic!("{}", part.name));
            assert_eq!(part.family, Family::of_part(&name), "{}", part.name);
            assert_eq!(part.ff, 2 * part.lut, "{}", part.name);
        }
    }

    #[test]
    fn every_board_of_the_catalogue_is_a_part() {
        for platform in Platform::catalogue() {
            let part = find_card_part(&platform).unwrap_or_else(|| panic!("{}", platform.name));
            assert_eq!(
                (part.dsp as f64).to_bits(),
                platform.dsp.value.to_bits(),
                "{}",
                platform.name
            );
            let own = find_part(&platform.part.as_ref().unwrap().value).unwrap();
            assert_eq!((own.dsp, own.lut), (part.dsp, part.lut), "{}", platform.name);
        }
    }

    #[test]
    fn a_card_and_its_chip_have_the_same_resources() {
        // An Alveo U200 is a VU9P.
        let (card, chip) = (find_part("xcu200").unwrap(), find_part("xcvu9p-flga2104").unwrap());
        assert_eq!((card.dsp, card.bram18, card.uram), (chip.dsp, chip.bram18, chip.uram));
    }
}
