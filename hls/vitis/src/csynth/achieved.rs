//! What the linked or placed design has: clocks, memories, compute units, area.

use super::figure::{Decimal, Figure, Located};
use super::resource::Resource;
use serde::Serialize;
use std::collections::BTreeMap;

/// A clock of the bitstream.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AchievedClock {
    /// `DATA_CLK` runs the kernels.
    pub name: Located<String>,
    /// `DATA`, `KERNEL`, `SYSTEM`.
    pub kind: Option<Located<String>>,
    /// MHz.
    pub frequency: Option<Located<Decimal>>,
}

/// A memory bank.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Memory {
    /// `HBM[3]`, `DDR[0]`, `PLRAM[1]`.
    pub name: Located<String>,
    /// As printed. HBM banks have been seen as `MEM_DDR4`: the name is the better witness.
    pub kind: Option<Located<String>>,
    /// Whether the design uses it, where that is `Yes` or `No`.
    pub used: Option<Located<bool>>,
}

/// A compute unit and what it is connected to.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ComputeUnit {
    /// The kernel.
    pub kernel: Option<Located<String>>,
    /// The instance: `gemm0_1`.
    pub name: Located<String>,
    /// The kernel's ports.
    pub ports: Vec<UnitPort>,
    /// Its arguments.
    pub arguments: Vec<Argument>,
}

/// A port of a kernel.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct UnitPort {
    /// `M_AXI_GMEM0`.
    pub name: Located<String>,
    /// `master`, `slave`, `read_only`...
    pub mode: Option<Located<String>>,
    /// Bits.
    pub bits: Option<Located<Figure>>,
}

/// An argument of a compute unit.
#[derive(Clone, Eq, PartialEq, Debug, Serialize)]
pub struct Argument {
    /// The parameter.
    pub name: Located<String>,
    /// The port that carries it.
    pub port: Option<Located<String>>,
    /// The bank, as printed: `DDR[0] (MEM_DRAM)`, `<not applicable>`.
    pub memory: Option<Located<String>>,
}

impl Argument {
    /// The bank's name, if the argument has one: `DDR[0]`.
    pub fn bank(&self) -> Option<&str> {
        let memory = self.memory.as_ref()?.value.as_str();
        let name = memory.split_whitespace().next()?;
        (!name.starts_with('<')).then_some(name)
    }
}

/// Which row of a utilisation report.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum UtilisationKind {
    /// The platform's own logic.
    Platform,
    /// What is left for kernels.
    Budget,
    /// What all kernels use.
    Used,
    /// What is left after them.
    Unused,
    /// One kernel, all its compute units together.
    Kernel,
    /// One compute unit.
    ComputeUnit,
}

/// One row of a utilisation report. Its `BRAM` counts blocks of 36 Kib.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Utilisation {
    /// The name.
    pub name: Located<String>,
    /// Which row.
    pub kind: UtilisationKind,
    /// The kernel of a compute unit.
    pub kernel: Option<String>,
    /// `LUT`, `LUTAsMem`, `REG`, `BRAM`, `URAM`, `DSP`.
    pub resources: BTreeMap<String, Resource>,
}
