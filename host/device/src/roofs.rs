//! A machine as a platform: what its memory gave, and what products of matrices reached.

mod cpu;
mod gpu;

use derate_model::measurement::{Measurement, Run};
use derate_model::operator::Shape;
use derate_model::units::{BytesPerSecond, OpsPerSecond};
use derate_model::{ArithmeticPeak, Figure, Precision, Processor, Provenance};

use crate::error::BenchError;
use crate::measure::{Cancel, Progress, Repeat};
use crate::operators::OperatorDevice;

const STREAMS: Repeat = Repeat { repetitions: 5, warm_up: 1 };
// The products, of which the fastest counts, are none that a sweep runs: a peak would be held against the run that it is from.
const PRODUCTS: Repeat = Repeat { repetitions: 5, warm_up: 2 };

/// What is measured, and its name.
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

/// A device as a platform, and what to know of its figures: sentences.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The platform.
    pub processor: Processor,
    /// What to know.
    pub notes: Vec<String>,
}

/// Measures a device. `cancel` is asked between measurements.
pub fn measure_roofs(
    device: &OperatorDevice,
    roofs: &Roofs<'_>,
    cancel: Cancel<'_>,
    progress: Progress<'_>,
) -> Result<Measured, BenchError> {
    let on = match device {
        OperatorDevice::Cpu { threads } => count_noun(*threads, "thread"),
        OperatorDevice::Gpu(gpu) => gpu.name().to_owned(),
    };
    let mut session = Session { device, roofs, on, cancel, progress, notes: Vec::new() };
    let processor = match device {
        OperatorDevice::Cpu { threads } => cpu::measure_cpu(*threads, &mut session)?,
        OperatorDevice::Gpu(gpu) => gpu::measure_gpu(gpu, &mut session)?,
    };
    Ok(Measured { processor, notes: session.notes })
}

/// A fastest repetition so far above the median one is a busy machine's.
const STEADY: f64 = 1.25;

/// Says so where the repetitions of a run differ much.
fn note_unsteady(run: &Run, what: &str) -> Option<String> {
    let median = run.median()?.0;
    let (fastest, _) = run.extremes()?;
    (median > STEADY * fastest.0).then(|| {
        format!(
            "of the {what}, the median repetition took {:.2} times as long as the fastest, which counts: the machine was busy, or its clock changed; measure again on an idle one",
            median / fastest.0
        )
    })
}

/// The measurements of one device.
struct Session<'a, 'b> {
    device: &'a OperatorDevice,
    roofs: &'a Roofs<'a>,
    /// What the figures are of, for their sources.
    on: String,
    cancel: Cancel<'a>,
    progress: Progress<'b>,
    notes: Vec<String>,
}

impl Session<'_, '_> {
    fn go_on(&self) -> Result<(), BenchError> {
        if (self.cancel)() { Err(BenchError::Cancelled) } else { Ok(()) }
    }

    /// The fastest repetition of the stream that was measured, and in its source the median one.
    fn stream_bandwidth(
        &mut self,
        measured: &Measurement,
        what: &str,
    ) -> Result<Figure<BytesPerSecond>, BenchError> {
        let run = measured.runs.first();
        let rates = run.and_then(|run| Some((run, run.best_bandwidth()?, run.bandwidth()?)));
        let Some((run, best, median)) = rates else {
            return Err(BenchError::Setup(format!("the {what} gave no time: measure again")));
        };
        if run.is_wrong() {
            return Err(BenchError::Setup(format!(
                "the {what} had wrong results: nothing is written"
            )));
        }
        self.notes.extend(note_unsteady(run, what));
        let source = format!(
            "{}: the fastest of {} repetitions of a {what} of {} bytes on {}; the median is {:.4} GB/s",
            self.roofs.command,
            run.seconds.len(),
            run.size.map_or(0.0, |size| size.0),
            self.on,
            median.0 / 1e9
        );
        Ok(Figure::new(best, Provenance::Measured, source))
    }

    /// The peak of an arithmetic: the fastest repetition of any product.
    fn find_peak(
        &mut self,
        precision: Precision,
        shapes: &[[u64; 3]],
    ) -> Result<ArithmeticPeak, BenchError> {
        let shapes = if self.roofs.shapes.is_empty() { shapes } else { &self.roofs.shapes };
        let key = precision.key();
        let mut best: Option<(f64, String, Run)> = None;
        for &[m, n, k] in shapes {
            let shape = Shape::Gemm { m, n, k };
            let run = self.device.run(&shape, precision, PRODUCTS, self.cancel, self.progress)?;
            if run.is_wrong() {
                return Err(BenchError::Setup(format!(
                    "a product of {m} x {n} x {k} in {precision} was wrong: nothing is written"
                )));
            }
            let rate = run.ops().zip(run.extremes()).map(|(ops, (fastest, _))| (ops / fastest).0);
            if let Some(rate) = rate.filter(|rate| best.as_ref().is_none_or(|best| *rate > best.0))
            {
                best = Some((rate, format!("{m} x {n} x {k} of {key} operands"), run));
            }
        }
        let (rate, what, run) =
            best.ok_or_else(|| BenchError::Setup("give at least one product".to_owned()))?;
        self.notes.extend(note_unsteady(&run, &format!("product {what}")));
        let own = self.device.arithmetic(precision)?;
        let known = |name: &str| {
            let known = Precision::parse(name);
            known.ok_or_else(|| BenchError::Setup(format!("`{name}` is not a precision")))
        };
        let source = format!(
            "{}: the fastest repetition of {}, {what} on {}",
            self.roofs.command,
            count_noun(shapes.len(), "product"),
            self.on
        );
        Ok(ArithmeticPeak {
            arithmetic: known(&own.arithmetic)?,
            accumulate: known(&own.accumulate)?,
            engine: own.engine,
            rate: Figure::new(OpsPerSecond(rate), Provenance::Measured, source),
        })
    }
}

/// `1 thread`, `2 threads`.
fn count_noun(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use derate_model::operator::OperatorKind;
    use derate_model::units::Seconds;

    use super::*;

    #[test]
    fn no_product_of_a_peak_is_one_of_a_sweep() {
        let ladder = OperatorKind::Gemm.sweep_shapes();
        for [m, n, k] in cpu::SHAPES.into_iter().chain(gpu::SHAPES) {
            let shape = Shape::Gemm { m, n, k };
            assert!(
                !ladder.contains(&shape) && shape != OperatorKind::Gemm.default_shape(),
                "{shape:?}"
            );
        }
    }

    #[test]
    fn a_busy_machine_is_told_and_a_steady_one_is_not() {
        let run = |times: [f64; 3]| Run { seconds: times.map(Seconds).to_vec(), ..Run::default() };
        assert_eq!(note_unsteady(&run([1.0, 1.2, 9.0]), "read"), None);
        let said = note_unsteady(&run([1.0, 1.5, 1.6]), "read").unwrap();
        assert!(said.starts_with("of the read, the median repetition took 1.50 times"), "{said}");
        assert_eq!(note_unsteady(&Run::default(), "read"), None);
    }
}
