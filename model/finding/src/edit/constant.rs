//! The place of a constant's value.

use derate_hls::{Constant, Reason, Sources, Span};

/// The digits of a constant's value, without a suffix such as `u`; or why they cannot be found in the text.
pub fn find_value(sources: &Sources, constant: &Constant) -> Result<Span, Reason> {
    let span = constant.span;
    let text = sources.text(span.file);
    let found = || {
        let tail = text.get(constant.name_span.end..span.end)?;
        let before = tail.len() - tail.trim_start_matches([' ', '\t', '=', '{', '(']).len();
        let start = constant.name_span.end + before;
        let value = constant.expression.trim_start_matches(['(', ' ']).trim_end_matches([')', ' ']);
        let digits = value.trim_end_matches(['u', 'U', 'l', 'L', 'z', 'Z']);
        let is_number = digits.bytes().all(|b| b.is_ascii_digit() || b == b'\'');
        let rest = text.get(start..)?.strip_prefix(value)?;
        let ends = rest
            .chars()
            .next()
            .is_none_or(|c| c.is_whitespace() || matches!(c, ';' | ',' | '}' | ')' | '/'));
        (is_number && ends && !digits.is_empty()).then_some(Span {
            start,
            end: start + digits.len(),
            ..span
        })
    };
    found().ok_or_else(|| {
        Reason::from(format!(
            "`{}` is not a plain number that could be replaced",
            constant.expression
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digits_are_found_however_they_are_declared() {
        let text = "#pragma once\nconstexpr int A_DIM{5}, B_DIM = 6;\n#define C_DIM (7u) /* c */\n\
            enum { D_DIM = 8, E_DIM = 4 * 2 };\nconst unsigned F_DIM = 1'920UL; // f\n";
        let mut sources = Sources::default();
        let file = sources.add("a.h", text);
        let header = derate_hls::parse(&sources, file);
        let found: Vec<(&str, Option<&str>)> = header
            .constants
            .iter()
            .map(|c| (c.name.as_str(), find_value(&sources, c).ok().map(|s| sources.slice(s))))
            .collect();
        assert_eq!(
            found,
            [
                ("A_DIM", Some("5")),
                ("B_DIM", Some("6")),
                ("C_DIM", Some("7")),
                ("D_DIM", Some("8")),
                ("E_DIM", None),
                ("F_DIM", Some("1'920")),
            ]
        );
    }
}
