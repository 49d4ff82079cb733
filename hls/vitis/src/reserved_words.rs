//! The names that the tool changes, as they are words of VHDL or Verilog.

/// Words of IEEE 1076 and 1364 that a port of a kernel may be called.
const RESERVED: [&str; 70] = [
    "access",
    "after",
    "alias",
    "all",
    "and",
    "architecture",
    "array",
    "assign",
    "attribute",
    "begin",
    "block",
    "body",
    "buffer",
    "bus",
    "case",
    "component",
    "configuration",
    "constant",
    "disconnect",
    "edge",
    "end",
    "entity",
    "event",
    "exit",
    "file",
    "function",
    "generate",
    "generic",
    "in",
    "inout",
    "input",
    "integer",
    "label",
    "library",
    "linkage",
    "loop",
    "map",
    "mod",
    "module",
    "new",
    "next",
    "null",
    "of",
    "on",
    "open",
    "out",
    "output",
    "package",
    "parameter",
    "port",
    "process",
    "range",
    "record",
    "reg",
    "register",
    "reject",
    "report",
    "select",
    "shared",
    "signal",
    "subtype",
    "time",
    "type",
    "units",
    "until",
    "variable",
    "wait",
    "when",
    "with",
    "wire",
];

/// The name in the source of one that the tool gave an ending for it: `output` of `output_r`.
pub(crate) fn strip_ending(name: &str) -> Option<&str> {
    let own = name.strip_suffix("_r")?;
    RESERVED.iter().any(|word| word.eq_ignore_ascii_case(own)).then_some(own)
}

#[cfg(test)]
mod tests {
    use super::strip_ending;

    #[test]
    fn only_reserved_words_have_the_ending() {
        assert_eq!(strip_ending("OUTPUT_r"), Some("OUTPUT"));
        assert_eq!(strip_ending("gmem_r"), None);
        assert_eq!(strip_ending("output"), None);
    }
}
