//! What external memory gives a design: ports, pseudo channels and bursts in flight.
//!
//! A port moves `W x f_k x b / (b + g)` (width, kernel clock, beats in a burst, idle cycles after it); a channel gives
//! `eta x W_c x f_c` (efficiency, its port's width and clock); bursts in flight carry `N x B / (L + b / f_k)` (bursts,
//! bytes of one, latency). A stream gets the least of the three, a design the least of all its ports, of all the channels
//! they reach, and of what the card allows. That is where the U280's 300 GB/s comes from: 32 ports x 256 bit x 300 MHz are
//! 307.2 GB/s. It is a figure of the ports, not of the memory, and wrong for other widths, counts and clocks.
//!
//! The parameters are those of [`Memory`](crate::Memory) and its [`Limits`](crate::Limits), each with its source;
//! `docs/book/src/validation.md` holds the model against published measurements.

mod aggregate;
mod channels;
mod clocks;
mod declared;
mod explain;
mod known;
mod linked;
mod place;
mod port;
mod single_stream;
mod supply;
mod wire;
mod wiring;

use serde::Serialize;

pub use aggregate::aggregate_bandwidth;
pub use channels::Channels;
pub use clocks::Asked;
pub use declared::declared_ports;
pub use explain::{Explained, explain_bandwidth};
pub use known::{KnownPort, known_ports};
pub use linked::{axi_clock, kernel_clock, wire_linked};
pub use place::find_channels;
pub use port::{Direction, Pattern, Port};
pub use single_stream::single_stream;
pub use wire::wire_ports;
pub use wiring::Wiring;

use derate_units::BytesPerSecond;

/// What holds a bandwidth down.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Ord, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LimitedBy {
    /// Width and clock of the kernel's ports, and the gaps between their bursts.
    Port,
    /// The channels of the memory.
    Channel,
    /// Too few bytes in flight for the memory's latency.
    InFlight,
    /// Random access: rows that open and close, or one AXI ID that waits from channel to channel.
    Random,
    /// What the card allows in all, below what its channels give.
    Card,
    /// The ports of the processor that the memory belongs to.
    Attachment,
}

impl LimitedBy {
    /// For sentences: `the ports`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Port => "the ports",
            Self::Channel => "the memory channels",
            Self::InFlight => "the bursts in flight",
            Self::Random => "the random access",
            Self::Card => "the card",
            Self::Attachment => "the processor's ports",
        }
    }
}

/// A bandwidth, and what holds it down.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bandwidth {
    /// Bytes per second, reads and writes together.
    pub value: BytesPerSecond,
    /// The lowest limit.
    pub limited_by: LimitedBy,
}

impl Bandwidth {
    /// The lower of two; this one where they are equal.
    fn or_lower(self, value: BytesPerSecond, limited_by: LimitedBy) -> Self {
        if value < self.value { Self { value, limited_by } } else { self }
    }
}

#[cfg(test)]
mod tests;
