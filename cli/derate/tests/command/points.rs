//! Measured points on the roofline.

use std::fs;

use crate::derate::{copy, derate_in};

const POINTS: &str =
    "name;oi (OP/B);rate (GOP/s);source\nQ on the card;45;120;run 7\nghost;500;9 TOP/s;a slide\n";

#[test]
fn they_stand_on_the_chart_with_their_source_and_share() {
    let project = copy("smolvla");
    fs::write(project.path().join("mine.csv"), POINTS).unwrap();
    let run = derate_in(project.path(), &["report", "--out", "out", "--points", "mine.csv"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let read = |name: &str| fs::read_to_string(project.path().join("out").join(name)).unwrap();
    let svg = read("roofline.svg");
    assert!(svg.contains(">Q on the card<") && svg.contains(">Measured<"), "{svg}");
    let table = read("tables/measured-points.csv");
    assert!(
        table.contains("Q on the card,45,120,1082.4,0.1108") && table.contains(",run 7\n"),
        "{table}"
    );
    let paper = read("report.typ");
    assert!(
        paper.contains("ghost lies above every roof: 9 TFLOP/s was measured where, at 500 OP/B"),
        "no word of it"
    );
    assert!(!paper.contains("Q on the card lies above"), "120 GOP/s is below every roof");
    assert!(read("report.json").contains("\"points\":[{\"name\":\"Q on the card\""));

    // Without them, their table goes.
    let run = derate_in(project.path(), &["report", "--out", "out"]);
    assert!(run.stdout.contains("removed out/tables/measured-points.csv"), "{}", run.stdout);
    assert!(!project.path().join("out/tables/measured-points.csv").exists());
}

#[test]
fn a_wrong_file_is_told_with_its_line() {
    let project = copy("smolvla");
    fs::write(project.path().join("mine.csv"), "name,oi,rate,source\nq,45,fast,me\n").unwrap();
    derate_in(project.path(), &["report", "--points", "mine.csv"])
        .assert_refused("mine.csv:2: rate: `fast` is no");
    let file = project.path().join("derate.toml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{text}\n[measurements]\npoints = \"gone.csv\"\n")).unwrap();
    derate_in(project.path(), &["report"]).assert_refused("gone.csv cannot be read");
    assert!(!project.path().join("reports").exists());
}

#[test]
fn a_file_of_the_report_is_not_written_over_what_is_read() {
    let project = copy("smolvla");
    fs::create_dir_all(project.path().join("out/tables")).unwrap();
    let file = project.path().join("out/tables/key-figures.csv");
    fs::write(&file, POINTS).unwrap();
    let args = ["report", "--out", "out", "--points", "out/tables/key-figures.csv"];
    derate_in(project.path(), &args).assert_refused("that file is read");
    assert_eq!(fs::read_to_string(&file).unwrap(), POINTS);
}
