//! The files of a project that hls4ml wrote.

use std::fs;
use std::path::{Path, PathBuf};

use derate_hls::{FileId, Sources};

use crate::{ReadError, read_text};

/// The file of settings of each layer, below the project's folder.
const PARAMETERS: &str = "firmware/parameters.h";

/// The configuration that hls4ml writes into the project's folder.
pub(crate) const CONFIG: &str = "hls4ml_config.yml";

/// The folder of the project that a path names: the folder itself, or that of its configuration; `None` for anything else.
pub(crate) fn find_project(path: &Path) -> Option<PathBuf> {
    let is_config = path.extension().is_some_and(|e| e == "yml" || e == "yaml");
    if is_config {
        return Some(path.parent().unwrap_or(Path::new("")).to_owned());
    }
    let is_own = path.join(PARAMETERS).is_file() || path.join(CONFIG).is_file();
    is_own.then(|| path.to_owned())
}

/// Adds the top function's source and the headers beside it; `name` is what the project is called in messages.
pub(crate) fn read_project(
    folder: &Path,
    name: &str,
    sources: &mut Sources,
) -> Result<Vec<FileId>, ReadError> {
    let firmware = folder.join("firmware");
    if !folder.join(PARAMETERS).is_file() {
        let reason = format!(
            "is not a project that hls4ml wrote: there is no {PARAMETERS}: write it with hls_model.write() and name the folder"
        );
        return Err(ReadError::new(folder, reason));
    }
    let listed = fs::read_dir(&firmware)
        .map_err(|error| ReadError::new(&firmware, format!("cannot be listed: {error}")))?;
    let mut paths: Vec<PathBuf> = listed.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let has = |path: &Path, extension: &str| path.extension().is_some_and(|e| e == extension);
    let mut texts = Vec::new();
    for path in paths.iter().filter(|path| has(path, "cpp") || has(path, "h")) {
        let text = read_text(path)?;
        // Wrappers for a bus and other sources have no layers.
        if has(path, "h") || text.contains("nnet::") {
            texts.push((path, text));
        }
    }
    // Sources come first: headers are read as they include them.
    texts.sort_by_key(|(path, _)| has(path, "h"));
    let add = |(path, text): (&PathBuf, String)| {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        sources.add(format!("{}/firmware/{file}", name.trim_end_matches('/')), text)
    };
    Ok(texts.into_iter().map(add).collect())
}
