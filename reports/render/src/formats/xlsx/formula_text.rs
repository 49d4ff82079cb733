//! Formulas in Excel's notation, with the meaning that [`Values`](crate::Values) gives them.
//!
//! A spreadsheet differs in places, and the text makes up for it: a text below a comparison or in a list of numbers is
//! passed over there, and so gets a `+0` that makes it an error; a truth is not a number, and so is multiplied by 1.

use super::places::{FormulaSite, Placed, Places};
use crate::{Cell, Formula, FormulaError, Function, Operator, RenderError};

/// The longest formula that Excel takes.
const LONGEST: usize = 8192;

/// The longest text that a formula may hold in one piece.
const PIECE: usize = 255;

/// The most operands of a function that Excel takes.
const OPERANDS: usize = 255;

/// Excel takes 64 functions within one another; operators within one another weigh less.
const DEEPEST: usize = 256;
const FUNCTION: usize = DEEPEST / 64;

/// How strongly the outermost operator of a text binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Comparison,
    Joined,
    Sum,
    Product,
    Whole,
}

struct Piece {
    text: String,
    rank: Binding,
}

impl Piece {
    fn whole(text: impl Into<String>) -> Self {
        Self { text: text.into(), rank: Binding::Whole }
    }

    /// The text, in parentheses where it holds less strongly than `rank`.
    fn at_least(self, rank: Binding) -> String {
        if self.rank < rank { format!("({})", self.text) } else { self.text }
    }

    /// The text, in parentheses where it does not hold more strongly than `rank`.
    fn tighter_than(self, rank: Binding) -> String {
        if self.rank <= rank { format!("({})", self.text) } else { self.text }
    }
}

/// The text of `formula` at `home`, without the equals sign.
pub(super) fn formula_text(
    formula: &Formula,
    home: &FormulaSite<'_>,
    places: &Places<'_>,
) -> Result<String, RenderError> {
    let text = Writer { home, places }.write_value(formula, 0)?.text;
    if text.encode_utf16().count() > LONGEST {
        return Err(too_long(home));
    }
    Ok(text)
}

/// A number as Excel reads it.
pub(super) fn number_text(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if (1e-5..1e15).contains(&value.abs()) {
        return format!("{value}");
    }
    format!("{value:E}")
}

fn too_long(home: &FormulaSite<'_>) -> RenderError {
    RenderError::LongFormula { table: home.table.unwrap_or(home.tab).to_owned(), row: home.row }
}

struct Writer<'a> {
    home: &'a FormulaSite<'a>,
    places: &'a Places<'a>,
}

