//! What the user makes of findings: `[audit.levels]`, and comments that allow.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod derate;

use std::fs;

use derate::{Run, copy, derate_in};
use serde_json::Value;

const ALIAS: &str = "    using bfloat16_t = float;";

/// A run on `fixtures/smolvla` with texts of its files replaced.
fn with(changes: &[(&str, &str, &str)], args: &[&str]) -> Run {
    let dir = copy("smolvla");
    for (file, from, to) in changes {
        let path = dir.path().join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{file} has no `{from}`");
        fs::write(&path, text.replacen(from, to, 1)).unwrap();
    }
    derate_in(dir.path(), args)
}

fn json(changes: &[(&str, &str, &str)]) -> Value {
    with(changes, &["audit", "--format", "json"]).json()
}

fn of<'a>(json: &'a Value, list: &str, code: &str) -> Vec<&'a Value> {
    json[list].as_array().unwrap().iter().filter(|f| f["code"] == code).collect()
}

fn levels(table: &str) -> (&str, &str, String) {
    ("derate.toml", "[derate]", format!("[audit.levels]\n{table}\n\n[derate]"))
}

#[test]
fn a_level_regrades_every_finding_of_its_rule() {
    let (file, from, to) = levels(
        "\"shape/unknown-constant\" = \"error\"\n\"peak/underivable\" = \"note\"\n\"latency/batch-1\" = \"off\"",
    );
    let json = json(&[(file, from, &to)]);
    assert_eq!(of(&json, "findings", "shape/unknown-constant")[0]["level"], "error");
    assert!(of(&json, "findings", "peak/underivable").iter().all(|f| f["level"] == "note"));
    assert!(of(&json, "findings", "latency/batch-1").is_empty());
    let summary =
        (&json["summary"]["error"], &json["summary"]["warning"], &json["summary"]["note"]);
    assert_eq!(summary, (&5.into(), &2.into(), &5.into()));
    let rank = |finding: &Value| {
        ["error", "warning", "note"]
            .map(Value::from)
            .iter()
            .position(|level| *level == finding["level"])
    };
    let order: Vec<Option<usize>> = json["findings"].as_array().unwrap().iter().map(rank).collect();
    assert!(order.is_sorted(), "{order:?}");
}

#[test]
fn the_exit_status_follows_the_levels() {
    let codes = [
        "bandwidth/theoretical-as-achieved",
        "peak/underivable",
        "precision/alias-width",
        "precision/assumed-bytes",
        "workload/sequence-length",
    ];
    let table = codes.map(|code| format!("\"{code}\" = \"warning\"")).join("\n");
    let (file, from, to) = levels(&table);
    let run = with(&[(file, from, &to)], &["audit"]);
    assert_eq!(run.code, 0, "{}", run.stdout);
    assert!(run.stdout.contains("\n0 errors, 11 warnings, 2 notes;"), "{}", run.stdout);
}

#[test]
fn a_comment_with_a_reason_allows() {
    let why = "derate: allow(precision/alias-width): C simulation";
    for place in [
        format!("    // {why}\n{ALIAS}"),
        format!("    /* {why} */\r\n{ALIAS}"),
        format!("    /* {why} */{ALIAS}"),
        format!("{ALIAS} /* {why} */ //"),
        format!("    // {why}\n    // derate: allow(shape/mismatch): nothing\n{ALIAS}"),
    ] {
        let json = json(&[("model_weights.h", ALIAS, &place)]);
        assert!(of(&json, "findings", "precision/alias-width").is_empty(), "{place}");
        assert_eq!(json["summary"]["allowed"], 1, "{place}");
        let allowed = &json["allowed"][0];
        assert_eq!(allowed["code"], "precision/alias-width");
        assert_eq!(allowed["file"], "model_weights.h");
        assert_eq!(allowed["reason"], "C simulation");
        assert!(allowed["line"].as_u64().is_some_and(|line| (12..=14).contains(&line)));
        assert!(of(&json, "findings", "audit/reasonless-allow").is_empty());
    }
}

