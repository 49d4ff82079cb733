//! Streams of this machine's memory, and copies within a GPU's.

use anyhow::Error;
use derate_host::bench::{Outcome as BenchOutcome, rounding_notes};
use derate_host::cpu;
use derate_host::cuda::{CudaName, Gpu, measure_copies};
use derate_host::measure::Repeat;
use derate_model::measurement::{KernelKind, Measurement};

fn without_findings(measurement: Measurement, notes: Vec<String>) -> BenchOutcome {
    BenchOutcome { measurement, findings: Vec::new(), modelled: Vec::new(), notes }
}

/// Copies, reads or writes of this machine's memory.
pub(super) fn stream_memory(
    kind: KernelKind,
    setup: &cpu::Machine,
    progress: &mut dyn FnMut(&str),
) -> Result<BenchOutcome, Error> {
    let measurement = cpu::measure_streams(kind, setup, progress)?;
    let mut notes = rounding_notes(&setup.bytes, &measurement);
    notes.extend(cpu::memory_notes(&measurement, setup.threads));
    notes.extend(cpu::crowd_note(setup.threads));
    notes.extend(cpu::build_note());
    Ok(without_findings(measurement, notes))
}

/// Copies within a GPU's memory.
pub(super) fn copy_on_gpu(
    gpu: CudaName,
    sizes: &[u64],
    repeat: Repeat,
    progress: &mut dyn FnMut(&str),
) -> Result<BenchOutcome, Error> {
    let measurement = measure_copies(&Gpu::open(gpu)?, sizes, repeat, progress)?;
    Ok(without_findings(measurement, Vec::new()))
}
