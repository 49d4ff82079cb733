use derate_units::Cycles;

/// The least initiation interval that a recurrence allows: `ceil(latency / distance)`, at least 1. A sum into one variable
/// has the adder's latency and distance 1; with `k` partial sums the distance is `k`.
#[must_use]
pub fn recurrence_interval(latency: Cycles, distance: u64) -> Cycles {
    Cycles((latency.0 / distance.max(1) as f64).ceil().max(1.0))
}
