//! The rows of the table of inputs: a figure, its value, and where it is from.

use derate_render::formula::{at, choose, name, number, text};
use derate_render::{Cell, Formula, Input, NumberFormat, Value};

use super::cell::unless_changed;
use derate_estimate::Analysis;
use derate_units::{Figure, Provenance};

pub(super) const TABLE: &str = "inputs";
const CHANGED_HERE: &str = "changed here: see inputs as derate has them";

/// Where a figure is from.
struct From<'a> {
    provenance: Provenance,
    source: &'a str,
    command: String,
}

/// What is changed has another provenance, and what follows from it another source.
fn make_row(figure: &str, value: Cell, unit: &str, from: From<'_>) -> Vec<Cell> {
    let provenance = from.provenance.to_string();
    let [provenance, source] = match &value {
        Cell::Input(Input { name: input, value: own, .. }) => {
            let own = match own {
                Value::Number(value) => number(*value),
                Value::Text(word) => text(word.clone()),
            };
            let is_own = || name(input).equals(own.clone());
            let of = |told: String, changed: &str| {
                let formula = choose(is_own(), text(told.clone()), text(changed));
                Cell::formula(told, formula, NumberFormat::Integer)
            };
            [of(provenance, "Assumed: changed here"), of(from.source.to_owned(), CHANGED_HERE)]
        }
        Cell::Formula { .. } => [Cell::text(provenance), unless_changed(from.source)],
        _ => [Cell::text(provenance), Cell::text(from.source)],
    };
    vec![Cell::text(figure), value, Cell::text(unit), provenance, source, Cell::text(from.command)]
}

/// The rows so far.
pub(super) struct Rows<'a> {
    pub(super) analysis: &'a Analysis,
    pub(super) rows: Vec<Vec<Cell>>,
}

impl Rows<'_> {
    pub(super) fn add_figure<Q>(
        &mut self,
        figure: &str,
        value: Cell,
        unit: &str,
        of: &Figure<Q>,
        arguments: &str,
    ) {
        let command = self.analysis.command("estimate", arguments);
        let from = From { provenance: of.provenance, source: &of.source, command };
        self.rows.push(make_row(figure, value, unit, from));
    }

    /// A cell of a row above.
    pub(super) fn cell_above(&self, back: usize) -> Formula {
        at(TABLE, "value", self.rows.len().saturating_sub(back))
    }
}
