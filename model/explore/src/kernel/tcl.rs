//! The directives of a design as Tcl, which `derate kernel --directives` and Vitis HLS read.

use std::fmt::Write as _;

use derate_hls::TclDirective;

use super::directive_words::{find_alignment, list_words};

/// One `set_directive_*` a line, for the kinds that a design may have.
#[must_use]
pub fn write_tcl(directives: &[TclDirective]) -> String {
    let mut text = String::new();
    if let Some(bytes) = find_alignment(directives) {
        // Writing to a text cannot fail.
        let _ = writeln!(text, "config_interface -m_axi_alignment_byte_size {bytes}");
    }
    for words in directives.iter().filter_map(list_words) {
        let _ = write!(text, "set_directive_{}", words.kind);
        for (name, value) in &words.options {
            let _ = write!(text, " -{name}");
            let _ = value.iter().try_for_each(|value| write!(text, " {value}"));
        }
        let _ = write!(text, " \"{}\"", words.place);
        let _ = words.variable.iter().try_for_each(|name| write!(text, " {name}"));
        text.push('\n');
    }
    text
}

/// Commands of a script that run the tool or end: directives behind them come too late.
const RUNS: [&str; 7] = [
    "csim_design",
    "csynth_design",
    "cosim_design",
    "export_design",
    "close_solution",
    "close_project",
    "exit",
];

fn is_run(line: &str) -> bool {
    line.split_whitespace().next().is_some_and(|word| RUNS.contains(&word))
}

/// Whether a script runs the tool: another one cannot take it in.
#[must_use]
pub fn runs_tool(script: &str) -> bool {
    script.lines().any(is_run)
}

/// A script with more directives, before the first command that runs the tool.
#[must_use]
pub fn insert_tcl(script: &str, directives: &str) -> String {
    let mut at = 0;
    for line in script.split_inclusive('\n') {
        if is_run(line) {
            break;
        }
        at += line.len();
    }
    let (before, after) = script.split_at(at);
    let gap = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
    format!("{before}{gap}{directives}{after}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use derate_hls::read_tcl;

    #[test]
    fn directives_come_before_the_tool_runs() {
        let new = "set_directive_dataflow \"f\"\n";
        let script = "set_top f\nadd_files f.cpp\ncsynth_design\nexit\n";
        let expected =
            "set_top f\nadd_files f.cpp\nset_directive_dataflow \"f\"\ncsynth_design\nexit\n";
        assert_eq!(insert_tcl(script, new), expected);
        assert_eq!(insert_tcl("set_top f", new), "set_top f\nset_directive_dataflow \"f\"\n");
        assert_eq!(insert_tcl("", new), new);
        assert!(runs_tool(script));
        assert!(!runs_tool("# csynth_design\nset_top csynth_design\n"));
    }

    #[test]
    fn what_is_written_is_read_as_it_was() {
        let text = "set_directive_unroll -factor 8 \"f/loop\"\nset_directive_pipeline -II 2 \"f/rows\"\n\
                    set_directive_pipeline -off \"f/rest\"\nset_directive_dataflow \"f\"\n\
                    set_directive_array_partition -type cyclic -factor 8 -dim 2 \"f\" x\n";
        assert_eq!(write_tcl(&read_tcl(text).directives), text);
        let text = "config_interface -m_axi_alignment_byte_size 64\nset_directive_interface -mode m_axi -bundle g \
                    -depth 64 -max_widen_bitwidth 512 \"f\" q\n";
        let read = read_tcl(text).directives;
        assert_eq!(read[0].variable.as_deref(), Some("q"));
        assert_eq!(write_tcl(&read), text);
    }
}
