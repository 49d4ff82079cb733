//! A machine as a platform: what its memory gave, and what products of matrices reached.

mod cpu;
mod gpu;

use derate_model::measurement::Run;
use derate_model::operator::Shape;
use derate_model::units::{BytesPerSecond, OpsPerSecond};
use derate_model::{ArithmeticPeak, Figure, Precision, Processor, Provenance};

use crate::bench::{BenchError, Cancel, OperatorDevice, Progress, Repeat};

const STREAMS: Repeat = Repeat { repetitions: 5, warm_up: 1 };
const PRODUCTS: Repeat = Repeat { repetitions: 5, warm_up: 2 };

/// What is measured, and how it is called.
#[derive(Clone, Debug)]
pub struct Roofs<'a> {
    /// Its short name.
    pub name: &'a str,
    /// The command that gives the figures again, for their sources.
    pub command: &'a str,
    /// Bytes of each stream; several times the last cache where nothing is said.
    pub stream: Option<u64>,
    /// Products to try; a few large ones where there are none.
    pub shapes: Vec<[u64; 3]>,
}

/// Measures a device. `cancel` is asked between measurements.
pub fn roofs(
    device: &OperatorDevice,
    roofs: &Roofs<'_>,
    cancel: Cancel<'_>,
    progress: Progress<'_>,
) -> Result<Processor, BenchError> {
    match device {
        OperatorDevice::Cpu { threads } => cpu::roofs(*threads, device, roofs, cancel, progress),
        OperatorDevice::Gpu(gpu) => gpu::roofs(gpu, device, roofs, cancel, progress),
    }
}

/// The fastest repetition of a stream, and in its source the median one.
fn reached(
    run: &Run,
    what: &str,
    on: &str,
    roofs: &Roofs<'_>,
) -> Result<Figure<BytesPerSecond>, BenchError> {
    let (best, median) = run
        .best_bandwidth()
        .zip(run.bandwidth())
        .ok_or_else(|| BenchError::Setup(format!("the {what} gave no time: measure again")))?;
    if run.is_wrong() {
        return Err(BenchError::Setup(format!("the {what} had wrong results: nothing is written")));
    }
    let source = format!(
        "{}: the fastest of {} repetitions of a {what} of {} bytes on {on}; the median is {:.4} GB/s",
        roofs.command,
        run.seconds.len(),
        run.size.map_or(0.0, |size| size.0),
        median.0 / 1e9
    );
    Ok(Figure::new(best, Provenance::Measured, source))
}

/// The peak of an arithmetic: the fastest repetition of any product.
fn peak(
    precision: Precision,
    shapes: &[[u64; 3]],
    on: &str,
    device: &OperatorDevice,
    roofs: &Roofs<'_>,
    cancel: Cancel<'_>,
    progress: Progress<'_>,
) -> Result<ArithmeticPeak, BenchError> {
    let shapes = if roofs.shapes.is_empty() { shapes } else { &roofs.shapes };
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
        "{}: the fastest repetition of {}, {m} x {n} x {k} of {} operands on {on}",
        roofs.command,
        counted(shapes.len(), "product"),
        precision.key(),
    );
    Ok(ArithmeticPeak {
        arithmetic: known(&own.arithmetic)?,
        accumulate: known(&own.accumulate)?,
        engine: own.engine,
        rate: Figure::new(OpsPerSecond(rate), Provenance::Measured, source),
    })
}

/// `1 thread`, `2 threads`.
fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
