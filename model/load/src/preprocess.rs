//! How the sources are preprocessed, and the files that a command line names.

use std::path::{Path, PathBuf};

use derate_hls::{FileId, Sources};
use derate_project::read_define;

use crate::paths::seen_from;
use crate::{Disk, LoadError, read_source};

/// Options of the preprocessor, as `-I` and `-D` of a compiler give them.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Preprocess {
    /// Folders to look for includes in.
    pub include: Vec<PathBuf>,
    /// Macros: `NAME` or `NAME=VALUE`.
    pub define: Vec<String>,
}

impl Preprocess {
    /// The macros, each with its name and value.
    ///
    /// # Errors
    ///
    /// A text that defines no macro.
    pub fn macros(&self) -> Result<Vec<(String, String)>, LoadError> {
        let macros = self.define.iter().map(|text| read_define(text));
        let option = "-D";
        macros
            .collect::<Result<_, _>>()
            .map_err(|reason| LoadError::Option { option, reason: reason.to_string() })
    }

    /// The options as words of a command line that runs in the folder `dir`.
    pub fn command_words(&self, dir: &Path) -> Vec<String> {
        let folders = self.include.iter().map(|folder| ("-I", seen_from(dir, folder)));
        let macros = self.define.iter().map(|define| ("-D", define.clone()));
        folders.chain(macros).flat_map(|(flag, value)| [flag.to_owned(), value]).collect()
    }
}

/// Files that a command line names, and where what they include may be.
pub struct NamedFiles {
    /// Finds their includes.
    pub disk: Disk,
    /// The files, in the order given.
    pub files: Vec<FileId>,
    /// Those that are not UTF-8 throughout.
    pub replaced: Vec<String>,
}

/// Reads the files that a command line names.
///
/// # Errors
///
/// A file that cannot be read, or a folder that is not one.
pub fn read_named(
    sources: &mut Sources,
    paths: &[PathBuf],
    include: &[PathBuf],
) -> Result<NamedFiles, LoadError> {
    let mut disk = Disk::new(Path::new(""), None);
    for folder in include {
        disk.search(folder)?;
    }
    let mut replaced = Vec::new();
    let mut files = Vec::with_capacity(paths.len());
    for path in paths {
        let name = path.to_string_lossy().into_owned();
        let (text, odd_bytes) = read_source(path)?;
        if odd_bytes {
            replaced.push(name.clone());
        }
        disk.know(&name, path);
        files.push(sources.add(name, text));
    }
    Ok(NamedFiles { disk, files, replaced })
}
