//! Programs that run beside the card: they include the interface of its driver and have no directives.

use std::path::{Path, PathBuf};

use super::directives::has_directives;
use super::{Search, has_extension, read_small};

/// What registers a module of Linux.
const MODULE: [&str; 2] = ["module_init(", "MODULE_LICENSE("];

/// Headers of `OpenCL`, XRT and `SDSoC`'s library, and of what examples wrap them in.
const DRIVER_HEADERS: [&str; 12] = [
    "cl/cl.h",
    "cl/cl2.hpp",
    "cl/cl_ext.h",
    "cl/cl_ext_xilinx.h",
    "cl/opencl.h",
    "cl/opencl.hpp",
    "sds_lib.h",
    "xcl.h",
    "xcl2.hpp",
    "xhlsutil.h",
    "xrt.h",
    "xrt.hpp",
];

impl Search {
    /// Whether a source lies in the folder of a module of Linux, a driver: one of its files has `module_init`.
    pub(super) fn is_of_module(&self, path: &Path) -> bool {
        let find = || {
            let is_module = |path: &&PathBuf| {
                read_small(path).is_some_and(|text| MODULE.iter().any(|word| text.contains(word)))
            };
            let modules = self.having(&["c"]).filter(is_module);
            modules.filter_map(|path| path.parent().map(Path::to_owned)).collect()
        };
        path.parent().is_some_and(|folder| self.modules.get_or_init(find).contains(folder))
    }
}

/// Whether a source includes the header of a driver and has no directives.
pub(super) fn is_host_program(path: &Path) -> bool {
    let included = |line: &str| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
        let name = rest.trim_start().strip_prefix(['<', '"'])?.split(['>', '"']).next()?;
        Some(name.to_ascii_lowercase())
    };
    has_extension(path, &["cpp", "cc", "cxx"])
        && read_small(path).is_some_and(|text| {
            text.lines().filter_map(included).any(|header| is_of_driver(&header))
                && !has_directives(&text)
        })
}

fn is_of_driver(header: &str) -> bool {
    let last = header.rsplit('/').next().unwrap_or(header);
    header.starts_with("xrt/")
        || header.starts_with("experimental/xrt")
        || DRIVER_HEADERS.iter().any(|own| *own == header || *own == last)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

    use std::fs;

    use crate::search::testing::search_files;
    use crate::search::{PassedOver, Search};

    #[test]
    fn a_folder_of_a_driver_is_not_for_the_card() {
        let module =
            "#include <linux/module.h>\nstatic int init(void) { return 0; }\nmodule_init(init);\n";
        let (_dir, search) = search_files(&[
            ("driver/dma.c", module),
            ("driver/dma.h", "void *__iomem bar[6];\n"),
            ("driver/user/user.h", "struct dma_cmd { int size; };\n"),
            ("kernel.cpp", "void top() {\n#pragma HLS pipeline\n}\n"),
        ]);
        let sources = search.list_sources().into_iter().map(|path| search.name(path));
        assert_eq!(sources.collect::<Vec<_>>(), ["driver/user/user.h", "kernel.cpp"]);
    }

    #[test]
    fn a_program_of_the_host_is_known_by_its_driver() {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("host.cpp", "#include \"xcl2.hpp\"\nint main() { return 0; }\n"),
            ("native.cpp", "# include <xrt/xrt_device.h>\nint main() { return 0; }\n"),
            // A kernel that shares a header with its host.
            ("kernel.cpp", "#include <CL/cl.h>\nvoid top() {\n#pragma HLS pipeline\n}\n"),
            ("plain.cpp", "// #include <xrt/xrt_bo.h>\n#include \"exert.h\"\nvoid top() {}\n"),
        ] {
            fs::write(dir.path().join(name), text).unwrap();
        }
        let search = Search::new(dir.path()).unwrap();
        let mut found = search.list_passed_over();
        found.sort();
        let names: Vec<_> = found.iter().map(|(name, why)| (name.as_str(), *why)).collect();
        let host = PassedOver::HostProgram;
        assert_eq!(names, [("host.cpp", host), ("native.cpp", host)]);
        let sources: Vec<_> =
            search.list_sources().into_iter().map(|path| search.name(path)).collect();
        assert_eq!(sources, ["kernel.cpp", "plain.cpp"]);
    }
}
