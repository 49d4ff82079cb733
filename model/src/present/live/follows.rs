//! What the formulas follow, and where they cannot: a row per scenario, and whether the inputs are still derate's.

use derate_reports::formula::{at, choose, column, max, min, name, number, range, text};
use derate_reports::{Cell, Column, Formula, Input, NumberFormat, Table, Value};

use super::cell::{UNKNOWN, or_unknown};
use super::kernels::Sheet;
use super::name as names;
use super::roofs::{Roofs, intensity};
use super::sums::{Place, total};
use crate::estimate::ScenarioEstimate;

pub(super) const TABLE: &str = "follows";
const YES: &str = "yes";

/// One scenario with its formulas.
pub(in crate::present) struct Followed<'a> {
    pub(super) scenario: &'a ScenarioEstimate,
    pub(super) roofs: Roofs<'a>,
    pub(super) sheet: Sheet,
}

impl Followed<'_> {
    /// Whether it is that scenario.
    pub(in crate::present) fn is(&self, scenario: &ScenarioEstimate) -> bool {
        self.scenario.name == scenario.name && self.scenario.schedule == scenario.schedule
    }

    /// The table of its kernels.
    pub(in crate::present) fn kernels(&self) -> Table {
        self.sheet.table.clone()
    }
}

// Figures of the parts that run, in their order; after the last, of the whole inference.
impl Followed<'_> {
    fn running(&self) -> impl Iterator<Item = &Place> {
        let parts = self.scenario.parts.iter().zip(&self.sheet.parts);
        parts.filter(|(part, _)| part.runs).map(|(_, place)| place)
    }

    /// A figure that adds up, by the key of its column in the table of kernels.
    pub(in crate::present) fn figure(&self, at: usize, key: &str) -> Formula {
        let table = &self.sheet.table.name;
        match self.running().nth(at) {
            Some(place) => place.figure(table, key),
            None => total(self.running().map(|place| place.figure(table, key))),
        }
    }

    /// Operational intensity.
    pub(in crate::present) fn intensity(&self, at: usize) -> Formula {
        match self.running().nth(at) {
            Some(place) => place.ratio(&self.sheet.table.name, "oi"),
            None => intensity(self.figure(at, "flops"), self.figure(at, "bytes")),
        }
    }

    /// Roofline time in ms.
    pub(in crate::present) fn milliseconds(&self, at: usize) -> Formula {
        or_unknown(self.figure(at, "time") / 1e3)
    }

    /// Roofline time of the whole inference in ms.
    pub(in crate::present) fn inference(&self) -> Formula {
        self.milliseconds(self.running().count())
    }

    /// Where the part stands that the claim speaks of.
    fn main(&self) -> Option<&Place> {
        let main = self.scenario.main_part()?;
        let at = self.scenario.parts.iter().position(|part| std::ptr::eq(part, main))?;
        self.sheet.parts.get(at)
    }

    /// Intensity and bound of the part that the claim speaks of, by the key of the column.
    pub(in crate::present) fn of_main(&self, key: &str) -> Option<Formula> {
        Some(self.main()?.ratio(&self.sheet.table.name, key))
    }

    /// The peak of the part that the claim speaks of, in TOP/s; unknown where its kernels differ.
    pub(in crate::present) fn main_peak(&self) -> Option<Formula> {
        let (table, kernels) = (&self.sheet.table.name, &self.main()?.kernels);
        let first = || at(table, "peak", kernels.start);
        let peaks = || range(table, "peak", kernels.clone());
        let alike = max(first(), peaks()).equals(min(first(), peaks()));
        Some(or_unknown(choose(alike, first(), text(UNKNOWN))))
    }

    /// Where the roofs of that part meet.
    pub(in crate::present) fn main_ridge(&self) -> Option<Formula> {
        Some(or_unknown(self.main_peak()? * 1e3 / self.bandwidth()))
    }

    /// Bandwidth in GB/s.
    pub(in crate::present) fn bandwidth(&self) -> Formula {
        self.roofs.bandwidth()
    }

    /// The word of its precision.
    pub(in crate::present) fn precision(&self) -> Formula {
        self.roofs.precision()
    }
}

/// Inputs as derate has them.
pub(super) struct Inputs(Vec<Input>);

