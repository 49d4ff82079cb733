//! Paths as names are spelt: from the project's folder, without `.` and links.

use std::fs;
use std::path::{Component, Path, PathBuf};

pub(crate) fn canonical(path: &Path) -> Option<PathBuf> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    fs::canonicalize(path).ok()
}

/// The path to `folder`, which is given from the current folder, as it is given from `dir`.
pub(crate) fn seen_from(dir: &Path, folder: &Path) -> String {
    let same = canonical(dir) == canonical(Path::new(""));
    if folder.is_absolute() || same {
        return folder.to_string_lossy().into_owned();
    }
    let ends = canonical(dir).zip(canonical(folder));
    let way = ends.and_then(|(dir, folder)| relative(&dir, &folder));
    match way.as_deref().unwrap_or(folder) {
        way if way.as_os_str().is_empty() => ".".to_owned(),
        way => spelt(way),
    }
}

/// A path as names are spelt.
pub(crate) fn spelt(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

pub(crate) fn climbs(path: &Path) -> bool {
    path.is_absolute() || path.components().next() == Some(Component::ParentDir)
}

/// The way from a folder to a file, both without links; none where no folder holds both.
pub(crate) fn relative(folder: &Path, file: &Path) -> Option<PathBuf> {
    let [mut from, mut to] = [folder, file].map(|path| path.components().peekable());
    let mut shared = false;
    while let Some(part) = from.peek()
        && to.peek() == Some(part)
    {
        shared |= matches!(part, Component::Normal(_));
        from.next();
        to.next();
    }
    shared.then(|| from.map(|_| Component::ParentDir).chain(to).collect())
}

/// A path without `.`, and without `..` as far as they go.
#[must_use]
pub fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(out.components().next_back(), Some(Component::Normal(_))) =>
            {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

/// The folder of a file's path; empty for the folder that is searched.
pub(crate) fn folder_of(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Whether a folder is another one or lies below it.
pub(crate) fn is_within(folder: &str, outer: &str) -> bool {
    outer.is_empty()
        || folder.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
/// Whether a file is a header, by the ending of its name.
pub(crate) fn is_header(path: &Path) -> bool {
    let end = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
    end.to_ascii_lowercase().starts_with('h')
}
