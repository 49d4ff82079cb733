//! The directives of a design as Tcl, which `derate kernel --directives` and Vitis HLS read.

use derate_hls::{Count, DirectiveKind, TclDirective};
use std::fmt::Write as _;

/// One `set_directive_*` a line, for the kinds that a design may have.
#[must_use]
pub fn write_tcl(directives: &[TclDirective]) -> String {
    let mut text = String::new();
    for one in directives {
        let number = |count: &Option<Count>| count.as_ref().and_then(Count::number);
        let place = match &one.label {
            Some(label) => format!("\"{}/{label}\"", one.function),
            None => format!("\"{}\"", one.function),
        };
        // Writing to a text cannot fail.
        let _ = match &one.kind {
            DirectiveKind::Unroll { factor } => {
                let factor = number(factor).map_or(String::new(), |n| format!(" -factor {n}"));
                writeln!(text, "set_directive_unroll{factor} {place}")
            }
            DirectiveKind::Pipeline(pipeline) if pipeline.off => {
                writeln!(text, "set_directive_pipeline -off {place}")
            }
            DirectiveKind::Pipeline(pipeline) => {
                let ii = number(&pipeline.ii).map_or(String::new(), |n| format!(" -II {n}"));
                writeln!(text, "set_directive_pipeline{ii} {place}")
            }
            DirectiveKind::ArrayPartition(cut) => {
                let factor = number(&cut.factor).unwrap_or(1);
                let dim = number(&cut.dim).unwrap_or(1);
                let array = cut.variable.as_deref().unwrap_or_default();
                writeln!(
                    text,
                    "set_directive_array_partition -type cyclic -factor {factor} -dim {dim} {place} {array}"
                )
            }
            DirectiveKind::Dataflow => writeln!(text, "set_directive_dataflow {place}"),
            _ => Ok(()),
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use derate_hls::read_tcl;

    #[test]
    fn what_is_written_is_read_as_it_was() {
        let text = "set_directive_unroll -factor 8 \"f/loop\"\nset_directive_pipeline -II 2 \"f/rows\"\n\
                    set_directive_pipeline -off \"f/rest\"\nset_directive_dataflow \"f\"\n\
                    set_directive_array_partition -type cyclic -factor 8 -dim 2 \"f\" x\n";
        assert_eq!(write_tcl(&read_tcl(text).directives), text);
    }
}