impl Inputs {
    /// Those of some tables.
    pub(super) fn of(tables: &[Table]) -> Self {
        let cells = tables.iter().flat_map(Table::cells);
        Self(
            cells
                .filter_map(|(_, _, cell)| match cell {
                    Cell::Input(input) => Some(input.clone()),
                    _ => None,
                })
                .collect(),
        )
    }

    /// How many of those that `is` chooses have another value.
    fn changed(&self, is: impl Fn(&str) -> bool) -> Formula {
        let chosen = self.0.iter().filter(|input| is(&input.name));
        chosen.fold(number(0.0), |sum, input| {
            let own = match &input.value {
                Value::Number(value) => number(*value),
                Value::Text(word) => text(word.clone()),
            };
            sum + choose(name(&input.name).equals(own), number(0.0), number(1.0))
        })
    }
}

/// The parameters of an inference.
fn is_parameter(input: &str) -> bool {
    [names::CAMERAS, names::LANGUAGE_TOKENS, names::DENOISE_STEPS, names::CHUNK, names::TOKENS]
        .contains(&input)
}

/// What a reader has to do where the formulas do not follow.
fn no(reason: &str, command: &str) -> Formula {
    text(format!("no: {reason}; write the change into derate.toml and run {command}"))
}

/// The row of one scenario.
fn row(followed: &Followed<'_>, inputs: &Inputs) -> Vec<Cell> {
    let Followed { scenario, roofs, sheet } = followed;
    let command = scenario.command.as_str();
    let rows = sheet.table.rows.len();
    let held = range(&sheet.table.name, "hold", 0..rows);
    let beyond = max(number(0.0), held).exceeds(name(names::ON_CHIP));
    let reason = "an operand of a product no longer fits on the chip and is read more than once";
    let mut answer = choose(beyond, no(reason, command), text(YES));
    let precision = |input: &str| roofs.precision() == name(input);
    if let Some(kernel) = &sheet.rereads {
        let moved = inputs.changed(|i| is_parameter(i) || precision(i) || i == names::ON_CHIP);
        let reason = format!(
            "{kernel} reads an operand more than once, and how often depends on what was changed"
        );
        answer = choose(moved.exceeds(0.0), no(&reason, command), answer);
    }
    if let Some(kernel) = &sheet.stuck {
        let reason = format!("how {kernel} grows is not known as a formula");
        answer = choose(inputs.changed(is_parameter).exceeds(0.0), no(&reason, command), answer);
    }
    let mut cells: Vec<Cell> = roofs.cells(scenario).into();
    cells.push(Cell::formula(YES, answer, NumberFormat::Integer));
    cells
}

/// A row per scenario that formulas stand for.
pub(super) fn scenarios(all: &[Followed<'_>], inputs: &Inputs) -> Table {
    Table {
        name: TABLE.to_owned(),
        caption: "What each scenario reads, and whether its formulas still hold. The design and fused schedules have figures of their own.".to_owned(),
        columns: vec![
            Column::text("scenario", "Scenario"),
            Column::text("precision", "Bytes as"),
            Column::number("bits", "Element", "bit"),
            Column::number("tokens", "Tokens of the claim", ""),
            Column::number("bandwidth", "Bandwidth", "GB/s"),
            Column::number("peak", "Peak", "TOP/s"),
            Column::text("follows", "Formulas follow"),
        ],
        rows: all.iter().map(|one| row(one, inputs)).collect(),
    }
}

/// Whether the inputs are derate's own.
pub(super) fn changes(inputs: &Inputs) -> Table {
    let count = inputs.changed(|_| true);
    let words = choose(
        column("changed").exceeds(0.0),
        text(
            "inputs were changed: sentences, captions, findings and every figure that is no formula still stand for derate's own values",
        ),
        text("no input was changed: sentences and figures belong together"),
    );
    let own = "no input was changed: sentences and figures belong together";
    Table {
        name: "changes".to_owned(),
        caption: String::new(),
        columns: vec![
            Column::number("changed", "Inputs changed", ""),
            Column::text("meaning", "What that means"),
        ],
        rows: vec![vec![
            Cell::formula(0.0, count, NumberFormat::Integer).called("inputs_changed"),
            Cell::formula(own, words, NumberFormat::Integer),
        ]],
    }
}
