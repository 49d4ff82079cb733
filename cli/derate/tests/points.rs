//! Measured points on the roofline.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod derate;

use std::fs;

use derate::{copy, derate_in};

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

/// Names that a spreadsheet would take for cells, that would reorder a line, or that fit nowhere.
const NAMES: [&str; 8] = [
    "a!A1",
    "it's!B2",
    "Summary!A1",
    "block!$A$1",
    "=(x!A1)",
    "=SUM(A1)[1]",
    "left\u{202e}right\u{200f}",
    "a_very_long_name_of_a_tensor_that_goes_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_until_it_ends",
];

const LINEAR: &str = "[model]\nshapes = \"it's!B2.txt\"\nworkload = \"linear\"\n\n[hls]\nsources = [\"Summary!A1.h\"]\n\n\
    [platform]\nname = \"u280\"\n\n[claims]\nprecision = \"bf16\"\nsequence_length = 128\nclock = \"300 MHz\"\n\
    bandwidth = \"460 GB/s\"\npeak = { bf16 = \"5.4 TFLOP/s\" }\n\n[measurements]\npoints = \"block!$A$1.csv\"\n";

#[test]
fn names_that_look_like_cells_stay_names() {
    let project = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(project.path().join(name), text).unwrap();
    let each = |line: &dyn Fn(usize, &str) -> String| -> String {
        NAMES.iter().enumerate().map(|(at, name)| line(at, name)).collect()
    };
    write("derate.toml", LINEAR);
    write("Summary!A1.h", "using bf16_t = float;\nextern const bf16_t fc_weight[512][512];\n");
    let dump = |at: usize, name: &str| {
        format!("{name}: torch.Size([{}, 512]) [torch.bfloat16]\n", 512 + 64 * at)
    };
    write("it's!B2.txt", &each(&dump));
    let points =
        |at: usize, name: &str| format!("\"{name}\",{},{} GFLOP/s,\"{name}\"\n", 2 + at, 30 + at);
    write("block!$A$1.csv", &("name,oi,rate,source\n".to_owned() + &each(&points)));

    let run = derate_in(project.path(), &["report", "--out", "out"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for name in
        ["report.html", "report.typ", "report.md", "roofline.svg", "tables/measured-points.csv"]
    {
        let text = fs::read_to_string(project.path().join("out").join(name)).unwrap();
        let turned = ['\u{202e}', '\u{200f}'].into_iter().find(|mark| text.contains(*mark));
        assert_eq!(turned, None, "{name} reorders its text");
    }
    assert!(!run.stdout.contains('\u{202e}'), "{}", run.stdout);
}
