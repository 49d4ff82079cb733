use serde::Serialize;

/// `derate.xclbin/1`.
#[derive(Debug, Serialize)]
pub struct InspectReport {
    pub(super) schema: &'static str,
    pub(super) file: String,
    pub(super) bytes: u64,
    pub(super) platform: String,
    pub(super) mode: String,
    pub(super) uuid: String,
    pub(super) interface_uuid: String,
    /// Seconds since 1970.
    pub(super) timestamp: u64,
    /// Of the tool that made it.
    pub(super) version: String,
    pub(super) signed: bool,
    pub(super) sections: Vec<SectionReport>,
    pub(super) memories: Vec<MemoryReport>,
    pub(super) clocks: Vec<ClockReport>,
    /// The kernels' clock as the metadata write it.
    pub(super) kernel_clock: Option<String>,
    pub(super) compute_units: Vec<UnitReport>,
    pub(super) kernels: Vec<KernelReport>,
    /// Bytes of the kernels' code that `derate emu run` runs; null where it would refuse the design.
    pub(super) code: Option<u64>,
    /// What is wrong with the file.
    pub(super) problems: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct SectionReport {
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) offset: u64,
    pub(super) bytes: u64,
}

#[derive(Debug, Serialize)]
pub(super) struct MemoryReport {
    pub(super) tag: String,
    pub(super) kind: String,
    pub(super) used: bool,
    /// Null of a stream.
    pub(super) bytes: Option<u64>,
    pub(super) base: String,
}

#[derive(Debug, Serialize)]
pub(super) struct ClockReport {
    pub(super) name: String,
    pub(super) kind: String,
    pub(super) megahertz: u16,
}

#[derive(Debug, Serialize)]
pub(super) struct UnitReport {
    pub(super) name: String,
    /// Whether it is a kernel's; else it is a block of the platform.
    pub(super) kernel: bool,
    pub(super) base: String,
    pub(super) control: String,
    pub(super) connections: Vec<ConnectionReport>,
}

#[derive(Debug, Serialize)]
pub(super) struct ConnectionReport {
    pub(super) argument: u32,
    /// Null where the metadata do not say.
    pub(super) name: Option<String>,
    /// Null where the bank is not there.
    pub(super) bank: Option<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct KernelReport {
    pub(super) name: String,
    pub(super) control: Option<String>,
    pub(super) ports: Vec<PortReport>,
    pub(super) arguments: Vec<ArgumentReport>,
    pub(super) compute_units: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct PortReport {
    pub(super) name: String,
    pub(super) mode: String,
    pub(super) bits: Option<u64>,
}

#[derive(Debug, Serialize)]
pub(super) struct ArgumentReport {
    pub(super) id: Option<u32>,
    pub(super) name: String,
    pub(super) kind: String,
    #[serde(rename = "type")]
    pub(super) type_name: String,
    pub(super) port: Option<String>,
    pub(super) offset: String,
    pub(super) bytes: u64,
}

impl InspectReport {
    /// Whether nothing is wrong with the file.
    pub fn is_whole(&self) -> bool {
        self.problems.is_empty()
    }
}
