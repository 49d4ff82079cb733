//! SARIF and GitHub annotations, as code-scanning services read them.

use std::fs;
use std::path::Path;

use crate::derate::{copy, derate, derate_in, root};
use insta::assert_snapshot;
use serde_json::Value;

const SARIF: [&str; 3] = ["audit", "--format", "sarif"];

fn sarif_of(dir: &Path) -> Value {
    let run = derate_in(dir, &SARIF);
    assert_eq!(run.stderr, "");
    run.json()
}

/// Every violation of the published schema.
fn violations(log: &Value) -> Vec<String> {
    let path = root().join("fixtures/schemas/sarif-schema-2.1.0.json");
    let schema = fs::read_to_string(path).unwrap();
    // One pattern has a bracket too many for a regular expression; it is that of a language, which is never written.
    assert!(schema.contains("-[a-zA-Z]{2}]?$"));
    let schema: Value = serde_json::from_str(&schema.replace("{2}]?$", "{2}$")).unwrap();
    // Formats such as `uri-reference` are checked too.
    let validator = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
    validator.iter_errors(log).map(|e| format!("{}: {e}", e.instance_path())).collect()
}

fn fingerprints(log: &Value) -> Vec<&str> {
    let results = log["runs"][0]["results"].as_array().unwrap();
    results.iter().map(|r| r["partialFingerprints"]["finding/v1"].as_str().unwrap()).collect()
}

/// The results, and the rules without their pages.
#[test]
fn sarif_of_the_seed() {
    let mut log = sarif_of(&root().join("fixtures/smolvla"));
    for rule in log["runs"][0]["tool"]["driver"]["rules"].as_array_mut().unwrap() {
        let page = rule["help"]["markdown"].as_str().unwrap();
        assert!(page.starts_with("# ") && page.contains("## How to fix"), "{page}");
        rule["help"] = "see docs/rules.md".into();
    }
    assert_snapshot!(serde_json::to_string_pretty(&log).unwrap());
}

#[test]
fn it_holds_to_the_published_schema() {
    let odd = copy("smolvla");
    let header = odd.path().join("model_weights.h");
    let text = fs::read_to_string(&header).unwrap();
    let moved = odd.path().join("my weights; 50% (权重).h");
    fs::write(moved, text.replace("    using bfloat16_t", "    /* 权重 */ using bfloat16_t"))
        .unwrap();
    fs::remove_file(header).unwrap();
    let project = odd.path().join("derate.toml");
    let text = fs::read_to_string(&project).unwrap();
    let text = text
        .replace("model_weights.h", "my weights; 50% (权重).h")
        .replace("batch = 1\n", "batch = 1 # derate: allow(latency/batch-1): {unknown} yet\n");
    fs::write(odd.path().join("kernels/${TYPE}.cpp"), "void f(int {{ ]] = ;;; ) <<<\n").unwrap();
    fs::write(project, text).unwrap();
    let log = sarif_of(odd.path());
    assert_eq!(violations(&log), [""; 0]);
    let text = log.to_string();
    assert!(
        text.contains("my%20weights%3B%2050%25%20%28%E6%9D%83%E9%87%8D%29.h"),
        "the file's name"
    );
    assert!(text.contains("`kernels/${{TYPE}}.cpp`"), "braces are doubled in messages");
    let results = log["runs"][0]["results"].as_array().unwrap();
    let allowed = &results.last().unwrap()["suppressions"][0];
    assert_eq!(allowed["kind"], "inSource");
    assert_eq!(allowed["justification"], "{unknown} yet");
    for project in ["fixtures/smolvla", "fixtures/smolvla-bf16"] {
        assert_eq!(violations(&sarif_of(&root().join(project))), [""; 0], "{project}");
    }
    // The schema does refuse.
    let wrong = log.to_string().replace("startLine", "firstLine");
    assert!(!violations(&serde_json::from_str(&wrong).unwrap()).is_empty());
}

#[test]
fn the_same_bytes_from_any_folder_and_no_path_of_this_machine() {
    let here = derate(&["audit", "fixtures/smolvla", "--format", "sarif"]);
    let elsewhere = copy("smolvla");
    assert_eq!(here.code, 1);
    assert_eq!(here.stdout, derate_in(elsewhere.path(), &SARIF).stdout);
    let absolute = root().join("fixtures/smolvla");
    let named = derate(&["audit", absolute.to_str().unwrap(), "--format", "sarif"]);
    assert_eq!(here.stdout, named.stdout);
    assert!(!here.stdout.contains(root().to_str().unwrap()));
}

#[test]
fn fingerprints_hold_when_lines_move() {
    let dir = copy("smolvla");
    let before = sarif_of(dir.path());
    for (name, lines) in [("model_weights.h", "// new\n\n\n"), ("derate.toml", "# new\n")] {
        let path = dir.path().join(name);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{lines}{text}")).unwrap();
    }
    let after = sarif_of(dir.path());
    assert_ne!(before["runs"][0]["results"], after["runs"][0]["results"], "the lines moved");
    assert_eq!(fingerprints(&before), fingerprints(&after));
    let mut distinct = fingerprints(&before);
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), fingerprints(&before).len());
}

#[test]
fn annotations_of_the_seed() {
    let run = derate(&["audit", "fixtures/smolvla", "--format", "github"]);
    assert_eq!(run.code, 1);
    assert_snapshot!(run.stdout);
}

#[test]
fn annotations_name_files_from_where_the_workflow_runs() {
    let inside = derate_in(&root().join("fixtures/smolvla"), &["audit", "--format", "github"]);
    assert!(inside.stdout.starts_with("::error file=derate.toml,line=21,"), "{}", inside.stdout);
    let file = derate(&["audit", "./fixtures/smolvla/derate.toml", "--format", "github"]);
    assert!(file.stdout.starts_with("::error file=fixtures/smolvla/derate.toml,line=21,"));
}
