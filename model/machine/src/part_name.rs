//! Part numbers, such as `xcu280-fsvh2892-2L-e` and `xc7z020clg400-1`.

use std::fmt;

/// A part number, taken apart as far as device and package go.
///
/// ```
/// use derate_machine::{PartName, Series};
///
/// let part = PartName::parse("xc7z020clg400-1").expect("a part number");
/// assert_eq!((part.device(), part.package()), ("xc7z020", Some("clg400")));
/// assert_eq!(part.series(), Series::Zynq7000);
/// ```
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct PartName {
    device: String,
    package: Option<String>,
}

/// The series that a part belongs to.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Series {
    /// Artix-7 and Spartan-7.
    Artix7,
    /// Kintex-7.
    Kintex7,
    /// Virtex-7.
    Virtex7,
    /// Zynq-7000, whose small parts are of Artix-7 fabric and the others of Kintex-7 fabric (DS190).
    Zynq7000,
    /// Kintex and Virtex `UltraScale`.
    UltraScale,
    /// Zynq `UltraScale+`, with the Kria modules.
    ZynqUltraScalePlus,
    /// Artix, Kintex and Virtex `UltraScale+`, with the Alveo cards of that generation.
    UltraScalePlus,
    /// Versal.
    Versal,
}

impl PartName {
    /// A part number, however its letters are written. What is not one of AMD's from series 7 on is `None`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().to_ascii_lowercase();
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if text.len() > 64 || !text.chars().all(plain) {
            return None;
        }
        // `xa` and `xq` are parts for cars and for harsh places.
        let rest = ["xc", "xa", "xq"].iter().find_map(|start| text.strip_prefix(start))?;
        read_series(rest)?;
        let end = match rest.strip_prefix('7') {
            Some(seven) => 1 + end_of_seven(seven)?,
            None => rest.find('-').unwrap_or(rest.len()),
        };
        let (device, after) = rest.split_at(end);
        let package = after.trim_start_matches('-').split('-').next().filter(|own| !own.is_empty());
        Some(Self { device: format!("xc{device}"), package: package.map(str::to_owned) })
    }

    /// The device, in lower case: `xcu280`.
    pub fn device(&self) -> &str {
        &self.device
    }

    /// The package, in lower case, where the number has one: `fsvh2892`.
    pub fn package(&self) -> Option<&str> {
        self.package.as_deref()
    }

    /// Its series.
    pub fn series(&self) -> Series {
        // What has no series is not parsed.
        read_series(&self.device[2..]).unwrap_or(Series::UltraScalePlus)
    }

    /// The bits of the ports that the logic of a chip with a processor reaches the memory through; `None` where it has none.
    pub fn memory_port_bits(&self) -> Option<u64> {
        match self.series() {
            Series::Zynq7000 => Some(64),
            Series::ZynqUltraScalePlus => Some(128),
            _ => None,
        }
    }

    /// Whether the other is the same part, or its number leaves the package open.
    pub fn fits(&self, other: &Self) -> bool {
        let package = match (&self.package, &other.package) {
            (Some(own), Some(other)) => own == other,
            _ => true,
        };
        self.device == other.device && package
    }
}

impl fmt::Display for PartName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.package {
            Some(package) => write!(f, "{}-{package}", self.device),
            None => f.write_str(&self.device),
        }
    }
}

/// Where the device ends in what follows `xc7`: letters, digits, and the letter of a variant (`t`, `s`).
fn end_of_seven(text: &str) -> Option<usize> {
    let letters = text.find(|c: char| c.is_ascii_digit())?;
    let digits = text[letters..].find(|c: char| !c.is_ascii_digit());
    let end = digits.map_or(text.len(), |digits| letters + digits);
    // `xc7a35ticsg324-1L` is of a low-power grade, which its package hides.
    let variant = text[end..].starts_with(['t', 's']);
    Some(end + usize::from(variant))
}

