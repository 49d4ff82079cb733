//! Counts the aliases of projects whose width derate does not know, with the reasons.
//!
//! `cargo run --release -p derate-load --example widths -- PROJECT...`
//!
//! All texts of C and C++ of a project are read together, as by one `derate types`. An alias counts where a `typedef` or a
//! `using` declares it in a text that no earlier one repeats. Folders of vendors and of libraries are read and not counted; see
//! [`LIBRARIES`]. A function, `void` and a pointer have no width and count as unknown.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints")]

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use derate_hls::{AliasKind, Resolver, Sources};
use derate_load::read_named;
use derate_project::Code;

/// Parts of a path below which nothing is the project's own.
const LIBRARIES: [&str; 19] = [
    "opencv",
    "opencv2",
    "protobuf",
    "google",
    "googletest",
    "gtest",
    "gmock",
    "boost",
    "CL",
    "ap_types",
    "ac_types",
    "ac_math",
    "hls_etc",
    "etc",
    "systemc",
    "vendor",
    "third_party",
    "extern",
    "external",
];
const EXTENSIONS: [&str; 8] = ["h", "hpp", "hh", "hxx", "cpp", "cc", "cxx", "c"];
const REASONS: usize = 25;

fn main() -> ExitCode {
    let projects: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if projects.is_empty() {
        eprintln!("name folders of projects");
        return ExitCode::from(2);
    }
    let (mut seen, mut reasons) = (HashSet::new(), BTreeMap::new());
    let (mut all, mut unknown) = (0, 0);
    for project in &projects {
        match count_project(project, &mut seen, &mut reasons) {
            Ok((own, open)) => {
                println!("{}: {own} aliases, {open} without a width", project.display());
                (all, unknown) = (all + own, unknown + open);
            }
            Err(error) => println!("{}: {error}", project.display()),
        }
    }
    println!("all: {all} aliases, {unknown} without a width");
    let mut reasons: Vec<(String, usize)> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    for (reason, count) in reasons.iter().take(REASONS) {
        println!("{count:6} {reason}");
    }
    ExitCode::SUCCESS
}

/// The aliases of a project, and those without a width.
fn count_project(
    project: &Path,
    seen: &mut HashSet<String>,
    reasons: &mut BTreeMap<String, usize>,
) -> Result<(usize, usize), Box<dyn std::error::Error>> {
    let mut texts = Vec::new();
    list_texts(project, &mut texts)?;
    texts.sort();
    let mut sources = Sources::default();
    let mut named = read_named(&mut sources, &texts, &[])?;
    let code = Code::new(&mut sources, &named.files, &[], &mut named.disk, None);
    let resolver = Resolver::new(code.all_headers(), &sources);
    let (mut own, mut open) = (0, 0);
    for (path, file) in texts.iter().zip(&named.files) {
        let inner = path.strip_prefix(project).unwrap_or(path);
        let is_library = inner.iter().any(|part| LIBRARIES.iter().any(|library| part == *library));
        if is_library || !seen.insert(sources.text(*file).to_owned()) {
            continue;
        }
        let header = code.headers().iter().find(|header| header.file == *file);
        let declared = header.into_iter().flat_map(|header| &header.aliases);
        for alias in declared.filter(|one| one.kind != AliasKind::Define) {
            own += 1;
            let resolution = resolver.alias(alias);
            if resolution.bits().is_none() {
                open += 1;
                let reason = resolution.unknown().unwrap_or("a type that has none");
                *reasons.entry(hide_names(reason)).or_default() += 1;
            }
        }
    }
    Ok((own, open))
}

/// A reason without the names in it.
fn hide_names(reason: &str) -> String {
    let quoted = reason.split('`').enumerate();
    quoted.map(|(at, part)| if at % 2 == 1 { "`_`" } else { part }).collect()
}

/// The texts of C and C++ below a folder.
fn list_texts(folder: &Path, texts: &mut Vec<PathBuf>) -> Result<(), std::io::Error> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        let extension = path.extension().and_then(|extension| extension.to_str());
        let name = entry.file_name();
        // Copies of the tool's test runs have all of the system's headers in them.
        let is_made = |name: &str| name.starts_with('.') || ["sim", "autowrap"].contains(&name);
        if entry.file_type()?.is_dir() {
            if name.to_str().is_some_and(is_made) {
                continue;
            }
            list_texts(&path, texts)?;
        } else if extension.is_some_and(|extension| EXTENSIONS.contains(&extension)) {
            texts.push(path);
        }
    }
    Ok(())
}
