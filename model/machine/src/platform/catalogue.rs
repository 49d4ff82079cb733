//! Platform files: the embedded ones and the user's own, in one form.

use std::sync::OnceLock;

use super::Platform;
use super::file::File;
use crate::PartName;
use crate::catalogue_error::PlatformError;
use crate::cited;
use crate::cited::FileKind;
use crate::embedded::{CARDS, find_card};

impl Platform {
    /// The platforms of the catalogue with this part, sorted by name; several boards may carry one.
    pub fn with_part(part: &PartName) -> Vec<Self> {
        let has = |platform: &&Self| platform.part_name().is_some_and(|own| own.fits(part));
        Self::read_catalogue().iter().filter(has).cloned().collect()
    }

    /// The names in the catalogue, sorted.
    pub fn names() -> impl Iterator<Item = &'static str> {
        CARDS.names()
    }

    /// The file of a platform of the catalogue.
    pub fn file(name: &str) -> Result<&'static str, PlatformError> {
        find_card(name).map(|(_, text)| text)
    }

    /// A platform of the catalogue.
    pub fn named(name: &str) -> Result<Self, PlatformError> {
        let (name, text) = find_card(name)?;
        Self::parse(name, text)
    }

    /// All platforms of the catalogue.
    pub fn catalogue() -> Vec<Self> {
        Self::read_catalogue().to_vec()
    }

    /// The same, read once: each design of a folder asks for its card.
    fn read_catalogue() -> &'static [Self] {
        static READ: OnceLock<Vec<Platform>> = OnceLock::new();
        READ.get_or_init(|| Self::names().filter_map(|name| Self::named(name).ok()).collect())
    }

    /// A platform from the text of a file of the catalogue's form; `origin` names it in errors.
    pub fn parse(origin: &str, text: &str) -> Result<Self, PlatformError> {
        if let FileKind::Processor { line } = cited::file_kind(text) {
            return Err(PlatformError::ProcessorFile { origin: origin.to_owned(), line });
        }
        cited::read_file(origin, text, "u280", |file: File| file.into_platform())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_file_is_of_the_form() {
        assert_eq!(Platform::catalogue().len(), CARDS.names().count());
    }

    #[test]
    fn what_others_quote_of_a_data_sheet_is_no_data_sheet() {
        let quoted = |line: &&str| line.contains("as quoted by");
        for (name, text) in CARDS.0 {
            for line in text.lines().filter(quoted) {
                assert!(!line.contains("provenance = \"datasheet\""), "{name}: {line}");
            }
        }
    }

    #[test]
    fn an_unknown_name_gets_the_near_ones() {
        let error = Platform::named("u281").unwrap_err().to_string();
        assert!(error.contains("write u280, u200 or u250; "), "{error}");
    }

    fn broken(what: &str, with: &str) -> String {
        let text = include_str!("../../platforms/u280.toml");
        assert!(text.contains(what), "{what}");
        Platform::parse("mine.toml", &text.replacen(what, with, 1)).unwrap_err().to_string()
    }

    fn line_of(what: &str) -> usize {
        let text = include_str!("../../platforms/u280.toml");
        1 + text[..text.find(what).unwrap()].matches('\n').count()
    }

    #[test]
    fn banks_hang_on_one_slr_or_on_one_each() {
        let u280 = Platform::named("u280").unwrap();
        let of = |memory: &str| u280.banks.iter().find(|banks| banks.memory == memory).unwrap();
        assert_eq!((of("HBM").count.value, of("HBM").slr_of(31)), (32, Some(0)));
        assert_eq!((of("DDR").count.value, of("DDR").slr_of(1)), (2, Some(1)));
        assert_eq!((of("PLRAM").count.value, of("PLRAM").slr_of(1)), (6, None));
        let error = broken("value = [0, 1]", "value = [0, 1, 2]");
        assert!(error.contains("`slr` names 3 SLRs"), "{error}");
    }

    #[test]
    fn a_typo_names_its_line() {
        let error = broken("dsp = { value = 9024", "dps = { value = 9024");
        let line = line_of("dsp = { value = 9024");
        assert!(error.starts_with(&format!("mine.toml:{line}: unknown field `dps`")), "{error}");
    }

    #[test]
    fn a_value_that_means_nothing_names_its_line() {
        for (what, with, reason) in [
            (
                "value = 32,",
                "value = 5000,",
                "`channels` is a whole number from 1 to 4096, not 5000",
            ),
            ("value = 32,", "value = 31.5,", "invalid type: floating point `31.5`, expected u32"),
            ("value = 0.911", "value = 1.911", "`efficiency` is a share, at most 1, not 1.911"),
            ("value = \"227 ns\"", "value = \"227\"", "`227` is not a time"),
            ("value = 1819", "value = -1", "`bram36` must be zero or a positive number, not -1"),
            ("precision = \"int16\"", "precision = \"int0x\"", "`int0x` is not a known precision"),
        ] {
            let error = broken(what, with);
            let start = format!("mine.toml:{}: {reason}", line_of(what));
            assert!(error.starts_with(&start), "{error}");
        }
    }

    #[test]
    fn a_file_of_the_older_form_still_works() {
        let cited = |value: &str| {
            format!("{{ value = {value}, provenance = \"assumed\", source = \"a test\" }}")
        };
        let text = format!(
            "name = \"mine\"\ntitle = \"Mine\"\n[memory]\ntitle = \"DDR\"\nchannels = {one}\n\
             port_bits = {bits}\naxi_clock = {clock}\nefficiency = {share}\n[logic]\ndsp = {dsp}\n\
             clock = {clock}\nfastest_clock = {clock}\n[[shell]]\nname = \"s\"\ndsp = {dsp}\n",
            one = cited("1"),
            bits = cited("512"),
            clock = cited("\"300 MHz\""),
            share = cited("0.9"),
            dsp = cited("100"),
        );
        let platform = Platform::parse("mine.toml", &text).unwrap();
        assert!(platform.on_chip_bytes().is_none() && platform.memory.bank.is_none());
        assert_eq!(platform.dsp_budget().value.to_bits(), 100.0_f64.to_bits());
    }
}
