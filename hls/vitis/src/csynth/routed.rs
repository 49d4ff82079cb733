//! What Vivado says of the clocks of a routed design.

use std::collections::{BTreeMap, BTreeSet};

use super::figure::Located;

/// The clocks of a design that was placed and routed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoutedTiming {
    /// The name of the design, `design_1_wrapper`.
    pub design: String,
    /// Those that have a slack.
    pub clocks: Vec<RoutedClock>,
    /// What the cells in the paths of each clock are instances of: `fir` of `design_1_i/fir_0/inst`.
    pub(crate) cells: BTreeMap<String, BTreeSet<String>>,
    /// Whether no kernel of the designs around it is known to be in it.
    pub lacks_kernel: bool,
}

/// A clock of a routed design.
#[derive(Clone, Debug, PartialEq)]
pub struct RoutedClock {
    /// Its name.
    pub name: Located<String>,
    /// The period in ns that was asked for.
    pub period: f64,
    /// The worst slack in ns.
    pub slack: Located<f64>,
}

impl RoutedTiming {
    /// Whether a clock has a negative slack.
    #[must_use]
    pub fn is_late(&self) -> bool {
        self.clocks.iter().any(|clock| clock.slack.value < 0.0)
    }

    /// Whether a cell in the paths is an instance of this function.
    #[must_use]
    pub fn has_cell(&self, function: &str) -> bool {
        self.cells.values().any(|cells| cells.contains(function))
    }

    /// The clock of this period with the least slack, of those whose paths have an instance of the function where some have.
    pub(crate) fn find_clock(&self, period: f64, function: &str) -> Option<&RoutedClock> {
        let has = |one: &RoutedClock| {
            self.cells.get(&one.name.value).is_some_and(|cells| cells.contains(function))
        };
        let is_known = self.clocks.iter().any(has);
        let is_it = |one: &&RoutedClock| {
            (one.period - period).abs() <= period * SAME_PERIOD && (has(one) || !is_known)
        };
        let fitting = self.clocks.iter().filter(is_it);
        fitting.min_by(|a, b| a.slack.value.total_cmp(&b.slack.value))
    }
}

/// A period is printed with two decimals by HLS and with three by Vivado, and a PLL makes what it can.
const SAME_PERIOD: f64 = 5e-3;
