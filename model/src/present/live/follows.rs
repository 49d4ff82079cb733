//! What the formulas follow, and where they cannot: a row per scenario, and whether the inputs are still derate's.

use derate_reports::formula::{at, choose, column, max, min, name, number, range, text};
use derate_reports::{Cell, Column, Formula, Input, NumberFormat, Table, Value};

use super::alone::Alone;
use super::cell::{UNKNOWN, or_unknown};
use super::fusions::guard_name;
use super::kernels::Sheet;
use super::name as names;
use super::roof::Roof;
use super::roofs::{Roofs, intensity};
use super::sums::{Place, total};
use crate::Precision;
use crate::estimate::{Estimate, ScenarioEstimate};

pub(super) const TABLE: &str = "follows";
pub(super) const YES: &str = "yes";

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

    /// The roof of a precision, or of what all elements have where that is chosen.
    pub(in crate::present) fn roof(&self, precision: Precision) -> Roof {
        Roof { peak: self.roofs.peak(precision), bandwidth: self.bandwidth() }
    }

    /// Intensity and rate of a part, or of one of its kernels, in OP/B and OP/s.
    pub(in crate::present) fn point(
        &self,
        part: usize,
        kernel: Option<usize>,
    ) -> Option<[Formula; 2]> {
        let place = self.sheet.parts.get(part)?;
        let row = kernel.map_or(place.total, |kernel| place.kernels.start + kernel);
        let cell = |key: &str| at(&self.sheet.table.name, key, row);
        Some([cell("oi"), cell("attainable") * 1e9])
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
    pub(super) fn changed(&self, is: impl Fn(&str) -> bool) -> Formula {
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
pub(super) fn no(reason: &str, command: &str) -> Formula {
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
    let guard = guard_name(&scenario.name, scenario.schedule);
    cells.push(Cell::formula(YES, answer, NumberFormat::Integer).called(guard));
    cells
}

/// The row of the kernels at each precision, with the most tokens that they are shown for.
fn alone(
    alone: &Alone<'_>,
    inputs: &Inputs,
    most: (f64, Formula),
    bits: f64,
    command: &str,
) -> Vec<Cell> {
    let reason = "an operand of a product no longer fits on the chip and is read more than once";
    let answer = match alone.hold() {
        Some(hold) => choose(hold.exceeds(name(names::ON_CHIP)), no(reason, command), text(YES)),
        None => {
            let changed = inputs.changed(|i| is_parameter(i) || i == names::ON_CHIP);
            let reason = "whether all products still fit on the chip is not known as a formula";
            choose(changed.exceeds(0.0), no(reason, command), text(YES))
        }
    };
    vec![
        Cell::text("each precision, and the grid"),
        Cell::Empty,
        Cell::number(bits, NumberFormat::Integer),
        Cell::formula(most.0, most.1, NumberFormat::Integer),
        Cell::Empty,
        Cell::Empty,
        Cell::formula(YES, answer, NumberFormat::Integer),
    ]
}

/// A row per scenario that formulas stand for, and one for the kernels at each precision.
pub(super) fn scenarios(
    all: &[Followed<'_>],
    at_each: Option<(&Alone<'_>, &Estimate)>,
    inputs: &Inputs,
) -> Table {
    let mut rows: Vec<Vec<Cell>> = all.iter().map(|one| row(one, inputs)).collect();
    rows.extend(at_each.and_then(|(kernels, estimate)| {
        let points = || estimate.grid.iter();
        let bits = points().filter_map(|p| Precision::parse(&p.precision)).map(Precision::bits);
        let mut counts: Vec<f64> = points().map(|point| point.tokens).collect();
        counts.sort_by(f64::total_cmp);
        counts.dedup();
        let most = counts.last().copied()?;
        let tokens = counts.iter().map(|&count| kernels.tokens(count));
        let tokens = tokens.collect::<Option<Vec<_>>>()?.into_iter().reduce(max)?;
        let bits = f64::from(bits.max()?);
        Some(alone(kernels, inputs, (most, tokens), bits, &estimate.command))
    }));
    Table {
        name: TABLE.to_owned(),
        caption: "What each scenario reads, and whether its formulas still hold. A design and fused schedules have rows of their own, below.".to_owned(),
        columns: vec![
            Column::text("scenario", "Scenario"),
            Column::text("precision", "Bytes as"),
            Column::number("bits", "Element", "bit"),
            Column::number("tokens", "Tokens of the claim", ""),
            Column::number("bandwidth", "Bandwidth", "GB/s"),
            Column::number("peak", "Peak", "TOP/s"),
            Column::text("follows", "Formulas follow"),
        ],
        rows,
    }
}

/// Whether the inputs are derate's own.
pub(super) fn changes(inputs: &Inputs) -> Table {
    // What is asked about fusion changes no figure of the report.
    let count = inputs.changed(|input| input != names::SCHEDULE);
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
