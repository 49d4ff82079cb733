//! Platform files: the embedded ones and the user's own, in one form.

use super::Platform;
use super::file::File;
use crate::Processor;
use crate::cited::{self, Kind};
use crate::embedded::Embedded;

/// The embedded files, sorted by name.
const EMBEDDED: Embedded = Embedded(&[
    ("u200", include_str!("../../platforms/u200.toml")),
    ("u250", include_str!("../../platforms/u250.toml")),
    ("u280", include_str!("../../platforms/u280.toml")),
    ("u50", include_str!("../../platforms/u50.toml")),
    ("u55c", include_str!("../../platforms/u55c.toml")),
]);

/// Why a platform could not be had.
#[derive(Debug, thiserror::Error)]
pub enum PlatformError {
    /// No embedded platform has that name.
    #[error(
        "no platform is called `{name}`: the catalogue has {known}; a path that ends in .toml names your own"
    )]
    Unknown {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// A processor was named where only a card has what is needed.
    #[error(
        "`{name}` is a GPU or a CPU, whose peaks are given and not derived from DSP slices: a design in HLS needs an \
         FPGA card, such as {known}; `derate formats --platform {name}` shows what the processor computes"
    )]
    Processor {
        /// What was asked for.
        name: String,
        /// The cards.
        known: String,
    },
    /// A card was named where only a processor has what is needed.
    #[error(
        "`{name}` is an FPGA card, whose peaks depend on the design: this needs a processor with peaks of its own, such \
         as {known}"
    )]
    Card {
        /// What was asked for.
        name: String,
        /// The processors.
        known: String,
    },
    /// The file is of a processor, and a card is needed.
    #[error(
        "{origin}:{line}: `kind` makes this the file of a GPU or a CPU: a design in HLS needs an FPGA card, of the form \
         that `derate platform u280 --format toml` prints"
    )]
    ProcessorFile {
        /// Which file.
        origin: String,
        /// Where it says so.
        line: usize,
    },
    /// The file is of a card, and a processor is needed.
    #[error(
        "{origin}: this is the form of an FPGA card: the file of a processor has `kind = \"gpu\"` or `kind = \"cpu\"`, as \
         `derate platform h100-sxm --format toml` prints it"
    )]
    CardFile {
        /// Which file.
        origin: String,
    },
    /// The file is not of the platform form.
    #[error(
        "{origin}{at}: {reason}; `derate platform {example} --format toml` prints a file of the form"
    )]
    Invalid {
        /// Which file.
        origin: String,
        /// `:line`, where it is known.
        at: String,
        /// What is wrong.
        reason: String,
        /// A file of the catalogue that shows the form.
        example: &'static str,
    },
}

impl Platform {
    /// The names in the catalogue, sorted.
    pub fn names() -> impl Iterator<Item = &'static str> {
        EMBEDDED.names()
    }

    /// The file of a platform of the catalogue.
    pub fn file(name: &str) -> Result<&'static str, PlatformError> {
        let elsewhere = |name, known| PlatformError::Processor { name, known };
        EMBEDDED.find(name, Processor::names(), elsewhere).map(|(_, text)| text)
    }

    /// A platform of the catalogue.
    pub fn named(name: &str) -> Result<Self, PlatformError> {
        let elsewhere = |name, known| PlatformError::Processor { name, known };
        let (name, text) = EMBEDDED.find(name, Processor::names(), elsewhere)?;
        Self::parse(name, text)
    }

    /// All platforms of the catalogue.
    pub fn catalogue() -> Vec<Self> {
        Self::names().filter_map(|name| Self::named(name).ok()).collect()
    }

    /// A platform from the text of a file of the catalogue's form; `origin` names it in errors.
    pub fn parse(origin: &str, text: &str) -> Result<Self, PlatformError> {
        if let Kind::Processor { line } = cited::kind(text) {
            return Err(PlatformError::ProcessorFile { origin: origin.to_owned(), line });
        }
        cited::read(origin, text, "u280", |file: File| file.into_platform())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_file_is_of_the_form() {
        assert_eq!(Platform::catalogue().len(), EMBEDDED.names().count());
    }

    #[test]
    fn what_others_quote_of_a_data_sheet_is_no_data_sheet() {
        let quoted = |line: &&str| line.contains("as quoted by");
        for (name, text) in EMBEDDED.0 {
            for line in text.lines().filter(quoted) {
                assert!(!line.contains("provenance = \"datasheet\""), "{name}: {line}");
            }
        }
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let error = Platform::named("u999").unwrap_err().to_string();
        assert!(error.contains("u200, u250, u280, u50, u55c"), "{error}");
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
            ("value = \"227 ns\"", "value = \"227\"", "`227` is no time"),
            ("value = 1819", "value = -1", "`bram36` must be zero or a positive number, not -1"),
            ("precision = \"int16\"", "precision = \"int0x\"", "`int0x` is no known precision"),
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
