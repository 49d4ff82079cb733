//! What files beside designs say of the tool: READMEs, Makefiles, shell scripts, Tcl, `CMake`.

use std::collections::BTreeSet;

use derate_hls::{find_tool_mentions, read_tool_version};
use derate_machine::BuildFile;

use super::{Search, read_small};

/// A file that names versions of the tool, or the family that it runs.
pub(crate) struct ToolFile {
    /// Its path from the folder that is searched.
    pub(crate) name: String,
    /// The versions that it names.
    pub(crate) versions: BTreeSet<(u16, u16)>,
    /// The version of Vivado that a script of a block design is for.
    pub(crate) vivado: Option<(u16, u16)>,
    /// Whether it runs or asks for Vivado HLS: `vivado_hls -f run.tcl`, `Backend: Vivado`.
    pub(crate) is_of_vivado: bool,
    /// Whether it runs Vitis HLS, or asks for what only that has.
    pub(crate) is_of_vitis: bool,
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
            let is_of_vitis = is_of_vitis(&text, is_script);
            let vivado = text.lines().find_map(read_block_design);
            if is_of_vivado || is_of_vitis || vivado.is_some() || !versions.is_empty() {
                found.push(ToolFile { name, versions, vivado, is_of_vivado, is_of_vitis });
            }
        }
        found
    }
}

/// Whether a script runs `vivado_hls`, a converter writes for it, or a text for readers names it and not Vitis.
fn is_of_vivado(text: &str, is_script: bool) -> bool {
    if is_script {
        return runs_one_of(text, &["vivado_hls"]) || text.lines().any(has_old_option);
    }
    let lower = text.to_ascii_lowercase();
    let backend = text.lines().find_map(|line| line.trim().strip_prefix("Backend:"));
    match backend {
        Some(backend) => backend.trim().starts_with("Vivado"),
        None => {
            ["vivado hls", "vivado_hls"].iter().any(|name| lower.contains(name))
                && !lower.contains("vitis")
        }
    }
}

/// `set scripts_vivado_version 2018.2`, as Vivado writes it when it saves a block design.
fn read_block_design(line: &str) -> Option<(u16, u16)> {
    read_tool_version(line.trim().strip_prefix("set scripts_vivado_version ")?.trim())
}

/// `set_part {xc7z020clg484-1} -tool vivado`, as Vivado HLS of 2017 and 2018 writes it.
fn has_old_option(line: &str) -> bool {
    let line = line.trim();
    line.starts_with("set_part") && line.contains("-tool vivado")
}

/// Whether a script runs Vitis HLS or v++, or opens a solution with an option that Vivado HLS does not have.
fn is_of_vitis(text: &str, is_script: bool) -> bool {
    let is_option =
        |line: &str| line.trim().starts_with("open_solution") && line.contains("-flow_target");
    is_script
        && (runs_one_of(text, &["vitis_hls", "vitis-run", "v++"]) || text.lines().any(is_option))
}

/// Whether a line of a script runs one of these programs.
fn runs_one_of(text: &str, programs: &[&str]) -> bool {
    text.lines().map(str::trim).filter(|line| !line.starts_with('#')).any(|line| {
        let runs = |word: &str| word.rsplit('/').next().is_some_and(|one| programs.contains(&one));
        let mut words = line.split(|c: char| c.is_whitespace() || "@;&|`$()".contains(c));
        // What a script prints is no command.
        let is_text = ["puts ", "echo "].iter().any(|command| line.starts_with(command));
        !is_text && words.any(runs)
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
        assert!(is_of_vivado("set_part {xc7z020clg484-1} -tool vivado\n", true));
        assert!(!is_of_vivado("set_part {xc7z020clg484-1}\n", true));
        assert!(is_of_vivado("An FFT with Vivado HLS.\n", false));
        assert!(!is_of_vivado("Vivado HLS is Vitis HLS now.\n", false));
        assert!(!is_of_vivado("An FFT in Vivado.\n", false));
    }

    #[test]
    fn a_script_that_runs_vitis_hls_says_so() {
        for text in
            ["\tvitis_hls -f run.tcl\n", "open_solution s -flow_target vivado\n", "v++ -c a.cpp\n"]
        {
            assert!(is_of_vitis(text, true), "{text}");
        }
        for near in
            ["# vitis_hls -f run.tcl\n", "open_solution s\n", "vivado_hls -f vitis_hls.tcl\n"]
        {
            assert!(!is_of_vitis(near, true), "{near}");
        }
        assert!(!is_of_vitis("Run vitis_hls first.\n", false));
    }
}
