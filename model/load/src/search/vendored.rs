//! Third-party libraries that a project carries along: submodules, and folders by their names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::sources::is_testbench;
use super::tool_output::is_vendor_header;
use super::{SOURCE_ENDINGS, has_extension, is_tool_output, read_small};

/// Published libraries for synthesis, and folders in which people keep what is not theirs. In lower case.
const LIBRARIES: [&str; 17] = [
    "vitis_libraries",
    "vitis-libraries",
    "dsp_lib",
    "xfopencv",
    "xf_opencv",
    "ac_types",
    "ac_math",
    "ac_dsp",
    "ac_simutils",
    "hlslib",
    "finn-hlslib",
    "third_party",
    "third-party",
    "thirdparty",
    "3rdparty",
    "vendor",
    "vendored",
];

/// The libraries of Vitis have a folder each: `xf_blas`, `xf_solver`.
const PARTS: [&str; 15] = [
    "blas",
    "codec",
    "data_analytics",
    "data_compression",
    "data_mover",
    "database",
    "dsp",
    "fintech",
    "graph",
    "hpc",
    "motor_control",
    "security",
    "solver",
    "sparse",
    "utils_hw",
];

/// Folders with third-party libraries. Their headers are read for what designs include of them; nothing in them is a design.
#[derive(Clone, Debug, Default)]
pub struct LibraryFolders {
    /// Each folder, from the one that is searched, with the number of its sources.
    folders: BTreeMap<String, usize>,
}

impl LibraryFolders {
    /// Those that have sources, of a folder with these files and these submodules. None where nothing else has a source but test
    /// benches: such a folder is a library itself.
    pub(super) fn of<'a>(
        files: impl Iterator<Item = &'a str>,
        submodules: &BTreeSet<String>,
    ) -> Self {
        let mut folders: BTreeMap<String, usize> = BTreeMap::new();
        let mut has_own = false;
        let files: Vec<&str> = files.collect();
        let of_tool: BTreeSet<&str> =
            files.iter().filter_map(|file| find_tool_folder(file)).collect();
        for file in files {
            let path = Path::new(file);
            if !has_extension(path, &SOURCE_ENDINGS) || is_tool_output(path) {
                continue;
            }
            let is_foreign =
                |one: &&str| is_library(one) || submodules.contains(*one) || of_tool.contains(one);
            match list_folders(file).find(is_foreign) {
                Some(folder) => *folders.entry(folder.to_owned()).or_default() += 1,
                None => has_own |= !is_testbench(path),
            }
        }
        if has_own { Self { folders } } else { Self::default() }
    }

    /// The folder of a library that a file is in.
    #[must_use]
    pub fn find(&self, path: &str) -> Option<&str> {
        let known = list_folders(path).find_map(|folder| self.folders.get_key_value(folder));
        known.map(|(folder, _)| folder.as_str())
    }

    /// Whether a file is not the project's own: it is in such a folder, or is a header of the tool.
    #[must_use]
    pub fn is_foreign(&self, path: &str) -> bool {
        let file = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
        self.find(path).is_some() || is_vendor_header(&file)
    }

    /// The folders, and how many sources each has.
    pub fn list(&self) -> impl Iterator<Item = (&str, usize)> {
        self.folders.iter().map(|(folder, sources)| (folder.as_str(), *sources))
    }
}

/// The folders of `.gitmodules`.
pub(super) fn list_submodules(dir: &Path) -> BTreeSet<String> {
    let text = read_small(&dir.join(".gitmodules")).unwrap_or_default();
    let path = |line: &str| {
        let (key, value) = line.split_once('=')?;
        let path = value.trim().trim_end_matches('/');
        (key.trim() == "path" && !path.is_empty()).then(|| path.to_owned())
    };
    text.lines().filter_map(path).collect()
}

/// The folders around a file, the outermost first: `a` and `a/b` of `a/b/c.h`.
fn list_folders(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').filter_map(|(at, _)| path.get(..at))
}

/// The folder of a header that is in the `include` folder of the tool alone: people copy the whole of it.
fn find_tool_folder(file: &str) -> Option<&str> {
    let (folder, name) = file.rsplit_once('/')?;
    matches!(name, "autopilot_tech.h" | "autoesl_tech.h").then_some(folder)
}

fn is_library(folder: &str) -> bool {
    let name = folder.rsplit('/').next().unwrap_or(folder).to_ascii_lowercase();
    LIBRARIES.contains(&name.as_str())
        || name.strip_prefix("xf_").is_some_and(|part| PARTS.contains(&part))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

    use super::super::testing::search_files;
    use super::*;

    fn find(files: &[&str]) -> Vec<(String, usize)> {
        let found =
            LibraryFolders::of(files.iter().copied(), &BTreeSet::from(["lib/mine".to_owned()]));
        found.list().map(|(folder, sources)| (folder.to_owned(), sources)).collect()
    }

    #[test]
    fn libraries_are_known_by_their_folders() {
        let found = find(&[
            "src/k.cpp",
            "src/xf_conv/k.h",
            "lib/mine/a.h",
            "lib/yours/a.h",
            "dsp_lib/L1/include/fft.hpp",
            "dsp_lib/L1/third_party/x.h",
            "hw/Vitis_Libraries/blas/README.md",
            "hw/xf_blas/gemm.hpp",
            "vendor",
        ]);
        let expected = [("dsp_lib", 2), ("hw/xf_blas", 1), ("lib/mine", 1)];
        assert_eq!(found, expected.map(|(folder, sources)| (folder.to_owned(), sources)));
        // What is beside the tool's own headers is the tool's; what carries some of them along is not.
        let copied = find(&[
            "src/k.cpp",
            "inc/autopilot_tech.h",
            "inc/hls_fir.h",
            "own/ap_int.h",
            "own/k.h",
        ]);
        assert_eq!(copied, [("inc".to_owned(), 2)]);
        let tool = LibraryFolders::default();
        assert!(
            tool.is_foreign("cpp/gmp.h")
                && tool.is_foreign("mpfr.h")
                && !tool.is_foreign("cpp/gmp_pool.h")
        );
        // A library by itself is what is audited.
        assert!(find(&["ac_types/include/ac_list.h", "third_party/a.cpp"]).is_empty());
        assert!(find(&["include/ac_dsp/ac_fir.h", "tests/rtest_ac_fir.cpp"]).is_empty());
    }

    #[test]
    fn a_library_gives_headers_and_no_designs() {
        let run = "set_top f\nadd_files third_party/f.cpp\n";
        let (dir, search) = search_files(&[
            ("k.cpp", "#include \"a.h\"\n"),
            ("run.tcl", run),
            (".gitmodules", "[submodule \"sub\"]\n\tpath = sub\n\turl = ../sub\n"),
            ("sub/a.h", "#pragma HLS inline\n"),
            ("sub/run.tcl", "set_top k\nadd_files ../k.cpp\n"),
            ("clone/.git", "gitdir: ../.git/modules/clone\n"),
            ("clone/b.cpp", "#pragma HLS inline\n"),
            ("third_party/f.cpp", "void f() {}\n"),
            ("third_party/g.cpp", "void g() {}\n"),
        ]);
        let names = search.list_sources().into_iter().map(|path| search.name(path));
        // What a script of the project builds is its own.
        assert_eq!(names.collect::<Vec<_>>(), ["k.cpp", "third_party/f.cpp"]);
        assert_eq!(search.scripts().len(), 1);
        let folders: Vec<&str> = search.vendored.list().map(|(folder, _)| folder).collect();
        assert_eq!(folders, ["clone", "sub", "third_party"]);
        assert!(dir.path().exists());
    }
}
