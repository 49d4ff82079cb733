//! Scores the kernel model on laid designs: `score DIR [SET[/KERNEL]] [--each] [--limit=N] [--directive LINE] [--markdown]
//! [--fit-range]`.
//!
//! A design is a folder with its sources, `directives.tcl` and `design.json`; the book's page on modelling kernels has the
//! form. `--each` shows every design with its loops, `--limit=N` takes at most N designs of each kernel. `--directive LINE` adds
//! a line of Tcl to the directives of every design: what a project's own script sets for all of them. `--markdown` prints the tables of the
//! book's page. `--fit-range` also fits
//! the factors of the range anew, and says how they do on families of kernels that are left out.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it is a program")]

mod bars;
mod design;
mod figures;
mod page;
mod range_fit;
mod row;
mod search;
mod statistics;
mod table;

use row::Row;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "usage: score DIR [SET[/KERNEL]] [--each] [--limit=N] [--directive LINE] [--markdown] [--fit-range]";

/// What is asked for.
struct Request {
    root: PathBuf,
    start: PathBuf,
    each: bool,
    limit: usize,
    markdown: bool,
    fit_range: bool,
    /// Lines of Tcl that every design gets.
    directives: String,
}

impl Request {
    fn of_arguments(arguments: &[String]) -> Option<Self> {
        let mut plain = Vec::new();
        let (mut each, mut markdown, mut fit_range) = (false, false, false);
        let (mut limit, mut directives) = (usize::MAX, String::new());
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match argument.strip_prefix("--limit=") {
                Some(number) => limit = number.parse().ok()?,
                None if argument == "--each" => each = true,
                None if argument == "--markdown" => markdown = true,
                None if argument == "--fit-range" => fit_range = true,
                None if argument == "--directive" => {
                    directives.push_str(rest.next()?);
                    directives.push('\n');
                }
                None if argument.starts_with("--") => return None,
                None => plain.push(argument),
            }
        }
        let root = PathBuf::from(plain.first()?);
        let start = plain.get(1).map_or_else(|| root.clone(), |filter| root.join(filter));
        let request = Self { root, start, each, limit, markdown, fit_range, directives };
        Some(request)
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(request) = Request::of_arguments(&arguments) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let mut folders = Vec::new();
    find_designs(&request.start, &mut folders);
    if folders.is_empty() {
        let start = request.start.display();
        eprintln!("{start} has no laid designs: no folder in it has a design.json");
        return ExitCode::from(2);
    }
    for line in request.directives.lines() {
        println!("Every design has also: `{line}`.");
    }
    let sets = score_designs(&request, &folders);
    for (set, rows) in &sets {
        if request.markdown { page::print_set(set, rows) } else { table::print_set(set, rows) }
    }
    if request.markdown {
        bars::print_bars(&sets);
    }
    if request.fit_range {
        range_fit::print_fit(&sets);
    }
    ExitCode::SUCCESS
}

/// The rows by set. Equal designs count once.
fn score_designs(request: &Request, folders: &[PathBuf]) -> BTreeMap<String, Vec<Row>> {
    let mut taken: BTreeMap<PathBuf, usize> = BTreeMap::new();
    let mut seen = HashSet::new();
    let mut sets: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for folder in folders {
        let count = taken.entry(folder.parent().unwrap_or(folder).to_owned()).or_default();
        if *count >= request.limit {
            continue;
        }
        *count += 1;
        let design = match design::read_design(folder, &request.directives) {
            Ok(design) => design,
            Err(error) => {
                eprintln!("{}: {error}", folder.display());
                continue;
            }
        };
        let set = folder.strip_prefix(&request.root).ok().and_then(|path| path.iter().next());
        let set = set.map(|set| set.to_string_lossy().into_owned()).unwrap_or_default();
        if !seen.insert((set.clone(), design.fingerprint)) {
            continue;
        }
        let row = Row::of_design(&design);
        if request.each {
            table::print_design(folder, &row);
        }
        sets.entry(set).or_default().push(row);
    }
    sets
}

/// Folders with a `design.json`, sorted.
fn find_designs(folder: &Path, found: &mut Vec<PathBuf>) {
    if folder.join("design.json").is_file() {
        found.push(folder.to_owned());
        return;
    }
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    paths.sort();
    for path in paths {
        find_designs(&path, found);
    }
}
