//! Searches a folder for sources, scripts, configurations and reports: what `init` names and `audit` reads.

mod build_script;
mod directives;
mod dumps;
mod exclude;
mod host_program;
mod includes;
mod leftovers;
mod logs;
mod named_path;
mod patterns;
mod preprocessed;
mod readme;
mod reports;
mod sources;
mod template;
#[cfg(test)]
pub(crate) mod testing;
mod tool_files;
mod tool_output;
mod vendored;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use derate_estimate::starter::Found;

use crate::{LoadError, ReadError, read_source};
pub use build_script::read_clock;
pub(crate) use build_script::{BuildScript, Solution, find_named_card, is_clock, list_own};
pub use exclude::Exclude;
pub(crate) use named_path::NamedPaths;
pub use sources::PassedOver;
pub(crate) use sources::is_directed;
pub(crate) use tool_files::ToolFile;
use tool_output::is_never_searched;
pub(crate) use tool_output::is_tool_output;
pub use vendored::LibraryFolders;
use vendored::list_submodules;

/// What sources end in. C is taken where it is a kernel's: most C beside kernels is drivers.
pub(crate) const SOURCE_ENDINGS: [&str; 7] = ["h", "hh", "hpp", "cpp", "cc", "cxx", "c"];
/// What configurations of v++ end in.
const CONFIGURATIONS: [&str; 2] = ["cfg", "ini"];

/// Enough for any project that a person keeps; a home folder is not one.
const MOST_FILES: usize = 200_000;
const DEEPEST: usize = 32;
/// A report or a dump is kilobytes; logs beside them may be gigabytes.
const LARGEST: u64 = 16 * 1024 * 1024;

/// A folder, and all files below it that may be of a project.
pub(crate) struct Search {
    pub(crate) dir: PathBuf,
    /// Sorted.
    pub(crate) files: Vec<PathBuf>,
    /// Where the files with each extension in small letters are among them.
    by_extension: BTreeMap<String, Vec<usize>>,
    /// How many files each pattern leaves out.
    pub(crate) left_out: Vec<usize>,
    /// What the user leaves out.
    pub(crate) exclude: Exclude,
    /// The third-party libraries.
    pub(crate) vendored: LibraryFolders,
    /// What the scripts say, once they are read.
    scripts: OnceCell<Vec<BuildScript>>,
    /// The folders of modules of an operating system, once they are looked for.
    modules: OnceCell<BTreeSet<PathBuf>>,
    /// The templates among the sources and configurations, once they are looked for.
    templates: OnceCell<BTreeSet<PathBuf>>,
    /// What includes each file, once a design of headers asks for it.
    includers: OnceCell<includes::Includers>,
}

impl Search {
    /// Lists the files below `dir`; hidden folders, those of packages and links are passed over.
    ///
    /// # Errors
    ///
    /// The folder cannot be read, or holds too much.
    pub(crate) fn new(dir: &Path) -> Result<Self, LoadError> {
        Self::without(dir, &Exclude::default())
    }

    /// The same without what is left out.
    pub(crate) fn without(dir: &Path, exclude: &Exclude) -> Result<Self, LoadError> {
        let mut search = Self {
            dir: dir.to_owned(),
            files: Vec::new(),
            by_extension: BTreeMap::new(),
            left_out: vec![0; exclude.words().count()],
            exclude: exclude.clone(),
            vendored: LibraryFolders::default(),
            scripts: OnceCell::new(),
            modules: OnceCell::new(),
            templates: OnceCell::new(),
            includers: OnceCell::new(),
        };
        let mut submodules = list_submodules(dir);
        // What leaves a folder out leaves out what is below it.
        let mut folders = vec![(dir.to_owned(), 0, None)];
        while let Some((folder, depth, out)) = folders.pop() {
            let entries = match fs::read_dir(&folder) {
                Ok(entries) => entries,
                // An unreadable folder inside is skipped; the named one is an error.
                Err(error) if error.kind() == ErrorKind::PermissionDenied && depth > 0 => continue,
                Err(error) => {
                    let reason = "cannot be read: check its permissions";
                    return Err(ReadError::caused(&folder, reason, error).into());
                }
            };
            for entry in entries.filter_map(Result::ok) {
                let name = entry.file_name();
                let name = name.to_string_lossy();
                let Ok(kind) = entry.file_type() else { continue };
                // A submodule has a file of this name, a clone has a folder.
                if name == ".git" && kind.is_file() && depth > 0 {
                    submodules.insert(search.name(&folder));
                }
                if name.starts_with('.') || (kind.is_dir() && is_never_searched(&name)) {
                    continue;
                }
                let path = entry.path();
                let out = out.or_else(|| exclude.find(&search.name(&path)));
                if kind.is_dir() && depth < DEEPEST {
                    folders.push((path, depth + 1, out));
                } else if kind.is_file() {
                    match out.and_then(|pattern| search.left_out.get_mut(pattern)) {
                        Some(count) => *count += 1,
                        None => search.files.push(path),
                    }
                }
            }
            if search.files.len() > MOST_FILES {
                return Err(LoadError::TooManyFiles { path: dir.to_owned(), most: MOST_FILES });
            }
        }
        search.files.sort();
        for (at, path) in search.files.iter().enumerate() {
            if let Some(extension) = extension_of(path) {
                search.by_extension.entry(extension).or_default().push(at);
            }
        }
        let names: Vec<String> = search.files.iter().map(|path| search.name(path)).collect();
        search.vendored = LibraryFolders::of(names.iter().map(String::as_str), &submodules);
        Ok(search)
    }

