//! Which reader a source file is for.

/// What a source file is written in, by its name.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Language {
    /// C++, its templates and everything else that is read as C++.
    Cpp,
    /// Python: read where it imports Allo.
    Python,
    /// What derate cannot read, in words.
    Other(&'static str),
}

impl Language {
    /// The language of a text of this name: a kernel of `OpenCL` may be in a file of C.
    pub fn of_text(name: &str, text: &str) -> Self {
        let has_kernel = || text.lines().any(|line| starts_kernel(line.trim_start()));
        let takes_word_away = || text.lines().any(|line| line.trim() == "#define __kernel");
        match Self::of(name) {
            Self::Cpp if has_kernel() && !takes_word_away() => Self::Other("OpenCL C"),
            language => language,
        }
    }

    /// The language of a file of this name.
    pub fn of(name: &str) -> Self {
        let Some((_, extension)) = name.rsplit_once('.') else { return Self::Cpp };
        let other = match extension.to_ascii_lowercase().as_str() {
            "py" | "pyi" => return Self::Python,
            "tcl" | "xdc" | "sdc" => "a Tcl script",
            "v" | "sv" | "svh" | "vh" => "Verilog",
            "vhd" | "vhdl" => "VHDL",
            "mlir" => "MLIR",
            "ll" | "bc" => "LLVM's intermediate form",
            "scala" => "Scala",
            "cl" => "OpenCL C",
            "json" => "JSON",
            "toml" => "TOML",
            "yaml" | "yml" => "YAML",
            "mk" => "a makefile",
            "ipynb" => "a notebook",
            "sh" => "a shell script",
            _ => return Self::Cpp,
        };
        Self::Other(other)
    }
}

/// Whether a line declares a kernel of `OpenCL` C.
fn starts_kernel(line: &str) -> bool {
    line.strip_prefix("__kernel").is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_say_so_are_not_cpp() {
        for (name, language) in [
            ("kernels/gemm.cpp", Language::Cpp),
            ("config.h.in", Language::Cpp),
            ("layer.h.jinja", Language::Cpp),
            ("v", Language::Cpp),
            ("Gemm.PY", Language::Python),
            ("run.tcl", Language::Other("a Tcl script")),
            ("gemm.mlir", Language::Other("MLIR")),
            ("conv.cl", Language::Other("OpenCL C")),
        ] {
            assert_eq!(Language::of(name), language, "{name}");
        }
    }

    #[test]
    fn a_kernel_of_opencl_is_not_cpp_whatever_its_file_is_called() {
        let language = |text| Language::of_text("k.c", text);
        let kernel = "#define N 4\n__kernel void add(__global int *a) {}\n";
        assert_eq!(language(kernel), Language::Other("OpenCL C"));
        assert_eq!(Language::of_text("run.tcl", kernel), Language::Other("a Tcl script"));
        // C++ that keeps the words of OpenCL.
        assert_eq!(language("#define __kernel\n__kernel void add(int *a) {}\n"), Language::Cpp);
        // A host that has the kernel's text in quotes, and another word.
        assert_eq!(language("const char *k = \"__kernel void add() {}\";"), Language::Cpp);
        assert_eq!(language("__kernels_t all;"), Language::Cpp);
    }
}
