//! The files that a pattern of `derate.toml` names.

use std::path::{Path, PathBuf};

use derate_hls::Sources;
use derate_project::Claim;

use crate::LoadError;

/// The files that one pattern matches, sorted; the error is that there are none.
pub(crate) fn find_matches(
    dir: &Path,
    sources: &Sources,
    pattern: &Claim<String>,
) -> Result<Vec<(PathBuf, String)>, LoadError> {
    let from = glob::Pattern::escape(&dir.to_string_lossy());
    let full = Path::new(&from).join(&pattern.value);
    let paths = glob::glob(&full.to_string_lossy()).map_err(|error| {
        LoadError::at(
            sources,
            pattern,
            &format!("`{}` is not a pattern: {}", pattern.value, error.msg),
        )
    })?;
    // Names are the project's own, whatever folder derate was started from.
    let named = |path: PathBuf| {
        let name = path.strip_prefix(dir).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        (path, name)
    };
    let found: Vec<(PathBuf, String)> =
        paths.filter_map(Result::ok).filter(|path| path.is_file()).map(named).collect();
    if found.is_empty() {
        return Err(LoadError::at(
            sources,
            pattern,
            &format!("`{}` matches no file: fix the path, or take it out", pattern.value),
        ));
    }
    Ok(found)
}
