//! This machine as a platform: what its memory gave, and what products of matrices reached.

use derate_model::measurement::{Kind, Run};
use derate_model::operator::Shape;
use derate_model::units::{Bytes, BytesPerSecond, OpsPerSecond};
use derate_model::{
    ArithmeticPeak, Figure, Precision, Processor, ProcessorKind, ProcessorMemory, Provenance,
    UnknownPeak,
};

use super::cache::LastCache;
use super::{Machine, name, streams};
use crate::bench::{BenchError, Cancel, OperatorDevice, Progress, Repeat};

/// Arrays of so many times the last cache: what is left in it is no large part.
const TIMES: u64 = 4;

/// Bytes of a stream where nobody tells of a cache.
const UNKNOWN_CACHE: u64 = 1 << 30;

/// No stream is larger.
const LARGEST: u64 = 4 << 30;

const STREAMS: Repeat = Repeat { repetitions: 5, warm_up: 1 };
const PRODUCTS: Repeat = Repeat { repetitions: 5, warm_up: 2 };

/// Rows, columns and terms of the products, of which the fastest counts: none that a sweep runs, or a peak would be held
/// against the run that it is from.
const SHAPES: [[u64; 3]; 4] =
    [[800, 800, 800], [1088, 1088, 1088], [1600, 1600, 1024], [1200, 2048, 1024]];

/// What is measured, and how it is called.
#[derive(Clone, Debug)]
pub struct Roofs<'a> {
    /// Its short name.
    pub name: &'a str,
    /// Threads that all figures are of.
    pub threads: usize,
    /// The command that gives the figures again, for their sources.
    pub command: &'a str,
    /// Bytes of each stream; several times the last cache where nothing is said.
    pub stream: Option<u64>,
    /// Products to try; a few large ones where there are none.
    pub shapes: Vec<[u64; 3]>,
}

/// `1 thread`, `2 threads`.
fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// The fastest repetition and the median one of a stream, for a source.
fn reached(run: &Run, what: &str, roofs: &Roofs<'_>) -> Result<Figure<BytesPerSecond>, BenchError> {
    let (best, median) = run
        .best_bandwidth()
        .zip(run.bandwidth())
        .ok_or_else(|| BenchError::Setup(format!("the {what} gave no time: measure again")))?;
    if run.is_wrong() {
        return Err(BenchError::Setup(format!("the {what} had wrong results: nothing is written")));
    }
    let source = format!(
        "{}: the fastest of {} repetitions of a {what} of {} bytes on {}; the median is {:.4} GB/s",
        roofs.command,
        run.seconds.len(),
        run.size.map_or(0.0, |size| size.0),
        counted(roofs.threads, "thread"),
        median.0 / 1e9
    );
    Ok(Figure::new(best, Provenance::Measured, source))
}

/// The peak of an arithmetic by the fastest repetition of any product; `None` where somebody wants it to stop.
fn peak(
    precision: Precision,
    device: &OperatorDevice,
    roofs: &Roofs<'_>,
    cancel: Cancel<'_>,
    progress: Progress<'_>,
) -> Result<ArithmeticPeak, BenchError> {
    let shapes: &[[u64; 3]] = if roofs.shapes.is_empty() { &SHAPES } else { &roofs.shapes };
    let mut best: Option<(f64, [u64; 3])> = None;
    for &shape @ [m, n, k] in shapes {
        let run = device.run(&Shape::Gemm { m, n, k }, precision, PRODUCTS, cancel, progress)?;
        if run.is_wrong() {
            return Err(BenchError::Setup(format!(
                "a product of {m} x {n} x {k} in {precision} was wrong: nothing is written"
            )));
        }
        let rate = run.ops().zip(run.extremes()).map(|(ops, (fastest, _))| (ops / fastest).0);
        if let Some(rate) = rate.filter(|rate| best.is_none_or(|(known, _)| *rate > known)) {
            best = Some((rate, shape));
        }
    }
    let (rate, [m, n, k]) =
        best.ok_or_else(|| BenchError::Setup("give at least one product".to_owned()))?;
    let own = device.arithmetic(precision)?;
    let known = |name: &str| {
        Precision::parse(name).ok_or_else(|| BenchError::Setup(format!("`{name}` is no precision")))
    };
    let source = format!(
        "{}: the fastest repetition of {}, {m} x {n} x {k} of {} operands on {}",
        roofs.command,
        counted(shapes.len(), "product"),
        precision.key(),
        counted(roofs.threads, "thread")
    );
    Ok(ArithmeticPeak {
        arithmetic: known(&own.arithmetic)?,
        accumulate: known(&own.accumulate)?,
        engine: own.engine,
        rate: Figure::new(OpsPerSecond(rate), Provenance::Measured, source),
    })
}

