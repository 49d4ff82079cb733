use derate_units::Cycles;

/// A pipelined loop that the tool made a function of its own, or that is alone in one: the loop and two cycles more.
#[must_use]
pub fn outlined_pipelined_loop(inner: u64) -> Cycles {
    Cycles(inner as f64 + 2.0)
}

/// The same of a loop that is not pipelined: one cycle more.
#[must_use]
pub fn outlined_plain_loop(inner: u64) -> Cycles {
    Cycles(inner as f64 + 1.0)
}
