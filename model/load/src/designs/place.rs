//! Which folder a file's design lies in, by the names that people and tools give to the folders within one.

/// Folders within a design that hold its parts.
const WITHIN: [&str; 22] = [
    "src", "source", "sources", "inc", "include", "includes", "header", "headers", "kernel",
    "kernels", "hls", "hw", "lib", "host", "device", "script", "scripts", "tcl", "config", "cfg",
    "reports", "report",
];

/// Folders in which the tool writes the reports of one solution.
const REPORTS: [&str; 8] = ["syn", "sim", "impl", "csim", "verilog", "vhdl", "report", "reports"];

/// The folder of the design that a file in `folder` is of: `gemm` for `gemm/src` and `gemm/hls/include`; empty for the
/// folder that is searched.
pub(crate) fn design_folder(folder: &str) -> &str {
    strip(folder, &WITHIN)
}

/// The folder of the solution that reports in `folder` are of: `gemm/solution1` for `gemm/solution1/syn/report`.
pub(crate) fn solution_folder(folder: &str) -> &str {
    strip(folder, &REPORTS)
}

fn strip<'a>(mut folder: &'a str, names: &[&str]) -> &'a str {
    loop {
        let (above, last) = folder.rsplit_once('/').unwrap_or(("", folder));
        if folder.is_empty() || !names.contains(&last.to_ascii_lowercase().as_str()) {
            return folder;
        }
        folder = above;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths::{folder_of, is_within};

    #[test]
    fn parts_of_a_design_lie_in_one_folder() {
        for (folder, design) in [
            ("", ""),
            ("src", ""),
            ("gemm", "gemm"),
            ("gemm/src", "gemm"),
            ("gemm/hls/Include", "gemm"),
            ("src/gemm", "src/gemm"),
        ] {
            assert_eq!(design_folder(folder), design);
        }
        assert_eq!(solution_folder("gemm/solution1/syn/report"), "gemm/solution1");
        assert_eq!(solution_folder("p/s/sim/report/verilog"), "p/s");
        assert_eq!(folder_of("a/b.cpp"), "a");
        assert!(is_within("a/b", "a") && is_within("a", "") && !is_within("ab", "a"));
    }
}
