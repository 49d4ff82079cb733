//! Programs that run beside the card: they include the interface of its driver and have no directives.

use std::path::{Path, PathBuf};

use super::directives::has_directives;
use super::{Search, has_extension, read_small};

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
    /// The programs of the host, with the header that shows it.
    pub(crate) fn list_host_programs(&self) -> Vec<(&PathBuf, String)> {
        let sources = self.having(&["cpp", "cc", "cxx"]);
        sources.filter_map(|path| Some((path, find_driver_header(path)?))).collect()
    }
}

/// The header of a driver that a source includes, if it is a program of the host.
pub(super) fn find_driver_header(path: &Path) -> Option<String> {
    if !has_extension(path, &["cpp", "cc", "cxx"]) {
        return None;
    }
    let text = read_small(path)?;
    let header = text.lines().find_map(|line| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
        let name = rest.trim_start().strip_prefix(['<', '"'])?.split(['>', '"']).next()?;
        is_of_driver(&name.to_ascii_lowercase()).then(|| name.to_owned())
    })?;
    (!has_directives(&text)).then_some(header)
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

    use super::*;

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
        let found = search.list_host_programs();
        let names: Vec<_> =
            found.iter().map(|(path, header)| (search.name(path), header.as_str())).collect();
        assert_eq!(
            names,
            [("host.cpp".to_owned(), "xcl2.hpp"), ("native.cpp".to_owned(), "xrt/xrt_device.h")]
        );
        let sources: Vec<_> =
            search.list_sources().into_iter().map(|path| search.name(path)).collect();
        assert_eq!(sources, ["kernel.cpp", "plain.cpp"]);
    }
}
