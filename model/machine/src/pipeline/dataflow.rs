use derate_units::Cycles;

/// A dataflow region starts again one cycle after its slowest part: `max(interval) + 1`.
#[must_use]
pub fn dataflow_interval(slowest: u64) -> Cycles {
    Cycles(slowest as f64 + 1.0)
}

/// A loop whose whole body is a dataflow region: its iterations overlap as those of a pipelined loop do, with the region's
/// interval and latency: `(T - 1) x interval + latency + 1`. Held against two loops of one repository only.
#[must_use]
pub fn dataflow_loop(trips: u64, interval: u64, latency: u64) -> Cycles {
    if trips == 0 {
        return Cycles(0.0);
    }
    Cycles((trips - 1) as f64 * interval as f64 + latency as f64 + 1.0)
}

/// A dataflow region whose parts are joined by FIFOs: `max(latency) + fill`. The fill is what the others need before the
/// slowest has its first input, and after it has given its last output; 66 and 78 cycles were seen.
#[must_use]
pub fn stream_latency(slowest: u64, fill: u64) -> Cycles {
    Cycles(slowest as f64 + fill as f64)
}

/// A dataflow region whose parts are joined by ping-pong buffers: each waits for the whole result of the one before, so
/// that the latencies along the longest path add up, and two cycles (three were seen, too).
#[must_use]
pub fn ping_pong_latency(path: u64) -> Cycles {
    Cycles(path as f64 + 2.0)
}
