//! Comma-separated values (RFC 4180), one table per file.

use crate::{Cell, Input, RenderError, Table, Value};
use derate_units::number::write_in_full;

use super::plain::plain_text;

/// Renders a table: numbers without groups and without noise, texts so that no spreadsheet takes them for formulas.
pub fn render_csv(table: &Table) -> Result<Vec<u8>, RenderError> {
    let header = table
        .columns
        .iter()
        .map(|column| quote_field(&guard_text(&column.heading_with_unit())))
        .collect::<Vec<_>>();
    let mut out = header.join(",") + "\n";
    for row in 0..table.rows.len() {
        let fields = (0..table.columns.len())
            .map(|column| format_field(table.cell(row, column)))
            .collect::<Vec<_>>();
        out.push_str(&fields.join(","));
        out.push('\n');
    }
    Ok(out.into_bytes())
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
        "Kernel, fused",OI (FLOP/B)
        "'=HYPERLINK(""x"")",0.333333333333
        -,2.5
        "'@x
        y",unknown: no report
        ,
        "#);
    }
}
