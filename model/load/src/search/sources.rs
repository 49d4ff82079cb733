//! The C++ of a folder, without test benches, programs of the host, tools' copies and vendors' headers.

use std::path::{Path, PathBuf};

use super::directives::has_directives;
use super::host_program::is_host_program;
use super::tool_output::is_tool_output;
use super::{BuildScript, SOURCE_ENDINGS, Search, has_extension, read_small};

/// Why a text of C, C++ or `OpenCL` is not a source of the card.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum PassedOver {
    /// It runs on the host, to test.
    TestBench,
    /// It drives the card from the host.
    HostProgram,
    /// It has a `main` and no directive.
    Program,
    /// C without directives of synthesis.
    PlainC,
    /// A tool's copy, or a third-party library.
    ToolOutput,
    /// A language that is not read.
    OpenCl,
    /// A generator makes C++ of it.
    Template,
}

impl Search {
    /// The sources that a person wrote for the card.
    pub(crate) fn list_sources(&self) -> Vec<&PathBuf> {
        self.having(&SOURCE_ENDINGS).filter(|path| self.why_passed_over(path).is_none()).collect()
    }

    /// The texts of C, C++ and `OpenCL` that are not sources of the card, with the reason.
    pub(crate) fn list_passed_over(&self) -> Vec<(String, PassedOver)> {
        let opencl = self.list_opencl().into_iter().map(|path| (path, PassedOver::OpenCl));
        let others = self
            .having(&SOURCE_ENDINGS)
            .filter_map(|path| Some((path, self.why_passed_over(path)?)));
        others.chain(opencl).map(|(path, why)| (self.name(path), why)).collect()
    }

    pub(super) fn why_passed_over(&self, path: &Path) -> Option<PassedOver> {
        let name = self.name(path);
        if is_tool_output(Path::new(&name)) {
            return Some(PassedOver::ToolOutput);
        }
        let adds = |script: &BuildScript| script.files.contains(path);
        if self.scripts().iter().any(adds) {
            return None;
        }
        if self.is_preprocessed_copy(path) {
            return Some(PassedOver::ToolOutput);
        }
        if self.vendored.find(&name).is_some() {
            return Some(PassedOver::ToolOutput);
        }
        let tests = |script: &BuildScript| script.benches.contains(path);
        if is_testbench(Path::new(&name)) || self.scripts().iter().any(tests) {
            return Some(PassedOver::TestBench);
        }
        if self.is_template(path) {
            return Some(PassedOver::Template);
        }
        let has_directives = || read_small(path).is_some_and(|text| has_directives(&text));
        if has_extension(path, &["c"]) && !has_directives() {
            return Some(PassedOver::PlainC);
        }
        let is_driver = self.is_of_module(path) && !has_directives();
        (is_driver || is_host_program(path)).then_some(PassedOver::HostProgram)
    }

    /// The sources that are programs of the host all the same: each has a `main`, and no directive; no script gives it to the
    /// tool. None where nothing else is left.
    pub(super) fn list_programs(&self) -> Vec<&PathBuf> {
        let sources = self.list_sources();
        let programs: Vec<&PathBuf> =
            sources.iter().copied().filter(|path| self.is_program(path)).collect();
        if programs.len() < sources.len() { programs } else { Vec::new() }
    }

    /// Whether a source has a `main` and no directive, and no script gives it to the tool.
    pub(crate) fn is_program(&self, path: &Path) -> bool {
        let adds = |one: &BuildScript| one.files.contains(path) || one.compiled.contains(path);
        has_extension(path, &["c", "cpp", "cc", "cxx"])
            && !self.scripts().iter().any(adds)
            && read_small(path)
                .is_some_and(|text| text.lines().any(defines_main) && !has_directives(&text))
    }

    /// Kernels of `OpenCL` C, which are not read.
    pub(crate) fn list_opencl(&self) -> Vec<&PathBuf> {
        let is_own = |path: &&PathBuf| !self.is_foreign(path);
        self.having(&["cl"]).filter(is_own).collect()
    }
}

/// Whether a file has directives for a tool of synthesis.
pub(crate) fn is_directed(path: &Path) -> bool {
    read_small(path).is_some_and(|text| has_directives(&text))
}

/// Whether a line begins the function `main`.
fn defines_main(line: &str) -> bool {
    let rest = line.trim_start();
    let rest = rest.strip_prefix("int").or_else(|| rest.strip_prefix("void"));
    let rest = rest.filter(|rest| rest.starts_with(char::is_whitespace)).map(str::trim_start);
    rest.and_then(|rest| rest.strip_prefix("main"))
        .is_some_and(|rest| rest.trim_start().starts_with('('))
}

