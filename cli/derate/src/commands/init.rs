//! `derate init`.

use derate_model::load;
use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, bail};
use derate_hls::{Sources, report_kind};
use derate_model::ModelShape;
use derate_model::starter::{Found, FoundDump};
use derate_model::workload::SmolVla;

use crate::args::{Init, Preprocess};
use crate::load::load_project;
use crate::output::{self, Outcome};
use derate_model::load::FILE;

/// Enough for any project that a person keeps; a home folder is not one.
const MOST_FILES: usize = 20_000;
const DEEPEST: usize = 8;
/// Dumps are kilobytes; logs beside them may be gigabytes.
const LARGEST_DUMP: u64 = 16 * 1024 * 1024;
/// A dump lists a tensor.
const FEWEST_TENSORS: usize = 1;

pub(crate) fn run(args: &Init) -> Result<Outcome, Error> {
    let dir = &args.dir;
    if !dir.is_dir() {
        bail!("{} is not a folder: name the folder of your sources", dir.display());
    }
    let target = dir.join(FILE);
    if target.exists() && !args.force {
        bail!("{} exists already: edit it, or overwrite it with --force", target.display());
    }
    let files = list_files(dir)?;
    let found = Found {
        dumps: find_dumps(dir, &files),
        sources: find_sources(dir, &files),
        connectivity: find_connectivity(dir, &files),
        reports: find_reports(dir, &files),
    };
    write_file(&target, &found.project_file(), args.force).with_context(|| {
        format!("{} cannot be written: check the folder's permissions", target.display())
    })?;
    let Some(dump) = found.dumps.first() else {
        bail!(
            "wrote {}, a starter without a model: no dump was found in {}; print the model's parameters into a file as the \
             starter shows, and name it under [model] shapes",
            target.display(),
            dir.display()
        );
    };
    // The next command must accept the file.
    load_project(&target, &Preprocess::default()).with_context(|| {
        format!("wrote {}, which `derate audit` cannot use as it is", target.display())
    })?;
    let patterns = found.sources.len();
    let plural = if patterns == 1 { "" } else { "s" };
    output::put_bytes(
        format!(
            "wrote {}: {} ({} tensors), {patterns} source pattern{plural}\nnext: write your claims into it, then `derate audit {}`\n",
            target.display(),
            dump.path,
            dump.tensors,
            dir.display()
        )
        .as_bytes(),
    )?;
    Ok(Outcome::Clean)
}

fn write_file(target: &Path, text: &str, force: bool) -> std::io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true);
    if force {
        options.create(true).truncate(true)
    } else {
        options.create_new(true)
    };
    options.open(target)?.write_all(text.as_bytes())
}

/// Folders that tools write; they hold copies of sources.
fn is_build_output(folder: &str) -> bool {
    matches!(folder, "target" | "node_modules" | "build" | "_x")
        || Path::new(folder).extension().is_some_and(|end| end == "prj")
}

/// All files below `dir`, sorted; hidden folders, build outputs and links are passed over.
fn list_files(dir: &Path) -> Result<Vec<PathBuf>, Error> {
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
                || (kind.is_dir() && is_build_output(&name.to_string_lossy()))
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
fn find_dumps(dir: &Path, files: &[PathBuf]) -> Vec<FoundDump> {
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

fn find_sources(dir: &Path, files: &[PathBuf]) -> Vec<String> {
    let extensions = ["h", "hh", "hpp", "cpp", "cc", "cxx"];
    group_patterns(dir, files, &extensions, |path| !is_testbench(dir, path))
}

/// The text of a file that is small enough to be a report.
fn read_small(path: &Path) -> Option<String> {
    let small = path.metadata().is_ok_and(|meta| meta.len() <= LARGEST_DUMP);
    if small { fs::read_to_string(path).ok() } else { None }
}

/// The configurations that connect kernels for v++.
fn find_connectivity(dir: &Path, files: &[PathBuf]) -> Vec<String> {
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

fn find_reports(dir: &Path, files: &[PathBuf]) -> Vec<String> {
    let is_report = |path: &Path| read_small(path).is_some_and(|text| report_kind(&text).is_some());
    group_patterns(dir, files, &["rpt", "xml", "xtxt"], is_report)
}