    /// The path of a file from the folder.
    pub(crate) fn name(&self, path: &Path) -> String {
        let path = path.strip_prefix(&self.dir).unwrap_or(path).to_string_lossy();
        // On other systems a backslash is a letter of a name.
        if cfg!(windows) { path.replace('\\', "/") } else { path.into_owned() }
    }

    /// Whether a file is of a tool or of a third-party library.
    pub(crate) fn is_foreign(&self, path: &Path) -> bool {
        let name = self.name(path);
        is_tool_output(Path::new(&name)) || self.vendored.find(&name).is_some()
    }

    /// What the scripts and configurations of the tools say.
    pub(crate) fn scripts(&self) -> &[BuildScript] {
        self.scripts.get_or_init(|| self.read_scripts())
    }

    /// The files with one of these extensions.
    fn having(&self, extensions: &[&str]) -> impl Iterator<Item = &PathBuf> {
        let of_each = extensions.iter().filter_map(|one| self.by_extension.get(*one));
        let all: BTreeSet<usize> = of_each.flatten().copied().collect();
        all.into_iter().map(|at| &self.files[at])
    }
}

/// What a search of a folder found.
#[derive(Debug)]
pub struct FolderSearch {
    /// What a first `derate.toml` names.
    pub found: Found,
    /// The texts that it does not name, sorted by path, with the reasons.
    pub passed_over: Vec<(String, PassedOver)>,
    /// Why workloads cannot be read.
    pub refused: Vec<LoadError>,
}

/// Searches a folder for what a first `derate.toml` names.
///
/// # Errors
///
/// The folder cannot be read, or holds too much.
pub fn search_folder(dir: &Path) -> Result<FolderSearch, LoadError> {
    let search = Search::new(dir)?;
    let mut passed_over = search.list_passed_over();
    let programs = search.list_programs().into_iter();
    passed_over.extend(programs.map(|path| (search.name(path), PassedOver::Program)));
    passed_over.sort();
    let other: BTreeSet<&str> = passed_over.iter().map(|(name, _)| name.as_str()).collect();
    let reports: BTreeSet<&PathBuf> = search.list_reports().into_iter().collect();
    let (dumps, refused) = search.find_dumps();
    let found = Found {
        dumps,
        sources: search
            .group_patterns(&SOURCE_ENDINGS, |path| !other.contains(search.name(path).as_str())),
        connectivity: search.list_connectivity().into_iter().map(|one| search.name(one)).collect(),
        reports: search.group_patterns(&reports::EXTENSIONS, |path| reports.contains(path)),
        parts: search.find_parts(),
        scripts: search.find_named_parts(),
        unknown_parts: search.find_unknown_parts(),
    };
    Ok(FolderSearch { found, passed_over, refused })
}

/// The extension of a file in small letters.
fn extension_of(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}

pub(crate) fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    extension_of(path).is_some_and(|one| extensions.contains(&one.as_str()))
}

/// The text of a file that is small enough to be one that a person or a tool wrote for a design.
pub(crate) fn read_small(path: &Path) -> Option<String> {
    let is_small = path.metadata().is_ok_and(|meta| meta.len() <= LARGEST);
    if is_small { Some(read_source(path).ok()?.0) } else { None }
}
