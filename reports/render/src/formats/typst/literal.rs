//! Texts as string literals of Typst, so that no text is read as markup or code.

use super::super::plain::{one_line, plain_text};

/// A string literal of `text`, line breaks included.
pub(super) fn string_literal(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in plain_text(text).chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            // Typst counts them as ends of lines.
            '\u{2028}' | '\u{2029}' => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A text on one line; text between backticks is code.
pub(super) fn line_literal(text: &str) -> String {
    let text = one_line(text);
    let pieces: Vec<&str> = text.split('`').collect();
    if pieces.len() == 1 || pieces.len().is_multiple_of(2) {
        return string_literal(&text);
    }
    let pieces = pieces.iter().enumerate().filter(|(_, piece)| !piece.is_empty());
    let pieces: Vec<String> = pieces
        .map(|(index, piece)| {
            let literal = string_literal(piece);
            if index % 2 == 1 { format!("raw({literal})") } else { literal }
        })
        .collect();
    format!("t({})", pieces.join(", "))
}

/// A text whose line breaks stay.
pub(super) fn lines_literal(text: &str) -> String {
    let text = plain_text(text);
    let lines: Vec<String> = text.trim_end().split('\n').map(line_literal).collect();
    match &lines[..] {
        [line] => line.clone(),
        lines => format!("t({})", lines.join(", linebreak(), ")),
    }
}

pub(super) fn array_literal(items: &[String]) -> String {
    match items {
        [] => "()".to_owned(),
        [item] => format!("({item},)"),
        items => format!("({})", items.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Reads a string literal by the grammar of Typst; nothing may follow it.
    fn read(literal: &str) -> Option<String> {
        let mut chars = literal.strip_prefix('"')?.chars();
        let mut text = String::new();
        loop {
            match chars.next()? {
                '"' => return chars.next().is_none().then_some(text),
                '\\' => match chars.next()? {
                    'n' => text.push('\n'),
                    c @ ('"' | '\\') => text.push(c),
                    _ => return None,
                },
                c => text.push(c),
            }
        }
    }

    proptest! {
        #[test]
        fn any_text_is_one_literal_of_itself(text in any::<String>()) {
            let kept = plain_text(&text).replace(['\u{2028}', '\u{2029}'], " ");
            prop_assert_eq!(read(&string_literal(&text)), Some(kept));
        }

        #[test]
        fn a_text_of_typst_is_one_literal_of_itself(text in r#"[#\[\]$"\\`@<>*_/=a-z\n(){};-]{0,40}"#) {
            prop_assert_eq!(read(&string_literal(&text)), Some(text));
        }
    }

    #[test]
    fn code_stands_between_two_backticks() {
        assert_eq!(line_literal("`a` is\n #b"), r#"t(raw("a"), " is #b")"#);
        assert_eq!(line_literal("one ` alone"), r#""one ` alone""#);
        assert_eq!(lines_literal("a\n\nb"), r#"t("a", linebreak(), "", linebreak(), "b")"#);
        assert_eq!(array_literal(&["1".to_owned()]), "(1,)");
    }
}
