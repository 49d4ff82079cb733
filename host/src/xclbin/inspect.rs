//! A design as a document and as data: `derate.xclbin/1`.

mod document;
mod gather;
mod report;
mod tables;

use derate_reports::Document;

use super::{Design, Xclbin};
pub use report::InspectReport;

/// What `derate emu inspect` prints: data for machines, a document for people.
pub fn inspect(file: &str, bytes: u64, xclbin: &Xclbin<'_>) -> (InspectReport, Document) {
    let design = Design::of(xclbin);
    let report = gather::report(file, bytes, xclbin, &design);
    let document = document::document(&report);
    (report, document)
}
