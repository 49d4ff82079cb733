//! What synthesis reports say of the latency of kernels.

use serde::Serialize;

use crate::pipeline::reported_latency;
use crate::units::{Cycles, Hertz, Seconds};
use crate::{Analysis, Figure, Provenance};

/// The latency of a kernel's top function, as its synthesis report prints it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SynthesisedKernel {
    /// The top function.
    pub top: String,
    /// Cycles in the best case, where the report prints them.
    pub best: Option<Figure<Cycles>>,
    /// Cycles in the worst case.
    pub worst: Figure<Cycles>,
    /// The clock that they are counted at.
    pub clock: Figure<Hertz>,
    /// Time of the worst case: the tool takes external memory never to stall.
    pub seconds: Seconds,
    /// `Synthesised`: the cycles are the tool's.
    pub provenance: Provenance,
}

/// One row per report that prints a latency.
pub(super) fn synthesised(analysis: &Analysis) -> Vec<SynthesisedKernel> {
    let clock = analysis.achieved_clock();
    let rows = analysis.build.reports.iter().filter_map(|report| {
        let latency = reported_latency(report).ok()?;
        Some(SynthesisedKernel {
            top: latency.top,
            best: latency.best,
            seconds: latency.worst.value / clock.value,
            worst: latency.worst,
            provenance: Provenance::Synthesised,
            clock: clock.clone(),
        })
    });
    rows.collect()
}