/// Measures this machine. `cancel` is asked between measurements.
pub fn roofs(
    roofs: &Roofs<'_>,
    cancel: Cancel<'_>,
    progress: Progress<'_>,
) -> Result<Processor, BenchError> {
    let cache = LastCache::of_this_machine().map(|cache| cache.of_threads(roofs.threads));
    let beyond = cache.map_or(UNKNOWN_CACHE, |own| own.holds().saturating_mul(TIMES).min(LARGEST));
    let bytes = vec![roofs.stream.unwrap_or(beyond)];
    let setup = Machine { bytes, threads: roofs.threads, repeat: STREAMS };
    let mut stream = |kind: Kind, what: &str| {
        if cancel() {
            return Err(BenchError::Cancelled);
        }
        let measured = streams(kind, &setup, progress)?;
        let run = measured.runs.first().ok_or_else(|| BenchError::Setup("no run".to_owned()))?;
        reached(run, what, roofs)
    };
    let bandwidth = stream(Kind::Read, "read")?;
    let copy_bandwidth = stream(Kind::Memcpy, "copy")?;
    let device = OperatorDevice::Cpu { threads: roofs.threads };
    let peaks = [Precision::FP32, Precision::INT8]
        .into_iter()
        .map(|precision| peak(precision, &device, roofs, cancel, progress))
        .collect::<Result<Vec<_>, _>>()?;
    let why = |precision: Precision, instead: &str| UnknownPeak {
        arithmetic: precision,
        reason: format!(
            "derate has no kernel here that multiplies {precision}: elements stored so are widened to {instead}, whose peak counts"
        ),
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = Figure::new(
        roofs.threads as f64,
        Provenance::Measured,
        format!(
            "threads that every figure here was measured with; this process may use {cores} processors"
        ),
    );
    let cache = cache.map(|own| {
        let source = format!(
            "/sys/devices/system/cpu: {} of the last level with {} bytes each, as many as {} may use at a time",
            own.count,
            own.bytes,
            counted(roofs.threads, "thread")
        );
        Figure::new(Bytes(own.holds() as f64), Provenance::Derived, source)
    });
    Ok(Processor {
        name: roofs.name.to_owned(),
        title: format!("{}, as measured on {}", name(), counted(roofs.threads, "thread")),
        kind: ProcessorKind::Cpu,
        memory: ProcessorMemory {
            title: "main memory".to_owned(),
            bandwidth,
            copy_bandwidth: Some(copy_bandwidth),
            capacity: None,
        },
        units: Some(threads),
        last_level_cache: cache,
        power: None,
        peaks,
        disputed: Vec::new(),
        unknown: vec![
            why(Precision::FP16, "FP32"),
            why(Precision::BF16, "FP32"),
            why(Precision::INT8, "16 bits"),
        ],
    })
}

#[cfg(test)]
mod tests {
    use derate_model::operator::OperatorKind;

    use super::*;

    #[test]
    fn no_product_of_a_peak_is_one_of_a_sweep() {
        let ladder = OperatorKind::Gemm.ladder();
        for [m, n, k] in SHAPES {
            let shape = Shape::Gemm { m, n, k };
            assert!(!ladder.contains(&shape) && shape != OperatorKind::Gemm.usual(), "{shape:?}");
        }
    }
}
