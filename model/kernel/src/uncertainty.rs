//! How far a prediction may be off, from what the design has.

use crate::answer::{HeldBy, KernelAnswer};

/// The range of `expected` as factors of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Uncertainty {
    /// At most one.
    pub low: f64,
    /// At least one.
    pub high: f64,
}

/// A schedule with nothing that widens it.
const PLAIN: f64 = 1.03;
/// Loops that are not pipelined: the states between them are counted less surely.
const UNPIPELINED: f64 = 1.04;
/// An interval above the one asked for: the tool's own heuristics decide it.
const HELD: f64 = 1.10;
/// Memory behind a bus: latency and bursts.
const BUS: f64 = 1.25;
/// Stages that run side by side stall each other.
const DATAFLOW: f64 = 1.25;
/// Each thing that is not known, up to [`MOST_UNKNOWN`] of them.
const UNKNOWN: f64 = 1.15;
const MOST_UNKNOWN: usize = 4;

/// The range in which hardware is expected to be. Each cause that the design has widens it by its factor, alike above
/// and below.
#[must_use]
pub fn uncertainty(answer: &KernelAnswer) -> Uncertainty {
    let mut factor = PLAIN;
    if answer.loops.iter().any(|one| one.ii.is_none()) {
        factor *= UNPIPELINED;
    }
    let is_held = |held: &Option<HeldBy>| {
        matches!(held, Some(HeldBy::Memory { .. } | HeldBy::Recurrence { .. }))
    };
    if answer.loops.iter().any(|one| is_held(&one.held_by)) {
        factor *= HELD;
    }
    if answer.ports.iter().any(|port| port.kind == "m_axi") {
        factor *= BUS;
    }
    let is_stage = |held: &Option<HeldBy>| matches!(held, Some(HeldBy::Module(_)));
    let streams = answer.ports.iter().any(|port| port.kind == "fifo");
    if streams || answer.loops.iter().any(|one| is_stage(&one.held_by)) {
        factor *= DATAFLOW;
    }
    for _ in answer.unknown.iter().take(MOST_UNKNOWN) {
        factor *= UNKNOWN;
    }
    Uncertainty { low: 1.0 / factor, high: factor }
}
