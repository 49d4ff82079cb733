//! What changed since an earlier report.

use std::fs;
use std::path::Path;

use crate::derate::{Run, copy, derate_in};

fn report(project: &Path, args: &[&str]) -> Run {
    derate_in(project, &[&["report", "--out", "out", "--format", "json,csv,md"], args].concat())
}

#[test]
fn nothing_changed_is_said() {
    let project = copy("smolvla");
    assert_eq!(report(project.path(), &[]).code, 0);
    let run = report(project.path(), &["--compare", "out/report.json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("Nothing changed: the same findings"), "{}", run.stdout);
    let written = fs::read_to_string(project.path().join("out/compare.md")).unwrap();
    assert_eq!(written, run.stdout, "stdout is the comment and nothing else");
    assert!(run.stderr.contains("compare.md ("), "{}", run.stderr);
    // Without the option it would be out of date.
    let run = report(project.path(), &[]);
    assert!(run.stdout.contains("removed out/compare.md"), "{}", run.stdout);
    assert!(!project.path().join("out/compare.md").exists());
}

#[test]
fn figures_and_findings_are_held_against_the_old_ones() {
    let project = copy("smolvla");
    report(project.path(), &[]);
    let file = project.path().join("derate.toml");
    let text = fs::read_to_string(&file).unwrap();
    let text = text.replace("bandwidth = \"300 GB/s\"", "bandwidth = \"240 GB/s\"");
    let text = text.replace("precision = \"bf16\"", "precision = \"fp32\"");
    fs::write(&file, text.replace("sequence_length = 50", "sequence_length = 241")).unwrap();
    let header = project.path().join("model_weights.h");
    let code = fs::read_to_string(&header).unwrap();
    let alias = "using bfloat16_t = float;";
    let allow = "// derate: allow(precision/alias-width): simulation only";
    fs::write(&header, code.replace(alias, &format!("{alias} {allow}"))).unwrap();

    let run = report(project.path(), &["--compare", "out/report.json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let line = |begin: &str| {
        run.stdout
            .lines()
            .find(|line| line.starts_with(begin))
            .unwrap_or_else(|| panic!("no `{begin}` in {}", run.stdout))
    };
    let gone =
        |line: &str| line.starts_with("| gone |") && line.contains("workload/sequence-length");
    assert!(run.stdout.lines().any(gone), "{}", run.stdout);
    assert!(line("| allowed |").contains("simulation only"), "{}", run.stdout);
    let bandwidth = line("| derated, derived-peak |  | bandwidth |");
    assert!(bandwidth.contains("300.0 GB/s | 240.0 GB/s | -20.00%"), "{bandwidth}");
    assert!(
        line("| claimed, as-built |  | tokens |").contains("50 | 241 | 382.00%"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains(". 4 errors, 5 warnings, 2 notes remain;"), "{}", run.stdout);
    // Causes stand first, then what came out, and what every schedule says alike once.
    let rows: Vec<&str> =
        run.stdout.split("| Scenario |").nth(1).unwrap().lines().skip(2).collect();
    let at = |begin: &str| rows.iter().position(|row| row.starts_with(begin)).unwrap();
    let result = at("| claimed |  | roofline time | 165.0 ms |");
    for cause in ["| derated, derived-peak |  | bandwidth |", "| claimed, as-built"] {
        assert!(at(cause) < result, "{rows:#?}");
    }
    let weights = line("| claimed (every schedule) |  | weights |");
    assert!(weights.contains("2.900 GB | 5.800 GB | 100.00%"), "{weights}");
    assert!(line("| claimed |  | ridge point, fp32 |").ends_with("|  | 11.76 OP/B | new |"));
    assert!(!run.stdout.contains("*unknown*"), "{}", run.stdout);
    assert!(run.stdout.lines().count() < 70, "{}", run.stdout);
    let all = fs::read_to_string(project.path().join("out/tables/changed-figures.csv")).unwrap();
    assert!(
        all.lines().count() > 70 && run.stdout.contains("more changed"),
        "{}",
        all.lines().count()
    );
}

#[test]
fn another_file_is_refused_and_a_later_field_is_not() {
    let project = copy("smolvla");
    report(project.path(), &[]);
    let old = project.path().join("out/report.json");
    let text = fs::read_to_string(&old).unwrap();
    let other = project.path().join("other.json");
    let compare = |text: &str| {
        fs::write(&other, text).unwrap();
        report(project.path(), &["--compare", "other.json"])
    };
    compare(&text.replace("derate.report/1", "derate.report/2"))
        .assert_refused("`derate.report/2`, not `derate.report/1`");
    compare("{}").assert_refused("other.json: it has no schema");
    compare("[1,\n2,").assert_refused("other.json:2: it is not JSON");
    compare("{\"a\": 1,\n\"a\": 2}")
        .assert_refused("other.json:2: the key `a` is given twice: name a report.json");
    report(project.path(), &["--compare", "nowhere.json"])
        .assert_refused("nowhere.json cannot be read");
    let later = text.replacen("{\"schema\"", "{\"later\":{\"x\":[1]},\"schema\"", 1);
    assert!(compare(&later).stdout.contains("Nothing changed"));
    // Fields that are missing are figures that are new, no failure.
    let bare = compare("{\"schema\":\"derate.report/1\"}");
    assert_eq!(bare.code, 0, "{}", bare.stderr);
    assert!(
        bare.stdout.contains("| new |") && bare.stdout.contains(" |  | new |")
            || bare.stdout.contains("| new |\n")
    );
    assert!(!bare.stdout.contains("*unknown*"), "{}", bare.stdout);
}

#[test]
fn what_was_measured_and_the_clock_are_held_against_the_old_ones() {
    let project = copy("smolvla");
    fs::write(project.path().join("p.csv"), "name,oi,rate,source\nq,45,120 GOP/s,run 7\n").unwrap();
    report(project.path(), &["--points", "p.csv"]);
    fs::copy(project.path().join("out/report.json"), project.path().join("old.json")).unwrap();
    let changed = |args: &[&str]| {
        let run = report(project.path(), &[&["--compare", "old.json"], args].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stdout
    };
    let same = changed(&["--points", "p.csv"]);
    assert!(same.contains("Nothing changed"), "{same}");
    let without = changed(&[]);
    assert!(without.contains("| points | q | rate | 120.0 GOP/s |  | gone |"), "{without}");
    fs::write(project.path().join("p.csv"), "name,oi,rate,source\nq,45,130 GOP/s,run 8\n").unwrap();
    let faster = changed(&["--points", "p.csv"]);
    assert!(
        faster.contains("| points | q | rate | 120.0 GOP/s | 130.0 GOP/s | 8.33% |"),
        "{faster}"
    );
    assert!(faster.contains("| points | q | source | run 7 | run 8 |"), "{faster}");

    let file = project.path().join("derate.toml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("clock = \"300 MHz\"", "clock = \"250 MHz\"")).unwrap();
    let slower = changed(&[]);
    assert!(
        slower.contains("| inputs |  | kernel clock | 300.0 MHz | 250.0 MHz | -16.67% |"),
        "{slower}"
    );
    // A report that an older derate wrote does not have it.
    let old = project.path().join("old.json");
    let text = fs::read_to_string(&old).unwrap();
    let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
    value.as_object_mut().unwrap().remove("inputs");
    fs::write(&old, value.to_string()).unwrap();
    assert!(!changed(&[]).contains("kernel clock |"));
}

#[test]
fn what_differs_without_being_compared_is_no_nothing() {
    let project = copy("smolvla");
    report(project.path(), &[]);
    let text = fs::read_to_string(project.path().join("out/report.json")).unwrap();
    let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
    value["estimate"]["bandwidths"][0]["sentence"] = "another".into();
    fs::write(project.path().join("old.json"), value.to_string()).unwrap();
    let run = report(project.path(), &["--compare", "old.json"]);
    assert!(run.stdout.contains("are others, in estimate/bandwidths:"), "{}", run.stdout);
    assert!(!run.stdout.contains("Nothing changed"), "{}", run.stdout);
}

#[test]
fn a_new_finding_that_is_allowed_at_once_is_new() {
    let project = copy("smolvla");
    report(project.path(), &[]);
    // The report of a time when the alias was not there.
    let text = fs::read_to_string(project.path().join("out/report.json")).unwrap();
    let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let findings = value["audit"]["findings"].as_array_mut().unwrap();
    findings.retain(|finding| finding["code"] != "precision/alias-width");
    fs::write(project.path().join("old.json"), value.to_string()).unwrap();
    let header = project.path().join("model_weights.h");
    let code = fs::read_to_string(&header).unwrap();
    let alias = "using bfloat16_t = float;";
    let allow = "// derate: allow(precision/alias-width): simulation only";
    fs::write(&header, code.replace(alias, &format!("{alias} {allow}"))).unwrap();
    let run = report(project.path(), &["--compare", "old.json"]);
    let row = run.stdout.lines().find(|line| line.starts_with("| new, allowed |"));
    let row = row.unwrap_or_else(|| panic!("{}", run.stdout));
    assert!(row.contains("precision/alias-width") && row.contains("simulation only"), "{row}");
    assert!(run.stdout.contains("1 finding new"), "{}", run.stdout);
}

/// What differs between a design's array and one of twice its rows and columns stands before what comes of it.
#[test]
fn causes_are_told_before_effects_and_no_effect_twice() {
    let project = copy("smolvla");
    let file = project.path().join("derate.toml");
    let text = fs::read_to_string(&file).unwrap();
    let design = |side: u32| {
        let own = text.split("\n[design]").next().unwrap().to_owned();
        let design = format!("rows = {side}\ncolumns = {side}\nports = 16\nport_bits = 256");
        fs::write(&file, format!("{own}\n[design]\n{design}\n")).unwrap();
    };
    design(16);
    report(project.path(), &[]);
    fs::copy(project.path().join("out/report.json"), project.path().join("old.json")).unwrap();
    design(32);
    let run = report(project.path(), &["--compare", "old.json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let table = run.stdout.split("| Scenario |").nth(1).unwrap();
    let rows: Vec<&str> = table.lines().skip(2).take_while(|row| row.starts_with('|')).collect();
    insta::assert_snapshot!("compare_design", rows.join("\n"));
}
