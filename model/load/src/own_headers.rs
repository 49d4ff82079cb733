//! The headers of a project that no `-I` names, found by their names.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use crate::designs::design_folder;
use crate::paths::{canonical, spelt};
use crate::search::{SOURCE_ENDINGS, Search, is_tool_output};

/// What lies below the folders that were searched.
#[derive(Clone, Default)]
pub(crate) struct OwnHeaders {
    folders: BTreeMap<PathBuf, Rc<HeadersByName>>,
}

/// Paths by the name of their file.
type HeadersByName = HashMap<OsString, Vec<PathBuf>>;

impl OwnHeaders {
    /// Those of a folder that was searched. A header that the user leaves out can be included.
    pub(crate) fn of(search: &Search) -> Self {
        let root = canonical(&search.dir).unwrap_or_else(|| search.dir.clone());
        let headers = if search.exclude.is_empty() {
            list_headers(search)
        } else {
            search_headers(&search.dir)
        };
        Self { folders: BTreeMap::from([(root, headers)]) }
    }

    /// The only file of a project whose path ends as the include is written. `includer` is the file that includes it;
    /// the project is `root`, else what lies below the folder of its version control, else the design around it.
    pub(crate) fn find(
        &mut self,
        root: Option<&Path>,
        includer: &Path,
        path: &str,
    ) -> Option<PathBuf> {
        let root = root.map_or_else(|| find_root(includer), |root| Some(root.to_owned()))?;
        let files = self.folders.entry(root).or_insert_with_key(|root| search_headers(root));
        let wanted = Path::new(path).components();
        let wanted: PathBuf = wanted.filter(|part| matches!(part, Component::Normal(_))).collect();
        let mut fitting =
            files.get(wanted.file_name()?)?.iter().filter(|file| file.ends_with(&wanted));
        match (fitting.next(), fitting.next()) {
            (Some(only), None) => Some(only.clone()),
            _ => None,
        }
    }
}

/// The folder that `-I` has to name for each include that was not found: of the project around the file that includes it, where one
/// folder has it. An include is the file that has it and the path that it names; `None` where no folder is found.
pub fn find_include_folders<'i>(
    includes: impl IntoIterator<Item = (&'i str, &'i str)>,
) -> Vec<Option<PathBuf>> {
    let mut headers = OwnHeaders::default();
    let includes = includes.into_iter();
    includes.map(|(includer, path)| find_include_folder(&mut headers, includer, path)).collect()
}

fn find_include_folder(headers: &mut OwnHeaders, includer: &str, path: &str) -> Option<PathBuf> {
    let parts = Path::new(path).components();
    // What is above a folder is found from none that `-I` names.
    let is_below =
        parts.clone().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let found = headers.find(None, Path::new(includer), path).filter(|_| is_below)?;
    let below = parts.filter(|part| matches!(part, Component::Normal(_))).count();
    let folder = found.ancestors().nth(below)?.to_owned();
    let here = std::env::current_dir().ok();
    let short = here.as_ref().and_then(|here| folder.strip_prefix(here).ok());
    Some(match short {
        Some(short) if short.as_os_str().is_empty() => PathBuf::from("."),
        Some(short) => short.to_owned(),
        None => folder,
    })
}

fn find_root(includer: &Path) -> Option<PathBuf> {
    let includer = std::path::absolute(includer).ok()?;
    let folder = includer.parent()?;
    let versioned = folder.ancestors().find(|above| above.join(".git").exists());
    let design = || PathBuf::from(design_folder(&spelt(folder)));
    let root = versioned.map_or_else(design, Path::to_owned);
    root.parent().is_some().then_some(root)
}

fn search_headers(dir: &Path) -> Rc<HeadersByName> {
    Search::new(dir).map_or_else(|_| Rc::default(), |search| list_headers(&search))
}

/// Endings of what sources include beside headers: tables, mostly.
const INCLUDED: [&str; 3] = ["def", "inc", "inl"];

/// The code that tools did not write, and what it may include.
fn list_headers(search: &Search) -> Rc<HeadersByName> {
    let is_header = |path: &&PathBuf| {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        let endings = SOURCE_ENDINGS.iter().chain(&INCLUDED);
        ending.is_some_and(|own| endings.into_iter().any(|ending| *ending == own))
            && !is_tool_output(Path::new(&search.name(path)))
    };
    let mut headers = HeadersByName::new();
    for path in search.files.iter().filter(is_header) {
        let name = path.file_name().unwrap_or_default().to_owned();
        headers.entry(name).or_default().push(path.clone());
    }
    headers.into()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

    use std::fs;

    use super::*;

    #[test]
    fn the_folder_that_has_an_include_is_named() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["src/k.cpp", "include/common/a.h", "one/b.h", "two/b.h"] {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let includer = dir.path().join("src/k.cpp").display().to_string();
        let find = |path: &str| find_include_folder(&mut OwnHeaders::default(), &includer, path);
        assert_eq!(find("common/a.h"), Some(dir.path().join("include")));
        assert_eq!(find("a.h"), Some(dir.path().join("include/common")));
        assert_eq!(find("b.h"), None);
        assert_eq!(find("gone.h"), None);
    }

    #[test]
    fn the_only_header_of_a_name_is_found_and_of_two_none() {
        let dir = tempfile::tempdir().unwrap();
        for name in [
            "gemm/src/k.cpp",
            "gemm/include/types.h",
            "common/utils/types.h",
            "common/words.h",
            "common/table.inc",
            "common/table.md",
            "common/proj/solution1/syn/systemc/made.h",
        ] {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let includer = dir.path().join("gemm/src/k.cpp");
        let mut headers = OwnHeaders::default();
        let mut find = |root, path: &str| headers.find(root, &includer, path);
        let at = |name: &str| Some(dir.path().join(name));
        assert_eq!(find(Some(dir.path()), "words.h"), at("common/words.h"));
        assert_eq!(find(Some(dir.path()), "../utils/types.h"), at("common/utils/types.h"));
        assert_eq!(find(Some(dir.path()), "types.h"), None);
        assert_eq!(find(Some(dir.path()), "table.inc"), at("common/table.inc"));
        assert_eq!(find(Some(dir.path()), "table.md"), None);
        assert_eq!(find(Some(dir.path()), "made.h"), None);
        // Without a project it is the design around the source.
        assert_eq!(find(None, "types.h"), at("gemm/include/types.h"));
        assert_eq!(find(None, "words.h"), None);
        fs::create_dir(dir.path().join(".git")).unwrap();
        assert_eq!(find(None, "words.h"), at("common/words.h"));
    }
}
