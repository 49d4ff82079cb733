//! A design as data for machines: `derate.xclbin/1`.

mod gather;
mod report;

use super::{Design, Xclbin};
pub use report::{
    ArgumentReport, ClockReport, ConnectionReport, InspectReport, KernelReport, MemoryReport,
    PortReport, SectionReport, UnitReport,
};

/// What `derate emu inspect` prints as JSON. `file` and `bytes` are the file's name and size.
pub fn inspect(file: &str, bytes: u64, xclbin: &Xclbin<'_>) -> InspectReport {
    gather::report(file, bytes, xclbin, &Design::of(xclbin))
}
