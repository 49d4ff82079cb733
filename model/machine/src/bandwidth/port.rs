use serde::{Deserialize, Serialize};

use crate::KernelDefaults;
use derate_units::{Bytes, Hertz};

/// Which way a port moves data.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Reads alone, or phases of reading and of writing that do not overlap.
    Read,
    /// Writes alone.
    Write,
    /// As many reads as writes at the same time; both count.
    Copy,
}

impl Direction {
    /// As files spell it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Copy => "copy",
        }
    }
}

/// In which order a port asks.
///
/// Nothing that derate reads of a project says so: its ports are taken to ask in sequence.
/// `docs/book/src/validation.md` compares the others with published measurements.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Pattern {
    /// One address after the other.
    Sequential,
    /// Each burst somewhere else, answered in order.
    Random,
    /// The same through a random-access attachment (RAMA), which may answer out of order.
    Reordered,
}

/// One `m_axi` port of a kernel, and the channels that it reaches.
#[derive(Clone, Debug, PartialEq)]
pub struct Port {
    /// Bits that it moves in one cycle.
    pub width_bits: f64,
    /// The kernel's clock.
    pub clock: Hertz,
    /// Beats in one burst.
    pub burst_beats: f64,
    /// Bursts that it keeps in flight.
    pub outstanding: f64,
    /// Which way.
    pub direction: Direction,
    /// In which order.
    pub pattern: Pattern,
    /// The first and the last channel that it reaches.
    pub channels: (usize, usize),
}

impl Port {
    /// A port that reads in sequence from one channel, with the bursts that HLS gives it by default.
    pub fn sequential(
        width_bits: f64,
        clock: Hertz,
        channel: usize,
        defaults: &KernelDefaults,
    ) -> Self {
        Self {
            width_bits,
            clock,
            burst_beats: defaults.m_axi_burst.value,
            outstanding: defaults.m_axi_outstanding.value,
            direction: Direction::Read,
            pattern: Pattern::Sequential,
            channels: (channel, channel),
        }
    }

    /// `count` of those, spread evenly over the first `channels` channels.
    pub fn spread(
        count: usize,
        channels: usize,
        width_bits: f64,
        clock: Hertz,
        defaults: &KernelDefaults,
    ) -> Vec<Self> {
        let channels = channels.max(1);
        (0..count).map(|at| Self::sequential(width_bits, clock, at % channels, defaults)).collect()
    }

    /// Bytes of one burst.
    pub fn burst(&self) -> Bytes {
        Bytes(self.width_bits / 8.0 * self.burst_beats)
    }

    /// How many channels it reaches.
    pub fn reach(&self) -> usize {
        self.channels.1.saturating_sub(self.channels.0).saturating_add(1)
    }
}
