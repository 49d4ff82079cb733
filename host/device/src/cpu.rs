//! This machine, really measured: its memory, and operators.

mod cache;
mod crowd;
mod notes;
mod operator;
mod part;

pub(crate) use cache::LastCache;
pub(crate) use crowd::count_processors;
pub use crowd::crowd_note;
use derate_model::measurement::{
    DeviceKind, KernelKind, MeasuredDevice, Measurement, ResultCheck, Run,
};
use derate_model::units::{Bytes, Seconds};
pub use notes::memory_notes;
pub use operator::operator_bytes;
pub(crate) use operator::{check_support, describe_arithmetic, measure_operator, name_vectors};
use part::{Part, side_by_side};

use crate::error::BenchError;
use crate::measure::{Progress, Repeat, machine_measurement};

/// Whether this program was built to be debugged.
const UNOPTIMISED: bool = cfg!(debug_assertions);
const SLOW: &str = "built without optimisation: no measurement of this machine";

/// What to know of the program that measures.
pub fn build_note() -> Option<String> {
    UNOPTIMISED.then(|| {
        format!("derate was {SLOW}, as its loops are slower than the memory. Build it with `cargo build --release`.")
    })
}

/// What to measure.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Bytes of each run.
    pub bytes: Vec<u64>,
    /// Threads that share the bytes.
    pub threads: usize,
    /// How many times each run is repeated.
    pub repeat: Repeat,
}

/// The processor's name, as Linux tells it.
pub(crate) fn processor_name() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let model = model.map(|(_, name)| name.trim()).filter(|name| !name.is_empty());
    model.map_or_else(|| format!("a processor of {}", std::env::consts::ARCH), str::to_owned)
}

/// The file of runs on so many threads of this machine.
pub(crate) fn threads_measurement(
    kernel: KernelKind,
    threads: usize,
    source: String,
    runs: Vec<Run>,
) -> Measurement {
    let device = MeasuredDevice { kind: DeviceKind::Cpu, name: processor_name(), platform: None };
    let source = crowd::describe_source(source, threads, count_processors());
    let source = if UNOPTIMISED { format!("{source}; {SLOW}") } else { source };
    machine_measurement(kernel, device, Some(threads), source, runs)
}

/// Measures `memcpy`, `read` or `write`.
pub fn measure_streams(
    kind: KernelKind,
    setup: &Machine,
    progress: Progress<'_>,
) -> Result<Measurement, BenchError> {
    let wrong = |text: &str| Err(BenchError::Setup(text.to_owned()));
    if setup.bytes.is_empty() || setup.threads == 0 || setup.repeat.repetitions == 0 {
        return wrong("give at least one size, one thread and one repetition");
    }
    let mut runs = Vec::with_capacity(setup.bytes.len());
    for &bytes in &setup.bytes {
        let step = 8 * setup.threads as u64;
        let bytes = bytes.max(1).div_ceil(step).saturating_mul(step);
        let words = usize::try_from(bytes / step);
        let part = |_| words.as_ref().ok().and_then(|&words| Part::reserve(words));
        let Some(parts) = (0..setup.threads).map(part).collect::<Option<Vec<Part>>>() else {
            return wrong("this machine has not that much memory: give a smaller size");
        };
        runs.push(measure_stream(kind, setup, bytes, parts, progress)?);
    }
    let threads = if setup.threads == 1 {
        "one thread".to_owned()
    } else {
        format!("{} threads", setup.threads)
    };
    let source = format!("{threads} of this machine, its monotonic clock");
    Ok(threads_measurement(kind, setup.threads, source, runs))
}

fn measure_stream(
    kind: KernelKind,
    setup: &Machine,
    bytes: u64,
    parts: Vec<Part>,
    progress: Progress<'_>,
) -> Result<Run, BenchError> {
    let moved = |does: bool| Some(Bytes(if does { bytes as f64 } else { 0.0 }));
    let repetitions = setup.repeat.warm_up + setup.repeat.repetitions;
    let (seconds, passed) = side_by_side(kind, parts, repetitions, |at| {
        progress(&format!("{kind} of {bytes} bytes on this machine: {} of {repetitions}", at + 1));
    })?;
    let method = "every byte, or the sum of all, against what it must be".to_owned();
    Ok(Run {
        size: Some(Bytes(bytes as f64)),
        bytes_read: moved(kind != KernelKind::Write),
        bytes_written: moved(kind != KernelKind::Read),
        warm_up: Some(setup.repeat.warm_up as u64),
        launches: Some(0),
        seconds: seconds.into_iter().skip(setup.repeat.warm_up).map(Seconds).collect(),
        check: Some(ResultCheck { passed, method, worst_error: None, bound: None }),
        ..Run::default()
    })
}
