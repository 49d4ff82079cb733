//! What Excel refuses to open, or offers to repair, is in no workbook.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

#[path = "recalculation/kitchen.rs"]
mod kitchen;

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use quick_xml::Reader;
use quick_xml::events::Event;
use zip::ZipArchive;

/// Every part of the workbook by its name.
fn parts() -> BTreeMap<String, String> {
    assert!(!kitchen::edits().is_empty());
    let book = derate_render::render_xlsx(&kitchen::document()).unwrap();
    let mut archive = ZipArchive::new(Cursor::new(book)).unwrap();
    (0..archive.len())
        .map(|at| {
            let mut file = archive.by_index(at).unwrap();
            let mut text = String::new();
            file.read_to_string(&mut text).unwrap();
            (file.name().unwrap().into_owned(), text)
        })
        .collect()
}

/// The texts of every element called `name`.
fn texts<'a>(xml: &'a str, name: &str) -> Vec<&'a str> {
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let begins = |rest: &str| rest.starts_with(['>', ' ']);
    xml.split(open.as_str())
        .skip(1)
        .filter(|rest| begins(rest))
        .filter_map(|rest| rest.split_once('>')?.1.split_once(close.as_str()).map(|(text, _)| text))
        .collect()
}

#[test]
fn every_part_is_well_formed_xml() {
    for (name, text) in parts() {
        let mut reader = Reader::from_str(&text);
        reader.config_mut().check_end_names = true;
        loop {
            match reader.read_event() {
                Ok(Event::Eof) => break,
                Ok(_) => {}
                Err(error) => panic!("{name}: {error}"),
            }
        }
    }
}

#[test]
fn names_formulas_texts_and_lists_stay_within_what_excel_takes() {
    let parts = parts();
    let book = &parts["xl/workbook.xml"];
    let names: Vec<String> = book
        .split("<definedName name=\"")
        .skip(1)
        .map(|rest| rest.split_once('"').unwrap().0.to_lowercase())
        .collect();
    let mut own: Vec<&String> = names.iter().filter(|name| !name.starts_with("_xlnm")).collect();
    own.sort();
    let count = own.len();
    own.dedup();
    assert_eq!(own.len(), count, "{own:?}");
    assert!(own.iter().any(|name| *name == "kernel_clock"));
    // The name of an input that looks like a cell's address is bent.
    assert!(own.iter().any(|name| *name == "n_acc32"), "{own:?}");

    for (name, xml) in parts.iter().filter(|(name, _)| name.starts_with("xl/worksheets/sheet")) {
        for formula in texts(xml, "f") {
            assert!(formula.chars().count() < 8192, "{name}: {formula}");
        }
        for list in texts(xml, "formula1") {
            assert!(list.chars().count() <= 257, "{name}: {list}");
        }
    }
    for text in texts(&parts["xl/sharedStrings.xml"], "t") {
        assert!(text.chars().count() < 32_767);
    }
}

#[test]
fn an_input_takes_only_what_is_allowed_and_shows_that_it_was_changed() {
    let parts = parts();
    let sheet = &parts["xl/worksheets/sheet2.xml"];
    let rules: Vec<&str> = sheet.split("<dataValidation ").skip(1).collect();
    assert_eq!(rules.len(), 6);
    let rule = |cell: &str| {
        let place = format!("sqref=\"{cell}\"");
        *rules.iter().find(|rule| rule.contains(&place)).unwrap()
    };
    let bandwidth = rule("B7");
    assert!(bandwidth.contains("type=\"decimal\""), "{bandwidth}");
    assert!(bandwidth.contains("<formula2>100000</formula2>"), "{bandwidth}");
    assert!(bandwidth.contains("derate has 460."), "{bandwidth}");
    assert!(rule("B9").contains("type=\"whole\""), "{}", rule("B9"));
    assert!(rule("B10").contains("\"bf16,fp32,int8,int4\""), "{}", rule("B10"));
    // Forty choices with commas stand on a sheet of their own.
    assert!(rule("B11").contains("<formula1>Choices!$B$4:$B$43</formula1>"), "{}", rule("B11"));
    assert!(sheet.contains("-(460))&gt;"), "the value that derate has stands in a rule of its own");
}

