//! What files beside designs say of the tool: READMEs, Makefiles, shell scripts, Tcl, `CMake`.

use std::collections::BTreeSet;

use derate_hls::find_tool_mentions;
use derate_machine::BuildFile;

use super::{Search, read_small};

/// A file that names versions of the tool, or the family that it runs.
pub(crate) struct ToolFile {
    /// Its path from the folder that is searched.
    pub(crate) name: String,
    /// The versions that it names.
    pub(crate) versions: BTreeSet<(u16, u16)>,
    /// Whether it runs or asks for Vivado HLS: `vivado_hls -f run.tcl`, `Backend: Vivado`.
    pub(crate) is_of_vivado: bool,
}

impl Search {
    /// The files that say something of the tool.
    pub(crate) fn find_tool_files(&self) -> Vec<ToolFile> {
        let mut found = Vec::new();
        for path in &self.files {
            let name = self.name(path);
            let lower = name.rsplit('/').next().unwrap_or(&name).to_ascii_lowercase();
            let is_script = BuildFile::of_name(&lower).is_some();
            let is_other = lower.starts_with("readme") || lower == "hls4ml_config.yml";
            if !(is_script || is_other) || self.is_foreign(path) {
                continue;
            }
            let Some(text) = read_small(path) else { continue };
            let versions = find_tool_mentions(&text, is_script);
            let is_of_vivado = is_of_vivado(&text, is_script);
            if is_of_vivado || !versions.is_empty() {
                found.push(ToolFile { name, versions, is_of_vivado });
            }
        }
        found
    }
}

/// Whether a script runs `vivado_hls`, or a converter writes for it.
fn is_of_vivado(text: &str, is_script: bool) -> bool {
    text.lines().map(str::trim).filter(|line| !line.starts_with('#')).any(|line| {
        let runs = |word: &str| word.rsplit('/').next() == Some("vivado_hls");
        let mut words = line.split(|c: char| c.is_whitespace() || "@;&|`$()".contains(c));
        // What a script prints is no command.
        let is_text = ["puts ", "echo "].iter().any(|command| line.starts_with(command));
        let backend = line.strip_prefix("Backend:").map(str::trim);
        (is_script && !is_text && words.any(runs))
            || backend.is_some_and(|one| one.starts_with("Vivado"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_that_runs_vivado_hls_says_so() {
        assert!(is_of_vivado("\t@cd hls && vivado_hls -f run.tcl\n", true));
        assert!(is_of_vivado("/opt/Xilinx/bin/vivado_hls run.tcl\n", true));
        assert!(is_of_vivado("Backend: VivadoAccelerator\n", false));
        for near in [
            "# vivado_hls -f run.tcl\n",
            "vitis_hls -f vivado_hls.tcl\n",
            "Backend: Vitis\n",
            "puts \"run vivado_hls first\"\n",
        ] {
            assert!(!is_of_vivado(near, true), "{near}");
        }
        assert!(!is_of_vivado("Run vivado_hls first.\n", false));
    }
}
