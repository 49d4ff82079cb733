//! The latency of a whole inference, and what its gap to the roofline is made of.

use super::{Latency, PartEstimate, TermRule, Totals};
use crate::latency::Terms;
use crate::pass::launch_calls;
use crate::scenario::{PeakBasis, Scenario};
use crate::workload::Part;
use crate::{Array, Provenance};

/// The latency of the whole, and what it is made of.
pub(super) fn latency(
    scenario: &Scenario,
    parts: &[&PartEstimate],
    all: &[Part],
    totals: &Totals,
) -> Option<Latency> {
    let PeakBasis::Array(array) = &scenario.peaks else { return None };
    let mut terms = Terms::default();
    for part in parts {
        terms.add(part.latency.as_ref()?, 1.0);
    }
    terms.launch.0 += array.launch.value.0 * launch_calls(array.launches, all);
    let seconds = terms.total();
    Some(Latency {
        gap: totals.throughput_seconds.filter(|t| t.0 > 0.0).map(|roof| seconds / roof),
        seconds,
        terms,
        provenance: Provenance::Assumed,
        rules: rules(array),
        array: array.as_ref().clone(),
    })
}

/// The rule and the inputs of every term.
fn rules(array: &Array) -> Vec<TermRule> {
    let mhz = |hertz: f64| format!("{} MHz", hertz / 1e6);
    let size = format!(
        "{} rows x {} columns x {} multiply-adds",
        array.rows.value, array.columns.value, array.unroll.value
    );
    let rule = |term, rule, inputs: String| TermRule { term, rule, inputs };
    vec![
        rule(
            "roofline",
            "sum over kernels of max(multiply-adds / array / target clock, bytes / bandwidth)",
            format!("{size}, {}", mhz(array.target_clock.value.0)),
        ),
        rule(
            "edge tiles",
            "batch x ceil(M / rows) x ceil(N / columns) x ceil(K / unroll) cycles, less the ideal ones",
            size,
        ),
        rule(
            "accumulation",
            "every step of K waits II cycles for the adder",
            format!("II {} ({})", array.accumulation_ii.value, array.accumulation_ii.source),
        ),
        rule(
            "fill",
            "fill cycles per tile of the result",
            format!("{} cycles ({})", array.fill.value, array.fill.source),
        ),
        rule(
            "elementwise",
            "elements / lanes, where slower than the products of the same kernel",
            array.lanes.as_ref().map_or_else(
                || "as many lanes as memory feeds".to_owned(),
                |lanes| format!("{} lanes ({})", lanes.value, lanes.source),
            ),
        ),
        rule(
            "clock",
            "cycles at the achieved clock, less those at the target",
            format!(
                "{} achieved: {}; {} targeted",
                mhz(array.clock.value.0),
                array.clock.source,
                mhz(array.target_clock.value.0)
            ),
        ),
        rule(
            "memory latency",
            "2 x latency per kernel: its first read and its last write wait",
            format!("{} cycles ({})", array.memory_latency.value, array.memory_latency.source),
        ),
        rule(
            "launch",
            "time per kernel call x calls",
            format!(
                "{} ms per {} ({})",
                array.launch.value.0 * 1e3,
                array.launches.name(),
                array.launch.source
            ),
        ),
    ]
}
