//! Operators on the devices that can multiply: one shape in one precision at a time.

use derate_model::Encoding;
use derate_model::measurement::{Computed, Measurement, Run};
use derate_model::operator::{OperatorKind, Shape};

use crate::cpu;
use crate::cuda::{self, CudaName, Gpu};
use crate::error::BenchError;
use crate::measure::{Cancel, Progress, Repeat};

/// A device that runs operators.
#[derive(Debug)]
pub enum OperatorDevice {
    /// This machine, on so many threads at most.
    Cpu {
        /// Threads.
        threads: usize,
    },
    /// A GPU: products of matrices by cuBLAS and cuBLASLt; attention, layers and packed weights with kernels of derate's own.
    Gpu(Box<Gpu>),
}

impl OperatorDevice {
    /// This machine on all processors that this process may use.
    pub fn whole_cpu() -> Self {
        Self::Cpu { threads: cpu::count_processors() }
    }

    /// By its name, `cpu` or `cuda:0`; threads are a processor's, all that it has where none are given.
    pub fn named(name: &str, threads: Option<usize>) -> Result<Self, BenchError> {
        match (name, threads) {
            ("cpu", Some(threads)) => Ok(Self::Cpu { threads }),
            ("cpu", None) => Ok(Self::whole_cpu()),
            (other, _) if !CudaName::is_meant(other) => Err(BenchError::Setup(format!(
                "--device {other}: give cpu, or cuda:0 for the first GPU"
            ))),
            (_, Some(_)) => Err(BenchError::Setup(
                "--ports is for cards and processors: a GPU has none".to_owned(),
            )),
            (name, None) => Ok(Self::Gpu(Box::new(Gpu::open(name.parse()?)?))),
        }
    }

    /// What it calls itself: the name in the files of its runs.
    pub fn name(&self) -> String {
        match self {
            Self::Cpu { .. } => cpu::processor_name(),
            Self::Gpu(gpu) => gpu.name().to_owned(),
        }
    }

    /// The arithmetic in which it runs elements of that precision; the error is a sentence.
    pub fn arithmetic(&self, stored: impl Into<Encoding>) -> Result<Computed, BenchError> {
        let stored = stored.into();
        match self {
            Self::Cpu { .. } => cpu::describe_arithmetic(stored),
            Self::Gpu(gpu) => cuda::describe_arithmetic(gpu, stored),
        }
    }

    /// Whether it runs that shape in that precision, where its memory holds it; else a sentence that says why not.
    pub fn check_support(
        &self,
        shape: &Shape,
        stored: impl Into<Encoding>,
    ) -> Result<(), BenchError> {
        let stored = stored.into();
        match self {
            Self::Cpu { .. } => cpu::check_support(shape, stored),
            Self::Gpu(gpu) => cuda::check_support(gpu, shape, stored),
        }
    }

    /// One operator in one precision, every repetition timed and checked: on a processor each element of its result; on a GPU,
    /// where a repetition may be many launches, entries of the last one's.
    pub fn run(
        &self,
        shape: &Shape,
        stored: impl Into<Encoding>,
        repeat: Repeat,
        cancel: Cancel<'_>,
        progress: Progress<'_>,
    ) -> Result<Run, BenchError> {
        let stored = stored.into();
        match self {
            Self::Cpu { threads } => {
                cpu::measure_operator(shape, stored, *threads, repeat, cancel, progress)
            }
            Self::Gpu(gpu) => cuda::measure_operator(gpu, shape, stored, repeat, cancel, progress),
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
            Self::Gpu(gpu) => return Ok(cuda::gpu_measurement(gpu, kind.into(), runs)?),
        };
        let many =
            if threads == 1 { "one thread".to_owned() } else { format!("up to {threads} threads") };
        let source = format!(
            "vectorised loops of derate's own ({}) on {many} of this machine, its monotonic clock; operands are the same in every repetition",
            cpu::name_vectors()
        );
        Ok(cpu::threads_measurement(kind.into(), threads, source, runs))
    }
}
