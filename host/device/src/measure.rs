//! What every measurement on this machine shares: how often it repeats, how it is cancelled, and the memory it needs.

mod memory;
mod room;

use derate_model::Provenance;
use derate_model::measurement::{
    AttentionRun, GemmRun, KernelKind, MeasuredDevice as DeviceEntry, Measurement, MlpRun, Run,
    Schema, Versions,
};
use derate_model::operator::Shape;

pub use memory::available_memory;
pub(crate) use room::require_memory;

/// How many times each run is repeated.
#[derive(Clone, Copy, Debug)]
pub struct Repeat {
    /// Repetitions that count; at least one.
    pub repetitions: usize,
    /// Repetitions before them that are checked and not timed.
    pub warm_up: usize,
}

/// Asked while operands are made and between repetitions, on a processor also within them, by all its threads, and in checks; once
/// it says yes, the bench ends with [`BenchError::Cancelled`](crate::error::BenchError::Cancelled).
pub type Cancel<'a> = &'a (dyn Fn() -> bool + Sync);

/// Receives the progress of a bench, as a sentence.
pub type Progress<'a> = &'a mut dyn FnMut(&str);

/// The file of runs on a machine that has no ports, channels and clocks which anybody records.
pub(crate) fn machine_measurement(
    kernel: KernelKind,
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
        versions: with_own_version(&Versions::default()),
        runs,
    }
}

/// Writes the extents of an operator into a run; `stored` is the precision of its elements.
pub(crate) fn record_shape(run: &mut Run, shape: &Shape, stored: String) {
    let product = |m, n, k, precision| Some(GemmRun { m, n, k, precision, count: 1 });
    match shape {
        // A vector is a matrix with one row.
        Shape::Gemv { n, k } => run.gemm = product(1, *n, *k, stored),
        Shape::Gemm { m, n, k } => run.gemm = product(*m, *n, *k, stored),
        Shape::Attention(of) => run.attention = Some(AttentionRun::of(of, stored)),
        Shape::Mlp(of) => run.mlp = Some(MlpRun::of(of, stored)),
    }
}

/// derate's own version beside the others.
pub(crate) fn with_own_version(others: &Versions) -> Versions {
    Versions { derate: Some(env!("CARGO_PKG_VERSION").to_owned()), ..others.clone() }
}
