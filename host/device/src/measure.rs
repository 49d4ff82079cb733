//! What every measurement on this machine shares: how often it repeats, how it is cancelled, and the memory it needs.

mod memory;
mod room;

use derate_model::Provenance;
use derate_model::measurement::{Device as DeviceEntry, Kind, Measurement, Run, Schema, Versions};

pub use memory::available_memory;
pub(crate) use room::room;

/// How often.
#[derive(Clone, Copy, Debug)]
pub struct Repeat {
    /// Repetitions that count; at least one.
    pub repetitions: usize,
    /// Repetitions before them that are checked and not timed.
    pub warm_up: usize,
}

/// Asked while operands are made and between repetitions, on a processor also within them, by all its threads, and in checks; once
/// it says yes, the bench ends with [`BenchError::Cancelled`].
pub type Cancel<'a> = &'a (dyn Fn() -> bool + Sync);

/// Told how far a bench is.
pub type Progress<'a> = &'a mut dyn FnMut(&str);

/// The file of runs on a machine that has no ports, channels and clocks which anybody records.
pub(crate) fn of_a_machine(
    kernel: Kind,
    device: DeviceEntry,
    threads: Option<usize>,
    source: String,
    runs: Vec<Run>,
) -> Measurement {
    Measurement {
        schema: Schema::V1,
        kernel,
        device,
        provenance: Provenance::Measured,
        source,
        timed_by: None,
        command: None,
        threads: threads.map(|threads| threads as u64),
        compute_units: None,
        ports: Vec::new(),
        kernel_clock: None,
        memory_clock: None,
        versions: versions(&Versions::default()),
        runs,
    }
}

/// derate's own version beside the others.
pub(crate) fn versions(others: &Versions) -> Versions {
    Versions { derate: Some(env!("CARGO_PKG_VERSION").to_owned()), ..others.clone() }
}
