//! The workbook of a real project in an engine that is not ours: what `LibreOffice` calculates, as it stands and after
//! an edit, is what `derate estimate` says with the same assumption.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod assumed;
mod derate;
#[path = "../../../reports/render/tests/page/harness.rs"]
mod harness;
#[path = "../../../reports/render/tests/recalculation/office.rs"]
mod office;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use assumed::{Figure, change, edits, unchanged};
use calamine::Data;
use derate::{copy, derate_in};
use derate_reports::Value;
use harness::{run_tests, tests};
use office::{Place, edited, formulas, keeps_its_values, missing_tool, recalculated, same, values};

fn main() -> std::process::ExitCode {
    let with_office =
        tests![a_workbook_of_a_project_says_what_derate_says_before_and_after_an_edit];
    run_tests(Vec::new(), vec![(missing_tool(), with_office)])
}

/// The workbook of the project in `folder`.
fn book(folder: &Path) -> Vec<u8> {
    let run = derate_in(folder, &["report", "--out", "out", "--format", "xlsx"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    fs::read(folder.join("out/derate.xlsx")).unwrap()
}

/// The cells of a workbook.
struct Book(BTreeMap<Place, Data>);

impl Book {
    fn text(&self, sheet: &str, row: u32, column: u32) -> &str {
        match self.0.get(&(sheet.to_owned(), row, column)) {
            Some(Data::String(text)) => text,
            _ => "",
        }
    }

    /// The cell below a heading in the row of that name.
    #[track_caller]
    fn get(&self, sheet: &str, heading: &str, row: &str) -> &Data {
        let (top, column) = self
            .0
            .iter()
            .find_map(|((own, row, column), data)| {
                let found = own == sheet && matches!(data, Data::String(text) if text == heading);
                found.then_some((*row, *column))
            })
            .unwrap_or_else(|| panic!("no heading {heading} on {sheet}"));
        let below = (top + 1..top + 40).find(|at| self.text(sheet, *at, 0) == row);
        let at = below.unwrap_or_else(|| panic!("no {row} below {heading} on {sheet}"));
        &self.0[&(sheet.to_owned(), at, column)]
    }
}

/// The workbook has these figures.
#[track_caller]
fn says(book: &Book, figures: &[Figure], what: &str) {
    for figure in figures {
        let heading = match figure.unit {
            "" => figure.column.clone(),
            unit => format!("{} ({unit})", figure.column),
        };
        let found = book.get(figure.sheet, &heading, &figure.row);
        assert!(same(Some(found), &figure.value), "{what}: {found:?} is not {figure:?}");
    }
}

const DESIGN: &str = "[design]\nrows = 16\ncolumns = 16\nschedule = \"block\"\nprecision = \"int8\"\n\
    dsp_per_mac = { bf16 = 3, int8 = 0.5 }\n\n[derate]";

fn a_workbook_of_a_project_says_what_derate_says_before_and_after_an_edit() {
    let (project, design) = (copy("smolvla"), copy("smolvla"));
    change(design.path(), "[derate]", DESIGN);
    let own = book(project.path());
    assert!(formulas(&own).len() > 1500, "{}", formulas(&own).len());
    let edits = edits();
    // What formulas cannot follow: what must be read twice is not known to them.
    let beyond = [("tokens", 1e6, "claimed"), ("on_chip", 0.01, "derived-peak")];
    let mut books = vec![own.clone(), book(design.path())];
    books.extend(edits.iter().map(|edit| edited(&own, edit.input, &edit.value)));
    books.extend(beyond.map(|(input, value, _)| edited(&own, input, &Value::Number(value))));
    let again = recalculated(&books);

    keeps_its_values(&books[0], &again[0]);
    keeps_its_values(&books[1], &again[1]);
    says(&Book(values(&again[0])), &unchanged(project.path()), "as it stands");
    for (edit, again) in edits.iter().zip(&again[2..]) {
        let what = format!("{} = {:?}", edit.input, edit.value);
        says(&Book(values(again)), &edit.figures(project.path()), &what);
    }
    let follows =
        |book: &Book, scenario: &str| book.get("Assumptions", "Formulas follow", scenario).clone();
    for ((input, _, scenario), again) in beyond.iter().zip(&again[2 + edits.len()..]) {
        let said = follows(&Book(values(again)), scenario);
        let Data::String(said) = said else { panic!("{input}: {said:?}") };
        assert!(said.starts_with("no: ") && said.contains("derate estimate"), "{input}: {said}");
    }
}
