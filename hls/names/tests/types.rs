//! Every difficulty of `fixtures/types`: what each alias is, how wide, whether its name lies, and
//! what g++ says of its size.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use derate_frontend::{
    Alias, Header, HlsType, Loaded, Outcome, Resolution, Resolver, Sources, Trees, Wanted,
    parse_project,
};
use derate_names::find_lie;
use serde_json::Value;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn cases() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/types");
    let mut cases: Vec<PathBuf> =
        std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    // Allo's Python has its own test.
    let allo = |case: &Path| case.file_name().unwrap().to_str().unwrap().starts_with("allo-");
    cases.retain(|case| case.is_dir() && !allo(case));
    cases.sort();
    cases
}

/// Reads the case's text and, beside it, whatever it includes.
fn read(case: &Path, expected: &Value) -> (Sources, Vec<Header>) {
    let path = case.join(expected["file"].as_str().unwrap());
    let text = std::fs::read_to_string(&path).unwrap();
    let defines: Vec<(String, String)> = expected["defines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|define| define.as_str().unwrap())
        .map(|define| define.split_once('=').unwrap_or((define, "1")))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let mut sources = Sources::default();
    let file = sources.add(path.to_str().unwrap(), text);
    let mut load = |wanted: &Wanted<'_>| {
        let found = Path::new(wanted.includer).parent().unwrap().join(wanted.path);
        match std::fs::read_to_string(&found) {
            Ok(text) => Loaded::Text { name: found.to_str().unwrap().to_owned(), text },
            Err(_) => Loaded::Nowhere,
        }
    };
    let headers = parse_project(&mut sources, &[file], &defines, &mut load, &mut Trees::default());
    (sources, headers)
}

fn shown(resolution: &Resolution) -> (Option<String>, String) {
    match &resolution.outcome {
        Outcome::Known(kind) => (Some(kind.to_string()), String::new()),
        Outcome::Unknown(reason) => (None, reason.clone()),
    }
}

fn check(case: &Path, complaints: &mut String, counts: &mut [usize; 3]) {
    let name = case.file_name().unwrap().to_str().unwrap();
    let text = std::fs::read_to_string(case.join("expected.json")).unwrap();
    let expected: Value = serde_json::from_str(&text).unwrap();
    let (sources, headers) = read(case, &expected);
    let resolver = Resolver::new(&headers, &sources);
    let header = &headers[0];
    let rows = expected["aliases"].as_array().unwrap();
    let names = |rows: &[Value]| -> Vec<String> {
        rows.iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
    };
    let found: Vec<String> = header.aliases.iter().map(Alias::qualified).collect();
    if found != names(rows) {
        writeln!(complaints, "{name}: aliases {found:?} instead of {:?}", names(rows)).unwrap();
    }
    for (alias, row) in header.aliases.iter().zip(rows) {
        let resolution = resolver.alias(alias);
        let (kind, reason) = shown(&resolution);
        let lies = find_lie(alias, &resolution).map(|lie| lie.kind().to_owned());
        let own = |key: &str| row[key].as_str().map(str::to_owned);
        let on_host = |bits: &Value| resolution.bits_on_host() == bits.as_u64();
        let right = kind == own("underlying")
            && resolution.bits() == row["bits"].as_u64()
            && row.get("host_bits").is_none_or(on_host);
        counts[if right { 0 } else { 1 + usize::from(kind.is_none()) }] += 1;
        if !(right && lies == own("lies") && alias.condition == own("condition")) {
            let bits = resolution.bits();
            let condition = &alias.condition;
            writeln!(
                complaints,
                "{name}: {} is {kind:?} ({reason}), {bits:?} bits, lies {lies:?}, if {condition:?}; expected {row}",
                alias.qualified()
            )
            .unwrap();
        }
    }
    if let Some(rows) = expected["absent"].as_array() {
        let absent: Vec<Value> =
            header.absent.iter().map(|one| Value::from(one.macros.clone())).collect();
        if absent != *rows {
            writeln!(complaints, "{name}: absent {absent:?} instead of {rows:?}").unwrap();
        }
    }
    for row in expected["constants"].as_array().into_iter().flatten() {
        let constant =
            header.constants.iter().find(|one| one.qualified() == row["name"].as_str().unwrap());
        let value = constant.map(|one| one.value.and_then(|value| i64::try_from(value).ok()));
        if value != Some(row["value"].as_i64()) {
            writeln!(complaints, "{name}: {row} is {value:?}").unwrap();
        }
    }
    let parameters = header.functions.iter().flat_map(|function| {
        function.parameters.iter().map(move |parameter| (function, parameter))
    });
    for ((function, parameter), row) in
        parameters.zip(expected["parameters"].as_array().into_iter().flatten())
    {
        let (kind, reason) = shown(&resolver.parameter(function, parameter));
        if row["name"] != parameter.name.as_str() || kind.as_deref() != row["underlying"].as_str() {
            writeln!(
                complaints,
                "{name}: {} is {kind:?} ({reason}); expected {row}",
                parameter.name
            )
            .unwrap();
        }
    }
}

