//! Why a card or a processor cannot be had.

use derate_hls::FilePlace;

/// Why a platform could not be had.
#[derive(Debug, thiserror::Error)]
pub enum PlatformError {
    /// No embedded platform has that name.
    #[error(
        "no platform is called `{name}`: {near}`derate platform` lists the catalogue; a path that ends in .toml names your own"
    )]
    Unknown {
        /// What was asked for.
        name: String,
        /// The names that are near, as a clause that ends in a blank: `write zcu102 or zcu104; `.
        near: String,
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
        "{place}: {reason}; `derate platform {example} --format toml` prints a file of the form"
    )]
    Invalid {
        /// Which file, and its line where it is known.
        place: FilePlace,
        /// What is wrong.
        reason: String,
        /// A file of the catalogue that shows the form.
        example: &'static str,
    },
}

impl PlatformError {
    /// The file that is at fault, and its line where it is known.
    pub fn place(&self) -> Option<FilePlace> {
        match self {
            Self::Unknown { .. } | Self::Processor { .. } | Self::Card { .. } => None,
            Self::ProcessorFile { origin, line } => Some(FilePlace::at_line(origin, *line)),
            Self::CardFile { origin } => Some(FilePlace::of_file(origin)),
            Self::Invalid { place, .. } => Some(place.clone()),
        }
    }
}
