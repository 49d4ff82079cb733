use thiserror::Error;

use super::layout::LayoutError;
use crate::emulator::BankError;

/// Why bytes are not an xclbin.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum XclbinError {
    /// The first bytes are something else.
    #[error("{0} is not an xclbin: it does not begin with `xclbin2`")]
    Magic(String),
    /// The file ends within its header.
    #[error(
        "{name} is not a complete xclbin: it has {bytes} bytes, and the header alone takes {needed}"
    )]
    Short {
        /// The file.
        name: String,
        /// Its length.
        bytes: usize,
        /// What was to be read.
        needed: usize,
    },
    /// More sections than the format allows.
    #[error(
        "{name} is damaged: it says to have {sections} sections, and an xclbin has at most {most}"
    )]
    Sections {
        /// The file.
        name: String,
        /// What it says.
        sections: u32,
        /// The format's limit.
        most: u32,
    },
}

/// Why no xclbin can be made of these kernels.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum LinkError {
    /// Nothing in the sources is a kernel.
    #[error(
        "no kernel was found: a kernel is a function with an m_axi or s_axilite pragma, or one that `nk=` names"
    )]
    NoKernel,
    /// `nk=` names something that is not there.
    #[error("{place}: there is no kernel `{kernel}` in the sources; there are: {known}")]
    UnknownKernel {
        /// File and line.
        place: String,
        /// The name.
        kernel: String,
        /// What there is.
        known: String,
    },
    /// `sp=` names something that is not there.
    #[error("{place}: {reason}")]
    Configuration {
        /// File and line.
        place: String,
        /// One clause.
        reason: String,
    },
    /// A kernel that cannot be laid out.
    #[error("{place}: kernel `{kernel}` has no layout: {reason}")]
    Kernel {
        /// File and line.
        place: String,
        /// The kernel.
        kernel: String,
        /// One clause.
        reason: LayoutError,
    },
    /// A figure that the platform file lacks.
    #[error("{0}: name another platform, or give a file that does")]
    Platform(#[from] BankError),
    /// Too much for the format's fields.
    #[error("{0}")]
    TooMuch(String),
}
