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
        ] {
            assert_eq!(Language::of(name), language, "{name}");
        }
    }
}
