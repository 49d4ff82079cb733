//! `derate hls FILE|DIR...`.

mod beside;
mod folder;
mod simulated;

use derate_model::load;
use std::path::{Path, PathBuf};

use anyhow::{Error, anyhow, bail};
use derate_hls::{
    FileId, Header, Language, Sources, parse, read_allo, read_connectivity, read_report,
    report_kind,
};
use derate_reports::readings::{self, HlsFile};

use crate::args::Hls;
use crate::output::{self, Outcome};

/// Endings of C++ files; a file with another one is C++ if it declares something.
const CPP: [&str; 12] =
    ["h", "hh", "hpp", "hxx", "h++", "c", "cc", "cpp", "cxx", "c++", "cl", "inc"];
const EXPECTED: &str =
    "give a report of Vitis, v++ or co-simulation, a v++ configuration (.cfg), or C++";

/// Shows the files that can be read. A file that cannot is an error on stderr, and the exit status is 2.
pub(crate) fn run(args: &Hls) -> Result<Outcome, Error> {
    let mut sources = Sources::default();
    let mut files = Vec::new();
    let mut errors: Vec<Error> = Vec::new();
    let mut readable = false;
    let mut kernels = Vec::new();
    let folders: Vec<&PathBuf> = args.files.iter().filter(|path| path.is_dir()).collect();
    if folders.is_empty() && !args.source.is_empty() {
        bail!("--source is for folders of reports: give such a folder");
    }
    for folder in &folders {
        match folder::read_folder(&mut sources, folder, args) {
            Ok(found) => kernels.extend(found),
            Err(error) => errors.push(error),
        }
    }
    for path in args.files.iter().filter(|path| !folders.contains(path)) {
        let text = match load::read_source(path) {
            Ok((text, replaced)) => {
                if replaced {
                    output::note_replaced(&path.display());
                }
                text
            }
            Err(error) => {
                errors.push(error.into());
                continue;
            }
        };
        let file = sources.add(path.to_string_lossy(), text);
        let content = read_content(&sources, file, path).unwrap_or_else(|error| {
            let reason = error.to_string();
            errors.push(error);
            HlsFile::NotAudited(reason)
        });
        readable |= !matches!(content, HlsFile::NotAudited(_));
        files.push((file, content));
    }
    if readable || !kernels.is_empty() {
        let studies: Vec<_> = kernels.iter().map(|one| one.study(&sources)).collect();
        let folders: Vec<String> =
            folders.iter().map(|folder| folder.display().to_string()).collect();
        let (report, document) = readings::hls(&sources, &files, &folders, &studies);
        output::put_screen_as(args.format, args.detail, &report, || document)?;
    }
    let last = errors.pop();
    errors.iter().for_each(output::print_error);
    last.map_or(Ok(Outcome::Clean), Err)
}

/// A report by its content, all others by their names.
fn read_content(sources: &Sources, file: FileId, path: &Path) -> Result<HlsFile, Error> {
    let name = sources.name(file);
    let is = |extensions: &[&str]| {
        let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
        extension.is_some_and(|e| extensions.contains(&e.as_str()))
    };
    let refuse = |reason: &str| Err(anyhow!("{name} {reason}: {EXPECTED}"));
    if report_kind(sources.text(file)).is_some()
        || is(&["xml", "rpt", "xtxt", "info", "log", "out"])
    {
        return Ok(HlsFile::Report(Box::new(read_report(sources, file)?)));
    }
    if is(&["cfg", "ini"]) {
        let connectivity = read_connectivity(sources, file)?;
        if connectivity.entries.is_empty() && connectivity.unread.is_empty() {
            return refuse("has no line of the form key=value");
        }
        return Ok(HlsFile::Connectivity(connectivity));
    }
    match Language::of(name) {
        Language::Python => {
            return match read_allo(sources, file) {
                Some(source) => Ok(HlsFile::Allo(Box::new(source))),
                None => refuse("is Python and does not import Allo"),
            };
        }
        Language::Other(what) => {
            return refuse(&format!("is {what}"));
        }
        Language::Cpp => {}
    }
    let header = parse(sources, file);
    if says_nothing(&header) && (!header.unparsed.is_empty() || !is(&CPP)) {
        return refuse(
            "declares nothing that could be read as C++, and is not a report that derate knows",
        );
    }
    Ok(HlsFile::Source(Box::new(header)))
}

/// Whether nothing was read of a text.
fn says_nothing(header: &Header) -> bool {
    header.functions.is_empty()
        && header.aliases.is_empty()
        && header.constants.is_empty()
        && header.arrays.is_empty()
        && header.structures.is_empty()
        && header.enumerations.is_empty()
        && header.pragmas.is_empty()
        && header.includes.is_empty()
}
