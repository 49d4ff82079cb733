//! Holds the widths of a project's aliases against a C++ compiler with the vendor's headers.
//!
//! `cargo run --release -p derate-load --example oracle -- AP_TYPES PROJECT...`
//!
//! `AP_TYPES` is the folder that `make setup` fetches. `CXX` names the compiler. Each text that declares an alias is one
//! translation unit, which asks for all of its aliases at once. Includes that are not there are empty files. What the
//! compiler does not know is not counted; each width that differs is printed, and then the exit status is 1.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints")]

mod compiler;
mod question;

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use compiler::Compiler;
use derate_hls::{Alias, Resolver, Sources};
use derate_load::read_named;
use derate_project::Code;
use question::{Question, write_expression};

/// What both know of one project.
#[derive(Default)]
struct Count {
    agree: usize,
    differ: usize,
    /// derate knows it, the compiler does not.
    unasked: usize,
    /// derate does not know it.
    unknown: usize,
}

impl Count {
    fn add(&mut self, other: &Self) {
        self.agree += other.agree;
        self.differ += other.differ;
        self.unasked += other.unasked;
        self.unknown += other.unknown;
    }
}

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1).map(PathBuf::from);
    let Some(vendors) = words.next() else {
        eprintln!("name the folder of the vendor's ap_types, then projects");
        return ExitCode::from(2);
    };
    let mut seen = HashSet::new();
    let mut all = Count::default();
    for project in words {
        match hold_project(&vendors, &project, &mut seen) {
            Ok(count) => {
                let Count { agree, differ, unasked, unknown } = count;
                println!(
                    "{}: {agree} agree, {differ} differ, {unasked} only derate knows, {unknown} derate does not know",
                    project.display()
                );
                all.add(&count);
            }
            Err(error) => println!("{}: {error}", project.display()),
        }
    }
    println!("all: {} agree, {} differ", all.agree, all.differ);
    if all.differ == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn hold_project(
    vendors: &Path,
    project: &Path,
    seen: &mut HashSet<String>,
) -> Result<Count, Box<dyn std::error::Error>> {
    let files = list_texts(project)?;
    let folders = list_header_folders(&files);
    let mut compiler = Compiler::new(vendors, &folders)?;
    let mut count = Count::default();
    for path in &files {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let declares = text.contains("typedef") || text.contains("using ");
        if declares && seen.insert(text) {
            count.add(&hold_text(&mut compiler, path, &folders)?);
        }
    }
    Ok(count)
}

fn hold_text(
    compiler: &mut Compiler,
    path: &Path,
    folders: &[PathBuf],
) -> Result<Count, Box<dyn std::error::Error>> {
    let mut sources = Sources::default();
    let paths = [path.to_owned()];
    let mut named = read_named(&mut sources, &paths, folders)?;
    let code = Code::new(&mut sources, &named.files, &[], &mut named.disk, None);
    let resolver = Resolver::new(code.all_headers(), &sources);
    let mut count = Count::default();
    let mut questions = Vec::new();
    let own = code.headers().iter().filter(|header| named.files.contains(&header.file));
    for alias in own.flat_map(|header| &header.aliases).filter(|one| is_certain(one)) {
        let resolution = resolver.alias(alias);
        let name = format!("::{}", alias.qualified());
        let Some((bits, kind)) = resolution.bits_on_host().zip(resolution.known()) else {
            count.unknown += 1;
            continue;
        };
        let Some(expression) = write_expression(&name, kind) else { continue };
        let places = resolution.hops.iter().map(|hop| sources.position(hop.span).line);
        questions.push(Question {
            name,
            expression,
            bits,
            bytes: kind.bytes_in_memory(),
            lines: places.chain([sources.position(alias.span).line]).collect(),
        });
    }
    let answers = compiler.ask(path, &questions)?;
    for (question, answer) in questions.iter().zip(answers) {
        let Some((bits, bytes)) = answer else {
            count.unasked += 1;
            continue;
        };
        if bits == question.bits && question.bytes.is_none_or(|own| own == bytes) {
            count.agree += 1;
        } else {
            count.differ += 1;
            let own = question.bytes.map_or_else(String::new, |own| format!(", {own} bytes"));
            println!(
                "  {}: {}: derate {} bits{own}; the compiler {bits} bits, {bytes} bytes",
                path.display(),
                question.name,
                question.bits
            );
        }
    }
    Ok(count)
}

/// Whether an alias has one type, whatever compiler reads it.
fn is_certain(alias: &Alias) -> bool {
    alias.template.is_empty() && alias.condition.is_none()
}

/// The texts of C and C++ below a folder.
fn list_texts(folder: &Path) -> Result<Vec<PathBuf>, std::io::Error> {
    let mut texts = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let (path, kind) = entry.and_then(|entry| Ok((entry.path(), entry.file_type()?)))?;
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            // Copies of the tool's test runs have all of the system's headers in them.
            if kind.is_dir() && !name.starts_with('.') && name != "autowrap" {
                folders.push(path);
            } else if kind.is_file() && ENDINGS.iter().any(|end| name.ends_with(end)) {
                texts.push(path);
            }
        }
    }
    texts.sort();
    Ok(texts)
}

const ENDINGS: [&str; 7] = [".h", ".hh", ".hpp", ".cpp", ".cc", ".cxx", ".c"];

fn list_header_folders(files: &[PathBuf]) -> Vec<PathBuf> {
    let is_header = |path: &&PathBuf| {
        path.extension().is_some_and(|end| end.to_string_lossy().starts_with('h'))
    };
    let folders: BTreeSet<PathBuf> = files
        .iter()
        .filter(is_header)
        .filter_map(|path| path.parent())
        .map(Path::to_owned)
        .collect();
    folders.into_iter().collect()
}
