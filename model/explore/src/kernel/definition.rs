//! Values of names that a source defines: `#define N 8`, `const int N = 8;`, `typedef ap_int<8> T;`, `using T = float;`.

use std::ops::Range;

/// The text of a value that is defined for a name, the first time that it is; `None` where a text does not define it so.
#[must_use]
pub fn find_definition(text: &str, name: &str) -> Option<Range<usize>> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if let Some(range) = find_in_line(line, name) {
            return Some(at + range.start..at + range.end);
        }
        at += line.len();
    }
    None
}

/// A text with other values for the names that it defines.
#[must_use]
pub fn fill_definitions(text: &str, values: &[(String, String)]) -> String {
    let mut text = text.to_owned();
    for (name, value) in values {
        if let Some(range) = find_definition(&text, name) {
            text.replace_range(range, value);
        }
    }
    text
}

fn find_in_line(line: &str, name: &str) -> Option<Range<usize>> {
    let code = line.split("//").next().unwrap_or_default().trim_end();
    let start = code.len() - code.trim_start().len();
    let rest = &code[start..];
    if let Some(define) = rest.strip_prefix('#') {
        let value = define.trim_start().strip_prefix("define")?;
        let value = value.trim_start().strip_prefix(name)?;
        // A macro with parameters, and a longer name, are others.
        let is_end = value.starts_with(char::is_whitespace);
        let value = value.trim_start();
        return (is_end && !value.is_empty()).then(|| code.len() - value.len()..code.len());
    }
    let statement = rest.strip_suffix(';')?;
    let end = start + statement.trim_end().len();
    let words: Vec<&str> = statement.split_whitespace().collect();
    match words.first().copied()? {
        "typedef" => {
            let of = statement.trim_end().strip_suffix(name)?;
            let kind = of.trim_end();
            let first = kind.len() - kind.strip_prefix("typedef")?.trim_start().len();
            let is_end = of.len() > kind.len() || of.ends_with('>');
            (is_end && first < kind.len()).then(|| start + first..start + kind.len())
        }
        "using" => find_value(statement, name).map(|first| start + first..end),
        _ if words.iter().any(|word| matches!(*word, "const" | "constexpr")) => {
            find_value(statement, name).map(|first| start + first..end)
        }
        _ => None,
    }
}

/// Where the value of `... NAME = VALUE` begins.
fn find_value(statement: &str, name: &str) -> Option<usize> {
    let (left, right) = statement.split_once('=')?;
    let before = left.trim_end().strip_suffix(name)?;
    let value = right.trim_start();
    let is_word = before.ends_with(char::is_whitespace);
    (is_word && !value.is_empty() && !value.contains(',')).then(|| statement.len() - value.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_found_where_it_is_defined() {
        for (text, value) in [
            ("int x;\n#define N 8 // tiles\n", "8"),
            ("  # define N (4 * 2)\n", "(4 * 2)"),
            ("static const int N = 16;\n", "16"),
            ("constexpr unsigned N=32; // rows\n", "32"),
            ("typedef ap_fixed<16, 6> N;\n", "ap_fixed<16, 6>"),
            ("using N = ap_int<8>;\n", "ap_int<8>"),
        ] {
            let range = find_definition(text, "N").unwrap_or_else(|| panic!("{text}"));
            assert_eq!(&text[range], value);
        }
    }

    #[test]
    fn other_names_and_uses_are_no_definitions() {
        for text in [
            "#define NN 8\n",
            "#define N(x) x\n",
            "#define N\n",
            "// const int N = 8;\n",
            "for (int i = 0; i < N; i++)\n",
            "N = 8;\n",
            "const int M = 3, N = 8, K = 2;\n",
            "typedef ap_int<8> MN;\n",
        ] {
            assert_eq!(find_definition(text, "N"), None, "{text}");
        }
    }

    #[test]
    fn values_are_filled_in_where_the_source_has_them() {
        let text = "#define N 8\ntypedef float data;\n";
        let values = [("N", "16"), ("data", "ap_int<8>"), ("other", "1")];
        let values = values.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(fill_definitions(text, &values), "#define N 16\ntypedef ap_int<8> data;\n");
    }
}
