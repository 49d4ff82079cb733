//! Tools of other vendors that a design is written for.

use derate_hls::{Sources, is_word_char};

use crate::DesignFiles;

/// A tool, and what shows that a design is written for it.
pub struct OtherTool {
    /// Its name.
    pub name: &'static str,
    /// The words in a source.
    pub shown_by: &'static str,
}

const TOOLS: [(&str, &[&str]); 5] = [
    ("Catapult", &["#pragma hls_design", "#pragma design top"]),
    ("Cadence Stratus", &["stratus_hls.h", "cynw_p2p.h", "cynthhl.h"]),
    ("LegUp", &["#pragma LEGUP", "legup/ap_int.hpp", "legup/streaming.hpp"]),
    ("SmartHLS", &["#pragma HLS function top", "hls/ap_int.hpp", "hls/streaming.hpp"]),
    ("Intel oneAPI", &["sycl/ext/intel/fpga_extensions.hpp", "ext::intel::fpga_selector"]),
];

impl DesignFiles {
    /// The tool of another vendor whose words are in a source of the design. None where a source has directives of AMD's.
    pub fn find_other_tool(&self, sources: &Sources) -> Option<OtherTool> {
        let texts = || self.code.headers().iter().map(|header| sources.text(header.file));
        let is_amd = |text: &str| {
            let lower = text.to_ascii_lowercase();
            lower.lines().map(str::trim_start).any(|line| {
                let mut words = line.split_whitespace();
                words.next() == Some("#pragma")
                    && words.next() == Some("hls")
                    && !matches!(words.next(), Some("function" | "loop" | "memory" | "interface"))
            })
        };
        if texts().any(is_amd) {
            return None;
        }
        TOOLS.iter().find_map(|(name, all)| {
            let shown_by = all.iter().find(|word| texts().any(|text| has_word(text, word)))?;
            Some(OtherTool { name, shown_by })
        })
    }
}

/// Whether a text has a word outside of raw strings. A pragma begins a line: a compiler that writes one has it in a string.
fn has_word(text: &str, word: &str) -> bool {
    if !text.contains(word) {
        return false;
    }
    let text = without_raw_strings(text);
    if word.starts_with('#') {
        return text.lines().any(|line| line.trim_start().starts_with(word));
    }
    text.contains(word)
}

/// The text without strings such as `R"X(..)X"`, in which a compiler has the code that it writes.
fn without_raw_strings(text: &str) -> String {
    let (mut kept, mut rest) = (String::new(), text);
    while let Some((before, behind)) = rest.split_once("R\"") {
        kept.push_str(before);
        // `"ERROR"` ends in these two signs, too.
        let prefix = before.rsplit(|sign| !is_word_char(sign)).next().unwrap_or_default();
        let is_raw = matches!(prefix, "" | "u8" | "u" | "U" | "L");
        let body = behind.split_once('(').filter(|(mark, _)| {
            is_raw && !mark.contains(|sign: char| sign.is_whitespace() || "\\)\"".contains(sign))
        });
        let end = body.and_then(|(mark, inner)| inner.split_once(&format!("){mark}\"")));
        if let Some((_, after)) = end {
            rest = after;
        } else {
            kept.push_str("R\"");
            rest = behind;
        }
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::has_word;

    #[test]
    fn a_pragma_begins_its_line() {
        assert!(has_word("int a;\n  #pragma hls_design top\nvoid f();", "#pragma hls_design"));
        assert!(!has_word("print(out, \"#pragma hls_design top\");", "#pragma hls_design"));
        assert!(!has_word("// #pragma hls_design top", "#pragma hls_design"));
        let written = |text: &str| has_word(text, "#pragma hls_design");
        assert!(!written("os << R\"X(\n#pragma hls_design top\n)X\";"));
        assert!(written("os << R\"X(a)X\";\n#pragma hls_design top\n"));
        assert!(written("puts(\"ERROR\"); f(1);\n#pragma hls_design top\n"));
    }
}
