//! The C++ of a folder, without test benches, programs of the host, tools' copies and vendors' headers.

use std::path::{Path, PathBuf};

use super::directives::has_directives;
use super::host_program::find_driver_header;
use super::tool_output::is_tool_output;
use super::{Search, has_extension, read_small};

/// What sources end in. C is taken where it is a kernel's: most C beside kernels is drivers.
pub(crate) const EXTENSIONS: [&str; 7] = ["h", "hh", "hpp", "cpp", "cc", "cxx", "c"];

impl Search {
    /// The sources that a person wrote for the card.
    pub(crate) fn list_sources(&self) -> Vec<&PathBuf> {
        let is_own = |path: &&PathBuf| {
            let name = self.name(path);
            let name = Path::new(&name);
            !is_testbench(name) && !is_tool_output(name)
        };
        let is_kernel = |path: &&PathBuf| {
            let is_c = has_extension(path, &["c"]);
            let has_directives = || read_small(path).is_some_and(|text| has_directives(&text));
            (!is_c || has_directives()) && find_driver_header(path).is_none()
        };
        self.having(&EXTENSIONS).filter(is_own).filter(is_kernel).collect()
    }

    /// Kernels of `OpenCL` C, which are not read.
    pub(crate) fn list_opencl(&self) -> Vec<&PathBuf> {
        let is_own = |path: &&PathBuf| !is_tool_output(Path::new(&self.name(path)));
        self.having(&["cl"]).filter(is_own).collect()
    }
}

/// Testbenches run on the host and are not audited: `tb/`, `tests/`, `gemm_tb.cpp`, `test_gemm.cpp`.
fn is_testbench(own: &Path) -> bool {
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
}
