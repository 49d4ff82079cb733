use serde::Serialize;

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
    pub clocks: Vec<ClockReport>,
    /// The kernels' clock as the metadata give it.
    pub kernel_clock: Option<String>,
    /// Compute units and blocks of the platform.
    pub compute_units: Vec<UnitReport>,
    /// Kernels.
    pub kernels: Vec<KernelReport>,
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

/// A clock.
#[derive(Debug, Serialize)]
pub struct ClockReport {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: String,
    /// Frequency in MHz.
    pub megahertz: u16,
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

/// A kernel.
#[derive(Debug, Serialize)]
pub struct KernelReport {
    /// Its name.
    pub name: String,
    /// Its control protocol.
    pub control: Option<String>,
    /// Its ports.
    pub ports: Vec<PortReport>,
    /// Its arguments.
    pub arguments: Vec<ArgumentReport>,
    /// Compute units and blocks of the platform.
    pub compute_units: Vec<String>,
}

/// A port of a kernel.
#[derive(Debug, Serialize)]
pub struct PortReport {
    /// Its name.
    pub name: String,
    /// `hw`, `hw_emu`, `sw_emu`: what it is made for.
    pub mode: String,
    /// Width; null where unknown.
    pub bits: Option<u64>,
}

/// An argument of a kernel.
#[derive(Debug, Serialize)]
pub struct ArgumentReport {
    /// Position, from 0; null where unknown.
    pub id: Option<u32>,
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: String,
    /// Its C type.
    #[serde(rename = "type")]
    pub type_name: String,
    /// The port that it uses.
    pub port: Option<String>,
    /// Where it begins.
    pub offset: String,
    /// Size in bytes.
    pub bytes: u64,
}

impl InspectReport {
    /// Whether nothing is wrong with the file.
    pub fn is_whole(&self) -> bool {
        self.problems.is_empty()
    }
}