#[test]
fn charts_draw_cells_that_follow_the_inputs() {
    let parts = parts();
    let charts: Vec<&String> = parts
        .iter()
        .filter(|(name, _)| name.starts_with("xl/charts/chart"))
        .map(|(_, xml)| xml)
        .collect();
    assert_eq!(charts.len(), 3);
    for chart in &charts {
        assert!(
            texts(chart, "c:f").iter().all(|cells| cells.starts_with("'Chart data'!")),
            "{chart}"
        );
    }
    let data = &parts["xl/worksheets/sheet5.xml"];
    assert!(
        texts(data, "f").iter().any(|formula| formula.contains("bandwidth*1000000000")),
        "{data}"
    );
}

#[test]
fn the_figure_behind_a_stack_is_the_value_of_a_bar_that_no_one_sees() {
    let parts = parts();
    let charts = parts.iter().filter(|(name, _)| name.starts_with("xl/charts/chart"));
    let bars: Vec<&String> =
        charts.map(|(_, xml)| xml).filter(|xml| xml.contains("<c:barChart>")).collect();
    assert_eq!(bars.len(), 2);
    for chart in &bars {
        // A label that takes its text from a cell says 0 in LibreOffice, and another entry of the legend is missing there.
        assert!(!chart.contains("<c:legendEntry>"), "{chart}");
        assert!(texts(chart, "c:dLbl").iter().all(|label| !label.contains("<c:f>")), "{chart}");
    }
    let stacked: Vec<&&String> =
        bars.iter().filter(|chart| chart.contains("val=\"stacked\"")).collect();
    let [stacked] = stacked[..] else { panic!("{} charts are stacked", stacked.len()) };
    let groups = texts(stacked, "c:barChart");
    assert_eq!(groups.len(), 2);
    assert!(groups[1].contains("<a:noFill/>"), "{}", groups[1]);
    assert!(groups[1].contains("<c:showVal val=\"1\"/>"), "{}", groups[1]);
    let axes = texts(stacked, "c:valAx");
    assert_eq!(axes.len(), 2);
    assert!(axes.iter().all(|axis| axis.contains("<c:min val=\"0\"/>")), "{axes:#?}");
    assert!(axes[1].contains("<c:delete val=\"1\"/>"), "{}", axes[1]);
}

#[test]
fn formulas_read_as_one_would_write_them() {
    let parts = parts();
    let kernels = texts(&parts["xl/worksheets/sheet3.xml"], "f");
    for expected in [
        // Traffic of `Q`: the bits of a precision, looked up on another sheet.
        "(921600+tokens*1920)*INDEX('What we assume'!$B$16:$B$19,MATCH(precision,'What we assume'!$A$16:$A$19,0))/8",
        "C5/D5",
        "CEILING(tokens/16,1)",
        "SUM($C$5:$C$8)",
        "IF(E9=0,\"never\",0)",
        "SUMPRODUCT(($B$5:$B$8=\"a\")*1,$C$5:$C$8)",
        // An empty cell counts as 0, and an input that looks like a cell has another name.
        "MIN($E$5:$E$8,0,7)",
        "MAX(E10,n_acc32)-(1-C10)",
    ] {
        assert!(kernels.contains(&expected), "{expected} in {kernels:#?}");
    }
    let summary = texts(&parts["xl/worksheets/sheet1.xml"], "f");
    assert!(summary.contains(&"whole_time/0.01"), "{summary:#?}");
    // A text is not a number: the comparison would pass over it.
    let guarded = "IF(IFERROR(whole_time,0)+0&gt;0.05,\"no: take a \"\"faster\"\" card\",\"yes\")";
    assert!(summary.contains(&guarded), "{summary:#?}");
}