impl Writer<'_> {
    /// A formula as a number or a text.
    fn write_value(&self, formula: &Formula, depth: usize) -> Result<Piece, RenderError> {
        let piece = self.write_piece(formula, depth)?;
        Ok(match piece.rank {
            Binding::Comparison => {
                Piece { text: format!("({})*1", piece.text), rank: Binding::Product }
            }
            _ => piece,
        })
    }

    /// A formula as a number, an error where it is a text.
    fn write_number(&self, formula: &Formula, depth: usize) -> Result<Piece, RenderError> {
        let piece = self.write_value(formula, depth)?;
        if self.never_a_text(formula) {
            return Ok(piece);
        }
        Ok(Piece { text: piece.at_least(Binding::Sum) + "+0", rank: Binding::Sum })
    }

    /// Whether a formula gives a number or an error, as far as it can be seen.
    fn never_a_text(&self, formula: &Formula) -> bool {
        is_arithmetic(formula)
            || match self.referred_cell(formula) {
                Some(Cell::Number { value, .. }) => value.is_finite(),
                Some(Cell::Input(input)) => input.value.number().is_some(),
                Some(Cell::Formula { value, formula, .. }) => {
                    value.number().is_some_and(f64::is_finite) && is_arithmetic(formula)
                }
                _ => false,
            }
    }

    /// The cell that a reference is to.
    fn referred_cell(&self, formula: &Formula) -> Option<&Cell> {
        let (table, column, row) = match formula {
            Formula::Name(name) => return self.places.find_name(name).map(|(_, cell)| cell),
            Formula::Column(column) => (None, column, self.home.row),
            Formula::Cell { table, column, row } => (Some(table.as_str()), column, *row),
            _ => return None,
        };
        let placed = self.places.find_table(table, self.home)?;
        Some(placed.table.cell(row, placed.table.column_index(column)?))
    }

    fn write_piece(&self, formula: &Formula, depth: usize) -> Result<Piece, RenderError> {
        if depth > DEEPEST {
            return Err(too_long(self.home));
        }
        Ok(match formula {
            Formula::Number(value) if !value.is_finite() => Piece::whole("NA()"),
            Formula::Number(value) => {
                let rank = if *value < 0.0 { Binding::Sum } else { Binding::Whole };
                Piece { text: number_text(*value), rank }
            }
            Formula::Text(text) => text_literal(text),
            Formula::Name(name) => {
                let named = self.places.find_name(name).ok_or_else(|| self.missing_error(name))?;
                Piece::whole(named.0)
            }
            Formula::Column(key) => {
                let (placed, column) = self.find_column(None, key)?;
                Piece::whole(self.existing_cell(placed.relative_cell(self.home.row, column))?)
            }
            Formula::Cell { table, column, row } => {
                let (placed, column) = self.find_column(Some(table), column)?;
                Piece::whole(self.existing_cell(placed.cell_seen_from(*row, column, self.home))?)
            }
            Formula::Range { .. } => Piece::whole("NA()"),
            Formula::Binary(operator, a, b) => self.write_binary(*operator, a, b, depth + 1)?,
            Formula::Call(function, operands) => {
                self.write_call(*function, operands, depth + FUNCTION)?
            }
        })
    }

    fn write_binary(
        &self,
        operator: Operator,
        a: &Formula,
        b: &Formula,
        depth: usize,
    ) -> Result<Piece, RenderError> {
        let (sign, rank) = match operator {
            Operator::Add => ("+", Binding::Sum),
            Operator::Subtract => ("-", Binding::Sum),
            Operator::Multiply => ("*", Binding::Product),
            Operator::Divide => ("/", Binding::Product),
            Operator::Equal => ("=", Binding::Comparison),
            Operator::AtLeast => (">=", Binding::Comparison),
            Operator::Above => (">", Binding::Comparison),
        };
        let (a, b) = match operator {
            Operator::Equal => (self.write_value(a, depth)?, self.write_value(b, depth)?),
            Operator::AtLeast | Operator::Above => {
                (self.write_number(a, depth)?, self.write_number(b, depth)?)
            }
            // Arithmetic takes a truth value as a number.
            _ => (self.write_piece(a, depth)?, self.write_piece(b, depth)?),
        };
        Ok(Piece { text: a.at_least(rank) + sign + &b.tighter_than(rank), rank })
    }

    fn write_call(
        &self,
        function: Function,
        operands: &[Formula],
        depth: usize,
    ) -> Result<Piece, RenderError> {
        if operands.len() > OPERANDS {
            return Err(too_long(self.home));
        }
        Ok(Piece::whole(match (function, operands) {
            (Function::Min, operands) => self.write_fold("MIN", operands, depth)?,
            (Function::Max, operands) => self.write_fold("MAX", operands, depth)?,
            (Function::Sum, operands) => self.write_fold("SUM", operands, depth)?,
            (Function::SumProduct, operands) if !operands.is_empty() => {
                match self.write_lists(operands, depth)? {
                    Some(lists) => format!("SUMPRODUCT({})", lists.join(",")),
                    None => "0".to_owned(),
                }
            }
            (Function::SumWhere, [keys, key, ranges @ ..]) => {
                let key = self.write_value(key, depth)?.tighter_than(Binding::Comparison);
                match (self.write_list(keys, depth)?, self.write_lists(ranges, depth)?) {
                    (Some(keys), Some(lists)) => {
                        let lists: String =
                            lists.into_iter().map(|list| ",".to_owned() + &list).collect();
                        format!("SUMPRODUCT(({keys}={key})*1{lists})")
                    }
                    _ => "0".to_owned(),
                }
            }
            (Function::If, [condition, then, otherwise]) => {
                let condition = self.write_piece(condition, depth)?.text;
                let (then, otherwise) =
                    (self.write_value(then, depth)?, self.write_value(otherwise, depth)?);
                format!("IF({condition},{},{})", then.text, otherwise.text)
            }
            (Function::Up, [value]) => {
                format!("CEILING({},1)", self.write_number(value, depth)?.text)
            }
            (Function::Lookup, [key, keys, values]) => {
                let key = self.write_value(key, depth)?.text;
                match (self.write_list(keys, depth)?, self.write_list(values, depth)?) {
                    (Some(keys), Some(values)) => format!("INDEX({values},MATCH({key},{keys},0))"),
                    _ => "NA()".to_owned(),
                }
            }
            (Function::Known, [value, otherwise]) => {
                let (value, otherwise) =
                    (self.write_value(value, depth)?, self.write_value(otherwise, depth)?);
                format!("IFERROR({},{})", value.text, otherwise.text)
            }
            // Any other call has no value.
            (
                Function::SumProduct
                | Function::SumWhere
                | Function::If
                | Function::Up
                | Function::Lookup
                | Function::Known,
                _,
            ) => "NA()".to_owned(),
        }))
    }

    /// A function over numbers and ranges.
    fn write_fold(
        &self,
        name: &str,
        operands: &[Formula],
        depth: usize,
    ) -> Result<String, RenderError> {
        let mut texts = Vec::new();
        for operand in operands {
            match operand {
                Formula::Range { table, column, rows } => {
                    texts.extend(self.write_list(operand, depth)?);
                    // An empty cell counts as 0, and would be passed over.
                    let (placed, column) = self.find_column(table.as_deref(), column)?;
                    let mut cells = rows.clone().map(|row| placed.table.cell(row, column));
                    if name != "SUM" && cells.any(|cell| *cell == Cell::Empty) {
                        texts.push("0".to_owned());
                    }
                }
                one => texts.push(self.write_number(one, depth)?.text),
            }
        }
        if texts.is_empty() {
            return Ok("0".to_owned());
        }
        Ok(format!("{name}({})", texts.join(",")))
    }

    /// Ranges; nothing where one of them has no cells.
    fn write_lists(
        &self,
        ranges: &[Formula],
        depth: usize,
    ) -> Result<Option<Vec<String>>, RenderError> {
        ranges.iter().map(|range| self.write_list(range, depth)).collect()
    }

    /// A range; nothing where it has no cells.
    fn write_list(&self, range: &Formula, depth: usize) -> Result<Option<String>, RenderError> {
        let Formula::Range { table, column, rows } = range else {
            return Ok(Some(self.write_value(range, depth)?.text));
        };
        let (placed, column) = self.find_column(table.as_deref(), column)?;
        let Some(last) = rows.end.checked_sub(1).filter(|last| *last >= rows.start) else {
            return Ok(None);
        };
        Ok(Some(self.existing_cell(placed.range_seen_from(rows.start, last, column, self.home))?))
    }

    fn find_column(
        &self,
        table: Option<&str>,
        key: &str,
    ) -> Result<(&Placed<'_>, usize), RenderError> {
        let placed = self.places.find_table(table, self.home);
        let placed = placed.ok_or_else(|| {
            self.missing_error(&format!("the table `{}`", table.unwrap_or_default()))
        })?;
        let column = placed.table.column_index(key);
        Ok((placed, column.ok_or_else(|| self.missing_error(&format!("the column `{key}`")))?))
    }

    /// The cell of a reference, which must be on the sheet.
    fn existing_cell(&self, place: Option<String>) -> Result<String, RenderError> {
        place.ok_or_else(|| self.missing_error("a cell below the last row of a sheet"))
    }

    fn missing_error(&self, what: &str) -> RenderError {
        let table = self.home.table.unwrap_or(self.home.tab).to_owned();
        FormulaError::Missing { table, row: self.home.row, what: what.to_owned() }.into()
    }
}

/// Whether a formula gives a number or an error by its outermost part.
pub(super) fn is_arithmetic(formula: &Formula) -> bool {
    match formula {
        Formula::Number(_) | Formula::Binary(..) => true,
        Formula::Call(function, _) => {
            !matches!(function, Function::If | Function::Known | Function::Lookup)
        }
        _ => false,
    }
}

/// A text between quotes, in pieces where it is long.
fn text_literal(text: &str) -> Piece {
    let mut pieces = vec![String::new()];
    let mut used = 0;
    for c in super::clip::clip_text(text).chars() {
        if used + c.len_utf16() > PIECE {
            pieces.push(String::new());
            used = 0;
        }
        used += c.len_utf16();
        if let Some(piece) = pieces.last_mut() {
            piece.push(c);
        }
    }
    let rank = if pieces.len() > 1 { Binding::Joined } else { Binding::Whole };
    let quoted: Vec<String> =
        pieces.iter().map(|piece| format!("\"{}\"", piece.replace('"', "\"\""))).collect();
    Piece { text: quoted.join("&"), rank }
}
