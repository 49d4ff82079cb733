//! Operators on the devices that can multiply: one shape in one precision at a time.

use derate_model::measurement::{Computed, Device, DeviceKind, Measurement, Run, Schema, Versions};
use derate_model::operator::{OperatorKind, Shape};
use derate_model::{Precision, Provenance};

use super::{BenchError, Progress, Repeat, versions};
use crate::cpu;
use crate::cuda::{self, Gpu};

/// Asked between repetitions; once it says yes, the bench ends with [`BenchError::Cancelled`].
pub type Cancel<'a> = &'a dyn Fn() -> bool;

/// A device that runs operators.
#[derive(Debug)]
pub enum OperatorDevice {
    /// This machine, on so many threads at most.
    Cpu {
        /// Threads.
        threads: usize,
    },
    /// A GPU: products of matrices alone, by cuBLAS.
    Gpu(Box<Gpu>),
}

impl OperatorDevice {
    /// This machine on all processors that this process may use.
    pub fn whole_cpu() -> Self {
        Self::Cpu { threads: std::thread::available_parallelism().map_or(1, usize::from) }
    }

    /// The arithmetic in which it runs elements of that precision; the error is a sentence.
    pub fn arithmetic(&self, precision: Precision) -> Result<Computed, BenchError> {
        match self {
            Self::Cpu { .. } => cpu::arithmetic(precision),
            Self::Gpu(gpu) => cuda::arithmetic(gpu, precision),
        }
    }

    /// One operator in one precision: every repetition is timed and checked.
    pub fn run(
        &self,
        shape: &Shape,
        precision: Precision,
        repeat: Repeat,
        cancel: Cancel<'_>,
        progress: Progress<'_>,
    ) -> Result<Run, BenchError> {
        match self {
            Self::Cpu { threads } => {
                cpu::measure(shape, precision, *threads, repeat, cancel, progress)
            }
            Self::Gpu(gpu) => cuda::measure(gpu, shape, precision, repeat, cancel, progress),
        }
    }

    /// The file of runs of that operator.
    pub fn measurement(
        &self,
        kind: OperatorKind,
        runs: Vec<Run>,
    ) -> Result<Measurement, BenchError> {
        let threads = match self {
            Self::Cpu { threads } => *threads,
            Self::Gpu(gpu) => return Ok(cuda::measurement(gpu, kind.into(), runs)?),
        };
        let many = if threads == 1 { "one thread" } else { "threads" };
        let many = if threads == 1 { many.to_owned() } else { format!("up to {threads} {many}") };
        Ok(Measurement {
            schema: Schema::V1,
            kernel: kind.into(),
            device: Device { kind: DeviceKind::Cpu, name: cpu::name(), platform: None },
            provenance: Provenance::Measured,
            source: cpu::with_build(format!(
                "vectorised loops of derate's own ({}) on {many} of this machine, its monotonic clock; operands are the same in every repetition",
                cpu::vectors()
            )),
            command: None,
            threads: Some(threads as u64),
            compute_units: None,
            ports: Vec::new(),
            kernel_clock: None,
            memory_clock: None,
            versions: versions(&Versions::default()),
            runs,
        })
    }
}
