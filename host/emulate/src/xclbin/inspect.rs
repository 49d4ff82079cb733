//! A design as data for machines: `derate.xclbin/1`.

mod gather;
mod report;

use super::{Design, Xclbin};
pub use report::{ConnectionReport, InspectReport, MemoryReport, SectionReport, UnitReport};

/// What `derate emu inspect` prints as JSON. `file` and `bytes` are the file's name and size.
pub fn inspect_design(file: &str, bytes: u64, xclbin: &Xclbin<'_>) -> InspectReport {
    gather::gather_report(file, bytes, xclbin, &Design::of(xclbin))
}
