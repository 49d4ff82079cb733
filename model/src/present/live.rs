//! The same figures as formulas over the inputs, for the workbook and the page.

mod cell;
mod elementwise;
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

use derate_reports::{Control, Formula, Table, formula};

pub(super) use self::cell::{UNKNOWN, follows};
pub(super) use self::elementwise::Elementwise;
pub(super) use self::follows::Followed;
pub(super) use self::inputs::is_input;

use self::follows::Inputs;
use self::precisions::Precisions;
use self::roofs::Roofs;
use self::samples::Samples;
use crate::Analysis;
use crate::estimate::{Estimate, ScenarioEstimate};
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
    fn followed(&self) -> Vec<Followed<'_>> {
        let Some(samples) = &self.samples else { return Vec::new() };
        let scenarios = self.estimate.ladder().filter(|s| s.schedule == "unfused");
        let followed = scenarios.filter_map(|scenario| {
            let roofs = Roofs::of(self.analysis, &self.precisions, &self.steps, &scenario.name)?;
            let sheet = kernels::sheet(&roofs, samples, scenario)?;
            Some(Followed { scenario, roofs, sheet })
        });
        followed.collect()
    }

    /// The formulas of the report's tables.
    pub(super) fn formulas(&self) -> Formulas<'_> {
        let elementwise = self.samples.as_ref().and_then(Elementwise::of).unwrap_or_default();
        Formulas { live: Some(self), scenarios: self.followed(), elementwise }
    }

    /// The tables that formulas read, and what says whether they hold.
    fn inputs(&self, followed: &[Followed<'_>]) -> Vec<Table> {
        let prefix = self.samples.as_ref().and_then(Samples::prefix);
        let inputs = inputs::table(self.analysis, &self.steps, &self.precisions, prefix);
        let mut tables = vec![inputs, self.precisions.table(self.analysis)];
        let own = Inputs::of(&tables);
        tables.push(follows::scenarios(followed, &own));
        tables.push(follows::changes(&own));
        tables
    }
}

/// Tokens of the claim's own kernels.
pub(super) fn tokens() -> Formula {
    formula::name(name::TOKENS)
}

/// Formulas for a report, or none for a terminal.
#[derive(Default)]
pub(super) struct Formulas<'a> {
    live: Option<&'a Live<'a>>,
    scenarios: Vec<Followed<'a>>,
    pub(super) elementwise: Elementwise,
}

impl Formulas<'_> {
    /// Those of a scenario.
    pub(super) fn of(&self, scenario: &ScenarioEstimate) -> Option<&Followed<'_>> {
        self.scenarios.iter().find(|followed| followed.is(scenario))
    }

    /// What a reader wants to change first, of what stands in `tables`.
    pub(super) fn controls(tables: &[Table]) -> Vec<Control> {
        let labelled = [
            ("Bytes as built", name::BUILT_PRECISION),
            ("Bandwidth, derated (GB/s)", name::DERATED_BANDWIDTH),
            ("Cameras", name::CAMERAS),
            ("Tokens of the claim", name::TOKENS),
        ];
        let has = |input: &str| {
            tables.iter().flat_map(Table::cells).any(|(_, _, cell)| cell.name() == Some(input))
        };
        let known = labelled.into_iter().filter(|(_, input)| has(input));
        known
            .map(|(label, input)| Control { label: label.to_owned(), input: input.to_owned() })
            .collect()
    }

    /// The tables that formulas read, and what says whether they hold.
    pub(super) fn inputs(&self) -> Vec<Table> {
        self.live.map_or_else(Vec::new, |live| live.inputs(&self.scenarios))
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
