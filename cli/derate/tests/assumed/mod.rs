//! Assumptions that a reader may change in a report, and what `derate estimate` says with each.
#![allow(dead_code, reason = "each test binary uses its own part of this")]

use std::fs;
use std::path::Path;

use derate_reports::Value;
use serde_json::Value as Json;

use crate::derate::{copy, derate_in};

/// The scenarios that a report's columns stand for.
pub(crate) const LADDER: [&str; 5] =
    ["claimed", "as-built", "true-tokens", "derated", "derived-peak"];

/// The corrected scenario under the schedule that a reader chooses.
const TRIED: &str = "schedule to try";

/// One edit of a report, and how derate is asked the same.
pub(crate) struct Edit {
    pub(crate) input: &'static str,
    pub(crate) value: Value,
    /// What `derate.toml` has, and what it has instead; nothing where an option says it.
    project: Option<(&'static str, &'static str)>,
    /// The scenarios that are compared, each with the options that give it.
    scenarios: Vec<(&'static str, Vec<&'static str>)>,
}

/// A figure of a report: its table, the sheet with it, its row and its column.
#[derive(Debug)]
pub(crate) struct Figure {
    pub(crate) sheet: &'static str,
    pub(crate) table: &'static str,
    pub(crate) row: String,
    pub(crate) column: String,
    pub(crate) unit: &'static str,
    pub(crate) value: Value,
}

/// An edit that `derate estimate` has options for.
fn option(
    input: &'static str,
    value: impl Into<Value>,
    scenario: &'static str,
    options: &[&'static str],
) -> Edit {
    let scenarios = vec![(scenario, options.to_vec())];
    Edit { input, value: value.into(), project: None, scenarios }
}

/// An edit of a line of `derate.toml`, which every scenario reads.
fn line(input: &'static str, value: f64, from: &'static str, to: &'static str) -> Edit {
    Edit { input, value: value.into(), project: Some((from, to)), scenarios: Vec::new() }
}

/// Edits of a report of `fixtures/smolvla`.
pub(crate) fn edits() -> Vec<Edit> {
    let left = ["--tokens", "241", "--bandwidth", "300 GB/s", "--peak", "derived"];
    let slower = [
        &["--precision", "as-built", "--tokens", "241"],
        &["--bandwidth", "77.5 GB/s", "--peak", "derived"][..],
    ]
    .concat();
    let own = [&["--precision", "as-built"], &left[..]].concat();
    let smaller = [&["--precision", "int8"], &left[..]].concat();
    let mut tokens = option("tokens", 100.0, "claimed", &["--tokens", "100"]);
    // What holds has the tokens of an inference, whatever is claimed.
    tokens.scenarios.push(("derived-peak", own));
    let tried = ["--scenario", "derived-peak", "--schedule", "attention"];
    vec![
        option("claimed_bandwidth", 100.0, "claimed", &["--bandwidth", "100 GB/s"]),
        option("derated_bandwidth", 77.5, "derived-peak", &slower),
        option("claimed_precision", "int8", "claimed", &["--precision", "int8"]),
        option("built_precision", "int8", "derived-peak", &smaller),
        tokens,
        option("schedule", "attention", TRIED, &tried),
        line("kernel_clock", 187.5, "\"300 MHz\"", "\"187.5 MHz\""),
        line("cameras", 1.0, "cameras = 3", "cameras = 1"),
        line("language_tokens", 777.0, "language_tokens = 48", "language_tokens = 777"),
    ]
}

impl Edit {
    /// What derate estimates with this assumption for the project in `folder`, a copy of `fixtures/smolvla`.
    pub(crate) fn figures(&self, folder: &Path) -> Vec<Figure> {
        if let Some((from, to)) = self.project {
            let changed = copy("smolvla");
            change(changed.path(), from, to);
            return unchanged(changed.path());
        }
        let scenarios = self.scenarios.iter();
        scenarios.flat_map(|(name, options)| figures(name, &estimate(folder, options)[0])).collect()
    }
}

/// What derate estimates for the project as it is.
pub(crate) fn unchanged(folder: &Path) -> Vec<Figure> {
    let all = estimate(folder, &[]);
    let of = |name: &str| all.iter().find(|s| s["name"] == name && s["schedule"] == "unfused");
    LADDER.into_iter().flat_map(|name| figures(name, of(name).unwrap())).collect()
}

/// Writes another text into the `derate.toml` of a copy.
pub(crate) fn change(folder: &Path, from: &str, to: &str) {
    let file = folder.join("derate.toml");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains(from), "{from}");
    fs::write(file, text.replace(from, to)).unwrap();
}

