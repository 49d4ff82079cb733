use derate_units::Cycles;

/// A function that is pipelined itself: `D - 1` cycles for depth `D`.
#[must_use]
pub fn pipelined_function(depth: u64) -> Cycles {
    Cycles((depth as f64 - 1.0).max(0.0))
}
