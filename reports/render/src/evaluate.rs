//! The value of every formula of a document, with or without inputs changed.
//!
//! The meaning is that of a spreadsheet: an empty cell counts as 0, a text in arithmetic is an error, an error in an
//! operand is the result's, and `known` alone recovers from it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::{Cell, Document, Formula, FormulaError, Function, Operator, Table, Value};

/// A deeper chain of formulas is an error.
const DEEPEST: usize = 200;

/// A new value for an input.
#[derive(Debug, Clone, PartialEq)]
pub struct Edit {
    /// The input's name.
    pub input: String,
    /// Its value.
    pub value: Value,
}

/// A value; `None` where an operand has none.
type Outcome = Option<Value>;

/// The table, row and column of a cell.
type CellIndex = (usize, usize, usize);

#[derive(Clone)]
enum State {
    Waiting,
    Running,
    Done(Outcome),
}

/// The values of all cells of a document.
pub struct Values<'a> {
    tables: Vec<Cow<'a, Table>>,
    names: BTreeMap<String, CellIndex>,
    edits: Vec<(CellIndex, Value)>,
    states: Vec<Vec<Vec<State>>>,
}

impl<'a> Values<'a> {
    /// Evaluates every formula of `document` with its inputs as `edits` say.
    pub fn of(document: &'a Document, edits: &[Edit]) -> Result<Self, FormulaError> {
        let tables = document.all_tables();
        let mut names: BTreeMap<String, CellIndex> = BTreeMap::new();
        let mut titles: Vec<&str> = tables.iter().map(|table| table.name.as_str()).collect();
        titles.sort_unstable();
        if let Some(pair) = titles.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(FormulaError::Twice(pair[0].to_owned()));
        }
        for (at, table) in tables.iter().enumerate() {
            for (row, column, cell) in table.cells() {
                if let Some(name) = cell.name()
                    && names.insert(name.to_owned(), (at, row, column)).is_some()
                {
                    return Err(FormulaError::Twice(name.to_owned()));
                }
            }
        }
        let edits = edits.iter().map(|edit| {
            let place = names.get(&edit.input).copied();
            let place = place.ok_or_else(|| FormulaError::NoInput(edit.input.clone()))?;
            Ok((place, edit.value.clone()))
        });
        let edits = edits.collect::<Result<Vec<_>, _>>()?;
        let states = tables
            .iter()
            .map(|table| vec![vec![State::Waiting; table.columns.len()]; table.rows.len()])
            .collect();
        let mut values = Self { tables, names, edits, states };
        for table in 0..values.tables.len() {
            for row in 0..values.tables[table].rows.len() {
                for column in 0..values.tables[table].columns.len() {
                    values.evaluate_cell((table, row, column), 0)?;
                }
            }
        }
        Ok(values)
    }

    /// The value of a cell; `None` where there is none, or where an operand of its formula is none.
    pub fn get(&self, table: &str, row: usize, column: &str) -> Option<&Value> {
        let at = self.tables.iter().position(|t| t.name == table)?;
        self.finished_value((at, row, self.tables[at].column_index(column)?))
    }

    /// The value of the cell of that name.
    pub fn named(&self, name: &str) -> Option<&Value> {
        self.finished_value(*self.names.get(name)?)
    }

    /// Every formula: its table, row and column, the value that the document gives, and the value that its formula does.
    pub fn formulas(&self) -> impl Iterator<Item = (&Table, usize, usize, &Value, Option<&Value>)> {
        self.tables.iter().enumerate().flat_map(move |(at, table)| {
            table.cells().filter_map(move |(row, column, cell)| match cell {
                Cell::Formula { value, .. } => Some((
                    table.as_ref(),
                    row,
                    column,
                    value,
                    self.finished_value((at, row, column)),
                )),
                _ => None,
            })
        })
    }

    fn finished_value(&self, (table, row, column): CellIndex) -> Option<&Value> {
        match self.states.get(table)?.get(row)?.get(column)? {
            State::Done(value) => value.as_ref(),
            State::Waiting | State::Running => None,
        }
    }

    /// The value of a cell, evaluated when it is first asked for.
    fn evaluate_cell(&mut self, place: CellIndex, depth: usize) -> Result<Outcome, FormulaError> {
        let (table, row, column) = place;
        let Some(state) = self.states[table].get(row).and_then(|cells| cells.get(column)) else {
            return Ok(Some(Value::Number(0.0)));
        };
        match state {
            State::Done(value) => return Ok(value.clone()),
            State::Waiting if depth < DEEPEST => {}
            State::Running | State::Waiting => {
                return Err(FormulaError::Cycle { table: self.tables[table].name.clone(), row });
            }
        }
        self.states[table][row][column] = State::Running;
        let edited = self.edits.iter().find(|(at, _)| *at == place).map(|(_, value)| value.clone());
        let outcome = match (edited, self.tables[table].cell(row, column).clone()) {
            (Some(value), _) => Some(value),
            (None, Cell::Formula { formula, .. }) => {
                self.evaluate_formula(&formula, place, depth + 1)?
            }
            (None, Cell::Input(input)) => Some(input.value),
            (None, Cell::Number { value, .. }) => Some(Value::Number(value)),
            (None, Cell::Empty) => Some(Value::Number(0.0)),
            (
                None,
                cell @ (Cell::Text(_)
                | Cell::Total(_)
                | Cell::Link { .. }
                | Cell::Unknown(_)
                | Cell::Status(..)),
            ) => Some(Value::Text(cell.display())),
        };
        self.states[table][row][column] = State::Done(outcome.clone());
        Ok(outcome)
    }

    fn evaluate_formula(
        &mut self,
        formula: &Formula,
        here: CellIndex,
        depth: usize,
    ) -> Result<Outcome, FormulaError> {
        Ok(match formula {
            Formula::Number(value) => Some(Value::Number(*value)),
            Formula::Text(text) => Some(Value::Text(text.clone())),
            Formula::Name(name) => {
                let place = self.names.get(name).copied();
                self.evaluate_cell(place.ok_or_else(|| self.missing_error(here, name))?, depth)?
            }
            Formula::Column(key) => {
                let column = self.find_column(here.0, key, here)?;
                self.evaluate_cell((here.0, here.1, column), depth)?
            }
            Formula::Cell { table, column, row } => {
                let at = self.find_table(Some(table), here)?;
                self.evaluate_cell((at, *row, self.find_column(at, column, here)?), depth)?
            }
            Formula::Range { .. } => None,
            Formula::Binary(operator, a, b) => {
                let (a, b) = (
                    self.evaluate_formula(a, here, depth)?,
                    self.evaluate_formula(b, here, depth)?,
                );
                a.zip(b).and_then(|(a, b)| apply_operator(*operator, &a, &b))
            }
            Formula::Call(function, operands) => {
                self.evaluate_call(*function, operands, here, depth)?
            }
        }
        .filter(|value| value.number().is_none_or(f64::is_finite)))
    }

    fn evaluate_call(
        &mut self,
        function: Function,
        operands: &[Formula],
        here: CellIndex,
        depth: usize,
    ) -> Result<Outcome, FormulaError> {
        match (function, operands) {
            (Function::If, [condition, then, otherwise]) => {
                let condition = self.evaluate_formula(condition, here, depth)?;
                let Some(Value::Number(holds)) = condition else { return Ok(None) };
                self.evaluate_formula(if holds == 0.0 { otherwise } else { then }, here, depth)
            }
            (Function::Known, [value, otherwise]) => {
                match self.evaluate_formula(value, here, depth)? {
                    Some(value) => Ok(Some(value)),
                    None => self.evaluate_formula(otherwise, here, depth),
                }
            }
            (Function::Lookup, [key, keys, values]) => {
                let key = self.evaluate_formula(key, here, depth)?;
                let keys = self.evaluate_range(keys, here, depth)?;
                let values = self.evaluate_range(values, here, depth)?;
                let at = key.and_then(|key| keys.iter().position(|k| k.as_ref() == Some(&key)));
                Ok(at.and_then(|at| values.get(at).cloned().flatten()))
            }
            (Function::SumProduct, ranges) => self.sum_product(ranges, None, here, depth),
            (Function::SumWhere, [keys, key, ranges @ ..]) => {
                let key = self.evaluate_formula(key, here, depth)?;
                let keys = self.evaluate_range(keys, here, depth)?;
                // A comparison with an error is an error.
                let (Some(key), true) = (key, keys.iter().all(Option::is_some)) else {
                    return Ok(None);
                };
                let own = keys.iter().flatten();
                let counts = own.map(|own| f64::from(u8::from(*own == key))).collect();
                self.sum_product(ranges, Some(counts), here, depth)
            }
            (Function::Sum | Function::Min | Function::Max, operands) => {
                let mut numbers = Vec::new();
                for operand in operands {
                    match operand {
                        Formula::Range { .. } => {
                            for value in self.evaluate_range(operand, here, depth)? {
                                let Some(value) = value else { return Ok(None) };
                                numbers.extend(value.number());
                            }
                        }
                        one => match self.evaluate_formula(one, here, depth)? {
                            Some(Value::Number(number)) => numbers.push(number),
                            Some(Value::Text(_)) | None => return Ok(None),
                        },
                    }
                }
                let folded = match function {
                    Function::Min => numbers.into_iter().reduce(f64::min),
                    Function::Max => numbers.into_iter().reduce(f64::max),
                    _ => Some(numbers.into_iter().sum()),
                };
                Ok(Some(Value::Number(folded.unwrap_or(0.0))))
            }
            (Function::Up, [value]) => {
                let value = self.evaluate_formula(value, here, depth)?;
                Ok(value.as_ref().and_then(Value::number).map(|v| Value::Number(v.ceil())))
            }
            (
                Function::If
                | Function::Known
                | Function::Lookup
                | Function::Up
                | Function::SumWhere,
                _,
            ) => Ok(None),
        }
    }

    /// The sum of the products of ranges, each row counted as `weights` say; none where a cell is an error.
    fn sum_product(
        &mut self,
        ranges: &[Formula],
        weights: Option<Vec<f64>>,
        here: CellIndex,
        depth: usize,
    ) -> Result<Outcome, FormulaError> {
        let mut products = weights;
        for range in ranges {
            let list = self.evaluate_range(range, here, depth)?;
            if list.iter().any(Option::is_none) {
                return Ok(None);
            }
            // A text counts as nothing.
            let own = list.iter().map(|v| v.as_ref().and_then(Value::number).unwrap_or(0.0));
            products = Some(match products {
                None => own.collect(),
                Some(before) => before.into_iter().zip(own).map(|(a, b)| a * b).collect(),
            });
        }
        Ok(products.map(|products| Value::Number(products.into_iter().sum())))
    }

    /// The values of a range, one after another.
    fn evaluate_range(
        &mut self,
        range: &Formula,
        here: CellIndex,
        depth: usize,
    ) -> Result<Vec<Outcome>, FormulaError> {
        let Formula::Range { table, column, rows } = range else {
            return Ok(vec![self.evaluate_formula(range, here, depth)?]);
        };
        let at = self.find_table(table.as_deref(), here)?;
        let column = self.find_column(at, column, here)?;
        rows.clone().map(|row| self.evaluate_cell((at, row, column), depth)).collect()
    }

    fn find_table(&self, name: Option<&str>, here: CellIndex) -> Result<usize, FormulaError> {
        let Some(name) = name else { return Ok(here.0) };
        let at = self.tables.iter().position(|table| table.name == name);
        at.ok_or_else(|| self.missing_error(here, &format!("the table `{name}`")))
    }

    fn find_column(&self, table: usize, key: &str, here: CellIndex) -> Result<usize, FormulaError> {
        let column = self.tables[table].column_index(key);
        column.ok_or_else(|| self.missing_error(here, &format!("the column `{key}`")))
    }

    fn missing_error(&self, (table, row, _): CellIndex, what: &str) -> FormulaError {
        FormulaError::Missing { table: self.tables[table].name.clone(), row, what: what.to_owned() }
    }
}

/// `None` where the operands have no such result.
fn apply_operator(operator: Operator, a: &Value, b: &Value) -> Outcome {
    let truth = |holds: bool| Some(Value::Number(if holds { 1.0 } else { 0.0 }));
    match (operator, a, b) {
        (Operator::Equal, a, b) => truth(a == b),
        (_, Value::Number(a), Value::Number(b)) => match operator {
            Operator::Add => Some(Value::Number(a + b)),
            Operator::Subtract => Some(Value::Number(a - b)),
            Operator::Multiply => Some(Value::Number(a * b)),
            Operator::Divide => Some(Value::Number(a / b)),
            Operator::AtLeast => truth(a >= b),
            Operator::Above => truth(a > b),
            Operator::Equal => None,
        },
        (_, Value::Text(_), _) | (_, _, Value::Text(_)) => None,
    }
}
