//! Every input as derate has it, whether it was changed, and whether it lies within its bounds.

use derate_render::formula::{
    at, choose, column, known, max, min, name, number, range, sum, text, up,
};
use derate_render::{
    Align, Allowed, Cell, Column, Formula, Input, NumberFormat, Table, Value, format_number,
};

use super::guard::refuse;
use super::name as names;

const TABLE: &str = "own-values";
const CHANGES: &str = "changes";
const OUTSIDE: &str =
    "no: an input lies outside its bounds; the list of every input under Assumptions says which";

/// Inputs as derate has them.
#[derive(Default)]
pub(super) struct Inputs(Vec<Input>);

impl Inputs {
    /// Those of some tables.
    pub(super) fn of(tables: &[Table]) -> Self {
        let cells = tables.iter().flat_map(Table::cells);
        let inputs = cells.filter_map(|(_, _, cell)| match cell {
            Cell::Input(input) => Some(input.clone()),
            _ => None,
        });
        Self(inputs.collect())
    }

    /// How many of those that `is` chooses have another value: a short sum over [`Self::table`].
    pub(super) fn count_changed(&self, is: impl Fn(&str) -> bool) -> Formula {
        let chosen = self.0.iter().enumerate().filter(|(_, input)| is(&input.name));
        let cells = chosen.map(|(row, _)| at(TABLE, "changed", row));
        cells.reduce(|a, b| a + b).unwrap_or_else(|| number(0.0))
    }

    /// How many have another value.
    pub(super) fn all_changed(&self) -> Formula {
        // What is asked about fusion changes no figure of the report.
        self.sum_column("changed") - self.count_changed(|input| input == names::SCHEDULE)
    }

    fn sum_column(&self, key: &str) -> Formula {
        sum(vec![range(TABLE, key, 0..self.0.len())])
    }

    /// `answer`, unless an input is not what it may be: what was pasted is checked by no one else.
    pub(super) fn unless_outside(&self, answer: Formula) -> Formula {
        choose(self.sum_column("outside").exceeds(0.0), text(OUTSIDE), answer)
    }

    /// `answer`, unless one of those that `is` chooses has another value.
    pub(super) fn unless_changed(
        &self,
        is: impl Fn(&str) -> bool,
        (reason, command): (&str, &str),
        answer: Formula,
    ) -> Formula {
        choose(self.count_changed(is).exceeds(0.0), refuse(reason, command), answer)
    }

    /// A row per input; words are looked up among `keys`.
    pub(super) fn tabulate_own(&self, keys: &dyn Fn(Formula) -> Formula) -> Table {
        let rows = self.0.iter().map(|input| {
            let flag = |formula| Cell::formula(0.0, formula, NumberFormat::Integer);
            let (zero, one) = (|| number(0.0), || number(1.0));
            let own = || column("own");
            vec![
                Cell::text(&input.name),
                match &input.value {
                    Value::Number(value) => Cell::number(*value, input.format),
                    Value::Text(word) => Cell::text(word),
                },
                Cell::Text(describe_bounds(input)),
                flag(choose(name(&input.name).equals(own()), zero(), one())),
                flag(choose(is_allowed(input, keys), zero(), one())),
            ]
        });
        Table {
            name: TABLE.to_owned(),
            caption: "Every input as derate has it, which values are allowed, and what was changed"
                .to_owned(),
            columns: vec![
                Column::text("input", "Input"),
                Column { align: Align::Right, ..Column::text("own", "As derate has it") },
                Column::text("allowed", "Allowed values"),
                Column::number("changed", "Changed", ""),
                Column::number("outside", "Outside its bounds", ""),
            ],
            rows: rows.collect(),
        }
    }
}

/// 1 where the input is what it may be; a number that is a text is not.
fn is_allowed(input: &Input, keys: &dyn Fn(Formula) -> Formula) -> Formula {
    let value = || name(&input.name);
    let truth = |holds: Formula| choose(holds, number(1.0), number(0.0));
    let is = match &input.allowed {
        Allowed::Number { least, most, whole } => {
            let inside = min(max(value(), number(*least)), number(*most)).equals(value());
            if *whole {
                choose(inside, truth(up(value()).equals(value())), number(0.0))
            } else {
                truth(inside)
            }
        }
        Allowed::OneOf(words) if input.name == names::SCHEDULE => {
            words.iter().fold(number(0.0), |otherwise, word| {
                choose(value().equals(text(word.clone())), number(1.0), otherwise)
            })
        }
        Allowed::OneOf(_) => {
            choose(value().equals(column("own")), number(1.0), keys(value()).exceeds(0.0))
        }
    };
    known(is, number(0.0)).exceeds(0.0)
}

/// The allowed values, in words.
fn describe_bounds(input: &Input) -> String {
    match &input.allowed {
        Allowed::Number { least, most, whole } => {
            let what = if *whole { "a whole number" } else { "a number" };
            let plain = |value: f64| format_number(value, NumberFormat::Plain);
            format!("{what} from {} to {}", plain(*least), plain(*most))
        }
        Allowed::OneOf(words) if words.len() <= 8 => words.join(", "),
        Allowed::OneOf(_) => "a key of the table precisions".to_owned(),
    }
}

/// Whether the inputs are derate's own: one line.
pub(super) fn tabulate_changes(inputs: &Inputs) -> Table {
    let own = "no input was changed: sentences and figures belong together";
    let words = choose(
        column("changed").exceeds(0.0),
        text("inputs were changed: formulas follow them; what is grey does not"),
        text(own),
    );
    let count = Cell::formula(0.0, inputs.all_changed(), NumberFormat::Integer);
    Table {
        name: CHANGES.to_owned(),
        caption: String::new(),
        columns: vec![
            Column::number("changed", "Inputs changed", ""),
            Column::text("meaning", "What that means"),
        ],
        rows: vec![vec![
            count.called(names::INPUTS_CHANGED),
            Cell::formula(own, words, NumberFormat::Integer),
        ]],
    }
}
