//! The workbook's formulas in an engine that is not ours: `LibreOffice` calculates them, and finds what derate did.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../../examples/roofline/document.rs"]
mod document;
mod kitchen;
mod office;
mod random;

use std::collections::BTreeMap;

use calamine::Data;
use derate_reports::{Document, Edit, Value, Values, render};
use office::{Place, edited, formulas, installed, keeps_its_values, recalculated, same, values};

/// What `LibreOffice` finds is what derate's own evaluator does.
fn follows(document: &Document, edits: &[Edit], book: &[u8], again: &[u8]) {
    let own = Values::of(document, edits).unwrap();
    let new: BTreeMap<Place, Data> = values(again);
    // Tables lie below one another, in their order; a chart has a note that is of no table.
    let places = formulas(book)
        .into_iter()
        .filter(|((sheet, ..), text)| sheet != "Chart data" && !text.contains("COUNTIF("));
    let mut places = places.fuse();
    for (table, row, column, _, expected) in own.formulas() {
        let (place, text) = places.next().unwrap();
        let found = new.get(&place);
        let key = &table.columns[column].key;
        let what = format!("{}, row {row}, {key}: ={text} gives {found:?}", table.name);
        match expected {
            Some(expected) => assert!(same(found, expected), "{what}, not {expected:?}; {edits:?}"),
            None => {
                assert!(matches!(found, Some(Data::Error(_))), "{what}, not an error; {edits:?}");
            }
        }
    }
    assert!(places.next().is_none());
}

#[test]
fn libreoffice_calculates_what_derate_does_before_and_after_an_edit() {
    if !installed("libreoffice_calculates_what_derate_does_before_and_after_an_edit") {
        return;
    }
    let roofline = render::xlsx(&document::document()).unwrap();
    let kitchen = kitchen::document();
    let book = render::xlsx(&kitchen).unwrap();
    let random = random::document();
    let random_book = render::xlsx(&random).unwrap();
    let edits: Vec<Vec<Edit>> = kitchen::edits();
    let mut books = vec![roofline, book, random_book];
    for edits in &edits {
        let change = |book: Vec<u8>, edit: &Edit| edited(&book, &edit.input, &edit.value);
        books.push(edits.iter().fold(books[1].clone(), change));
    }
    // As much as an input takes moves the points beyond the axes.
    let far: Value = 100_000.0.into();
    books.push(edited(&books[1], "bandwidth", &far));
    let again = recalculated(&books);
    let note = |book: &[u8]| {
        values(book).into_values().find(|data| data.to_string().contains("the axes")).unwrap()
    };
    assert_eq!(note(&again[1]), *"Every point lies within the axes.");
    assert!(note(again.last().unwrap()).to_string().starts_with("Points lie outside of the axes:"));
    keeps_its_values(&books[0], &again[0]);
    keeps_its_values(&books[1], &again[1]);
    follows(&kitchen, &[], &books[1], &again[1]);
    follows(&random, &[], &books[2], &again[2]);
    for (edits, (book, again)) in edits.iter().zip(books.iter().zip(&again).skip(3)) {
        follows(&kitchen, edits, book, again);
    }
}
