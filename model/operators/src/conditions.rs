//! What the table of operators is asked for: clock, tool and family.

use derate_machine::Family;

/// Clock, tool and family.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conditions {
    pub(crate) clock_ns: f64,
    /// What is left of a cycle for logic, in ns.
    pub(crate) budget: f64,
    pub(crate) tool: (u16, u16),
    pub(crate) family: Family,
}
