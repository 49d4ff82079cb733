//! The texts of includes, from the disk.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Error, bail};
use derate_hls::{FileId, Loaded, Sources, Wanted};
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

    /// What a file is called: the way to it from the root, whatever folder derate was started from. Below the root that is
    /// how the path leads there, unless another file has this name; else it is the way to the file itself, `../common/t.h`.
    fn name(&self, path: &Path, real: &Path) -> String {
        let path = plain(path);
        let below = path.strip_prefix(plain(&self.root)).ok().filter(|below| !climbs(below));
        below
            .map(spelt)
            .filter(|name| !self.places.contains_key(name))
            .or_else(|| Some(spelt(&relative(&canonical(&self.root)?, real)?)))
            .filter(|name| !self.places.contains_key(name))
            .unwrap_or_else(|| spelt(real))
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
        let name = self.name(path, &real);
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

/// The options of the preprocessor as words of a command line that runs in this folder.
pub(crate) fn command_words(args: &Preprocess, dir: &Path) -> Vec<String> {
    let folders = args.include.iter().map(|folder| ("-I", seen_from(dir, folder)));
    let macros = args.define.iter().map(|define| ("-D", define.clone()));
    folders.chain(macros).flat_map(|(flag, value)| [flag.to_owned(), value]).collect()
}

/// The path to `folder`, which is given from the current folder, as it is given from `dir`.
fn seen_from(dir: &Path, folder: &Path) -> String {
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
fn spelt(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

fn climbs(path: &Path) -> bool {
    path.is_absolute() || path.components().next() == Some(Component::ParentDir)
}

/// The way from a folder to a file, both without links; none where no folder holds both.
fn relative(folder: &Path, file: &Path) -> Option<PathBuf> {
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

/// Reads the files that a command line names, and knows where what they include may be.
pub(crate) fn named(
    sources: &mut Sources,
    paths: &[PathBuf],
    include: &[PathBuf],
) -> Result<(Disk, Vec<FileId>), Error> {
    let mut disk = Disk::new(Path::new(""), None);
    for folder in include {
        disk.search(folder).context("-I")?;
    }
    let mut files = Vec::with_capacity(paths.len());
    for path in paths {
        let name = path.to_string_lossy().into_owned();
        let (text, replaced) = read::source(path)?;
        if replaced {
            output::replaced(&name);
        }
        disk.know(&name, path);
        files.push(sources.add(name, text));
    }
    Ok((disk, files))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

    use super::*;

    #[test]
    fn a_file_beyond_the_root_is_named_from_there_however_the_root_is_spelt() {
        let dir = tempfile::tempdir().unwrap();
        let (root, common) = (dir.path().join("p"), dir.path().join("common"));
        for folder in [&root.join("sub"), &common] {
            fs::create_dir_all(folder).unwrap();
        }
        for file in [root.join("sub/t.h"), common.join("t.h")] {
            fs::write(file, "").unwrap();
        }
        let name = |disk: &Disk, path: &Path| disk.name(path, &canonical(path).unwrap());
        let relative_root =
            relative(&canonical(Path::new("")).unwrap(), &canonical(&root).unwrap());
        for root in
            [Some(root.clone()), Some(root.join("sub/..")), relative_root].into_iter().flatten()
        {
            let mut disk = Disk::new(&root, None);
            assert_eq!(name(&disk, &root.join("../common/t.h")), "../common/t.h");
            assert_eq!(name(&disk, &common.join("t.h")), "../common/t.h");
            assert_eq!(name(&disk, &root.join("sub/t.h")), "sub/t.h");
            // Where a source has this name already, the file itself is named.
            disk.know("../common/t.h", &root.join("sub/t.h"));
            assert_eq!(
                name(&disk, &common.join("t.h")),
                spelt(&canonical(&common.join("t.h")).unwrap())
            );
        }
    }
}
