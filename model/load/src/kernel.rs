//! The sources of one kernel with their includes, for the model of its schedule.

use std::fs;
use std::path::{Path, PathBuf};

use derate_syntax::ast::Unit;
use derate_syntax::{SourceFile, read_unit};

use crate::{LoadError, Preprocess, read_source};

/// More is not followed: it is no kernel.
const LARGEST_IN_ALL: u64 = 64 << 20;

/// A kernel's sources, read.
#[derive(Debug)]
pub struct LoadedKernel {
    /// What they declare.
    pub unit: Unit,
    /// The files named that are not UTF-8 throughout.
    pub replaced: Vec<String>,
}

/// Reads the files that a command line names, with their includes. An include in quotes is looked for beside the file
/// that includes it, every include then in the folders of `-I`. What is not found is skipped, as headers of the tool are.
///
/// # Errors
///
/// A file that cannot be read, a folder that is not one, or a `-D` that defines nothing.
pub fn load_kernel(paths: &[PathBuf], preprocess: &Preprocess) -> Result<LoadedKernel, LoadError> {
    let defines = preprocess.macros()?;
    if let Some(folder) = preprocess.include.iter().find(|folder| !folder.is_dir()) {
        let reason = format!("{} is not a folder: check the path", folder.display());
        return Err(LoadError::Option { option: "-I", reason });
    }
    let mut replaced = Vec::new();
    let mut files = Vec::with_capacity(paths.len());
    for path in paths {
        let (text, odd_bytes) = read_source(path)?;
        let path = path.to_string_lossy().into_owned();
        if odd_bytes {
            replaced.push(path.clone());
        }
        files.push(SourceFile { path, text });
    }
    let mut bytes = 0_u64;
    let mut loader = |name: &str, quoted: bool, from: &str| {
        let beside = Path::new(from).parent().filter(|_| quoted);
        let folders = beside.into_iter().chain(preprocess.include.iter().map(PathBuf::as_path));
        let found = folders.map(|folder| folder.join(name)).find(|path| path.is_file())?;
        bytes += fs::metadata(&found).map_or(0, |meta| meta.len());
        let (text, _) = (bytes <= LARGEST_IN_ALL).then(|| read_source(&found).ok())??;
        Some((found.to_string_lossy().into_owned(), text))
    };
    let unit = read_unit(&files, &mut loader, &defines);
    Ok(LoadedKernel { unit, replaced })
}
