//! Folders for tests.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::fs;

use tempfile::TempDir;

use super::Search;

/// A folder with these files (name and text), and what a search finds in it.
pub(crate) fn search_files(files: &[(&str, &str)]) -> (TempDir, Search) {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let search = Search::new(dir.path()).unwrap();
    (dir, search)
}
