//! The workbook's formulas in an engine that is not ours: `LibreOffice` calculates them, and finds what derate did.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../../examples/roofline/document.rs"]
mod document;
#[path = "../page/harness.rs"]
mod harness;
mod kitchen;
mod office;
mod random;

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use calamine::Data;
use derate_render::{Document, Edit, Value, Values};
use harness::{run_tests, tests};
use office::{Place, edited, formulas, keeps_its_values, missing_tool, recalculated, same, values};
use zip::ZipArchive;

fn main() -> std::process::ExitCode {
    let with_office = tests![libreoffice_calculates_what_derate_does_before_and_after_an_edit];
    run_tests(Vec::new(), vec![(missing_tool(), with_office)])
}

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

/// Every chart's XML.
fn charts(book: &[u8]) -> Vec<String> {
    let mut book = ZipArchive::new(Cursor::new(book)).unwrap();
    let mut all = Vec::new();
    for at in 0..book.len() {
        let mut file = book.by_index(at).unwrap();
        if file.name().unwrap().starts_with("xl/charts/chart") {
            let mut xml = String::new();
            file.read_to_string(&mut xml).unwrap();
            all.push(xml);
        }
    }
    all
}

/// The bars that `LibreOffice` draws of the stacked chart: the last series has what the others come to.
fn sums_stand_behind_their_parts(book: &[u8]) {
    let charts = charts(book);
    let stacked: Vec<&String> =
        charts.iter().filter(|xml| xml.contains("<c:grouping val=\"stacked\"/>")).collect();
    let [chart] = stacked[..] else { panic!("{} charts are stacked", stacked.len()) };
    let series: Vec<Vec<f64>> = chart.split("<c:val>").skip(1).map(drawn).collect();
    let [parts @ .., sums] = &series[..] else { panic!("no series: {chart}") };
    assert_eq!(parts.len(), 2);
    for bar in 0..3 {
        let whole: f64 = parts.iter().map(|part| part[bar]).sum();
        assert!((sums[bar] / whole - 1.0).abs() < 1e-9, "bar {bar}: {series:?}");
    }
}

/// The numbers of a series, which stand at the beginning of `xml`.
fn drawn(xml: &str) -> Vec<f64> {
    let cache = xml.split_once("</c:val>").unwrap().0;
    let values = cache.split("<c:v>").skip(1).map(|rest| rest.split_once("</c:v>").unwrap().0);
    values.map(|value| value.parse().unwrap()).collect()
}

fn libreoffice_calculates_what_derate_does_before_and_after_an_edit() {
    let roofline = derate_render::render_xlsx(&document::document()).unwrap();
    let kitchen = kitchen::document();
    let book = derate_render::render_xlsx(&kitchen).unwrap();
    let random = random::document();
    let random_book = derate_render::render_xlsx(&random).unwrap();
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
    let warns = |book: &[u8]| {
        let outside = |data: &Data| data.to_string().starts_with("Points lie outside of the axes:");
        values(book).into_values().any(|data| outside(&data))
    };
    assert!(!warns(&again[1]) && warns(again.last().unwrap()));
    keeps_its_values(&books[0], &again[0]);
    keeps_its_values(&books[1], &again[1]);
    for book in [&again[1], &again[3], &again[4]] {
        sums_stand_behind_their_parts(book);
    }
    follows(&kitchen, &[], &books[1], &again[1]);
    follows(&random, &[], &books[2], &again[2]);
    for (edits, (book, again)) in edits.iter().zip(books.iter().zip(&again).skip(3)) {
        follows(&kitchen, edits, book, again);
    }
}