#[test]
fn every_case_says_what_is_expected() {
    let mut complaints = String::new();
    let mut counts = [0; 3];
    for case in cases() {
        check(&case, &mut complaints, &mut counts);
    }
    println!("right {}, wrong {}, unknown without need {}", counts[0], counts[1], counts[2]);
    assert!(complaints.is_empty(), "\n{complaints}");
}

fn expectation(case: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(case.join("expected.json")).unwrap()).unwrap()
}

/// The aliases of a case whose size g++ was asked for, and its answer.
fn measured(expected: &Value) -> impl Iterator<Item = (&str, u64)> {
    let rows = expected["aliases"].as_array().unwrap();
    rows.iter().filter_map(|row| Some((row["name"].as_str()?, row["bytes"].as_u64()?)))
}

/// The bytes in memory are those that g++ once gave: a struct's may be unknown, no size is wrong.
#[test]
fn bytes_in_memory_are_what_gcc_said() {
    let mut asked = 0;
    for case in cases() {
        let expected = expectation(&case);
        let (sources, headers) = read(&case, &expected);
        let resolver = Resolver::new(&headers, &sources);
        for (name, bytes) in measured(&expected) {
            let alias = headers[0].aliases.iter().find(|alias| alias.qualified() == name).unwrap();
            let resolution = resolver.alias(alias);
            let kind = resolution.known().unwrap();
            let ours = kind.bytes_in_memory();
            let open = ours.is_none() && matches!(kind, HlsType::Struct { .. });
            assert!(open || ours == Some(bytes), "{}: {name} is {ours:?}", case.display());
            asked += 1;
        }
    }
    assert!(asked > 100, "only {asked} sizes are recorded");
}

/// What was recorded is what g++ says today, where it is on the machine. The cases that need the
/// vendor's headers rest on the record.
#[test]
fn gcc_still_says_so() {
    for case in cases() {
        let expected = expectation(&case);
        let name = case.file_name().unwrap().to_str().unwrap();
        if expected["gcc"] != "alone" {
            continue;
        }
        let mut command = Command::new("g++");
        command.args(["-std=c++17", "-fsyntax-only", "-w", "-x", "c++", "-"]);
        let defines = expected["defines"].as_array().unwrap();
        command.args(defines.iter().map(|define| format!("-D{}", define.as_str().unwrap())));
        let pipes = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut compiler = pipes.expect("derate is built with a C++ compiler");
        let file = case.join(expected["file"].as_str().unwrap()).canonicalize().unwrap();
        let mut source = format!("#include <cstdint>\n#include \"{}\"\n", file.display());
        for (alias, bytes) in measured(&expected) {
            writeln!(source, "static_assert(sizeof({alias}) == {bytes}, \"{alias}\");").unwrap();
        }
        compiler.stdin.take().unwrap().write_all(source.as_bytes()).unwrap();
        let output = compiler.wait_with_output().unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    }
}