/// The scenarios of `derate estimate`.
fn estimate(folder: &Path, options: &[&str]) -> Vec<Json> {
    let run = derate_in(folder, &[&["estimate", "--format", "json"], options].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    run.json()["scenarios"].as_array().unwrap().clone()
}

/// What a report shows of the schedule to try.
fn tried(estimate: &Json) -> Vec<Figure> {
    let parts = estimate["parts"].as_array().unwrap().iter().filter(|part| part["runs"] == true);
    let rows = parts.map(|part| (part["name"].as_str().unwrap(), part));
    let rows = rows.chain([("whole inference", &estimate["totals"])]);
    let figure = |row: &str, column: &str, unit, value: Value| {
        let (row, column) = (row.to_owned(), column.to_owned());
        Figure { sheet: "Fusion", table: "what-if", row, column, unit, value }
    };
    rows.flat_map(|(row, of)| {
        let number = |key: &str| of[key].as_f64().unwrap();
        [
            figure(row, "Traffic", "MB", (number("bytes") / 1e6).into()),
            figure(row, "OI", "OP/B", number("oi").into()),
            figure(row, "Bound", "", of["bound"].as_str().unwrap().into()),
            figure(row, "Roofline time", "ms", (number("throughput_seconds") * 1e3).into()),
        ]
    })
    .collect()
}

/// What a report shows of a scenario.
fn figures(name: &str, estimate: &Json) -> Vec<Figure> {
    if name == TRIED {
        return tried(estimate);
    }
    let mut figures = Vec::new();
    let mut add = |(sheet, table, unit), column: &str, row: &str, value| {
        let (column, row) = (column.to_owned(), row.to_owned());
        figures.push(Figure { sheet, table, row, column, unit, value });
    };
    let number = |of: &Json, key: &str, unit: f64| Value::Number(of[key].as_f64().unwrap() / unit);
    let mut totals = |row: &str, of: &Json| {
        add(("Parts", "parts-traffic", "MB"), name, row, number(of, "bytes", 1e6));
        add(("Parts", "parts-oi", "OP/B"), name, row, number(of, "oi", 1.0));
        let time = number(of, "throughput_seconds", 1e-3);
        add(("Parts", "parts-time", "ms"), name, row, time);
    };
    let parts = estimate["parts"].as_array().unwrap();
    for part in parts.iter().filter(|part| part["runs"] == true) {
        totals(part["name"].as_str().unwrap(), part);
    }
    totals("whole inference", &estimate["totals"]);

    let layers = parts.iter().find(|part| part["name"] == "text layers").unwrap();
    let [ceiling] = &estimate["ceilings"].as_array().unwrap()[..] else { panic!("several roofs") };
    let key = ("Ladder", "key-figures", "");
    add(key, name, "OI, text layers (OP/B)", number(layers, "oi", 1.0));
    add(key, name, "Ridge (OP/B)", number(ceiling, "ridge", 1.0));
    add(key, name, "Peak (TOP/s)", number(&ceiling["rate"], "value", 1e12));
    add(key, name, "Bandwidth (GB/s)", number(&estimate["bandwidth"], "value", 1e9));
    add(key, name, "Bound", Value::from(layers["bound"].as_str().unwrap()));
    let follows = ("Assumptions", "follows", "");
    add(follows, "Formulas follow", name, Value::from("yes"));
    figures
}
