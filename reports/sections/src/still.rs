//! Tables where nothing can be changed: without the words, rows and columns that are about changes.

use derate_render::{Cell, Table};

use super::latency::AS_COMPUTED;
use super::live::{CHANGEABLE, HOLDING, TO_TRY};
use super::scenarios::FOLLOWS;

/// `table` for a reader who cannot change its inputs.
pub(super) fn still(table: &Table) -> Table {
    let mut table = table.clone();
    for said in [CHANGEABLE, HOLDING, AS_COMPUTED] {
        table.caption = table.caption.replace(said, "");
    }
    table.rows.retain(|row| row.first() != Some(&Cell::text(TO_TRY)));
    if let Some(at) = table.columns.iter().position(|column| column.heading == FOLLOWS) {
        table.columns.remove(at);
        for row in table.rows.iter_mut().filter(|row| row.len() > at) {
            row.remove(at);
        }
        // A schedule reads what its scenario does.
        table.rows.retain(|row| row.iter().skip(1).any(|cell| *cell != Cell::Empty));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use derate_render::Column;

    #[test]
    fn what_is_about_changes_is_not_there() {
        let own = Table {
            name: "follows".to_owned(),
            caption: format!("What each scenario reads{HOLDING}."),
            columns: vec![
                Column::text("scenario", "Scenario"),
                Column::text("follows", FOLLOWS),
                Column::text("source", "Source"),
            ],
            rows: vec![
                ["claimed", "yes", "slides"].map(Cell::text).into(),
                vec![Cell::text("claimed (block)"), Cell::text("yes"), Cell::Empty],
                [TO_TRY, "yes", "a question"].map(Cell::text).into(),
            ],
        };
        let shown = still(&own);
        assert_eq!(shown.caption, "What each scenario reads.");
        assert_eq!(shown.rows, [["claimed", "slides"].map(Cell::text)]);
        assert_eq!(shown.columns.len(), 2);
    }
}
