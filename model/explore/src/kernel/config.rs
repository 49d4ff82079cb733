//! The directives of a design as settings of an `hls_config.cfg`, which `v++ -c --mode hls` and `derate kernel --directives` read.

use std::fmt::Write as _;

use derate_hls::TclDirective;

use super::directive_words::{find_alignment, list_words};

/// One `syn.directive.*` a line, for the kinds that a design may have.
#[must_use]
pub fn write_config(directives: &[TclDirective]) -> String {
    let mut text = String::new();
    if let Some(bytes) = find_alignment(directives) {
        // Writing to a text cannot fail.
        let _ = writeln!(text, "syn.interface.m_axi_alignment_byte_size={bytes}");
    }
    for words in directives.iter().filter_map(list_words) {
        let _ = write!(text, "syn.directive.{}={}", words.kind, words.place);
        let _ = words.variable.iter().try_for_each(|name| write!(text, " {name}"));
        for (name, value) in &words.options {
            let _ = write!(text, " {name}");
            let _ = value.iter().try_for_each(|value| write!(text, "={value}"));
        }
        text.push('\n');
    }
    text
}

/// A configuration with more settings at the end of its section `[hls]`.
#[must_use]
pub fn insert_config(config: &str, settings: &str) -> String {
    let (mut at, mut within, mut end) = (0, false, None);
    for line in config.split_inclusive('\n') {
        at += line.len();
        let section = line.trim().strip_prefix('[').map(|name| name.trim_end_matches(']').trim());
        within = section.map_or(within, |name| name.eq_ignore_ascii_case("hls"));
        // Empty lines belong to what follows.
        if within && !line.trim().is_empty() {
            end = Some(at);
        }
    }
    let (head, at) = match end {
        Some(end) => ("", end),
        None => ("[hls]\n", config.len()),
    };
    let (before, after) = config.split_at(at);
    let gap = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
    format!("{before}{gap}{head}{settings}{after}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use derate_hls::{read_hls_config, read_tcl};

    #[test]
    fn settings_come_to_the_end_of_their_section() {
        let new = "syn.directive.dataflow=f\n";
        let config = "part=a\n[hls]\nsyn.top=f\n\n[connectivity]\nnk=f:2\n";
        assert_eq!(
            insert_config(config, new),
            "part=a\n[hls]\nsyn.top=f\nsyn.directive.dataflow=f\n\n[connectivity]\nnk=f:2\n"
        );
        assert_eq!(insert_config("syn.top=f", new), "syn.top=f\n[hls]\nsyn.directive.dataflow=f\n");
        assert_eq!(
            insert_config("[hls]\nsyn.top=f", new),
            "[hls]\nsyn.top=f\nsyn.directive.dataflow=f\n"
        );
    }

    #[test]
    fn what_is_written_is_what_tcl_says() {
        let tcl = "set_directive_unroll -factor 8 \"f/loop\"\nset_directive_pipeline -II 2 \"f/rows\"\n\
                   set_directive_pipeline -off \"f/rest\"\nset_directive_dataflow \"f\"\n\
                   set_directive_array_partition -type cyclic -factor 8 -dim 2 \"f\" x\n\
                   set_directive_interface -mode m_axi -bundle g -max_widen_bitwidth 512 \"f\" q\n";
        let asked = read_tcl(tcl).directives;
        let text = insert_config("[hls]\n", &write_config(&asked));
        let read = read_hls_config(&text).file;
        assert_eq!(read.unread, Vec::new(), "{text}");
        let plain = |all: &[TclDirective]| -> Vec<TclDirective> {
            all.iter().map(|one| TclDirective { line: 0, ..one.clone() }).collect()
        };
        assert_eq!(plain(&read.directives), plain(&asked), "{text}");
    }
}
