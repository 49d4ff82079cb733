//! Every case of `fixtures/types/allo-*`: what each annotation of Allo's Python says, and why it is unknown.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use derate_allo::{AlloSource, read_allo};
use derate_frontend::{Outcome, Resolution, Sources};
use derate_names::find_lie;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn cases() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/types");
    let all = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
    let mut cases: Vec<PathBuf> = all
        .filter(|case| case.file_name().unwrap().to_str().unwrap().starts_with("allo-"))
        .collect();
    cases.sort();
    cases
}

fn read(text: &str) -> (Sources, Option<AlloSource>) {
    let mut sources = Sources::default();
    let file = sources.add("kernel.py", text);
    let source = read_allo(&sources, file);
    (sources, source)
}

fn outcome(resolution: &Resolution) -> String {
    match &resolution.outcome {
        Outcome::Known(kind) => kind.to_string(),
        Outcome::Unknown(reason) => format!("? {reason}"),
    }
}

/// What a text says, one line an alias and an annotation.
fn said(sources: &Sources, source: Option<&AlloSource>) -> Value {
    let Some(source) = source else { return Value::Null };
    let aliases: Vec<String> = source
        .aliases
        .iter()
        .map(|(alias, resolution)| {
            let lies = find_lie(alias, resolution)
                .map_or(String::new(), |l| format!(", a lie: {}", l.kind()));
            format!("{}: {}{lies}", alias.qualified(), outcome(resolution))
        })
        .collect();
    let annotations: Vec<String> = source
        .annotations
        .iter()
        .map(|one| {
            let dims: Vec<String> = one
                .dims
                .iter()
                .map(|d| d.value.map_or("?".to_owned(), |v| v.to_string()))
                .collect();
            let lines: Vec<String> = one
                .instances
                .iter()
                .map(|span| format!(", by line {}", sources.position(*span).line))
                .collect();
            format!(
                "{} `{}` [{}]: {}{}",
                one.function.qualify(&one.name),
                one.element,
                dims.join(", "),
                outcome(&one.resolution),
                lines.concat()
            )
        })
        .collect();
    let unparsed: Vec<String> = source
        .unparsed
        .iter()
        .map(|one| format!("{}: {}", sources.position(one.span), one.reason))
        .collect();
    json!({ "aliases": aliases, "annotations": annotations, "unparsed": unparsed })
}

#[test]
fn every_case_says_what_is_expected() {
    let mut complaints = String::new();
    for case in cases() {
        let expected = std::fs::read_to_string(case.join("expected.json")).unwrap();
        let expected: Value = serde_json::from_str(&expected).unwrap();
        let text = std::fs::read_to_string(case.join(expected["file"].as_str().unwrap())).unwrap();
        let (sources, source) = read(&text);
        let found = said(&sources, source.as_ref());
        let pretty = serde_json::to_string_pretty(&found).unwrap();
        if found != expected["says"] {
            let _ = write!(complaints, "\n=== {}\n{pretty}", case.display());
        }
    }
    assert!(complaints.is_empty(), "{complaints}");
}

/// Deep, long and broken texts end soon, and say that they were not read.
#[test]
fn hostile_texts_are_bounded() {
    let head = "import allo\nfrom allo.ir.types import int8\n";
    let many = 10_000;
    let nested = |open: &str, close: &str| format!("{}{}", open.repeat(many), close.repeat(many));
    let defs: String =
        (0..500).fold(String::new(), |all, at| all + &" ".repeat(at) + "def f(A: int8[4]):\n");
    let circle: String =
        (0..many).fold(String::new(), |all, at| all + &format!("a{at} = a{}\n", (at + 1) % many));
    let texts = [
        format!("def f(A: int8[{}]):\n    pass\n", nested("(", ")")),
        format!("def f(A: {}):\n    pass\n", nested("int8[", "]")),
        format!("x = {}\n", nested("customize(", ")")),
        format!("x = {}\n", nested("f[", "](")),
        format!("{}\n", "[".repeat(many)),
        format!("{}\n", "]".repeat(many)),
        format!("x = {}1\ndef f(A: int8[x]):\n    pass\n", "1 + ".repeat(many)),
        format!("{}x = 1\n", "else: ".repeat(many)),
        format!("{}def f(A: int8): pass\n", "async ".repeat(many)),
        format!("x = {}1\n", "-".repeat(many)),
        format!("x = {}\n", "'".repeat(many * 3 + 1)),
        "def f(A: int8[2 ** 2 ** 2 ** 99], B: int8[1 << 200]):\n    pass\n".to_owned(),
        format!("{circle}def f(A: a0[4], B: int8[a0]):\n    pass\n"),
        defs,
        format!("def g[{}](A: int8):\n    pass\n", "T, ".repeat(many)),
        "\u{0}\u{feff}é = int8\n\tdef f(é: int8[é]):\n".to_owned(),
    ];
    for text in texts {
        let start = Instant::now();
        let (_, source) = read(&format!("{head}{text}"));
        let source = source.unwrap();
        for one in &source.annotations {
            assert!(one.dims.iter().all(|dim| dim.value.is_none_or(|value| value < 1 << 40)));
        }
        assert!(start.elapsed() < Duration::from_secs(20), "{}", &text[..80.min(text.len())]);
    }
}
