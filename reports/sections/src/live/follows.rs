//! What the formulas follow, and where they cannot: a row per scenario, and whether the inputs are still derate's.

use derate_render::formula::{choose, max, name, number, range, text};
use derate_render::{Cell, Column, Formula, NumberFormat, Table};

use super::alone::Alone;
use super::followed::Followed;
use super::guard::{HOLDING, YES, advise_run, guard_name, refuse};
use super::name as names;
use super::own::Inputs;
use super::sheet::{HOLD, Sheet};
use derate_estimate::scenario::ScenarioKind;
use derate_estimate::{Estimate, ScenarioEstimate};
use derate_units::Precision;

pub(super) const TABLE: &str = "follows";
const CAPTION: &str = "What each scenario reads";

/// The parameters of an inference.
fn is_parameter(input: &str) -> bool {
    [names::CAMERAS, names::LANGUAGE_TOKENS, names::DENOISE_STEPS, names::CHUNK, names::TOKENS]
        .contains(&input)
}

impl Sheet {
    /// Whether every product reads each operand once, and what it needs for that is in the table.
    pub(super) fn reads_once(&self) -> bool {
        self.rereads.is_none() && self.table.columns.iter().any(|column| column.key == HOLD)
    }

    /// `answer` while the chip holds what every product needs.
    pub(super) fn while_held(&self, command: &str, answer: Formula) -> Formula {
        let held = range(&self.table.name, HOLD, 0..self.table.rows.len());
        let beyond = max(number(0.0), held).exceeds(name(names::ON_CHIP));
        let reason =
            "an operand of a product no longer fits on the chip and is read more than once";
        choose(beyond, refuse(reason, command), answer)
    }
}

/// The row of one scenario.
fn scenario_row(followed: &Followed<'_>, inputs: &Inputs) -> Vec<Cell> {
    let Followed { scenario, roofs, sheet } = followed;
    let command = scenario.command.as_str();
    let mut answer = sheet.while_held(command, text(YES));
    let precision = |input: &str| roofs.precision() == name(input);
    if let Some(kernel) = &sheet.rereads {
        let moved = |i: &str| is_parameter(i) || precision(i) || i == names::ON_CHIP;
        let reason = format!(
            "{kernel} reads an operand more than once, and how often depends on what was changed"
        );
        answer = inputs.unless_changed(moved, (&reason, command), answer);
    }
    let mut cells: Vec<Cell> = roofs.make_cells(scenario).into();
    let guard = guard_name(scenario.kind, scenario.schedule);
    cells.push(
        Cell::formula(YES, inputs.unless_outside(answer), NumberFormat::Integer).called(guard),
    );
    cells
}

/// The row of the kernels at each precision, with the most tokens that they are shown for.
fn alone_row(
    alone: &Alone<'_>,
    inputs: &Inputs,
    most: (f64, Formula),
    bits: f64,
    command: &str,
) -> Vec<Cell> {
    let reason = "an operand of a product no longer fits on the chip and is read more than once";
    let answer = if let Some(hold) = alone.write_hold() {
        choose(hold.exceeds(name(names::ON_CHIP)), refuse(reason, command), text(YES))
    } else {
        let moved = |i: &str| is_parameter(i) || i == names::ON_CHIP;
        let reason =
            "the model has too many different products for a formula of what fits on the chip";
        inputs.unless_changed(moved, (reason, command), text(YES))
    };
    vec![
        Cell::text("each precision, and the grid"),
        Cell::Empty,
        Cell::number(bits, NumberFormat::Integer),
        Cell::formula(most.0, most.1, NumberFormat::Integer),
        Cell::Empty,
        Cell::Empty,
        Cell::formula(YES, inputs.unless_outside(answer), NumberFormat::Integer),
    ]
}

/// The row of a scenario that has no formulas.
fn unfollowed_row(scenario: &ScenarioEstimate) -> Vec<Cell> {
    let reason = "its figures are not formulas, as the model has too many kernels, or none that a formula gives";
    let mut cells = vec![Cell::text(&scenario.name), Cell::text(&scenario.precision)];
    cells.resize(6, Cell::Empty);
    let said = advise_run(reason, &scenario.command);
    cells.push(Cell::text(said));
    cells
}

/// The same for a reader who cannot change inputs: without the guards, and without rows of guards alone.
pub(super) fn describe_scenarios(follows: Table) -> Table {
    let mut table = Table { caption: CAPTION.to_owned(), ..follows };
    table.columns.pop();
    for row in &mut table.rows {
        row.pop();
    }
    // A schedule reads what its scenario does.
    table.rows.retain(|row| row.iter().skip(1).any(|cell| *cell != Cell::Empty));
    table
}

/// A row per scenario that has formulas, and one for the kernels at each precision.
pub(super) fn tabulate_scenarios(
    all: &[Followed<'_>],
    kernels: Option<&Alone<'_>>,
    estimate: &Estimate,
    inputs: &Inputs,
) -> Table {
    let unfused = estimate.ladder().filter(|scenario| scenario.kind != ScenarioKind::Design);
    let own = |scenario| {
        let followed = all.iter().find(|followed| followed.is_scenario(scenario));
        followed.map_or_else(|| unfollowed_row(scenario), |one| scenario_row(one, inputs))
    };
    let mut rows: Vec<Vec<Cell>> = unfused.map(own).collect();
    rows.extend(kernels.and_then(|kernels| {
        let points = || estimate.grid.iter();
        let bits = points().filter_map(|p| Precision::parse(&p.precision)).map(Precision::bits);
        let mut counts: Vec<f64> = points().map(|point| point.tokens).collect();
        counts.sort_by(f64::total_cmp);
        counts.dedup();
        let most = counts.last().copied()?;
        let tokens = counts.iter().map(|&count| kernels.find_tokens(count));
        let tokens = tokens.collect::<Option<Vec<_>>>()?.into_iter().reduce(max)?;
        let bits = f64::from(bits.max()?);
        Some(alone_row(kernels, inputs, (most, tokens), bits, &estimate.command))
    }));
    Table {
        name: TABLE.to_owned(),
        caption: format!("{CAPTION}{HOLDING}"),
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
