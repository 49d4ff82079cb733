//! What synthesis reports say of the latency of kernels.

use derate_hls::Report;
use serde::Serialize;

use crate::Analysis;
use derate_kernel::pipeline::reported_latency;
use derate_units::figures::significant;
use derate_units::{Cycles, Figure, Hertz, Provenance, Seconds};

/// The latency of a kernel's top function, as its synthesis report prints it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SynthesisedKernel {
    /// The top function.
    pub top: String,
    /// Cycles in the best case, where the report prints them.
    pub best: Option<Figure<Cycles>>,
    /// Cycles in the worst case.
    pub worst: Figure<Cycles>,
    /// The clock that the time is counted at: the one that was reached, else the report's own target; unknown where
    /// neither is printed.
    pub clock: Option<Figure<Hertz>>,
    /// Time of the worst case at that clock: the tool takes external memory never to stall.
    pub seconds: Option<Figure<Seconds>>,
    /// Why there is no time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
}

/// One row per report that prints a latency.
pub(super) fn list_synthesised(analysis: &Analysis) -> Vec<SynthesisedKernel> {
    let reached = analysis.reached_clock();
    let rows = analysis.build.reports.iter().filter_map(|report| {
        let latency = reported_latency(report).ok()?;
        let clock = reached.clone().or_else(|| target_clock(report));
        let unknown = clock.is_none().then(|| {
            format!(
                "the report of {} names no target clock, and nothing says what clock was reached: give `clock` under [design]",
                latency.top
            )
        });
        Some(SynthesisedKernel {
            seconds: clock.as_ref().map(|clock| worst_time(&latency.worst, clock)),
            top: latency.top,
            best: latency.best,
            worst: latency.worst,
            clock,
            unknown,
        })
    });
    rows.collect()
}

/// The clock that a synthesis was asked for.
fn target_clock(report: &Report) -> Option<Figure<Hertz>> {
    let own = report.top_module().and_then(|module| module.clock.target.as_ref());
    let period = own.or(report.clock.target.as_ref())?.value.known().filter(|ns| *ns > 0.0)?;
    let source =
        format!("the target period of {} ns that the report prints", significant(period, 4));
    Some(Figure::new(Hertz(1e9 / period), Provenance::Synthesised, source))
}

fn worst_time(cycles: &Figure<Cycles>, clock: &Figure<Hertz>) -> Figure<Seconds> {
    Figure::new(
        cycles.value / clock.value,
        Provenance::of_inputs([cycles.provenance, clock.provenance]),
        format!("cycles of {}; clock: {}", cycles.source, clock.source),
    )
}
