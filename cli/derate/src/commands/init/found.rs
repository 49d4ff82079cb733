//! What a folder holds: dumps, sources, configurations, reports.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, bail};
use derate_hls::{Sources, read_report, report_kind};
use derate_model::ModelShape;
use derate_model::load;
use derate_model::starter::FoundDump;
use derate_model::workload::SmolVla;

use super::tool_output::{is_never_searched, is_tool_output};

/// Enough for any project that a person keeps; a home folder is not one.
const MOST_FILES: usize = 20_000;
const DEEPEST: usize = 8;
/// Dumps are kilobytes; logs beside them may be gigabytes.
const LARGEST_DUMP: u64 = 16 * 1024 * 1024;
/// A dump lists a tensor.
const FEWEST_TENSORS: usize = 1;

/// All files below `dir`, sorted; hidden folders, those of packages and links are passed over.
pub(super) fn list_files(dir: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    let mut folders = vec![(dir.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            // An unreadable folder inside is skipped; the named one is an error.
            Err(error) if error.kind() == ErrorKind::PermissionDenied && depth > 0 => continue,
            Err(error) => {
                return Err(error).with_context(|| {
                    format!("{} cannot be read: check its permissions", folder.display())
                });
            }
        };
        for entry in entries.filter_map(Result::ok) {
            let name = entry.file_name();
            let Ok(kind) = entry.file_type() else { continue };
            if name.to_string_lossy().starts_with('.')
                || (kind.is_dir() && is_never_searched(&name.to_string_lossy()))
            {
                continue;
            }
            if kind.is_dir() && depth < DEEPEST {
                folders.push((entry.path(), depth + 1));
            } else if kind.is_file() {
                files.push(entry.path());
            }
        }
        if files.len() > MOST_FILES {
            bail!(
                "{} holds more than {MOST_FILES} files: run `derate init` in the folder of the accelerator itself",
                dir.display()
            );
        }
    }
    files.sort();
    Ok(files)
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension()
        .and_then(|e| e.to_str())
        .is_some_and(|e| extensions.contains(&e.to_ascii_lowercase().as_str()))
}

fn relative_name(dir: &Path, path: &Path) -> String {
    let path = path.strip_prefix(dir).unwrap_or(path).to_string_lossy();
    // On other systems a backslash is a letter of a name.
    if cfg!(windows) { path.replace('\\', "/") } else { path.into_owned() }
}

/// Texts that read as a dump, the largest first.
pub(super) fn find_dumps(dir: &Path, files: &[PathBuf]) -> Vec<FoundDump> {
    let mut dumps: Vec<FoundDump> = files
        .iter()
        .filter(|path| has_extension(path, &["txt", "md", "log", "out", "json", "safetensors"]))
        .filter(|path| {
            // Of a safetensors file the header alone is read.
            has_extension(path, &["safetensors"])
                || path.metadata().is_ok_and(|meta| meta.len() <= LARGEST_DUMP)
        })
        .filter_map(|path| {
            let mut sources = Sources::default();
            let file = sources.add(relative_name(dir, path), load::read_dump(path).ok()?);
            let shape = ModelShape::parse(&sources, file, None).ok()?;
            let is_smolvla = SmolVla::is_smolvla(&shape);
            let dump = FoundDump {
                path: relative_name(dir, path),
                tensors: shape.tensors.len(),
                is_smolvla,
            };
            (dump.tensors >= FEWEST_TENSORS).then_some(dump)
        })
        .collect();
    dumps.sort_by(|a, b| (b.tensors, &a.path).cmp(&(a.tensors, &b.path)));
    dumps
}

/// Testbenches run on the host and are not audited: `tb/`, `tests/`, `gemm_tb.cpp`, `test_gemm.cpp`.
fn is_testbench(dir: &Path, path: &Path) -> bool {
    let own = path.strip_prefix(dir).unwrap_or(path);
    let stem = own.file_stem().map(|stem| stem.to_string_lossy().to_ascii_lowercase());
    let parts = own.parent().into_iter().flat_map(Path::components);
    let folder = |name: &str| name == "tb" || name.starts_with("test");
    parts.map(|part| part.as_os_str().to_string_lossy().to_ascii_lowercase()).any(|p| folder(&p))
        || stem
            .is_some_and(|stem| folder(&stem) || stem.ends_with("_tb") || stem.ends_with("_test"))
}

/// The files that pass, as one pattern per folder and extension; where not all of those pass, each by its name.
fn group_patterns(
    dir: &Path,
    files: &[PathBuf],
    extensions: &[&str],
    passes: impl Fn(&Path) -> bool,
) -> Vec<String> {
    let mut groups: BTreeMap<String, (Vec<String>, bool)> = BTreeMap::new();
    for path in files.iter().filter(|path| has_extension(path, extensions)) {
        let (Some(folder), Some(extension)) =
            (path.parent(), path.extension().and_then(|e| e.to_str()))
        else {
            continue;
        };
        let folder = glob::Pattern::escape(&relative_name(dir, folder));
        let slash = if folder.is_empty() { "" } else { "/" };
        let (named, all) =
            groups.entry(format!("{folder}{slash}*.{extension}")).or_insert((Vec::new(), true));
        if passes(path) {
            named.push(glob::Pattern::escape(&relative_name(dir, path)));
        } else {
            *all = false;
        }
    }
    let mut patterns: Vec<String> = Vec::new();
    for (pattern, (named, all)) in groups {
        if all {
            patterns.push(pattern);
        } else {
            patterns.extend(named);
        }
    }
    patterns
}

pub(super) fn find_sources(dir: &Path, files: &[PathBuf]) -> Vec<String> {
    let extensions = ["h", "hh", "hpp", "cpp", "cc", "cxx"];
    group_patterns(dir, files, &extensions, |path| {
        !is_testbench(dir, path) && !is_tool_output(relative_name(dir, path).as_ref())
    })
}

/// The text of a file that is small enough to be a report.
fn read_small(path: &Path) -> Option<String> {
    let small = path.metadata().is_ok_and(|meta| meta.len() <= LARGEST_DUMP);
    if small { fs::read_to_string(path).ok() } else { None }
}

/// The configurations that connect kernels for v++.
pub(super) fn find_connectivity(dir: &Path, files: &[PathBuf]) -> Vec<String> {
    let keys = ["sp=", "nk=", "slr=", "stream_connect=", "sc="];
    let wires = |line: &str| {
        let line: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        line == "[connectivity]" || keys.iter().any(|key| line.starts_with(key))
    };
    files
        .iter()
        .filter(|path| has_extension(path, &["cfg", "ini"]))
        .filter(|path| read_small(path).is_some_and(|text| text.lines().any(wires)))
        .map(|path| relative_name(dir, path))
        .collect()
}

pub(super) fn find_reports(dir: &Path, files: &[PathBuf]) -> Vec<String> {
    let is_report = |path: &Path| read_small(path).is_some_and(|text| report_kind(&text).is_some());
    group_patterns(dir, files, &["rpt", "xml", "xtxt"], is_report)
}

/// The parts that the reports name, in lower case, each once.
pub(super) fn find_parts(files: &[PathBuf]) -> BTreeSet<String> {
    let reports = files.iter().filter(|path| has_extension(path, &["rpt", "xml", "xtxt"]));
    let texts = reports.filter_map(|path| read_small(path));
    texts
        .filter(|text| report_kind(text).is_some())
        .filter_map(|text| {
            let mut sources = Sources::default();
            let file = sources.add("report", text);
            let part = read_report(&sources, file).ok()?.part?;
            Some(part.value.to_ascii_lowercase())
        })
        .collect()
}
