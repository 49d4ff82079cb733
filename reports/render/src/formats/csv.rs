//! Comma-separated values (RFC 4180), one table per file.

use crate::{Cell, Input, RenderError, Table, Value};
use derate_units::number::write_in_full;

use super::plain::plain_text;

/// How a formula says that its value is unknown.
const UNKNOWN: &str = "unknown";
/// The heading of the column that has the reasons.
const REASONS: &str = "Unknown";

/// Renders a table: numbers without groups and without noise, texts so that no spreadsheet takes them for formulas. A column of numbers
/// holds numbers alone: what is unknown is empty, and a last column has the reasons.
pub fn render_csv(table: &Table) -> Result<Vec<u8>, RenderError> {
    let numbers: Vec<bool> =
        (0..table.columns.len()).map(|column| holds_numbers(table, column)).collect();
    let reasons: Vec<String> =
        (0..table.rows.len()).map(|row| list_reasons(table, row, &numbers)).collect();
    let has_reasons = reasons.iter().any(|reason| !reason.is_empty());
    let mut header: Vec<String> = table
        .columns
        .iter()
        .map(|column| quote_field(&guard_text(&column.heading_with_unit())))
        .collect();
    header.extend(has_reasons.then(|| REASONS.to_owned()));
    let mut out = header.join(",") + "\n";
    for (row, reason) in reasons.iter().enumerate() {
        let fields =
            numbers.iter().enumerate().map(|(column, is_number)| match table.cell(row, column) {
                cell if *is_number && find_reason(cell).is_some() => String::new(),
                cell => format_field(cell),
            });
        let mut fields: Vec<String> = fields.collect();
        fields.extend(has_reasons.then(|| quote_field(&guard_text(reason))));
        out.push_str(&fields.join(","));
        out.push('\n');
    }
    Ok(out.into_bytes())
}

/// Whether a column has a number, and no text beside numbers and what is unknown.
fn holds_numbers(table: &Table, column: usize) -> bool {
    let cells = || (0..table.rows.len()).map(|row| table.cell(row, column));
    let is_plain = |cell: &Cell| {
        cell.as_number().is_some() || matches!(cell, Cell::Empty) || find_reason(cell).is_some()
    };
    let has_number = cells().any(|cell| cell.as_number().is_some());
    (has_number || table.columns[column].unit.is_some()) && cells().all(is_plain)
}

/// Why a figure is unknown, if it is; the reason may be empty.
fn find_reason(cell: &Cell) -> Option<&str> {
    match cell {
        Cell::Unknown(reason) => Some(reason),
        Cell::Formula { value: Value::Text(text), .. } if text == UNKNOWN => Some(""),
        _ => None,
    }
}

/// `Time (ms): why; OI (OP/B)`: what is unknown in a row of numbers.
fn list_reasons(table: &Table, row: usize, numbers: &[bool]) -> String {
    let unknown = table.columns.iter().enumerate().filter(|(column, _)| numbers[*column]);
    let unknown = unknown.filter_map(|(column, of)| {
        let reason = find_reason(table.cell(row, column))?;
        let name = of.heading_with_unit();
        Some(if reason.is_empty() { name } else { format!("{name}: {reason}") })
    });
    unknown.collect::<Vec<_>>().join("; ")
}

/// One field; a number that is not finite is empty.
fn format_field(cell: &Cell) -> String {
    match cell {
        Cell::Number { value, .. }
        | Cell::Formula { value: Value::Number(value), .. }
        | Cell::Input(Input { value: Value::Number(value), .. }) => {
            if value.is_finite() {
                write_in_full(*value)
            } else {
                String::new()
            }
        }
        Cell::Empty
        | Cell::Text(_)
        | Cell::Total(_)
        | Cell::Link { .. }
        | Cell::Unknown(_)
        | Cell::Status(..)
        | Cell::Formula { .. }
        | Cell::Input(_) => quote_field(&guard_text(&cell.display())),
    }
}

/// Keeps a spreadsheet from running the text as a formula: an apostrophe marks text there.
fn guard_text(text: &str) -> String {
    let text = plain_text(text);
    let runs = text.len() > 1 && text.starts_with(['=', '+', '-', '@']);
    if runs { format!("'{text}") } else { text.into_owned() }
}

fn quote_field(field: &str) -> String {
    if field.contains([',', '"', '\n']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula;
    use crate::{Column, NumberFormat};

    #[test]
    fn a_column_of_texts_and_numbers_keeps_its_words() {
        let table = Table {
            name: "t".to_owned(),
            caption: String::new(),
            columns: vec![Column::text("k", "Figure"), Column::text("v", "Value")],
            rows: vec![
                vec![Cell::text("bound"), Cell::text("compute")],
                vec![Cell::text("peak"), Cell::number(2.0, NumberFormat::Integer)],
                vec![Cell::text("time"), Cell::Unknown("no peak".to_owned())],
            ],
        };
        let text = String::from_utf8(render_csv(&table).unwrap()).unwrap();
        assert_eq!(text, "Figure,Value\nbound,compute\npeak,2\ntime,unknown: no peak\n");
    }

    #[test]
    fn texts_stay_texts_and_numbers_keep_their_digits() {
        let table = Table {
            name: "t".to_owned(),
            caption: String::new(),
            columns: vec![Column::text("k", "Kernel, fused"), Column::number("oi", "OI", "FLOP/B")],
            rows: vec![
                vec![
                    Cell::text("=HYPERLINK(\"x\")"),
                    Cell::number(1.0 / 3.0, NumberFormat::Fixed(1)),
                ],
                vec![
                    Cell::text("-"),
                    Cell::formula(2.5, formula::column("k"), NumberFormat::Integer),
                ],
                vec![Cell::text("@x\ny"), Cell::Unknown("no report".to_owned())],
                vec![Cell::number(f64::NAN, NumberFormat::Integer)],
            ],
        };
        let text = String::from_utf8(render_csv(&table).unwrap()).unwrap();
        insta::assert_snapshot!(text, @r#"
        "Kernel, fused",OI (FLOP/B),Unknown
        "'=HYPERLINK(""x"")",0.333333333333,
        -,2.5,
        "'@x
        y",,OI (FLOP/B): no report
        ,,
        "#);
    }
}
