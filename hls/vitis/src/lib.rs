//! What the vendor's tools report about a design, and the configurations of v++.
//!
//! [`read_report`] reads what the tools print, [`read_connectivity`] the configuration that v++ links by. Nothing here
//! reads files.

mod connectivity;
mod csynth;

pub use connectivity::{
    BankRange, Connectivity, ConnectivityError, Entry, EntryValue, FrequencyOption, Kernels,
    MemoryPin, SlrPin, StreamLink, read_connectivity,
};
pub use csynth::{
    AchievedClock, Argument, Burst, BurstVerdict, ClockPeriods, ComputeUnit, Cosim, Decimal,
    Figure, Frequency, Located, Memory, MemoryPort, Module, REPORT_SCHEMA, Report, ReportError,
    ReportKind, ReportedLoop, ReportedPragma, Resource, Spread, UnitPort, Utilisation,
    UtilisationKind, Violation, read_report, report_kind,
};
pub use derate_source::{Excerpt, FileId, Position, Reason, Settled, Sources, Span, Unparsed};
