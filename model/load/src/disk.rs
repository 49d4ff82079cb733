//! The texts of includes, from the disk.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use derate_hls::{Loaded, Wanted};
use derate_project::Includes;

use crate::own_headers::OwnHeaders;
use crate::paths::{canonical, climbs, plain, relative, spelt};
use crate::search::SOURCE_ENDINGS;
use crate::{LoadError, read_source};

/// What is followed beyond the files that were named: more is not a project, or not its own source.
const MOST_FILES: usize = 5000;
const LARGEST: u64 = 32 << 20;
/// An include that is not named as code is a table of numbers; it says nothing of types.
const LARGEST_TABLE: u64 = 64 << 10;
const LARGEST_IN_ALL: u64 = 256 << 20;

/// Finds includes beside the file that includes them, then in the folders of `-I`; without one, the only header of that
/// name in the project.
pub struct Disk {
    /// The folder that names are spelt from.
    root: PathBuf,
    /// Only what lies below this folder is the project's; without one, all is.
    project: Option<PathBuf>,
    folders: Vec<PathBuf>,
    /// Folders that are not all that the tool looks in.
    more_folders: Vec<PathBuf>,
    own_headers: OwnHeaders,
    /// Where the text of a name lies.
    places: BTreeMap<String, PathBuf>,
    /// One file has one name, whatever links lead to it.
    names: BTreeMap<PathBuf, String>,
    /// What was asked for and is known: another source includes the same header, and its includes are asked for again.
    answers: HashMap<Asked, Loaded>,
    /// The files that were followed, beside those that were named.
    followed: BTreeSet<String>,
    bytes: u64,
    replaced: Vec<String>,
}

/// An include by the text that has it, the path, and where it may lie.
type Asked = (String, String, bool, bool);

impl Disk {
    /// Names are spelt from `root`; `project` is the folder to which findings are limited.
    pub fn new(root: &Path, project: Option<&Path>) -> Self {
        Self {
            root: root.to_owned(),
            project: project.map(|folder| canonical(folder).unwrap_or_else(|| folder.to_owned())),
            folders: Vec::new(),
            more_folders: Vec::new(),
            own_headers: OwnHeaders::default(),
            places: BTreeMap::new(),
            names: BTreeMap::new(),
            answers: HashMap::new(),
            followed: BTreeSet::new(),
            bytes: 0,
            replaced: Vec::new(),
        }
    }

    /// Adds a folder to look in.
    ///
    /// # Errors
    ///
    /// It is not a folder.
    pub fn search(&mut self, folder: &Path) -> Result<(), LoadError> {
        if !folder.is_dir() {
            let folder = folder.display();
            let reason = format!("{folder} is not a folder: check the path");
            return Err(LoadError::Option { option: "-I", reason });
        }
        self.folders.push(folder.to_owned());
        self.answers.clear();
        Ok(())
    }

    /// Adds a folder to look in after those, where others may be missing.
    pub(crate) fn search_too(&mut self, folder: &Path) {
        self.more_folders.push(folder.to_owned());
        self.answers.clear();
    }

    /// Takes over what is known of the project's headers.
    pub(crate) fn know_headers(&mut self, headers: OwnHeaders) {
        self.own_headers = headers;
        self.answers.clear();
    }

    /// The files that were followed and are not UTF-8 throughout.
    pub fn replaced(&self) -> &[String] {
        &self.replaced
    }

    /// Says where a text that was read by its name lies.
    pub fn know(&mut self, name: &str, path: &Path) {
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
            .chain(self.folders.iter().chain(&self.more_folders).map(PathBuf::as_path))
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

    /// Where no `-I` is given, the only header of the project that an include can mean.
    fn search_project(&mut self, wanted: &Wanted<'_>) -> Option<PathBuf> {
        if !wanted.anywhere || !self.folders.is_empty() {
            return None;
        }
        let includer = self.places.get(wanted.includer)?;
        self.own_headers.find(self.project.as_deref(), includer, wanted.path)
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
        if size > LARGEST_TABLE && !is_code(path) {
            return Loaded::Refused(format!(
                "it has {} KiB and is not named as code, so it is taken for data",
                size >> 10
            ));
        }
        if self.bytes + size > LARGEST_IN_ALL {
            return Loaded::Full(format!(
                "with it, more than {} MiB would be followed",
                LARGEST_IN_ALL >> 20
            ));
        }
        let (text, replaced) = match read_source(path) {
            Ok(read) => read,
            Err(error) => return Loaded::Refused(error.to_string()),
        };
        let name = self.name(path, &real);
        if replaced {
            self.replaced.push(name.clone());
        }
        self.bytes += size;
        self.know(&name, path);
        self.followed.insert(name.clone());
        Loaded::Text { name, text }
    }

    /// The answer of the disk.
    fn find(&mut self, wanted: &Wanted<'_>) -> Loaded {
        let mut odd = None;
        for path in self.candidates(wanted) {
            match fs::metadata(&path) {
                Ok(meta) if meta.is_file() => return self.read(&path),
                // A device or a pipe may never end.
                Ok(meta) => odd = odd.or(Some(meta.is_dir())),
                Err(_) => {}
            }
        }
        if odd.is_none()
            && let Some(path) = self.search_project(wanted)
        {
            return self.read(&path);
        }
        match odd {
            Some(true) => Loaded::Refused("it is a folder, and an include names a file".to_owned()),
            Some(false) => Loaded::Refused("it is not a regular file".to_owned()),
            None => Loaded::Nowhere,
        }
    }
}

impl Includes for Disk {
    fn load(&mut self, wanted: &Wanted<'_>) -> Loaded {
        let asked =
            (wanted.includer.to_owned(), wanted.path.to_owned(), wanted.beside, wanted.anywhere);
        if let Some(known) = self.answers.get(&asked) {
            return known.clone();
        }
        let loaded = self.find(wanted);
        match &loaded {
            Loaded::Text { name, .. } => {
                let known = Loaded::Text { name: name.clone(), text: String::new() };
                self.answers.insert(asked, known);
            }
            Loaded::Nowhere => {
                self.answers.insert(asked, Loaded::Nowhere);
            }
            // The limits may be reached later.
            Loaded::Refused(_) | Loaded::Full(_) => {}
        }
        loaded
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

/// Whether the ending of a name is one of code; a name without an ending is that of a header.
fn is_code(path: &Path) -> bool {
    const INCLUDED: [&str; 5] = ["h++", "hxx", "inl", "ipp", "tpp"];
    let Some(ending) = path.extension() else { return true };
    let ending = ending.to_string_lossy().to_ascii_lowercase();
    SOURCE_ENDINGS.contains(&ending.as_str()) || INCLUDED.contains(&ending.as_str())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

    use super::*;

    #[test]
    fn a_table_of_numbers_is_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        let table = "1,".repeat(40_000);
        for name in ["set.dat", "set.h"] {
            fs::write(dir.path().join(name), &table).unwrap();
        }
        let mut disk = Disk::new(dir.path(), None);
        let data = disk.read(&dir.path().join("set.dat"));
        assert!(matches!(&data, Loaded::Refused(reason) if reason.contains("78 KiB")), "{data:?}");
        assert!(matches!(disk.read(&dir.path().join("set.h")), Loaded::Text { .. }));
    }

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
