//! Work, traffic and time, and their sums.

use serde::Serialize;

use derate_units::{Bound, Bytes, Ops, OpsPerByte, OpsPerSecond, Seconds};

/// Work, traffic and time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Totals {
    /// Operations of matrix products.
    pub flops: Ops,
    /// All other operations; unknown where the workload does not model them.
    pub elementwise_ops: Option<Ops>,
    /// Bytes that cross external memory.
    pub bytes: Bytes,
    /// Bytes of weights among them.
    pub weight_bytes: Bytes,
    /// Operational intensity.
    pub oi: OpsPerByte,
    /// Which roof is the lower; unknown without a peak. For several kernels, the roof that takes the larger share of time.
    pub bound: Option<Bound>,
    /// Rate under that roof.
    pub attainable: Option<OpsPerSecond>,
    /// Time at that rate: a lower bound of what runs so, fused or not.
    pub throughput_seconds: Option<Seconds>,
    /// Time with fills, launches and memory latency.
    pub latency_seconds: Option<Seconds>,
}

/// Totals of several kernels run one after another; unknown where one of them is.
pub(super) fn sum_totals<'a>(kernels: impl Iterator<Item = (&'a Totals, u64)>) -> Totals {
    let mut total = Totals {
        flops: Ops(0.0),
        elementwise_ops: Some(Ops(0.0)),
        bytes: Bytes(0.0),
        weight_bytes: Bytes(0.0),
        oi: OpsPerByte(0.0),
        bound: None,
        attainable: None,
        throughput_seconds: Some(Seconds(0.0)),
        latency_seconds: Some(Seconds(0.0)),
    };
    let mut compute_bound = Seconds(0.0);
    let add = |sum: Option<Seconds>, own: Option<Seconds>, calls: f64| {
        sum.zip(own).map(|(sum, own)| sum + own * calls)
    };
    for (kernel, calls) in kernels {
        let calls = calls as f64;
        total.flops = total.flops + kernel.flops * calls;
        let elementwise = total.elementwise_ops.zip(kernel.elementwise_ops);
        total.elementwise_ops = elementwise.map(|(sum, own)| sum + own * calls);
        total.bytes = total.bytes + kernel.bytes * calls;
        total.weight_bytes = total.weight_bytes + kernel.weight_bytes * calls;
        total.throughput_seconds = add(total.throughput_seconds, kernel.throughput_seconds, calls);
        total.latency_seconds = add(total.latency_seconds, kernel.latency_seconds, calls);
        if let (Some(Bound::Compute), Some(time)) = (kernel.bound, kernel.throughput_seconds) {
            compute_bound = compute_bound + time * calls;
        }
    }
    if total.bytes.0 > 0.0 {
        total.oi = total.flops / total.bytes;
    }
    if let Some(time) = total.throughput_seconds.filter(|time| time.0 > 0.0) {
        total.attainable = Some(total.flops / time);
        total.bound =
            Some(if compute_bound.0 * 2.0 >= time.0 { Bound::Compute } else { Bound::Memory });
    }
    total
}
