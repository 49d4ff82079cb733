//! Formulas over column keys, as formulas over cells.

use xlsxwriter::utility::row_col_to_cell;

use crate::{RenderError, Table};

/// The expression with each `{key}` replaced by the address of that column in `row`, where the table's first column
/// stands at `left`.
pub(super) fn live(
    expression: &str,
    table: &Table,
    row: u32,
    left: u16,
) -> Result<String, RenderError> {
    let mut formula = "=".to_owned();
    let mut rest = expression.trim_start_matches('=');
    while let Some((before, after)) = rest.split_once('{') {
        let Some((key, after)) = after.split_once('}') else { break };
        let unknown = || RenderError::UnknownColumn {
            table: table.name.clone(),
            expression: expression.to_owned(),
            column: key.to_owned(),
        };
        let column = table.column_index(key.trim()).ok_or_else(unknown)?;
        let column = u16::try_from(column)
            .ok()
            .and_then(|column| left.checked_add(column))
            .ok_or_else(unknown)?;
        formula.push_str(before);
        formula.push_str(&row_col_to_cell(row, column));
        rest = after;
    }
    formula.push_str(rest);
    Ok(formula)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Column;

    fn table() -> Table {
        let columns = vec![
            Column::text("kernel", "K"),
            Column::number("flops", "F", ""),
            Column::number("bytes", "B", ""),
        ];
        Table { name: "kernels".to_owned(), caption: String::new(), columns, rows: Vec::new() }
    }

    #[test]
    fn keys_become_addresses_in_the_same_row() {
        assert_eq!(live("{flops}/{bytes}", &table(), 4, 0).unwrap(), "=B5/C5");
        assert_eq!(live("=MIN({flops}, 2)", &table(), 0, 1).unwrap(), "=MIN(C1, 2)");
    }

    #[test]
    fn an_unknown_key_is_named() {
        let error = live("{flop}/2", &table(), 0, 0).unwrap_err().to_string();
        assert_eq!(
            error,
            "table `kernels`: the formula `{flop}/2` names the column `flop`, which the table does not have"
        );
    }
}
