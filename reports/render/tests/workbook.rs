//! Workbooks, read back by somebody else's reader.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../examples/roofline/document.rs"]
mod document;

use std::io::Cursor;

use calamine::{Data, Range, Reader, Xlsx, open_workbook_from_rs};
use derate_render::{
    Block, Cell, Column, Document, FormulaError, NumberFormat, RenderError, Section, Table, formula,
};
use proptest::prelude::*;

type Book = Xlsx<Cursor<Vec<u8>>>;

fn book(document: &Document) -> Book {
    open_workbook_from_rs(Cursor::new(derate_render::render_xlsx(document).unwrap())).unwrap()
}

/// The place of the first cell that reads `text`.
fn find(range: &Range<Data>, text: &str) -> (u32, u32) {
    let start = range.start().unwrap();
    let (row, column, _) = range.used_cells().find(|(_, _, cell)| **cell == *text).unwrap();
    (start.0 + u32::try_from(row).unwrap(), start.1 + u32::try_from(column).unwrap())
}

/// A document with one table of one text column.
fn texts(section: &str, texts: &[String]) -> Document {
    let table = Table {
        name: "t".to_owned(),
        caption: String::new(),
        columns: vec![Column::text("text", "Text")],
        rows: texts.iter().map(|text| vec![Cell::text(text)]).collect(),
    };
    let blocks = vec![Block::Table(table)];
    let section =
        Section { name: section.to_owned(), title: "Texts".to_owned(), blocks, appendix: false };
    Document {
        title: "T".to_owned(),
        subtitle: String::new(),
        controls: Vec::new(),
        sections: vec![section],
    }
}

#[test]
fn a_sheet_for_every_section() {
    let book = book(&document::document());
    assert_eq!(book.sheet_names(), ["Summary", "Findings", "Kernels", "Roofline", "Chart data"]);
}

#[test]
fn formulas_are_live_and_their_values_cached() {
    let mut book = book(&document::document());
    let values = book.worksheet_range("Kernels").unwrap();
    let (row, kernel) = find(&values, "Q");
    assert_eq!(values.get_value((row, kernel + 2)), Some(&Data::Float(92_160_000.0)));
    assert_eq!(values.get_value((row, kernel + 5)), Some(&Data::Float(92_160_000.0 / 4_070_400.0)));
    let formulas = book.worksheet_formula("Kernels").unwrap();
    let line = row + 1;
    assert_eq!(formulas.get_value((row, kernel + 5)), Some(&format!("C{line}/D{line}")));
    assert_eq!(formulas.get_value((row, kernel + 6)), Some(&format!("D{line}/300000000000*1000")));
}

#[test]
fn units_stand_in_the_headings() {
    let mut book = book(&document::document());
    let values = book.worksheet_range("Kernels").unwrap();
    find(&values, "Operations (FLOP)");
    find(&values, "unknown: no synthesis report");
}

#[test]
fn a_finding_names_both_lines() {
    let mut book = book(&document::document());
    let values = book.worksheet_range("Findings").unwrap();
    find(&values, "model_weights.h:12\nderate.toml:31");
}

#[test]
fn the_same_document_gives_the_same_bytes() {
    let render = || derate_render::render_xlsx(&document::document()).unwrap();
    assert_eq!(render(), render());
}

#[test]
fn a_text_is_never_a_formula() {
    let mut book = book(&texts("S", &["=1+1".to_owned(), "@x".to_owned(), "{=A1}".to_owned()]));
    let values = book.worksheet_range("S").unwrap();
    for text in ["=1+1", "@x", "{=A1}"] {
        find(&values, text);
    }
    assert!(book.worksheet_formula("S").unwrap().used_cells().next().is_none());
}

#[test]
fn what_is_no_number_is_not_written_as_one() {
    let mut document = texts("S", &[]);
    if let Some(Block::Table(table)) = document.sections[0].blocks.first_mut() {
        table.rows.push(vec![Cell::number(f64::NAN, NumberFormat::Integer)]);
        table.rows.push(vec![Cell::formula(
            f64::INFINITY,
            formula::number(1.0) / 0.0,
            NumberFormat::Integer,
        )]);
    }
    let values = book(&document).worksheet_range("S").unwrap();
    assert_eq!(values.used_cells().filter(|(_, _, cell)| **cell == *"n/a").count(), 2);
}

#[test]
fn a_formula_over_nothing_is_refused_by_name() {
    let mut document = texts("S", &[]);
    if let Some(Block::Table(table)) = document.sections[0].blocks.first_mut() {
        table.rows.push(vec![Cell::formula(
            1.0,
            formula::column("missing"),
            NumberFormat::Integer,
        )]);
    }
    let error = derate_render::render_xlsx(&document).unwrap_err();
    assert!(
        matches!(error, RenderError::Formula(FormulaError::Missing { what, .. }) if what.contains("missing"))
    );
}

#[test]
fn an_empty_document_still_opens() {
    let empty = Document {
        title: "Nothing".to_owned(),
        subtitle: String::new(),
        controls: Vec::new(),
        sections: Vec::new(),
    };
    let values = book(&empty).worksheet_range("Report").unwrap();
    find(&values, "Nothing");
}

#[test]
fn sheets_of_one_name_are_kept_apart() {
    let mut twice = texts("Kernels", &[]);
    twice.sections.push(twice.sections[0].clone());
    if let Some(Block::Table(table)) = twice.sections[1].blocks.first_mut() {
        table.name = "u".to_owned();
    }
    assert_eq!(book(&twice).sheet_names(), ["Kernels", "Kernels (2)"]);
}

#[test]
fn what_is_too_long_for_excel_is_cut() {
    for long in ["words and more ".repeat(4000), "&".repeat(40_000), "ᚠ𝕏".repeat(20_000)] {
        let mut document = document::document();
        document.title.clone_from(&long);
        document.subtitle.clone_from(&long);
        for section in &mut document.sections {
            section.name.clone_from(&long);
            section.title.clone_from(&long);
            for block in &mut section.blocks {
                match block {
                    Block::Prose(text) => text.clone_from(&long),
                    Block::Chart(chart) => {
                        chart.title.clone_from(&long);
                        chart.caption.clone_from(&long);
                        chart.x.label.clone_from(&long);
                        chart.lines[0].name.clone_from(&long);
                        chart.points[0].name.clone_from(&long);
                        chart.points[0].points[0].label.clone_from(&long);
                    }
                    Block::Table(table) => {
                        table.columns[0].heading.clone_from(&long);
                        table.rows[0][0] = Cell::text(&long);
                    }
                    Block::Bars(bars) => bars.title.clone_from(&long),
                    Block::Timeline(timeline) => timeline.title.clone_from(&long),
                    Block::Diagnostics(diagnostics) => diagnostics[0].message.clone_from(&long),
                    Block::KeyFigures(figures) => figures[0].label.clone_from(&long),
                }
            }
        }
        assert_eq!(book(&document).sheet_names().len(), 5);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_text_survives(name in any::<String>(), cells in prop::collection::vec("\\PC{1,40}", 1..4)) {
        let mut book = book(&texts(&name, &cells));
        let sheet = book.sheet_names()[0].clone();
        let values = book.worksheet_range(&sheet).unwrap();
        let read: Vec<String> = values.used_cells().map(|(_, _, cell)| cell.to_string()).collect();
        for cell in cells.iter().filter(|cell| cell.chars().all(|c| c.is_alphanumeric() || c.is_ascii_punctuation())) {
            prop_assert!(read.iter().any(|text| text == cell), "{cell:?} in {read:?}");
        }
    }
}
