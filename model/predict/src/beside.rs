//! A measured run beside what memory and arithmetic of the same machine allow, as they were measured in the same session.

use derate_measure::{KernelKind, Run};
use derate_units::{Bound, Bytes, BytesPerSecond, Ops, OpsPerSecond, Seconds};

/// One run: predicted, measured, and how far apart.
#[derive(Clone, Debug, PartialEq)]
pub struct PredictedRun {
    /// What ran, such as `1 x 4096 x 4096 in nvfp4`.
    pub title: String,
    /// How its weights are stored.
    pub stored: String,
    /// What it reads and writes.
    pub bytes: Bytes,
    /// Operations of its products.
    pub flops: Ops,
    /// The bandwidth of reads of as many bytes, just before it and just after it: their mean.
    pub bandwidth: BytesPerSecond,
    /// The peak of the arithmetic that ran.
    pub peak: OpsPerSecond,
    /// `max(operations / peak, bytes / bandwidth)`.
    pub predicted: Seconds,
    /// The lower roof.
    pub bound: Bound,
    /// The middle repetition.
    pub measured: Seconds,
    /// The fastest and the slowest.
    pub extremes: (Seconds, Seconds),
    /// Repetitions that count.
    pub repetitions: usize,
}

impl PredictedRun {
    /// Of a run; `None` where it has no times, no extents or no bytes.
    pub fn of(
        run: &Run,
        kind: KernelKind,
        bandwidth: BytesPerSecond,
        peak: OpsPerSecond,
    ) -> Option<Self> {
        let (shape, count) = run.shape(kind)?;
        let operations = shape.operations();
        let flops = operations.iter().map(|(own, runs)| own.flops.0 * *runs as f64).sum::<f64>();
        let (flops, bytes) = (Ops(flops * count as f64), run.bytes()?);
        let (compute, memory) = (flops / peak, bytes / bandwidth);
        let bound = if compute >= memory { Bound::Compute } else { Bound::Memory };
        Some(Self {
            title: run.title()?,
            stored: run.stored()?.to_owned(),
            bytes,
            flops,
            bandwidth,
            peak,
            predicted: Seconds(compute.0.max(memory.0)),
            bound,
            measured: run.median()?,
            extremes: run.extremes()?,
            repetitions: run.seconds.len(),
        })
    }

    /// Predicted over measured, less one: the usual error of a prediction.
    pub fn error(&self) -> f64 {
        self.predicted / self.measured - 1.0
    }

    /// `|predicted - measured| / predicted`, as the guide of the second seed has it.
    pub fn error_of_predicted(&self) -> f64 {
        (self.predicted.0 - self.measured.0).abs() / self.predicted.0
    }

    /// The share of that bandwidth that its bytes reached.
    pub fn bandwidth_share(&self) -> f64 {
        self.bytes / self.measured / self.bandwidth
    }
}

#[cfg(test)]
mod tests {
    use derate_measure::GemmRun;

    use super::*;

    #[test]
    fn the_errors_are_those_of_their_formulas() {
        let run = Run {
            gemm: Some(GemmRun { m: 1, n: 100, k: 100, precision: "nvfp4".to_owned(), count: 1 }),
            bytes_read: Some(Bytes(6000.0)),
            bytes_written: Some(Bytes(0.0)),
            seconds: [2e-6, 1e-6, 4e-6].map(Seconds).to_vec(),
            ..Run::default()
        };
        let own = |peak| {
            let roof = BytesPerSecond(6e9);
            PredictedRun::of(&run, KernelKind::Gemv, roof, OpsPerSecond(peak)).unwrap()
        };
        let memory = own(1e12);
        assert_eq!(
            (memory.bound, memory.predicted, memory.measured),
            (Bound::Memory, Seconds(1e-6), Seconds(2e-6))
        );
        assert!(
            (memory.error() + 0.5).abs() < 1e-12
                && (memory.error_of_predicted() - 1.0).abs() < 1e-12
        );
        assert!((memory.bandwidth_share() - 0.5).abs() < 1e-12);
        assert_eq!(own(1e9).bound, Bound::Compute);
    }
}
