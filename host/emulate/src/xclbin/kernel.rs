//! What the embedded metadata say of a kernel.

use std::fmt;

use serde::Serialize;

use super::serialize::{as_hex, as_text};

/// A kernel, its arguments and its compute units.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize)]
pub struct DesignKernel {
    /// Its name.
    pub name: String,
    /// How its units are started, where the file says so: `ap_ctrl_hs`.
    pub control: Option<String>,
    /// Its ports.
    pub ports: Vec<KernelPort>,
    /// Its arguments.
    pub arguments: Vec<DesignArgument>,
    /// Its compute units.
    #[serde(rename = "compute_units", serialize_with = "as_names")]
    pub instances: Vec<Instance>,
}

/// The role of a port.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum PortMode {
    /// It reads and writes memory.
    Master,
    /// The host reads and writes its registers.
    Slave,
    /// A stream, or another word of the file: `read_only`, `write_only`.
    Other(String),
}

impl fmt::Display for PortMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Master => f.pad("master"),
            Self::Slave => f.pad("slave"),
            Self::Other(word) => f.pad(word),
        }
    }
}

/// A port of a kernel.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct KernelPort {
    /// `M_AXI_GMEM0`.
    pub name: String,
    /// Its role.
    #[serde(serialize_with = "as_text")]
    pub mode: PortMode,
    /// Bits of data, where the file says so.
    pub bits: Option<u64>,
    /// Bytes of addresses.
    #[serde(skip)]
    pub range: Option<u64>,
}

/// Where an argument's value goes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ArgumentKind {
    /// A value in a register.
    Scalar,
    /// The address of a buffer in a register.
    Global,
    /// The same, for data that do not change.
    Constant,
    /// Memory within the kernel.
    Local,
    /// A stream, which has no register.
    Stream,
    /// A number that XRT has no name for.
    Other(u64),
}

impl ArgumentKind {
    /// The number in the file.
    pub(super) fn of(number: u64) -> Self {
        match number {
            0 => Self::Scalar,
            1 => Self::Global,
            2 => Self::Constant,
            3 => Self::Local,
            4 => Self::Stream,
            other => Self::Other(other),
        }
    }

    pub(super) fn number(self) -> u64 {
        match self {
            Self::Scalar => 0,
            Self::Global => 1,
            Self::Constant => 2,
            Self::Local => 3,
            Self::Stream => 4,
            Self::Other(number) => number,
        }
    }
}

impl fmt::Display for ArgumentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scalar => f.pad("scalar"),
            Self::Global => f.pad("global"),
            Self::Constant => f.pad("constant"),
            Self::Local => f.pad("local"),
            Self::Stream => f.pad("stream"),
            Self::Other(number) => f.pad(&format!("qualifier {number}")),
        }
    }
}

/// An argument of a kernel.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct DesignArgument {
    /// Its position for the host; hidden arguments have none.
    pub id: Option<u32>,
    /// Its name.
    pub name: String,
    /// Where its value goes.
    #[serde(serialize_with = "as_text")]
    pub kind: ArgumentKind,
    /// Its type, as the file spells it.
    #[serde(rename = "type")]
    pub type_name: String,
    /// The port that carries it.
    pub port: Option<String>,
    /// Its first register, in bytes from the unit's base.
    #[serde(serialize_with = "as_hex")]
    pub offset: u64,
    /// Bytes of its value; a buffer's is an address.
    #[serde(rename = "bytes")]
    pub size: u64,
}

/// A compute unit of a kernel.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Instance {
    /// `gemm_1`.
    pub name: String,
    /// Where its registers are, where the file says so.
    pub base: Option<u64>,
    /// Bytes of registers.
    pub range: Option<u64>,
}

/// The names of compute units.
fn as_names<S: serde::Serializer>(units: &[Instance], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(units.iter().map(|unit| &unit.name))
}
