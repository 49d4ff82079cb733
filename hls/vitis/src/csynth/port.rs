use super::figure::{Figure, Located};
use serde::Serialize;

/// An `m_axi` port.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MemoryPort {
    /// `m_axi_gmem0`.
    pub name: Located<String>,
    /// Bits of one element in the source.
    pub source_bits: Option<Located<Figure>>,
    /// Bits of the port. Where it equals `source_bits`, nothing was widened.
    pub bits: Option<Located<Figure>>,
    /// `READ_ONLY`, `WRITE_ONLY`, `READ_WRITE`, where it is printed.
    pub access: Option<Located<String>>,
    /// The latency that the schedule assumes of the memory, in cycles.
    pub latency: Option<Located<Figure>>,
    /// The widest that the tool may make the port; 0 forbids widening.
    pub max_widen_bitwidth: Option<Located<Figure>>,
    /// Beats in one read burst.
    pub max_read_burst: Option<Located<Figure>>,
    /// Beats in one write burst.
    pub max_write_burst: Option<Located<Figure>>,
    /// Reads in flight.
    pub read_outstanding: Option<Located<Figure>>,
    /// Writes in flight.
    pub write_outstanding: Option<Located<Figure>>,
}

impl MemoryPort {
    /// Whether the tool has made the port wider than its elements.
    pub fn is_widened(&self) -> bool {
        let known = |bits: &Option<Located<Figure>>| bits.as_ref()?.value.known();
        known(&self.bits).zip(known(&self.source_bits)).is_some_and(|(bits, own)| bits > own)
    }

    pub(crate) fn new(name: Located<String>) -> Self {
        Self {
            name,
            source_bits: None,
            bits: None,
            access: None,
            latency: None,
            max_widen_bitwidth: None,
            max_read_burst: None,
            max_write_burst: None,
            read_outstanding: None,
            write_outstanding: None,
        }
    }
}

/// An argument of the top function, as the tool read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopArgument {
    /// Its name.
    pub name: String,
    /// Its type as printed: `float*`.
    pub datatype: String,
}

/// What became of accesses through a port.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BurstVerdict {
    /// A burst was inferred.
    Inferred,
    /// No burst.
    Failed,
    /// A burst or access that could not be made wider.
    NotWidened,
    /// The report lists it among missed bursts and widenings, in words that derate does not know.
    Missed,
}

/// A burst, or an access without one.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Burst {
    /// `m_axi_gmem0`; several, with commas, where a function is called with several ports.
    pub interface: Located<String>,
    /// What became of it.
    pub verdict: BurstVerdict,
    /// The variable in the source.
    pub variable: Option<Located<String>>,
    /// `read` or `write`.
    pub direction: Option<Located<String>>,
    /// Elements in one burst; `variable` is a word here.
    pub length: Option<Located<Figure>>,
    /// Bits of one element.
    pub bits: Option<Located<Figure>>,
    /// The loop.
    pub loop_name: Option<Located<String>>,
    /// Why there is no burst, or the tool's sentence about the burst.
    pub reason: Option<Located<String>>,
    /// The number of the tool's guidance: `214-230`.
    pub code: Option<Located<String>>,
    /// `file.cpp:51:14`.
    pub location: Option<Located<String>>,
}
