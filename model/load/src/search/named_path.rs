//! The files that a script names: from its own folder, from one around it, or by a path of another machine.

use std::path::{Component, Path, PathBuf};

use crate::paths::{canonical, folder_of, plain};

/// Folders above that of a script that a command line names.
const ABOVE: usize = 3;

/// Where the paths of a script may begin.
pub(crate) struct NamedPaths {
    dir: PathBuf,
    /// The script's own folder, and those around it, as the tool may be started there.
    bases: Vec<PathBuf>,
    /// The name of the script's project, whose folder may have another name here.
    project: Option<String>,
}

impl NamedPaths {
    /// Those of a script, which is a path from the folder that is searched.
    pub(crate) fn of(dir: &Path, script: &str, project: Option<&str>) -> Self {
        let mut bases = Vec::new();
        let mut folder = folder_of(script);
        loop {
            bases.push(dir.join(folder));
            if folder.is_empty() {
                break;
            }
            folder = folder_of(folder);
        }
        if is_own_script(script, project) {
            // The tool writes `p/solution/script.tcl`, and its paths begin where `p` is.
            bases[..3].rotate_right(1);
        }
        Self { dir: dir.to_owned(), bases, project: project.map(str::to_owned) }
    }

    /// Those of a script that a command line names: it may be started from three folders above its own.
    pub(crate) fn around(script: &Path, project: Option<&str>) -> Self {
        let folder = script.parent().unwrap_or(Path::new(""));
        let bases = (0..=ABOVE).map(|above| plain(&folder.join("../".repeat(above))));
        Self { dir: PathBuf::new(), bases: bases.collect(), project: project.map(str::to_owned) }
    }

    /// The first place at which a file or a folder is that `named` can mean: as it is spelt, else by its end.
    pub(crate) fn find(&self, named: &str, is_there: fn(&Path) -> bool) -> Option<PathBuf> {
        let named = Path::new(named);
        let mut spelt = self.bases.iter().map(|base| base.join(named));
        if let Some(path) = spelt.find(|path| self.may_be(named, path) && is_there(path)) {
            return Some(self.plain_below(&path));
        }
        let parts: Vec<&str> = named
            .components()
            .filter_map(|part| match part {
                Component::Normal(part) => part.to_str(),
                _ => None,
            })
            .collect();
        let first = usize::from(named.is_relative() && !named.starts_with(".."));
        (first..parts.len()).find_map(|cut| {
            let (before, end) = parts.split_at_checked(cut)?;
            let path: PathBuf = end.iter().collect();
            let mut fitting = self
                .bases
                .iter()
                .take(self.count_bases(before, end))
                .map(|base| base.join(&path))
                .filter(|path| is_there(path));
            fitting.next().map(|path| self.plain_below(&path))
        })
    }

    /// The one file that ends as a path of another machine does, of those with the longest end. A name alone is not enough.
    pub(crate) fn find_end<'f>(&self, named: &str, files: &'f [PathBuf]) -> Option<&'f PathBuf> {
        let wanted: Vec<&str> = named.split(['/', '\\']).filter(|part| !part.is_empty()).collect();
        let is_absolute = named.starts_with('/') || named.get(1..2) == Some(":");
        let last = wanted.last().filter(|_| is_absolute)?;
        let count_same = |path: &Path| {
            let below = path.strip_prefix(&self.dir).unwrap_or(path);
            let own = below.iter().rev().map(|part| part.to_str());
            own.zip(wanted.iter().rev()).take_while(|(own, part)| *own == Some(**part)).count()
        };
        let fitting = files.iter().filter(|path| path.ends_with(last));
        let counted: Vec<(usize, &PathBuf)> =
            fitting.map(|path| (count_same(path), path)).collect();
        let most = counted.iter().map(|(count, _)| *count).max().filter(|most| *most > 1)?;
        let mut longest = counted.into_iter().filter(|(count, _)| *count == most);
        let (_, only) = longest.next()?;
        longest.next().is_none().then_some(only)
    }

    /// A name alone is looked for beside the script, and where its project's folder is.
    fn count_bases(&self, before: &[&str], end: &[&str]) -> usize {
        if end.len() > 1 {
            return self.bases.len();
        }
        let is_project = before.last().is_some_and(|last| self.project.as_deref() == Some(*last));
        if is_project { 2 } else { 1 }
    }

    /// An absolute path counts where it is below the folder that is searched.
    fn may_be(&self, named: &Path, path: &Path) -> bool {
        named.is_relative() || path.starts_with(&self.dir)
    }

    /// A path without `..`, as the search lists it: also one that leaves the folder and comes back by its name.
    fn plain_below(&self, path: &Path) -> PathBuf {
        let below = path.strip_prefix(&self.dir).unwrap_or(path);
        let below = plain(below);
        let joined = self.dir.join(&below);
        let leaves = below.components().next() == Some(Component::ParentDir);
        let back = leaves.then(|| {
            let (dir, path) = canonical(&self.dir).zip(canonical(&joined))?;
            Some(self.dir.join(path.strip_prefix(dir).ok()?))
        });
        back.flatten().unwrap_or(joined)
    }
}

