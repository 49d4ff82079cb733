//! The latency of a whole inference, and what its gap to the roofline is made of.

use serde::Serialize;

use super::Totals;
use crate::latency::Terms;
use crate::pass::launch_calls;
use crate::scenario::Assumptions;
use crate::{Analysis, Array};
use derate_project::Launches;
use derate_units::figures::quantity;
use derate_units::{Provenance, Seconds};
use derate_workload::Part;

/// A latency and what it is made of.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Latency {
    /// The whole.
    pub seconds: Seconds,
    /// `latency / roofline time`.
    pub gap: Option<f64>,
    /// Seconds of each term; they sum up to the whole.
    pub terms: Terms,
    /// Time of the one call that starts all parts, where `launches` is `inference`: with it, the parts' latencies sum up to
    /// the whole.
    pub host_call: Seconds,
    /// How the figures are known.
    pub provenance: Provenance,
    /// The rule of each term.
    pub rules: Vec<TermRule>,
    /// The array that it is computed for.
    pub array: Array,
    /// What is not known about the array, in sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
}

/// How a term comes about.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TermRule {
    /// The term.
    pub term: &'static str,
    /// Its rule.
    pub rule: &'static str,
    /// The figures that it is computed from.
    pub inputs: String,
}

/// The latency of the whole from the terms of its `parts`; `None` where those of one part are not known.
pub(super) fn sum_latency(
    analysis: &Analysis,
    assumptions: &Assumptions,
    parts: impl IntoIterator<Item = Option<Terms>>,
    totals: &Totals,
    provenance: Provenance,
) -> Option<Latency> {
    let array = assumptions.array()?;
    let mut terms = Terms::default();
    for part in parts {
        terms.add(&part?, 1.0);
    }
    let host_call = match array.launches {
        Launches::Inference => array.launch.value,
        Launches::Kernel | Launches::Block | Launches::Part => Seconds(0.0),
    };
    terms.launch = terms.launch + host_call;
    let seconds = terms.total();
    Some(Latency {
        gap: totals.throughput_seconds.filter(|t| t.0 > 0.0).map(|roof| seconds / roof),
        seconds,
        terms,
        host_call,
        provenance,
        rules: term_rules(array, assumptions),
        array: array.clone(),
        unknown: array.unknown_figures(analysis),
    })
}

/// Time of the calls that start a whole part.
pub(super) fn part_launches(assumptions: &Assumptions, part: &Part) -> Seconds {
    match assumptions.array() {
        Some(array) if array.launches == Launches::Part => {
            array.launch.value * launch_calls(array.launches, std::slice::from_ref(part))
        }
        _ => Seconds(0.0),
    }
}

/// The rule and the inputs of every term.
fn term_rules(array: &Array, assumptions: &Assumptions) -> Vec<TermRule> {
    let size = format!(
        "{} rows x {} columns x {} multiply-adds",
        array.rows.value, array.columns.value, array.unroll.value
    );
    let rule = |term, rule, inputs: String| TermRule { term, rule, inputs };
    vec![
        rule(
            "roofline",
            "sum over kernels of max(multiply-adds / array / clock, bytes / bandwidth)",
            format!(
                "{size}, {} ({}), {} ({})",
                quantity(array.clock.value),
                array.clock.source,
                quantity(assumptions.bandwidth.value),
                assumptions.bandwidth.source
            ),
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
            "memory latency",
            "2 x latency per kernel: its first read and its last write wait",
            format!("{} cycles ({})", array.memory_latency.value, array.memory_latency.source),
        ),
        rule(
            "launch",
            "time per kernel call x calls",
            format!(
                "{} per {} ({})",
                quantity(array.launch.value),
                array.launches.name(),
                array.launch.source
            ),
        ),
    ]
}
