//! What the tools report: Vivado HLS 2018.2 to Vitis 2025.1, by content.

mod achieved;
mod attempt;
mod clock_periods;
mod cosim;
mod cosim_text;
mod counted_period;
mod date;
mod error;
mod estimate;
mod figure;
mod implementation;
mod interface;
mod log;
mod log_line;
mod logged_error;
mod module;
mod module_text;
mod parts;
mod port;
mod pragmas;
mod profile;
mod refused;
mod report;
mod resource;
mod routed;
mod routing;
mod schedule;
mod table;
mod timing_summary;
mod tree;
mod utilisation;
mod xclbin_info;
mod xml;

pub use achieved::{
    AchievedClock, Argument, ComputeUnit, Memory, UnitPort, Utilisation, UtilisationKind,
};
pub use attempt::{Attempt, AttemptEnd};
pub use clock_periods::ClockPeriods;
pub use cosim::{Cosim, Spread};
pub(crate) use date::ReportDate;
pub use error::ReportError;
pub use figure::{Decimal, Figure, Located};
pub use logged_error::{LoggedError, LoggedPlace, MissingName};
pub use module::{Frequency, Module, ReportedLoop, Violation};
pub use parts::{PartSort, ReportedPart};
pub use port::{Burst, BurstVerdict, MemoryPort, TopArgument};
pub use pragmas::ReportedPragma;
pub use refused::{Refusal, RefusedPipeline};
pub(crate) use report::serialize_unread;
pub use report::{REPORT_SCHEMA, Report, ReportKind, ReportOrder, ReportPlace};
pub use resource::Resource;
pub use routed::{RoutedClock, RoutedTiming};
pub use routing::RoutedPeriod;
pub use schedule::{
    CriticalPath, Held, OperationTarget, Schedule, ScheduledOperation, ScheduledPipeline,
};

use crate::{FileId, Sources};

/// The largest report that was seen has two megabytes.
const LIMIT: usize = 64 << 20;

/// Reads a report; what it is, its content says, not its name. Only the top of a co-simulation is in
/// its name alone.
///
/// Rows and parts that cannot be read are listed in [`Report::unread`]; an error means that the
/// text is not a report, or is beyond all limits.
pub fn read_report(sources: &Sources, file: FileId) -> Result<Report, ReportError> {
    let report = read_any(sources, file)?;
    Ok(Report { place: Some(ReportPlace::of_path(sources.name(file))), ..report })
}

fn read_any(sources: &Sources, file: FileId) -> Result<Report, ReportError> {
    let text = sources.text(file);
    let name = || sources.name(file).to_owned();
    if text.len() > LIMIT {
        return Err(ReportError::TooLarge { name: name(), bytes: text.len(), limit: LIMIT });
    }
    if text.trim_start_matches('\u{feff}').trim_start().starts_with('<') {
        let (root, unread) = xml::read_xml(sources, file)?;
        let root = root.ok_or_else(|| ReportError::NotAReport { name: name() })?;
        if root.name.value != "profile" {
            return Err(ReportError::OtherXml { name: name(), root: root.name.value });
        }
        let mut report = match implementation::find_stage(&root) {
            Some(kind) => implementation::read_implementation(&root, kind),
            None => profile::read_profile(&root, sources),
        };
        report.unread.extend(unread);
        return Ok(report);
    }
    let kind = kind_of(text).ok_or_else(|| ReportError::NotAReport { name: name() })?;
    match kind {
        ReportKind::SystemEstimate => return Ok(estimate::read_estimate(sources, file)),
        ReportKind::XclbinInfo => return Ok(xclbin_info::read_xclbin_info(sources, file)),
        ReportKind::Log => return Ok(log::read_log(sources, file)),
        ReportKind::TimingSummary => return Ok(timing_summary::read_timing_summary(sources, file)),
        _ => {}
    }
    let layout = table::read_layout(sources, file);
    let mut report = match kind {
        ReportKind::TreeText => tree::read_tree(&layout),
        ReportKind::Cosim => cosim_text::read_cosim(&layout, file, sources),
        ReportKind::KernelUtilisation => utilisation::read_utilisation(&layout),
        _ => module_text::read_module_text(text, &layout),
    };
    // First of all, as what follows may be long.
    report.unread.splice(0..0, layout.cut);
    Ok(report)
}

/// Whether a text looks like a report that [`read_report`] reads.
pub fn report_kind(text: &str) -> Option<ReportKind> {
    if !text.trim_start_matches('\u{feff}').trim_start().starts_with('<') {
        return kind_of(text);
    }
    let has = |element: &str| text.contains(element);
    let kind = if has("<RUN_TYPE>impl<") {
        ReportKind::Implementation
    } else if has("<RUN_TYPE>syn") {
        ReportKind::RtlSynthesis
    } else if has("<AchievedClockPeriod>") && !has("<RUN_TYPE>") {
        let placed = has("<SLICE>") && !has("<SLICE>0<");
        if placed { ReportKind::Implementation } else { ReportKind::RtlSynthesis }
    } else if has("<ModuleInformation>") {
        ReportKind::SummaryXml
    } else {
        ReportKind::CsynthXml
    };
    text.contains("<profile>").then_some(kind)
}

fn kind_of(text: &str) -> Option<ReportKind> {
    if timing_summary::is_routed_summary(text) {
        return Some(ReportKind::TimingSummary);
    }
    // The first line that is known decides.
    text.lines().find_map(|line| {
        let line = line.trim();
        if line.starts_with("== Synthesis Summary Report of") {
            Some(ReportKind::TreeText)
        } else if line.starts_with("== Vivado HLS Report for")
            || line.starts_with("== Vitis HLS Report for")
        {
            Some(ReportKind::ModuleText)
        } else if line.starts_with("Simulation tool") || line.contains("RTL    +  Status") {
            Some(ReportKind::Cosim)
        } else if line == "xclbin Information" {
            Some(ReportKind::XclbinInfo)
        } else if line.starts_with("Timing Information (MHz)") {
            Some(ReportKind::SystemEstimate)
        } else if line.starts_with("Accelerator Utilization")
            || line.contains("report_accelerator_utilization")
        {
            Some(ReportKind::KernelUtilisation)
        } else if log::is_log_line(line) {
            Some(ReportKind::Log)
        } else {
            None
        }
    })
}
