//! The files of processors: the embedded ones and the user's own, in one form.

use super::Processor;
use super::file::File;
use crate::cited;
use crate::embedded::Embedded;
use crate::platform::{Platform, PlatformError};

/// The embedded files, sorted by name.
const EMBEDDED: Embedded = Embedded(&[
    ("a100-40", include_str!("../../platforms/a100-40.toml")),
    ("a100-80", include_str!("../../platforms/a100-80.toml")),
    ("gb10", include_str!("../../platforms/gb10.toml")),
    ("h100-pcie", include_str!("../../platforms/h100-pcie.toml")),
    ("h100-sxm", include_str!("../../platforms/h100-sxm.toml")),
    ("h200", include_str!("../../platforms/h200.toml")),
    ("l4", include_str!("../../platforms/l4.toml")),
    ("l40s", include_str!("../../platforms/l40s.toml")),
    ("rtx-5060-laptop", include_str!("../../platforms/rtx-5060-laptop.toml")),
    ("t4", include_str!("../../platforms/t4.toml")),
    ("v100-sxm2", include_str!("../../platforms/v100-sxm2.toml")),
]);

impl Processor {
    /// The names in the catalogue, sorted.
    pub fn names() -> impl Iterator<Item = &'static str> {
        EMBEDDED.names()
    }

    /// The file of a processor of the catalogue.
    pub fn file(name: &str) -> Result<&'static str, PlatformError> {
        let elsewhere = |name, known| PlatformError::Card { name, known };
        EMBEDDED.find(name, Platform::names(), elsewhere).map(|(_, text)| text)
    }

    /// A processor of the catalogue.
    pub fn named(name: &str) -> Result<Self, PlatformError> {
        let elsewhere = |name, known| PlatformError::Card { name, known };
        let (name, text) = EMBEDDED.find(name, Platform::names(), elsewhere)?;
        Self::parse(name, text)
    }

    /// All processors of the catalogue.
    pub fn catalogue() -> Vec<Self> {
        Self::names().filter_map(|name| Self::named(name).ok()).collect()
    }

    /// A processor from the text of a file of the catalogue's form; `origin` names it in errors.
    pub fn parse(origin: &str, text: &str) -> Result<Self, PlatformError> {
        if !cited::kind(text).is_processor() {
            return Err(PlatformError::CardFile { origin: origin.to_owned() });
        }
        cited::read(origin, text, "h100-sxm", |file: File| file.into_processor())
    }
}
