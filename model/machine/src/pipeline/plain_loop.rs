use derate_units::Cycles;

/// A loop that is not pipelined: `T x L` for trip count `T` and iteration latency `L`.
#[must_use]
pub fn plain_loop(trips: u64, iteration: u64) -> Cycles {
    Cycles(trips as f64 * iteration as f64)
}
