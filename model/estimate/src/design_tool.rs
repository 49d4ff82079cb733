//! The version of the tool that a design is built with, and how far its files say so.

use std::collections::BTreeSet;

use derate_hls::{name_tool, read_tool_version};
use derate_kernel::DEFAULT_TOOL;
use derate_project::Build;

/// Year and release of the tool, and who says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DesignTool {
    /// The version that kernels are scheduled for.
    pub version: (u16, u16),
    /// Who says so.
    pub origin: ToolOrigin,
}

/// Who names a version of the tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolOrigin {
    /// The reports of the design.
    Reports,
    /// The reports of one of its solutions, which are in this folder.
    Solution(String),
    /// All reports that are found, of other designs.
    OtherReports,
    /// This file: a log of the tool, a README, a Makefile, a path in a script.
    File(String),
    /// The heading of this script has the year in which it was written.
    Heading(String),
    /// This file asks for Vivado HLS, and for no version of it.
    Family(String),
    /// This script of Vivado, beside the design, is of a version of Vivado: the tools of one release have one number.
    Vivado(String),
    /// This file, which lies beside the design, in a folder of another.
    Beside(String),
    /// Nobody.
    Assumed,
}

impl DesignTool {
    /// The version that the reports of a design name first.
    #[must_use]
    pub fn of_reports(build: &Build) -> Option<Self> {
        let version = list_versions(build).next()?;
        Some(Self { version, origin: ToolOrigin::Reports })
    }

    /// The tool with its version, and who says so: `Vitis HLS 2022.2 (version from vitis_hls.log)`.
    #[must_use]
    pub fn describe(&self) -> String {
        let tool = name_tool(self.version);
        match &self.origin {
            ToolOrigin::Reports => format!("{tool} (version from its reports)"),
            ToolOrigin::Solution(folder) => {
                format!("{tool} (version from the reports of {folder})")
            }
            ToolOrigin::OtherReports => {
                format!("{tool} (version from the reports of other designs)")
            }
            ToolOrigin::File(file) => format!("{tool} (version from {file})"),
            ToolOrigin::Heading(file) => format!("{tool} (assumed from the year in {file})"),
            ToolOrigin::Family(file) => {
                format!("{tool} (assumed: {file} asks for Vivado HLS)")
            }
            ToolOrigin::Vivado(file) => {
                format!("{tool} (assumed: {file} is for this version of Vivado)")
            }
            ToolOrigin::Beside(file) => format!("{tool} (assumed from {file})"),
            ToolOrigin::Assumed => format!("{tool} (assumed)"),
        }
    }
}

impl Default for DesignTool {
    fn default() -> Self {
        Self { version: DEFAULT_TOOL, origin: ToolOrigin::Assumed }
    }
}

/// The versions that reports name, in their order.
fn list_versions(build: &Build) -> impl Iterator<Item = (u16, u16)> {
    let named = build.reports.iter().filter_map(|report| report.version.as_ref());
    named.filter_map(|version| read_tool_version(&version.value))
}

/// The one version that all reports name which name one.
#[must_use]
pub fn find_agreed_tool<'a>(builds: impl IntoIterator<Item = &'a Build>) -> Option<(u16, u16)> {
    let all: BTreeSet<(u16, u16)> = builds.into_iter().flat_map(list_versions).collect();
    if all.len() == 1 { all.into_iter().next() } else { None }
}
