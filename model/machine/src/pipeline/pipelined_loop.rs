use derate_units::Cycles;

/// A pipelined loop: `(T - 1) x II + max(D - 1, II)` cycles for trip count `T`, initiation interval `II` and depth `D`.
///
/// The last iteration starts after `(T - 1) x II` and needs `D - 1` more; csynth does not count the cycle that a textbook's
/// `+ D` has. The loop does not end before the last iteration's own interval has passed: no loop takes less than `T x II`,
/// which shows where `D <= II`. At `II = 1` that is the `max(D - 1, 1)` of the single-stage loop.
///
/// A loop of no iterations takes no cycles.
#[must_use]
pub fn pipelined_loop(trips: u64, ii: u64, depth: u64) -> Cycles {
    if trips == 0 {
        return Cycles(0.0);
    }
    let (trips, ii, depth) = (trips as f64, ii.max(1) as f64, depth as f64);
    Cycles((trips - 1.0) * ii + (depth - 1.0).max(ii))
}

/// What no report that was seen exceeds: one initiation interval more. Some schedules hold the last iteration longer than the
/// printed depth says; why is not printed, but it never costs more than one interval.
#[must_use]
pub fn pipelined_loop_at_most(trips: u64, ii: u64, depth: u64) -> Cycles {
    if trips == 0 {
        return Cycles(0.0);
    }
    pipelined_loop(trips, ii, depth) + Cycles(ii.max(1) as f64)
}
