//! The texts of includes, from the disk.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Error, bail};
use derate_hls::{Loaded, Wanted};
use derate_model::{Includes, read_define};

use crate::args::Preprocess;
use crate::{output, read};

/// What is followed beyond the files that were named: more is no project, or not its own source.
const MOST_FILES: usize = 5000;
const LARGEST: u64 = 32 << 20;
const LARGEST_IN_ALL: u64 = 256 << 20;

/// Finds includes beside the file that includes them, then in the folders of `-I`.
pub(crate) struct Disk {
    /// What the names of files stand below.
    root: PathBuf,
    /// Only what lies below this folder is the project's; without one, all is.
    project: Option<PathBuf>,
    folders: Vec<PathBuf>,
    /// Where the text of a name lies.
    places: BTreeMap<String, PathBuf>,
    /// One file has one name, whatever links lead to it.
    names: BTreeMap<PathBuf, String>,
    /// The files that were followed, beside those that were named.
    followed: BTreeSet<String>,
    bytes: u64,
}

impl Disk {
    /// Names stand below `root`; `project` is the folder to which findings are limited.
    pub(crate) fn new(root: &Path, project: Option<&Path>) -> Self {
        Self {
            root: root.to_owned(),
            project: project.map(|folder| canonical(folder).unwrap_or_else(|| folder.to_owned())),
            folders: Vec::new(),
            places: BTreeMap::new(),
            names: BTreeMap::new(),
            followed: BTreeSet::new(),
            bytes: 0,
        }
    }

    /// Adds a folder of `-I`.
    pub(crate) fn search(&mut self, folder: &Path) -> Result<(), Error> {
        if !folder.is_dir() {
            bail!("{} is no folder to look for includes in: check the path", folder.display());
        }
        self.folders.push(folder.to_owned());
        Ok(())
    }

    /// Says where a text that was read by its name lies.
    pub(crate) fn know(&mut self, name: &str, path: &Path) {
        self.places.insert(name.to_owned(), path.to_owned());
        if let Some(path) = canonical(path) {
            self.names.entry(path).or_insert_with(|| name.to_owned());
        }
    }

    /// The candidates of an include, in the order of the search.
    fn candidates(&self, wanted: &Wanted<'_>) -> Vec<PathBuf> {
        let path = wanted.path.replace('\\', "/");
        let beside = self.places.get(wanted.includer).filter(|_| wanted.beside);
        let beside = beside.and_then(|place| place.parent());
        beside
            .into_iter()
            .chain(self.folders.iter().map(PathBuf::as_path))
            .map(|f| f.join(&path))
            .collect()
    }

    /// What a file that really is `real` is called: in a project its path from the root, from whatever folder derate is
    /// run; else as the path leads to it.
    fn name(&self, path: &Path, real: &Path) -> String {
        let path = plain(path);
        let is_real = |path: &Path| canonical(path).as_deref() == Some(real);
        let below = path.strip_prefix(plain(&self.root)).ok().filter(|below| {
            let inside = below.components().all(|part| matches!(part, Component::Normal(_)));
            inside && is_real(&self.root.join(below))
        });
        let root = canonical(&self.root).filter(|_| self.project.is_some());
        let name = match (below, root) {
            (Some(below), _) => below.to_owned(),
            (None, Some(root)) => relative(&root, real),
            (None, None) if is_real(&path) => path,
            (None, None) => real.to_owned(),
        };
        name.to_string_lossy().replace('\\', "/")
    }

    fn read(&mut self, path: &Path) -> Loaded {
        let Some(real) = canonical(path) else { return Loaded::Nowhere };
        if let Some(name) = self.names.get(&real) {
            return Loaded::Text { name: name.clone(), text: String::new() };
        }
        let size = fs::metadata(path).map_or(0, |meta| meta.len());
        if self.followed.len() >= MOST_FILES {
            return Loaded::Full(format!("{MOST_FILES} files were followed before it"));
        }
        if size > LARGEST {
            return Loaded::Refused(format!(
                "it has {} MiB, and at most {} are followed; name it as a source",
                size >> 20,
                LARGEST >> 20
            ));
        }
        if self.bytes + size > LARGEST_IN_ALL {
            return Loaded::Full(format!(
                "with it, more than {} MiB would be followed",
                LARGEST_IN_ALL >> 20
            ));
        }
        let (text, replaced) = match read::source(path) {
            Ok(read) => read,
            Err(error) => return Loaded::Refused(error.to_string()),
        };
        let mut name = self.name(path, &real);
        if self.places.contains_key(&name) {
            name = real.to_string_lossy().into_owned();
        }
        if replaced {
            output::note(&format!(
                "note: {name} is not UTF-8 throughout; the odd bytes were replaced"
            ));
        }
        self.bytes += size;
        self.know(&name, path);
        self.followed.insert(name.clone());
        Loaded::Text { name, text }
    }
}

impl Includes for Disk {
    fn load(&mut self, wanted: &Wanted<'_>) -> Loaded {
        let mut odd = None;
        for path in self.candidates(wanted) {
            match fs::metadata(&path) {
                Ok(meta) if meta.is_file() => return self.read(&path),
                // A device or a pipe may never end.
                Ok(meta) => odd = odd.or(Some(meta.is_dir())),
                Err(_) => {}
            }
        }
        match odd {
            Some(true) => Loaded::Refused("it is a folder, and an include names a file".to_owned()),
            Some(false) => Loaded::Refused("it is no regular file".to_owned()),
            None => Loaded::Nowhere,
        }
    }

    fn is_own(&self, name: &str) -> bool {
        let Some(project) = &self.project else { return true };
        !self.followed.contains(name)
            || self
                .places
                .get(name)
                .and_then(|path| canonical(path))
                .is_some_and(|path| path.starts_with(project))
    }
}

/// The macros of `-D`.
pub(crate) fn defines(args: &Preprocess) -> Result<Vec<(String, String)>, Error> {
    let all = args.define.iter().map(|text| read_define(text));
    all.collect::<Result<_, _>>().map_err(|reason| Error::msg(format!("-D: {reason}")))
}

fn canonical(path: &Path) -> Option<PathBuf> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    fs::canonicalize(path).ok()
}

/// The way from a folder to a file, where both are whole paths.
fn relative(folder: &Path, file: &Path) -> PathBuf {
    let shared = folder.components().zip(file.components()).take_while(|(a, b)| a == b).count();
    if shared == 0 {
        return file.to_owned();
    }
    let up = folder.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(file.components().skip(shared)).collect()
}

/// A path without `.`, and without `..` as far as they go.
fn plain(path: &Path) -> PathBuf {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_from_a_folder_to_a_file() {
        for (folder, file, way) in [
            ("/a/p", "/a/p/k/x.h", "k/x.h"),
            ("/a/p", "/a/common/t.h", "../common/t.h"),
            ("/a/p/q", "/opt/t.h", "../../../opt/t.h"),
        ] {
            assert_eq!(relative(Path::new(folder), Path::new(file)), Path::new(way));
        }
    }
}