/// Where no script says it, a name does. Test benches run on the host and are not audited: `tb/`, `tests/`, `gemm_tb.cpp`, `test_gemm.cpp`.
pub(super) fn is_testbench(own: &Path) -> bool {
    let stem = own.file_stem().map(|stem| stem.to_string_lossy().to_ascii_lowercase());
    let parts = own.parent().into_iter().flat_map(Path::components);
    let folder = |name: &str| name == "tb" || name.starts_with("test");
    parts.map(|part| part.as_os_str().to_string_lossy().to_ascii_lowercase()).any(|p| folder(&p))
        || stem
            .is_some_and(|stem| folder(&stem) || stem.ends_with("_tb") || stem.ends_with("_test"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

    use std::fs;

    use super::*;

    #[test]
    fn c_is_a_source_where_it_has_directives() {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("gemm.c", "void gemm() {\n  #pragma HLS pipeline\n}\n"),
            ("driver.c", "// see #pragma HLS\nint main() { return 0; }\n"),
            ("gemm_tb.c", "#pragma HLS pipeline\n"),
            ("top.cpp", ""),
        ] {
            fs::write(dir.path().join(name), text).unwrap();
        }
        let search = Search::new(dir.path()).unwrap();
        let names: Vec<String> =
            search.list_sources().into_iter().map(|p| search.name(p)).collect();
        assert_eq!(names, ["gemm.c", "top.cpp"]);
    }

    #[test]
    fn a_main_without_directives_is_a_program_of_the_host() {
        let files = [
            ("run.cpp", "#include \"top.h\"\nint main ( int n, char **a) { top(); }\n"),
            ("fft-top.c", "#pragma HLS top\nvoid f() {}\nint main() { f(); }\n"),
            ("both.cpp", "void top() {\n#pragma HLS pipeline\n}\nint main() { top(); }\n"),
            ("near.cpp", "int mainly(int a) { return a; }\nint domain() { return 1; }\n"),
            ("given.cpp", "void top() {}\nint main() { top(); }\n"),
            ("run.tcl", "open_project p\nset_top top\nadd_files given.cpp\n"),
        ];
        let (_dir, search) = crate::search::testing::search_files(&files);
        let names = search.list_programs().into_iter().map(|path| search.name(path));
        assert_eq!(names.collect::<Vec<_>>(), ["run.cpp"]);
        let (_dir, alone) = crate::search::testing::search_files(&files[..1]);
        assert!(alone.list_programs().is_empty(), "nothing else is left");
    }

    #[test]
    fn a_template_of_a_generator_is_no_source() {
        let files = [
            (
                "dma.cpp",
                "void dma() {\n  {% for i in range(4) %}\n  send(tx{{i}});\n  {% endfor %}\n}\n",
            ),
            (
                "conn.cfg",
                "[connectivity]\n{% for i in range(4) %}\nnk=dma{{i}}:1:dma\n{% endfor %}\n",
            ),
            ("made.cpp", "void made() { int a[1][1] = {{n}}; }\n"),
        ];
        let (_dir, search) = crate::search::testing::search_files(&files);
        let found = search.list_passed_over();
        assert_eq!(found, [("dma.cpp".to_owned(), PassedOver::Template)]);
        assert!(search.list_connectivity().is_empty());
    }

    #[test]
    fn a_script_decides_what_is_a_test_bench() {
        let dir = tempfile::tempdir().unwrap();
        let run = "open_project p\nset_top test\nadd_files test.cpp\nadd_files -tb main.cpp\n\
                   add_files -tb \"shared.cpp shared.dat\"\n";
        let other = "[hls]\nsyn.top=shared\nsyn.file=shared.cpp\ntb.file=drive.cpp\n";
        for (name, text) in [
            ("test.cpp", "void test() {}\n"),
            ("test_other.cpp", ""),
            ("main.cpp", "int main() { return 0; }\n"),
            ("drive.cpp", ""),
            ("shared.cpp", "void shared() {}\n"),
            ("run.tcl", run),
            ("hls_config.cfg", other),
        ] {
            fs::write(dir.path().join(name), text).unwrap();
        }
        let search = Search::new(dir.path()).unwrap();
        let names: Vec<String> =
            search.list_sources().into_iter().map(|p| search.name(p)).collect();
        assert_eq!(names, ["shared.cpp", "test.cpp"]);
    }
}
