//! Tables that are too long for a page: it shows their first rows and their totals.

use crate::{Block, Document, Table, Values};
use derate_units::figures::grouped;

/// A table with more rows is cut.
const LONGEST: usize = 2500;

/// So many rows are left of it.
const LEFT: usize = 300;

/// The document with its long tables cut; `None` where none is too long, or where a formula reads what would be cut.
pub(super) fn shorten_tables(document: &Document) -> Option<Document> {
    let is_long = |table: &Table| table.rows.len() > LONGEST;
    if !document.tables().any(is_long) {
        return None;
    }
    let mut shorter = document.clone();
    for block in shorter.sections.iter_mut().flat_map(|section| &mut section.blocks) {
        if let Block::Table(table) = block
            && is_long(table)
        {
            cut_table(table);
        }
    }
    Values::of(&shorter, &[]).is_ok().then_some(shorter)
}

fn cut_table(table: &mut Table) {
    let all = table.rows.len();
    let totals: Vec<usize> = (LEFT..all).filter(|&row| table.is_total(row)).collect();
    let totals = totals.into_iter().filter_map(|row| table.rows.get(row).cloned());
    let rows: Vec<_> = table.rows.iter().take(LEFT).cloned().chain(totals).collect();
    table.rows = rows;
    let said = format!(
        "The first {LEFT} of {} rows, and the totals; the workbook and the CSV of the table have all.",
        grouped(all as f64)
    );
    table.caption = if table.caption.is_empty() {
        said
    } else {
        format!("{}. {said}", table.caption.trim_end_matches('.'))
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cell, Column, NumberFormat, Section};

    fn document(rows: usize) -> Document {
        let row = |at: usize| vec![Cell::number(at as f64, NumberFormat::Integer)];
        let mut rows: Vec<Vec<Cell>> = (0..rows).map(row).collect();
        rows.push(vec![Cell::Total("all".to_owned())]);
        let table = Table {
            name: "t".to_owned(),
            caption: "Kernels.".to_owned(),
            columns: vec![Column::number("n", "N", "")],
            rows,
        };
        let section = Section {
            name: "S".to_owned(),
            title: "S".to_owned(),
            blocks: vec![Block::Table(table)],
            appendix: false,
        };
        Document {
            title: "T".to_owned(),
            subtitle: String::new(),
            controls: Vec::new(),
            sections: vec![section],
        }
    }

    #[test]
    fn a_long_table_keeps_its_first_rows_and_its_total() {
        let shorter = shorten_tables(&document(10_000));
        let tables: Vec<&Table> = shorter.iter().flat_map(Document::tables).collect();
        assert_eq!(tables.len(), 1);
        assert_eq!(tables[0].rows.len(), LEFT + 1);
        assert!(tables[0].is_total(LEFT));
        assert!(tables[0].caption.starts_with("Kernels. The first 300 of 10,001 rows"));
        assert!(shorten_tables(&document(LONGEST - 1)).is_none());
    }
}
