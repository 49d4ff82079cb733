//! What a design is scheduled for: clock, card, tool.

use crate::constants::Constants;

/// What a design is scheduled for.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The period of the clock, in ns.
    pub clock_ns: f64,
    /// The share of the period that the tool keeps free, 0.27 unless it is set.
    pub uncertainty: f64,
    /// The version of the tool, as year and release.
    pub tool: (u16, u16),
    /// The part.
    pub part: crate::part::Part,
    /// `config_compile -unsafe_math_optimizations`
    pub unsafe_math: bool,
    /// `config_compile -pipeline_loops`
    pub pipeline_loops: u64,
    /// `config_array_partition -complete_threshold`
    pub complete_threshold: u64,
    /// Delays and latencies of operators.
    pub constants: Constants,
}

impl Settings {
    /// What is left of a cycle for logic, in ns.
    pub fn budget(&self) -> f64 {
        self.clock_ns * (1.0 - self.uncertainty)
    }
}
