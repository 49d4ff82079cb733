//! What the roofline says of one point, in short.

use derate_model::predict::{PhaseSums, Prediction};
use derate_model::{Bound, Provenance};
use serde::{Deserialize, Serialize};

/// A point as it is predicted, on the platform that its sweep names.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Outlook {
    /// Operations of its products.
    pub(crate) flops: f64,
    /// Bytes that cross memory, each operand once.
    pub(crate) bytes: f64,
    /// Operational intensity.
    pub(crate) oi: f64,
    /// At the roofs; none where the peak is not known.
    pub(crate) seconds: Option<f64>,
    /// By those seconds.
    pub(crate) rate: Option<f64>,
    /// By those seconds.
    pub(crate) bandwidth: Option<f64>,
    /// All bytes at the bandwidth: it takes no less.
    pub(crate) memory_seconds: f64,
    /// `FLOP/s` or `OP/s`.
    pub(crate) unit: String,
    /// The roof that holds it: `memory` or `compute`; none where the peak is not known, or parts differ.
    pub(crate) bound: Option<String>,
    /// How well that is known.
    pub(crate) provenance: Provenance,
    /// Why the peak is not known.
    pub(crate) unknown: Option<String>,
}

impl Outlook {
    /// Of a whole prediction.
    pub(crate) fn of(prediction: &Prediction) -> Self {
        let sums = || prediction.phases.iter().map(|phase| &phase.totals);
        let flops: f64 = sums().map(|sums| sums.flops.0).sum();
        let bytes: f64 = sums().map(|sums| sums.bytes.0).sum();
        let memory_seconds: f64 = sums().map(|sums| sums.memory_seconds.0).sum();
        let known = |sums: &PhaseSums| sums.seconds.map(|seconds| seconds.0);
        let seconds: Option<f64> = sums().map(known).sum();
        let bounds: Vec<Option<Bound>> = sums().map(|sums| sums.bound).collect();
        let alike = bounds.windows(2).all(|pair| pair.first() == pair.last());
        let bound = bounds.first().copied().flatten().filter(|_| alike);
        let peak = prediction.roofs.peaks.first();
        let integer = peak.is_some_and(|peak| !peak.arithmetic.is_float());
        Self {
            flops,
            bytes,
            oi: flops / bytes,
            seconds,
            rate: seconds.map(|seconds| flops / seconds),
            bandwidth: seconds.map(|seconds| bytes / seconds),
            memory_seconds,
            unit: if integer { "OP/s" } else { "FLOP/s" }.to_owned(),
            bound: bound.map(|bound| bound.as_str().to_owned()),
            provenance: prediction.roofs.provenance(),
            unknown: peak.and_then(|peak| peak.rate.as_ref().err().map(ToString::to_string)),
        }
    }
}
