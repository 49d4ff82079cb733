//! The files of processors: the embedded ones and the user's own, in one form.

use super::Processor;
use super::file::File;
use crate::catalogue_error::PlatformError;
use crate::cited;
use crate::embedded::{PROCESSORS, find_processor};

impl Processor {
    /// The names in the catalogue, sorted.
    pub fn names() -> impl Iterator<Item = &'static str> {
        PROCESSORS.names()
    }

    /// The file of a processor of the catalogue.
    pub fn file(name: &str) -> Result<&'static str, PlatformError> {
        find_processor(name).map(|(_, text)| text)
    }

    /// A processor of the catalogue.
    pub fn named(name: &str) -> Result<Self, PlatformError> {
        let (name, text) = find_processor(name)?;
        Self::parse(name, text)
    }

    /// All processors of the catalogue.
    pub fn catalogue() -> Vec<Self> {
        Self::names().filter_map(|name| Self::named(name).ok()).collect()
    }

    /// A processor from the text of a file of the catalogue's form; `origin` names it in errors.
    pub fn parse(origin: &str, text: &str) -> Result<Self, PlatformError> {
        if !cited::file_kind(text).is_processor() {
            return Err(PlatformError::CardFile { origin: origin.to_owned() });
        }
        cited::read_file(origin, text, "h100-sxm", |file: File| file.into_processor())
    }
}