/// Whether a script is the one that the tool writes into the folder of a solution of this project.
fn is_own_script(script: &str, project: Option<&str>) -> bool {
    let solution = folder_of(script);
    let own = folder_of(solution);
    let name = own.rsplit('/').next().filter(|name| !name.is_empty());
    script.ends_with("/script.tcl") && solution != own && name.is_some() && name == project
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::testing::search_files;

    #[test]
    fn a_path_of_another_machine_is_found_by_its_end() {
        let (_dir, search) = search_files(&[
            ("gemm/solution1/script.tcl", ""),
            ("gemm/gemm.cpp", ""),
            ("gemm/v2/src/gemm.cpp", ""),
            ("common/add.cpp", ""),
        ]);
        let find = |script: &str, named: &str| {
            let paths = NamedPaths::of(&search.dir, script, Some("old_gemm"));
            paths.find(named, Path::is_file).map(|path| search.name(&path))
        };
        let at = |name: &str| Some(name.to_owned());
        let script = "gemm/solution1/script.tcl";
        assert_eq!(find(script, "gemm/gemm.cpp"), at("gemm/gemm.cpp"));
        assert_eq!(find(script, "../v2/src/gemm.cpp"), at("gemm/v2/src/gemm.cpp"));
        assert_eq!(find(script, "/home/me/hls/v2/src/gemm.cpp"), at("gemm/v2/src/gemm.cpp"));
        // The project's folder has another name here.
        assert_eq!(find(script, "old_gemm/gemm.cpp"), at("gemm/gemm.cpp"));
        assert_eq!(find(script, "other/gemm.cpp"), None);
        let find_end = |named: &str| {
            let paths = NamedPaths::of(&search.dir, "scripts/run.tcl", None);
            paths.find_end(named, &search.files).map(|path| search.name(path))
        };
        assert_eq!(find_end("/home/me/old/v2/src/gemm.cpp"), at("gemm/v2/src/gemm.cpp"));
        assert_eq!(find_end("C:\\Users\\me\\gemm\\gemm.cpp"), at("gemm/gemm.cpp"));
        assert_eq!(find_end("/home/me/other/gemm.cpp"), None);
        assert_eq!(find_end("common/add.cpp"), None);
        // A name alone may be of any folder.
        assert_eq!(find("gemm/run.tcl", "/home/me/gemm.cpp"), at("gemm/gemm.cpp"));
        assert_eq!(find("gemm/v2/run.tcl", "/home/me/gemm.cpp"), None);
        assert_eq!(find("gemm/v2/run.tcl", "/common/add.cpp"), at("common/add.cpp"));
    }

    #[test]
    fn a_path_that_leaves_the_folder_and_comes_back_is_the_file_in_it() {
        let (held, search) = search_files(&[("p/s/script.tcl", ""), ("src/top.cpp", "")]);
        let own = held.path().file_name().unwrap().to_str().unwrap();
        let find = |named: &str| {
            let paths = NamedPaths::of(&search.dir, "p/s/script.tcl", Some("p"));
            paths.find(named, Path::is_file)
        };
        let listed = search.files.iter().find(|path| path.ends_with("src/top.cpp"));
        assert_eq!(find(&format!("../{own}/src/top.cpp")).as_ref(), listed);
        assert_eq!(find(&format!("../{own}/../{own}/src/top.cpp")).as_ref(), listed);
        // A folder beside the one that is searched.
        let beside = tempfile::tempdir_in(held.path().parent().unwrap()).unwrap();
        std::fs::write(beside.path().join("top.cpp"), "").unwrap();
        let other = beside.path().file_name().unwrap().to_str().unwrap();
        let named = format!("../{other}/top.cpp");
        assert_eq!(find(&named), Some(search.dir.join(named)));
    }

    #[test]
    fn the_script_of_a_solution_begins_where_its_project_is() {
        let (_dir, search) =
            search_files(&[("a/p/s/script.tcl", ""), ("a/p/top.cpp", ""), ("a/top.cpp", "")]);
        let find = |script: &str, project: &str| {
            let paths = NamedPaths::of(&search.dir, script, Some(project));
            paths.find("top.cpp", Path::is_file).map(|path| search.name(&path))
        };
        assert_eq!(find("a/p/s/script.tcl", "p").as_deref(), Some("a/top.cpp"));
        // A script of somebody's own, and one whose project has another name here.
        assert_eq!(find("a/p/s/run.tcl", "p").as_deref(), Some("a/p/top.cpp"));
        assert_eq!(find("a/p/s/script.tcl", "q").as_deref(), Some("a/p/top.cpp"));
    }
}
