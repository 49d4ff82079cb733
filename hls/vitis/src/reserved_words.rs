//! The names that the tool changes, as they are words of VHDL or Verilog.

/// Words of IEEE 1076 and 1364 that a port of a kernel may be called.
const RESERVED: [&str; 44] = [
    "access",
    "all",
    "array",
    "begin",
    "block",
    "body",
    "buffer",
    "bus",
    "case",
    "component",
    "edge",
    "end",
    "event",
    "file",
    "function",
    "in",
    "inout",
    "input",
    "label",
    "large",
    "map",
    "medium",
    "mod",
    "new",
    "next",
    "null",
    "on",
    "out",
    "output",
    "parameter",
    "port",
    "process",
    "range",
    "record",
    "reg",
    "register",
    "report",
    "select",
    "signal",
    "small",
    "strength",
    "time",
    "type",
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
