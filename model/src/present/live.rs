//! The same figures as formulas over the inputs, for the workbook and the page.

mod cell;
mod inputs;
pub(super) mod name;
mod polynomial;
mod precisions;
mod samples;

use derate_reports::Table;

pub(super) use self::inputs::is_input;

use self::precisions::Precisions;
use self::samples::Samples;
use crate::Analysis;
use crate::estimate::Estimate;
use crate::scenario::{Scenario, ladder};

/// What formulas are made from.
pub(super) struct Live<'a> {
    analysis: &'a Analysis,
    /// The steps of the ladder.
    steps: Vec<Scenario>,
    precisions: Precisions,
    samples: Option<Samples>,
}

impl<'a> Live<'a> {
    pub(super) fn of(analysis: &'a Analysis, estimate: &Estimate) -> Self {
        Self {
            analysis,
            steps: ladder(analysis).0,
            precisions: Precisions::of(analysis, estimate),
            samples: Samples::of(analysis),
        }
    }

    /// The tables that formulas read.
    pub(super) fn inputs(&self) -> [Table; 2] {
        let prefix = self.samples.as_ref().and_then(Samples::prefix);
        let inputs = inputs::table(self.analysis, &self.steps, &self.precisions, prefix);
        [inputs, self.precisions.table(self.analysis)]
    }
}

/// A count that was made from one; the cast saturates.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "made from a count; the cast saturates"
)]
fn whole(count: f64) -> u64 {
    count as u64
}
