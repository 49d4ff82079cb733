use derate_source::FilePlace;
use thiserror::Error;

/// Why a text could not be read as a report.
#[derive(Clone, Eq, PartialEq, Debug, Error)]
pub enum ReportError {
    /// The text is longer than any report.
    #[error("{name} has {bytes} bytes; derate reads reports of up to {limit}")]
    TooLarge {
        /// The text's name.
        name: String,
        /// Its length.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// No known report looks like this.
    #[error(
        "{name} is not a report that derate knows: give csynth XML and text, cosim reports, \
         system_estimate, xclbin.info, kernel_util and logs of HLS"
    )]
    NotAReport {
        /// The text's name.
        name: String,
    },
    /// XML, but not of the HLS tools.
    #[error(
        "{name} is XML with the root <{root}>: give an HLS report, which has the root <profile>"
    )]
    OtherXml {
        /// The text's name.
        name: String,
        /// Its root.
        root: String,
    },
    /// Nested or repeated beyond reason.
    #[error(
        "{name} {what} at line {line}; derate stops there, because HLS tools do not write that"
    )]
    Limit {
        /// The text's name.
        name: String,
        /// What is too much.
        what: String,
        /// Where.
        line: usize,
    },
}

impl ReportError {
    /// The report, and its line where one is at fault.
    pub fn place(&self) -> FilePlace {
        match self {
            Self::TooLarge { name, .. }
            | Self::NotAReport { name }
            | Self::OtherXml { name, .. } => FilePlace::of_file(name),
            Self::Limit { name, line, .. } => FilePlace::at_line(name, *line),
        }
    }
}