/// The series of what follows `xc`.
fn read_series(text: &str) -> Option<Series> {
    let numbered = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
    let is = |start: &str| text.strip_prefix(start).is_some_and(numbered);
    // A device of UltraScale+ has a `p` after its number: `xcvu9p` beside `xcvu095`.
    let plus = || {
        let device = text.split('-').next().unwrap_or_default();
        device.trim_start_matches(|c: char| !c.is_ascii_digit()).contains('p')
    };
    if is("7a") || is("7s") {
        Some(Series::Artix7)
    } else if is("7k") {
        Some(Series::Kintex7)
    } else if is("7v") || is("7vx") || is("7vh") {
        Some(Series::Virtex7)
    } else if is("7z") {
        Some(Series::Zynq7000)
    } else if is("zu") || is("k") {
        Some(Series::ZynqUltraScalePlus)
    } else if is("u") || is("au") {
        Some(Series::UltraScalePlus)
    } else if is("ku") || is("vu") {
        Some(if plus() { Series::UltraScalePlus } else { Series::UltraScale })
    } else if ["vc", "vm", "ve", "vp", "vh", "vr", "v"].into_iter().any(is) {
        Some(Series::Versal)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parse(text: &str) -> PartName {
        PartName::parse(text).unwrap_or_else(|| panic!("{text} is a part number"))
    }

    #[test]
    fn device_and_package_are_told_apart() {
        for (text, device, package, series) in [
            ("xcu280-fsvh2892-2L-e", "xcu280", "fsvh2892", Series::UltraScalePlus),
            ("XC7Z020CLG400-1", "xc7z020", "clg400", Series::Zynq7000),
            ("xc7z020-clg400-1", "xc7z020", "clg400", Series::Zynq7000),
            ("xc7z007sclg225-1", "xc7z007s", "clg225", Series::Zynq7000),
            ("xc7a35ticsg324-1L", "xc7a35t", "icsg324", Series::Artix7),
            ("xc7vx485tffg1761-2", "xc7vx485t", "ffg1761", Series::Virtex7),
            ("xa7z020clg484-1Q", "xc7z020", "clg484", Series::Zynq7000),
            ("xczu28dr-ffvg1517-2-e", "xczu28dr", "ffvg1517", Series::ZynqUltraScalePlus),
            ("xck26-sfvc784-2LV-c", "xck26", "sfvc784", Series::ZynqUltraScalePlus),
            ("xcku5p-ffvb676-2-e", "xcku5p", "ffvb676", Series::UltraScalePlus),
            ("xcku040-ffva1156-2-e", "xcku040", "ffva1156", Series::UltraScale),
            ("xcvc1902-vsva2197-2MP-e-S", "xcvc1902", "vsva2197", Series::Versal),
            ("xcv80-lsva4737-2MHP-e-S", "xcv80", "lsva4737", Series::Versal),
        ] {
            let part = parse(text);
            let read = (part.device(), part.package(), part.series());
            assert_eq!(read, (device, Some(package), series), "{text}");
        }
        assert_eq!(parse("xczu9eg").package(), None);
    }

    #[test]
    fn other_names_are_no_parts() {
        for text in ["", "xc", "u280", "xilinx_u280_gen3x16_xdma_1_202211_1", "5csema5f31c6", "xc7"]
        {
            assert!(PartName::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn an_open_package_fits_all_and_another_package_none() {
        let (board, open) = (parse("xc7z020clg400-1"), parse("xc7z020"));
        assert!(board.fits(&open) && open.fits(&board) && board.fits(&parse("xc7z020-clg400-2")));
        assert!(!board.fits(&parse("xc7z020clg484-1")) && !board.fits(&parse("xc7z010clg400-1")));
    }

    proptest! {
        #[test]
        fn nothing_panics_and_what_is_shown_is_read_again(text in "(xc|XA)?[0-9a-z_-]{0,20}|\\PC{0,20}") {
            if let Some(part) = PartName::parse(&text) {
                prop_assert_eq!(PartName::parse(&part.to_string()), Some(part));
            }
        }
    }
}
