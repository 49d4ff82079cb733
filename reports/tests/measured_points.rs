//! Measured points in a report whose inputs are changed.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "../../model/tests/fixture/mod.rs"]
mod fixture;

use derate_model::Analysis;
use derate_model::audit::audit;
use derate_model::estimate::estimate;
use derate_model::points::read_points;
use derate_reports::render_markdown;
use derate_reports::sections::{self, Reader};
use derate_reports::{Document, Edit, Marker, Values};
use fixture::Fixture;

const POINTS: &str = "name;oi;rate;source\nlow;2;120 GOP/s;run 7\nhigh;4e4;900 GOP/s;run 8\n";

fn report(analysis: &Analysis) -> Document {
    report_with(analysis, POINTS)
}

fn report_with(analysis: &Analysis, points: &str) -> Document {
    let (audit, estimate) = (audit(analysis), estimate(analysis));
    let points = read_points("p.csv", points).unwrap();
    sections::make_report(analysis, &audit, &estimate, &points, Reader::Editor)
}

fn roofs(document: &Document, edits: &[Edit]) -> Vec<[f64; 2]> {
    let values = Values::of(document, edits).unwrap();
    let of = |row, key| values.get("measured-points", row, key).unwrap().number().unwrap();
    (0..2).map(|row| [of(row, "roof"), of(row, "share")]).collect()
}

#[test]
fn their_roof_and_share_follow_the_inputs_as_derate_does() {
    let own = report(&Fixture::new("smolvla").analysis());
    // 300 GB/s and 1.0824 TFLOP/s.
    let before = roofs(&own, &[]);
    let [roof, share] = before[0];
    assert!((roof - 600.0).abs() < 1e-6 && (share - 0.2).abs() < 1e-9, "{before:?}");
    let edits = [("derated_bandwidth", 100.0), ("kernel_clock", 250.0)];
    let edits = edits.map(|(name, value)| Edit { input: name.to_owned(), value: value.into() });
    let after = roofs(&own, &edits);
    let changed = Fixture::new("smolvla")
        .with("derate.toml", "bandwidth = \"300 GB/s\"", "bandwidth = \"100 GB/s\"")
        .with("derate.toml", "clock = \"300 MHz\"", "clock = \"250 MHz\"");
    let derate = roofs(&report(&changed.analysis()), &[]);
    for (followed, derate) in after.iter().flatten().zip(derate.iter().flatten()) {
        assert!((followed / derate - 1.0).abs() < 1e-9, "{after:?} {derate:?}");
    }
    assert!(after[0][0] < before[0][0] && after[1][0] < before[1][0], "{after:?}");
}

#[test]
fn they_have_a_mark_of_their_own() {
    let own = report(&Fixture::new("smolvla").analysis());
    let chart = own.charts().next().unwrap();
    let measured = chart.points.iter().filter(|series| series.marker == Marker::Measured);
    let names: Vec<&str> = measured.map(|series| series.name.as_str()).collect();
    assert_eq!(names, ["Measured"]);
}

#[test]
fn a_report_with_measured_points_does_not_say_that_nothing_was_measured() {
    let analysis = Fixture::new("smolvla").analysis();
    let said = |document: &Document| String::from_utf8(render_markdown(document).unwrap()).unwrap();
    let with = said(&report(&analysis));
    assert!(
        !with.contains("Nothing here was measured") && !with.contains("not measured"),
        "{with}"
    );
    assert!(with.contains("What was measured is 2 points on the roofline"), "{with}");
    let without = said(&sections::report(&analysis, &audit(&analysis), &estimate(&analysis)));
    assert!(without.contains("Nothing here was measured"), "{without}");
    assert!(without.contains("modelled, not measured"), "{without}");
}

#[test]
fn a_point_above_the_corrected_roof_is_told_where_a_claim_allows_it() {
    // The claim of 5.41 TFLOP/s allows `high` and the 1.08 TFLOP/s that can be built do not.
    let analysis = Fixture::new("smolvla").analysis();
    let said = |rate: &str| {
        let list = format!("name;oi;rate;source\nhigh;4e4;{rate};run 8\n");
        String::from_utf8(render_markdown(&report_with(&analysis, &list)).unwrap()).unwrap()
    };
    let above = said("1200 GOP/s");
    assert!(above.contains("high lies above what can be built by these figures"), "{above}");
    assert!(above.contains("the corrected roof allows 1.082 TFLOP/s"), "{above}");
    assert!(!said("1000 GOP/s").contains("lies above"));
}

#[test]
fn the_digest_has_them_too() {
    let analysis = Fixture::new("smolvla").analysis();
    let estimate = estimate(&analysis);
    let points = read_points("p.csv", POINTS).unwrap();
    let digest = sections::digest(&analysis, &audit(&analysis), &estimate, &points, 5);
    let text = String::from_utf8(render_markdown(&digest).unwrap()).unwrap();
    assert!(text.contains("Measured points") && text.contains("run 7"), "{text}");
}

#[test]
fn a_point_above_the_roof_of_the_design_refutes_it() {
    // 2 x 16 x 16 x 300 MHz are 153.6 GOP/s: `high` is above them and below what the card allows, `low` is below both.
    let design = "[design]\nrows = 16\ncolumns = 16\n\n[derate]";
    let with = Fixture::new("smolvla").with("derate.toml", "[derate]", design).analysis();
    let said = |analysis: &Analysis| {
        String::from_utf8(render_markdown(&report(analysis)).unwrap()).unwrap()
    };
    let text = said(&with);
    assert!(
        text.contains("high lies above the roof of the design: 900 GFLOP/s was measured"),
        "{text}"
    );
    assert!(text.contains("allow 153.6 GFLOP/s"), "{text}");
    assert!(!text.contains("low lies above") && !text.contains("above every roof"), "{text}");
    assert!(!said(&Fixture::new("smolvla").analysis()).contains("lies above"));
}
