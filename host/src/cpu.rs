//! This machine, really measured: its memory, and `ndarray`'s product of matrices.

mod cache;
mod notes;
mod part;

use std::hint::black_box;
use std::time::Instant;

use derate_model::Provenance;
use derate_model::measurement::{
    Check, Device, DeviceKind, Gemm, Kind, Measurement, Run, Schema, Versions,
};
use derate_model::units::{Bytes, Seconds};
use ndarray::Array2;
pub use notes::notes;
use part::{Part, side_by_side};

use crate::bench::{BenchError, Element, Oracle, Progress, Repeat, room, versions};

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
    /// `memcpy`, `read` or `write`: bytes of each run. Empty for products.
    pub bytes: Vec<u64>,
    /// Products in single precision: `m`, `n`, `k`.
    pub products: Vec<[u64; 3]>,
    /// Threads that share the bytes; products take one.
    pub threads: usize,
    /// How often.
    pub repeat: Repeat,
}

/// The processor's name, as Linux tells it.
fn name() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let model = model.map(|(_, name)| name.trim()).filter(|name| !name.is_empty());
    model.map_or_else(|| format!("a processor of {}", std::env::consts::ARCH), str::to_owned)
}

fn measurement(kernel: Kind, source: String, runs: Vec<Run>) -> Measurement {
    Measurement {
        schema: Schema::V1,
        kernel,
        device: Device { kind: DeviceKind::Cpu, name: name(), platform: None },
        provenance: Provenance::Measured,
        source: if UNOPTIMISED { format!("{source}; {SLOW}") } else { source },
        command: None,
        compute_units: None,
        ports: Vec::new(),
        kernel_clock: None,
        memory_clock: None,
        versions: versions(&Versions::default()),
        runs,
    }
}

/// Measures `memcpy`, `read` or `write`.
pub fn streams(
    kind: Kind,
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
        runs.push(stream(kind, setup, bytes, parts, progress)?);
    }
    let threads = if setup.threads == 1 {
        "one thread".to_owned()
    } else {
        format!("{} threads", setup.threads)
    };
    let source = format!("{threads} of this machine, its monotonic clock");
    Ok(measurement(kind, source, runs))
}

fn stream(
    kind: Kind,
    setup: &Machine,
    bytes: u64,
    parts: Vec<Part>,
    progress: Progress<'_>,
) -> Result<Run, BenchError> {
    let moved = |does: bool| Some(Bytes(if does { bytes as f64 } else { 0.0 }));
    let repetitions = setup.repeat.warm_up + setup.repeat.repetitions;
    let (seconds, passed) = side_by_side(kind, parts, repetitions, |at| {
        progress(&format!("{kind} of {bytes} bytes on this machine: {} of {repetitions}", at + 1));
    })
    .map_err(BenchError::Setup)?;
    let method = "every byte, or the sum of all, against what it must be".to_owned();
    Ok(Run {
        size: Some(Bytes(bytes as f64)),
        bytes_read: moved(kind != Kind::Write),
        bytes_written: moved(kind != Kind::Read),
        warm_up: Some(setup.repeat.warm_up as u64),
        launches: Some(0),
        seconds: seconds.into_iter().skip(setup.repeat.warm_up).map(Seconds).collect(),
        check: Some(Check { passed, method, worst_error: None, bound: None }),
        ..Run::default()
    })
}

/// Measures `ndarray`'s `dot` in single precision, on one thread.
pub fn products(setup: &Machine, progress: Progress<'_>) -> Result<Measurement, BenchError> {
    if setup.products.is_empty() || setup.repeat.repetitions == 0 {
        return Err(BenchError::Setup("give at least one size and one repetition".to_owned()));
    }
    let mut runs = Vec::with_capacity(setup.products.len());
    for &[m, n, k] in &setup.products {
        let extent =
            |size: u64| usize::try_from(size).ok().filter(|size| (1..=1 << 16).contains(size));
        let (Some(rows), Some(columns), Some(terms)) = (extent(m), extent(n), extent(k)) else {
            return Err(BenchError::Setup(format!("{m} x {n} x {k}: give extents of 1 to 65536")));
        };
        if (rows * terms).max(terms * columns).max(rows * columns) > 1 << 26 {
            return Err(BenchError::Setup(format!(
                "{m} x {n} x {k} has a matrix of more than 2^26 elements"
            )));
        }
        // In f32 the operands and the product; in f64 the operands with their magnitudes, the exact product, that of the
        // magnitudes, and what is held against it.
        let (operands, result) = (m * k + k * n, m * n);
        let held = (4 + 16) * operands + (4 + 24) * result;
        room(held, &format!("checking a product of {m} x {n} x {k}"))?;
        runs.push(product([rows, columns, terms], setup.repeat, progress));
    }
    let source = "ndarray's dot on one thread of this machine, its monotonic clock".to_owned();
    Ok(measurement(Kind::Gemm, source, runs))
}

#[expect(clippy::many_single_char_names, reason = "matrices and their extents have these names")]
fn product([m, n, k]: [usize; 3], repeat: Repeat, progress: Progress<'_>) -> Run {
    let draw = |rows, columns, seed: usize| {
        Array2::from_shape_fn((rows, columns), |(i, j)| {
            let number = (i * 31 + j * 17 + seed) % 2048;
            number as f32 / 1024.0 - 1.0
        })
    };
    let (a, b): (Array2<f32>, Array2<f32>) = (draw(m, k, 1), draw(k, n, 7));
    let oracle = Oracle::new(Element::Fp32, &a.mapv(f64::from), &b.mapv(f64::from));
    let (rows, columns, terms) = (m as u64, n as u64, k as u64);
    let mut run = Run {
        size: Some(Bytes((4 * (rows * terms + terms * columns + rows * columns)) as f64)),
        gemm: Some(Gemm { m: rows, n: columns, k: terms, precision: "fp32".to_owned(), count: 1 }),
        warm_up: Some(repeat.warm_up as u64),
        launches: Some(0),
        ..Run::default()
    };
    let mut check: Option<Check> = None;
    let repetitions = repeat.warm_up + repeat.repetitions;
    for at in 0..repetitions {
        progress(&format!("gemm of {m} x {n} x {k} on this machine: {} of {repetitions}", at + 1));
        let begin = Instant::now();
        let c = black_box(&a).dot(black_box(&b));
        let took = begin.elapsed();
        let this = oracle.check(&c.mapv(f64::from));
        if check.as_ref().is_none_or(|known| known.passed && !this.passed) {
            check = Some(this);
        }
        if at >= repeat.warm_up {
            run.seconds.push(Seconds(took.as_secs_f64()));
        }
    }
    run.check = check;
    run
}