#[test]
fn a_comment_in_the_project_file_allows_all_of_a_rule_on_its_line() {
    let line = "peak = { fp32";
    let allow = format!("# derate: allow(peak/underivable): the data sheet's\n{line}");
    let run = with(&[("derate.toml", line, &allow)], &["audit"]);
    assert!(!run.stdout.contains("peak/underivable"), "{}", run.stdout);
    assert!(run.stdout.contains("\n4 errors, 4 warnings, 2 notes, 3 allowed;"), "{}", run.stdout);
}

#[test]
fn what_is_no_comment_of_that_line_allows_nothing() {
    let why = "derate: allow(precision/alias-width): C simulation";
    let beside_another = format!("    using own_t = int; // {why}\n{ALIAS}");
    let too_far = format!("    // {why}\n\n{ALIAS}");
    let text = format!("    const char *why = \"// {why}\";\n{ALIAS}");
    let raw = format!("    const char *why = R\"(\n// {why}\n)\";{ALIAS}");
    for (place, unused) in [(beside_another, 1), (too_far, 1), (text, 0), (raw, 0)] {
        let json = json(&[("model_weights.h", ALIAS, &place)]);
        assert_eq!(of(&json, "findings", "precision/alias-width").len(), 1, "{place}");
        assert_eq!(of(&json, "findings", "audit/unused-allow").len(), unused, "{place}");
        assert_eq!(json["summary"]["allowed"], 0, "{place}");
    }
}

#[test]
fn an_allow_that_does_nothing_is_a_note() {
    let place = format!(
        "{ALIAS} // derate: allow(precision/alias-width)\n    // derate: allow(precision/alias): x\n\
         // derate: allow precision/alias-width\n// derate: allow(shape/mismatch): all is well\n"
    );
    let json = json(&[("model_weights.h", ALIAS, &place)]);
    assert_eq!(of(&json, "findings", "precision/alias-width").len(), 1, "no reason, no allowance");
    let reasonless = of(&json, "findings", "audit/reasonless-allow");
    assert_eq!((reasonless.len(), &reasonless[0]["line"]), (1, &12.into()));
    let unused = of(&json, "findings", "audit/unused-allow");
    let said: Vec<&str> = unused.iter().map(|f| f["message"].as_str().unwrap()).collect();
    assert!(said[0].contains("no rule is called `precision/alias`"), "{said:?}");
    assert!(said[1].contains("not the form of an allow"), "{said:?}");
    assert!(said[2].contains("has no finding of `shape/mismatch`"), "{said:?}");
    assert!(unused.iter().all(|f| f["level"] == "note"));
}

#[test]
fn the_notes_on_comments_have_levels_too() {
    let stale = format!("// derate: allow(shape/mismatch): x\n{ALIAS}");
    let (file, from, to) = levels("\"audit/unused-allow\" = \"error\"");
    let json = json(&[(file, from, &to), ("model_weights.h", ALIAS, &stale)]);
    assert_eq!(of(&json, "findings", "audit/unused-allow")[0]["level"], "error");
}

#[test]
fn a_report_says_what_was_allowed() {
    let dir = copy("smolvla");
    let path = dir.path().join("derate.toml");
    let text = fs::read_to_string(&path).unwrap();
    let text = text.replace("batch = 1\n", "batch = 1 # derate: allow(latency/batch-1): in work\n");
    fs::write(&path, text).unwrap();
    let run = derate_in(dir.path(), &["report", "--out", "out"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let page = fs::read_to_string(dir.path().join("out/report.md")).unwrap();
    assert!(page.contains("Allowed at derate.toml:18"), "{page}");
    assert!(page.contains("The reason given: in work"));
    assert!(run.stdout.contains("\n1 finding allowed in the source"), "{}", run.stdout);
}
