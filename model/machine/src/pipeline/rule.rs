use std::fmt;

use serde::Serialize;

use super::{
    dataflow_interval, dataflow_loop, outlined_pipelined_loop, outlined_plain_loop,
    ping_pong_latency, pipelined_function, pipelined_loop, plain_loop, sequence, stream_latency,
};
use derate_units::Cycles;
use derate_units::figures::grouped;

/// A rule with its inputs: one term of a latency. Counts are cycles, but for trips, calls and loops.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(tag = "rule", rename_all = "kebab-case")]
pub enum CycleRule {
    /// [`pipelined_loop`].
    PipelinedLoop {
        /// Trip count.
        trips: u64,
        /// Cycles between their starts.
        ii: u64,
        /// Stages of one.
        depth: u64,
    },
    /// [`plain_loop`].
    PlainLoop {
        /// Trip count.
        trips: u64,
        /// Cycles of one.
        iteration: u64,
    },
    /// [`outlined_pipelined_loop`].
    OutlinedPipelinedLoop {
        /// The loop.
        inner: u64,
    },
    /// [`outlined_plain_loop`].
    OutlinedPlainLoop {
        /// The loop.
        inner: u64,
    },
    /// [`sequence`].
    Sequence {
        /// Functions that are called.
        calls: u64,
        /// Loops that are not pipelined.
        plain: u64,
        /// Pipelined loops.
        pipelined: u64,
        /// Whether all that is the body of a loop.
        in_loop: bool,
        /// Their cycles.
        sum: u64,
    },
    /// [`pipelined_function`].
    PipelinedFunction {
        /// Its stages.
        depth: u64,
    },
    /// [`dataflow_interval`].
    DataflowInterval {
        /// The longest interval of its parts.
        slowest: u64,
    },
    /// [`dataflow_loop`].
    DataflowLoop {
        /// Trip count.
        trips: u64,
        /// The region's interval.
        interval: u64,
        /// The region's latency.
        latency: u64,
    },
    /// [`stream_latency`].
    StreamLatency {
        /// The longest latency of its parts.
        slowest: u64,
        /// Until that one has its first input, and after its last output.
        fill: u64,
    },
    /// [`ping_pong_latency`].
    PingPongLatency {
        /// The latencies along the longest path.
        path: u64,
    },
}

impl CycleRule {
    /// What it gives.
    #[must_use]
    pub fn cycles(self) -> Cycles {
        match self {
            Self::PipelinedLoop { trips, ii, depth } => pipelined_loop(trips, ii, depth),
            Self::PlainLoop { trips, iteration } => plain_loop(trips, iteration),
            Self::OutlinedPipelinedLoop { inner } => outlined_pipelined_loop(inner),
            Self::OutlinedPlainLoop { inner } => outlined_plain_loop(inner),
            Self::Sequence { calls, plain, pipelined, in_loop, sum } => {
                sequence(calls, plain, pipelined, in_loop, sum)
            }
            Self::PipelinedFunction { depth } => pipelined_function(depth),
            Self::DataflowInterval { slowest } => dataflow_interval(slowest),
            Self::DataflowLoop { trips, interval, latency } => {
                dataflow_loop(trips, interval, latency)
            }
            Self::StreamLatency { slowest, fill } => stream_latency(slowest, fill),
            Self::PingPongLatency { path } => ping_pong_latency(path),
        }
    }

    /// `pipelined loop`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::PipelinedLoop { .. } => "pipelined loop",
            Self::PlainLoop { .. } => "loop, not pipelined",
            Self::OutlinedPipelinedLoop { .. } => "pipelined loop as a module",
            Self::OutlinedPlainLoop { .. } => "loop as a module, not pipelined",
            Self::Sequence { in_loop: false, .. } => "sequence",
            Self::Sequence { in_loop: true, .. } => "body of a loop",
            Self::PipelinedFunction { .. } => "pipelined function",
            Self::DataflowInterval { .. } => "dataflow interval",
            Self::DataflowLoop { .. } => "loop over a dataflow region",
            Self::StreamLatency { .. } => "dataflow over FIFOs",
            Self::PingPongLatency { .. } => "dataflow over ping-pong buffers",
        }
    }

    /// The formula in its symbols.
    #[must_use]
    pub fn formula(self) -> &'static str {
        match self {
            Self::PipelinedLoop { .. } => "(T - 1) x II + max(D - 1, II)",
            Self::PlainLoop { .. } => "T x L",
            Self::OutlinedPipelinedLoop { .. } => "loop + 2",
            Self::OutlinedPlainLoop { .. } => "loop + 1",
            Self::Sequence { in_loop: false, .. } => "sum + (2 n - 1) + k + 2 p",
            Self::Sequence { in_loop: true, .. } => "sum + (2 n - 1) + k + 2 p + 1",
            Self::PipelinedFunction { .. } => "D - 1",
            Self::DataflowInterval { .. } => "max + 1",
            Self::DataflowLoop { .. } => "(T - 1) x interval + latency + 1",
            Self::StreamLatency { .. } => "max + fill",
            Self::PingPongLatency { .. } => "longest path + 2",
        }
    }
}

/// `pipelined loop: (T - 1) x II + max(D - 1, II), T = 49, II = 2, D = 2: 98 cycles`.
impl fmt::Display for CycleRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |value: u64| grouped(value as f64);
        write!(f, "{}: {}, ", self.name(), self.formula())?;
        match *self {
            Self::PipelinedLoop { trips, ii, depth } => {
                write!(f, "T = {}, II = {}, D = {}", number(trips), number(ii), number(depth))
            }
            Self::PlainLoop { trips, iteration } => {
                write!(f, "T = {}, L = {}", number(trips), number(iteration))
            }
            Self::OutlinedPipelinedLoop { inner } | Self::OutlinedPlainLoop { inner } => {
                write!(f, "loop = {}", number(inner))
            }
            Self::Sequence { calls, plain, pipelined, sum, .. } => write!(
                f,
                "sum = {}, n = {} calls, k = {} loops, p = {} pipelined loops",
                number(sum),
                number(calls),
                number(plain),
                number(pipelined)
            ),
            Self::PipelinedFunction { depth } => write!(f, "D = {}", number(depth)),
            Self::DataflowInterval { slowest } => write!(f, "max = {}", number(slowest)),
            Self::DataflowLoop { trips, interval, latency } => write!(
                f,
                "T = {}, interval = {}, latency = {}",
                number(trips),
                number(interval),
                number(latency)
            ),
            Self::StreamLatency { slowest, fill } => {
                write!(f, "max = {}, fill = {}", number(slowest), number(fill))
            }
            Self::PingPongLatency { path } => write!(f, "longest path = {}", number(path)),
        }?;
        write!(f, ": {} cycles", grouped(self.cycles().0))
    }
}
