//! The same figures as formulas over the inputs, for the workbook and the page.

mod cell;
mod follows;
mod inputs;
mod kernels;
pub(super) mod name;
mod polynomial;
mod precisions;
mod product;
mod roofs;
mod samples;
mod site;
mod sums;

use derate_reports::Table;

pub(super) use self::follows::Followed;
pub(super) use self::inputs::is_input;

use self::follows::Inputs;
use self::precisions::Precisions;
use self::roofs::Roofs;
use self::samples::Samples;
use crate::Analysis;
use crate::estimate::Estimate;
use crate::scenario::{Scenario, ladder};

/// What formulas are made from.
pub(super) struct Live<'a> {
    analysis: &'a Analysis,
    estimate: &'a Estimate,
    /// The steps of the ladder.
    steps: Vec<Scenario>,
    precisions: Precisions,
    samples: Option<Samples>,
}

impl<'a> Live<'a> {
    /// Of a project and its estimate.
    pub(super) fn of(analysis: &'a Analysis, estimate: &'a Estimate) -> Self {
        Self {
            analysis,
            estimate,
            steps: ladder(analysis).0,
            precisions: Precisions::of(analysis, estimate),
            samples: Samples::of(analysis),
        }
    }

    /// The scenarios of the ladder that formulas stand for.
    pub(super) fn followed(&self) -> Vec<Followed<'_>> {
        let Some(samples) = &self.samples else { return Vec::new() };
        let scenarios = self.estimate.ladder().filter(|s| s.schedule == "unfused");
        let followed = scenarios.filter_map(|scenario| {
            let roofs =
                Roofs::of(self.analysis, &self.precisions, &self.steps, &scenario.name)?;
            let sheet = kernels::sheet(&roofs, samples, scenario)?;
            Some(Followed { scenario, roofs, sheet })
        });
        followed.collect()
    }

    /// The tables that formulas read, and what says whether they hold.
    pub(super) fn inputs(&self, followed: &[Followed<'_>]) -> Vec<Table> {
        let prefix = self.samples.as_ref().and_then(Samples::prefix);
        let inputs = inputs::table(self.analysis, &self.steps, &self.precisions, prefix);
        let mut tables = vec![inputs, self.precisions.table(self.analysis)];
        let own = Inputs::of(&tables);
        tables.push(follows::scenarios(followed, &own));
        tables.push(follows::changes(&own));
        tables
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
