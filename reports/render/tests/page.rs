//! The page: what its script computes and writes equals what Rust does, and a real browser shows it.
//!
//! `make setup` fetches the browser and what drives it; where they are missing, the tests that
//! need them are ignored, and fail where `DERATE_TEST_PAGE` asks for them.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../examples/roofline/document.rs"]
mod document;
#[path = "page/driver.rs"]
mod driver;
#[path = "page/harness.rs"]
mod harness;
#[path = "page/live.rs"]
mod live;

use derate_render::{Control, Document, NumberFormat, RenderError, Value, Values, format_number};
use driver::{folder, missing_tool, run_script, write};
use harness::{run_tests, tests};
use serde_json::{Value as Json, json};

fn main() -> std::process::ExitCode {
    let plain = tests![
        the_same_document_gives_the_same_page,
        nothing_in_a_document_becomes_markup,
        without_its_script_the_page_says_everything,
        a_control_that_leads_nowhere_is_refused,
    ];
    let with_tool =
        tests![numbers_are_written_as_rust_writes_them, a_browser_shows_and_recomputes_the_page];
    run_tests(plain, vec![(missing_tool(), with_tool)])
}

fn numbers_are_written_as_rust_writes_them() {
    let mut values = vec![
        0.0,
        -0.0,
        0.5,
        1.5,
        2.5,
        -2.5,
        0.25,
        0.125,
        0.375,
        1.25,
        9.5,
        99.5,
        999.5,
        0.05,
        0.000_5,
        999_999.5,
        1e-5,
        9.9996,
        999.96,
        1_017_600.0,
        5.4144e12,
        0.0021,
        1e21,
        1e40,
        1e300,
        5e-324,
        f64::MAX,
        9_007_199_254_740_991.0,
        -999.6,
        -0.2,
        1e15,
        123_456_789_012_345.0,
        0.1 + 0.2,
        1.005,
        2.675,
        4.35,
        1e-4,
        9.999_95e-5,
        1e22,
        1e23,
        1.380_649e-23,
        f64::NAN,
        f64::INFINITY,
        0.6522,
        11.7609,
        999_950.0,
        999_500.0,
        0.999_95,
        4.5e-16,
    ];
    // A simple generator, the same on every run.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..600 {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        values.push(f64::from_bits(state));
        let power = i32::try_from(state >> 59).unwrap() - 16;
        values.push(f64::from(u32::try_from(state >> 40).unwrap()) / 64.0 * 10_f64.powi(power));
        values.push(f64::from(u32::try_from(state >> 50).unwrap()) / 8.0);
    }
    let formats = [0, 1, 2, 3, 4, 6, 17, 40].map(|digits| {
        [
            NumberFormat::Integer,
            NumberFormat::Significant(digits),
            NumberFormat::Fixed(digits),
            NumberFormat::Percent(digits),
            NumberFormat::Si(digits),
            NumberFormat::Factor(digits),
            NumberFormat::Scientific(digits),
            NumberFormat::Plain,
        ]
    });
    let mut cases = Vec::new();
    for value in values {
        for format in formats.as_flattened() {
            let bits = format!("{:016x}", value.to_bits());
            cases.push(json!([bits, format, format_number(value, *format)]));
        }
    }
    let path = folder("page-numbers").join("cases.json");
    write(&path, serde_json::to_vec(&cases).unwrap());
    run_script("numbers.mjs", &[&path]);
}

/// Every formula's value after each of the edits, as Rust has it.
fn expected(document: &Document) -> Json {
    let value = |value: Option<&Value>| value.map_or(Json::Null, |value| json!(value));
    let cases = live::edits().into_iter().map(|edits| {
        let values = Values::of(document, &edits).unwrap();
        let cells: Vec<Json> = values
            .formulas()
            .map(|(table, row, column, _, now)| json!([table.name, row, column, value(now)]))
            .collect();
        let edits: Vec<Json> = edits.iter().map(|edit| json!([edit.input, edit.value])).collect();
        json!({ "edits": edits, "cells": cells })
    });
    let controls: Vec<&str> = document.controls.iter().map(|c| c.input.as_str()).collect();
    json!({ "cases": cases.collect::<Vec<_>>(), "controls": controls })
}

fn a_browser_shows_and_recomputes_the_page() {
    let folder = folder("page-live");
    let document = live::document();
    write(&folder.join("live.html"), derate_render::render_html(&document).unwrap());
    write(
        &folder.join("roofline.html"),
        derate_render::render_html(&document::document()).unwrap(),
    );
    write(&folder.join("expected.json"), serde_json::to_vec(&expected(&document)).unwrap());
    run_script("browser.mjs", &[&folder]);
}

fn the_same_document_gives_the_same_page() {
    assert_eq!(
        derate_render::render_html(&live::document()).unwrap(),
        derate_render::render_html(&live::document()).unwrap()
    );
}

fn nothing_in_a_document_becomes_markup() {
    let html = String::from_utf8(derate_render::render_html(&live::document()).unwrap()).unwrap();
    assert_eq!(html.matches("<script").count(), 2, "the data and the script");
    assert_eq!(html.matches("</script>").count(), 2);
    assert!(!html.contains("<img src=x") && !html.contains("<!--"));
    assert!(html.contains("&lt;script&gt;window.owned"));
}

fn without_its_script_the_page_says_everything() {
    let html =
        String::from_utf8(derate_render::render_html(&document::document()).unwrap()).unwrap();
    for part in [
        "data:image/svg+xml;base64,",
        "IEEE 754 binary32",
        "<mark class=\"primary\">float</mark>",
        "<td class=\"right number\">1.08</td>",
        "no synthesis report",
    ] {
        assert!(html.contains(part), "{part}");
    }
}

fn a_control_that_leads_nowhere_is_refused() {
    let mut document = live::document();
    document.controls.push(Control { label: "Nothing".to_owned(), input: "nothing".to_owned() });
    let error = derate_render::render_html(&document).unwrap_err();
    assert!(matches!(error, RenderError::Formula(_)), "{error}");
    assert_eq!(error.to_string(), "no input is called `nothing`");
}
