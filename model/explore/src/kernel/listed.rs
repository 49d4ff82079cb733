//! Designs that a table lists: a column for each macro or placeholder, a row for each design.

use super::{Variation, VariationTarget};

/// The designs of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedDesigns {
    /// One for each column, with the values that it has.
    pub variations: Vec<Variation>,
    /// An index into the values of each variation, row by row.
    pub points: Vec<Vec<usize>>,
}

/// Why a table has no designs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableError(pub String);

impl std::fmt::Display for TableError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TableError {}

impl ListedDesigns {
    /// Reads a CSV table: names of macros or placeholders in its first line, then a design a line. Blanks in a cell are kept,
    /// as `pipeline auto{P}` with a blank value is the bare pragma.
    pub fn read(text: &str) -> Result<Self, TableError> {
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty());
        let Some((_, head)) = lines.next() else {
            return Err(TableError(
                "it is empty: write a line of names, then a design a line".to_owned(),
            ));
        };
        let names = split_cells(head);
        let mut variations: Vec<Variation> = Vec::with_capacity(names.len());
        for name in &names {
            let name = name.trim().trim_start_matches('\u{feff}').to_owned();
            let is_known = |one: &Variation| one.axis().name == name;
            if name.is_empty() || variations.iter().any(is_known) {
                return Err(TableError(format!(
                    "line 1 names the column `{name}` twice or not at all"
                )));
            }
            variations
                .push(Variation { target: VariationTarget::Text { name }, values: Vec::new() });
        }
        let mut points = Vec::new();
        for (at, line) in lines {
            let cells = split_cells(line);
            if cells.len() != names.len() {
                return Err(TableError(format!(
                    "line {} has {} cells and the first line {}: write a cell for each column",
                    at + 1,
                    cells.len(),
                    names.len()
                )));
            }
            points.push(
                variations.iter_mut().zip(cells).map(|(one, cell)| find_value(one, cell)).collect(),
            );
        }
        if points.is_empty() {
            let reason = "it lists no design: write a design a line below the names";
            return Err(TableError(reason.to_owned()));
        }
        Ok(Self { variations, points })
    }
}

fn find_value(variation: &mut Variation, cell: String) -> usize {
    let known = variation.values.iter().position(|value| *value == cell);
    known.unwrap_or_else(|| {
        variation.values.push(cell);
        variation.values.len() - 1
    })
}

/// The cells of a line; a cell in quotes may have commas, and a doubled quote is one.
fn split_cells(line: &str) -> Vec<String> {
    let (mut cells, mut is_quoted) = (vec![String::new()], false);
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_quoted && letters.peek() == Some(&'"') => {
                letters.next();
                cells.last_mut().into_iter().for_each(|cell| cell.push('"'));
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(String::new()),
            other => cells.last_mut().into_iter().for_each(|cell| cell.push(other)),
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_points_of_the_columns_values() {
        let table = ListedDesigns::read("P,U\noff,1\n,2\n\"a,b\",1\n").unwrap();
        assert_eq!(table.points, [[0, 0], [1, 1], [2, 0]]);
        assert_eq!(table.variations[0].values, ["off", "", "a,b"]);
    }

    #[test]
    fn a_table_that_is_none_is_refused_in_a_sentence() {
        for text in ["", "A,B\n", "A,B\n1\n", "A,A\n1,2\n"] {
            let error = ListedDesigns::read(text).unwrap_err().to_string();
            assert!(!error.is_empty() && !error.contains('\n'), "{error}");
        }
    }
}
