//! Reads folders with a `design.json` (`files`, `includes`, `defines`, `top`) and prints what is
//! not read in the functions that the top function reaches.
//!
//! `cargo run --example units -- FOLDER...`; with `-v` all that is read.
#![allow(clippy::print_stdout)]

use derate_syntax::ast::{Function, Item, Unit};
#[path = "../tests/canonical/mod.rs"]
mod canonical;

use derate_syntax::{SourceFile, read_unit};
use std::path::{Path, PathBuf};
use std::time::Instant;

fn main() {
    let mut verbose = false;
    let (mut total, mut whole) = (0, 0);
    let mut includes: Vec<String> = Vec::new();
    for argument in std::env::args().skip(1) {
        if argument == "-v" {
            verbose = true;
            continue;
        }
        if let Some(folder) = argument.strip_prefix("-I") {
            includes.push(folder.to_owned());
            continue;
        }
        let folder = Path::new(&argument);
        if folder.is_file() {
            let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let design = serde_json::json!({ "files": [name], "includes": includes, "top": "" });
            total += 1;
            let parent = folder.parent().unwrap_or(folder);
            let problems = check_design(parent, &design, verbose);
            whole += usize::from(problems.is_empty());
            for problem in problems {
                println!("{argument}: {problem}");
            }
            continue;
        }
        let Some(design) = read_design(folder) else {
            println!("{argument}: no design.json");
            continue;
        };
        total += 1;
        let problems = check_design(folder, &design, verbose);
        whole += usize::from(problems.is_empty());
        for problem in problems {
            println!("{argument}: {problem}");
        }
    }
    println!("{whole} of {total} are read whole");
}

fn read_design(folder: &Path) -> Option<serde_json::Value> {
    let text = std::fs::read_to_string(folder.join("design.json")).ok()?;
    serde_json::from_str(&text).ok()
}

fn words(design: &serde_json::Value, key: &str) -> Vec<String> {
    let list = design[key].as_array().cloned().unwrap_or_default();
    list.iter().filter_map(|one| one.as_str().map(str::to_owned)).collect()
}

fn check_design(folder: &Path, design: &serde_json::Value, verbose: bool) -> Vec<String> {
    let sources: Vec<SourceFile> = words(design, "files")
        .iter()
        .filter_map(|path| {
            let path = folder.join(path);
            let bytes = std::fs::read(&path).ok()?;
            let text = String::from_utf8_lossy(&bytes).into_owned();
            Some(SourceFile { path: path.to_string_lossy().into_owned(), text })
        })
        .collect();
    let includes: Vec<PathBuf> =
        words(design, "includes").iter().map(|path| folder.join(path)).collect();
    let defines: Vec<(String, String)> = words(design, "defines")
        .iter()
        .map(|define| {
            let define = define.trim_start_matches("-D");
            let (name, value) = define.split_once('=').unwrap_or((define, "1"));
            (name.to_owned(), value.to_owned())
        })
        .collect();
    let mut loader = |path: &str, _: bool, from: &str| {
        let near = Path::new(from).parent().map(Path::to_path_buf);
        let found =
            near.into_iter().chain(includes.iter().cloned()).map(|folder| folder.join(path));
        let found = found.into_iter().find(|path| path.is_file())?;
        let bytes = std::fs::read(&found).ok()?;
        Some((found.to_string_lossy().into_owned(), String::from_utf8_lossy(&bytes).into_owned()))
    };
    let mut unit = Unit::default();
    let mut milliseconds = f64::INFINITY;
    // The fastest of three: the first one finds cold memory.
    for _ in 0..3 {
        let start = Instant::now();
        unit = read_unit(&sources, &mut loader, &defines);
        milliseconds = milliseconds.min(start.elapsed().as_secs_f64() * 1000.0);
    }
    let lines: usize = sources.iter().map(|source| source.text.lines().count()).sum();
    if verbose {
        println!("{}", canonical::show_unit(&unit));
        println!("{milliseconds:.2} ms");
    }
    let mut problems: Vec<String> = unit
        .unread
        .iter()
        .map(|one| {
            let file = unit.files.get(usize::from(one.place.file)).map_or("", String::as_str);
            let file = file.rsplit('/').next().unwrap_or(file);
            format!("unread {file}:{}: {}", one.place.line, one.reason)
        })
        .collect();
    #[allow(clippy::cast_precision_loss)]
    if milliseconds > 5.0_f64.max(lines as f64 * 5.0 / 300.0) {
        problems.push(format!("slow: {milliseconds:.1} ms for {lines} lines"));
    }
    match design["top"].as_str() {
        Some(top) => problems.extend(check_reached(&unit, top)),
        None => problems.push("no top".to_owned()),
    }
    problems
}

/// What is unknown in the functions that `top` reaches, by name.
fn check_reached(unit: &Unit, top: &str) -> Vec<String> {
    let functions: Vec<&Function> = unit
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Function(function) if function.body.is_some() => Some(&**function),
            _ => None,
        })
        .collect();
    let mut reached = vec![false; functions.len()];
    let mut names = vec![top.to_owned()];
    let mut problems = Vec::new();
    if top.is_empty() {
        names = functions.iter().map(|function| last_piece(&function.name).to_owned()).collect();
    } else if !functions.iter().any(|function| last_piece(&function.name) == top) {
        problems.push(format!("no function {top}"));
    }
    while let Some(name) = names.pop() {
        for (index, function) in functions.iter().enumerate() {
            if reached[index] || last_piece(&function.name) != name {
                continue;
            }
            reached[index] = true;
            let text = format!("{function:?}");
            for (at, _) in text.match_indices("Unknown(") {
                let reason: String = text[at..].chars().take(140).collect();
                problems.push(format!("{}: {reason}", function.name));
            }
            names.extend(
                text.split("name: \"").skip(1).filter_map(|rest| {
                    rest.split('"').next().map(|name| last_piece(name).to_owned())
                }),
            );
        }
    }
    problems
}

fn last_piece(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}
