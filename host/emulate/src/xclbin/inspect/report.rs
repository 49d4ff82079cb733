use serde::Serialize;

use crate::xclbin::{Clock, DesignKernel};

/// What a file says of its design: `derate.xclbin/1`.
#[derive(Debug, Serialize)]
pub struct InspectReport {
    /// `derate.xclbin/1`.
    pub schema: &'static str,
    /// The file's name.
    pub file: String,
    /// Size in bytes.
    pub bytes: u64,
    /// The platform it is made for; may be empty.
    pub platform: String,
    /// `hw`, `hw_emu`, `sw_emu`: what it is made for.
    pub mode: String,
    /// The design's identity.
    pub uuid: String,
    /// The platform's identity.
    pub interface_uuid: String,
    /// Seconds since 1970.
    pub timestamp: u64,
    /// Version of the tool that made it.
    pub version: String,
    /// Whether it carries a signature.
    pub signed: bool,
    /// In the order of the file.
    pub sections: Vec<SectionReport>,
    /// Banks and streams.
    pub memories: Vec<MemoryReport>,
    /// Clocks of the platform.
    pub clocks: Vec<Clock>,
    /// The kernels' clock as the metadata give it.
    pub kernel_clock: Option<String>,
    /// Compute units and blocks of the platform.
    pub compute_units: Vec<UnitReport>,
    /// Kernels.
    pub kernels: Vec<DesignKernel>,
    /// Bytes of the kernels' code that `derate emu run` runs; null where it would refuse the design.
    pub code: Option<u64>,
    /// What is wrong with the file.
    pub problems: Vec<String>,
}

/// A section of the container.
#[derive(Debug, Serialize)]
pub struct SectionReport {
    /// Its kind.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Where it begins.
    pub offset: u64,
    /// Size in bytes.
    pub bytes: u64,
}

/// A bank of memory, or a stream.
#[derive(Debug, Serialize)]
pub struct MemoryReport {
    /// Its name: `HBM[0]`.
    pub tag: String,
    /// Its kind.
    pub kind: String,
    /// Whether the design uses it.
    pub used: bool,
    /// Size in bytes; null for a stream.
    pub bytes: Option<u64>,
    /// First address.
    pub base: String,
}

/// A compute unit.
#[derive(Debug, Serialize)]
pub struct UnitReport {
    /// Its name.
    pub name: String,
    /// Whether it runs a kernel; a block of the platform does not.
    pub kernel: bool,
    /// First address.
    pub base: String,
    /// Its control protocol.
    pub control: String,
    /// Its buffers.
    pub connections: Vec<ConnectionReport>,
}

/// The bank that an argument of a unit is connected to.
#[derive(Debug, Serialize)]
pub struct ConnectionReport {
    /// Position, from 0.
    pub argument: u32,
    /// Null where the metadata do not say.
    pub name: Option<String>,
    /// Null where there is no such bank.
    pub bank: Option<String>,
}

impl InspectReport {
    /// Whether the file has no problem.
    pub fn is_whole(&self) -> bool {
        self.problems.is_empty()
    }
}
