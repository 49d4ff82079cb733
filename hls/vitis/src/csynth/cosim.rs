//! What co-simulation reports.

use super::figure::{Figure, Located};
use serde::Serialize;

/// What co-simulation reports for one language. `Pass` may be beside `NA` everywhere, and `Fail`
/// beside a latency: neither says anything about the other.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Cosim {
    /// `Verilog` or `VHDL`.
    pub language: Located<String>,
    /// `Pass`, `Fail`, `NA`: as printed.
    pub status: Located<String>,
    /// Cycles of one transaction.
    pub latency: Spread,
    /// Cycles between starts; `NA` where one transaction ran.
    pub interval: Spread,
    /// Cycles of the whole run, since 2020.2.
    pub total: Option<Located<Figure>>,
}

/// Least, mean and most.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Spread {
    /// The least.
    pub min: Option<Located<Figure>>,
    /// The mean.
    pub avg: Option<Located<Figure>>,
    /// The most.
    pub max: Option<Located<Figure>>,
}

impl Cosim {
    /// Whether this language was simulated, with whatever result.
    pub fn ran(&self) -> bool {
        self.status.value != "NA"
    }

    /// Passed, but without a single cycle count: nothing was measured.
    pub fn passed_without_figures(&self) -> bool {
        let counts = [&self.latency.min, &self.latency.avg, &self.latency.max, &self.total];
        let known = counts
            .iter()
            .any(|count| count.as_ref().is_some_and(|count| count.value.known().is_some()));
        self.status.value == "Pass" && !known
    }
}
