//! Texts as Typst has them: string literals, so that nothing in a text is ever read as markup or code.

use super::super::plain::{one_line, plain};

/// A string literal of `text`, line breaks included.
pub(super) fn string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in plain(text).chars() {
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

/// A text on one line; what stands between backticks is code.
pub(super) fn line(text: &str) -> String {
    let text = one_line(text);
    let pieces: Vec<&str> = text.split('`').collect();
    if pieces.len() == 1 || pieces.len().is_multiple_of(2) {
        return string(&text);
    }
    let pieces = pieces.iter().enumerate().filter(|(_, piece)| !piece.is_empty());
    let pieces: Vec<String> = pieces
        .map(|(index, piece)| {
            let literal = string(piece);
            if index % 2 == 1 { format!("raw({literal})") } else { literal }
        })
        .collect();
    format!("t({})", pieces.join(", "))
}

/// A text whose line breaks stay.
pub(super) fn lines(text: &str) -> String {
    let text = plain(text);
    let lines: Vec<String> = text.trim_end().split('\n').map(line).collect();
    match &lines[..] {
        [line] => line.clone(),
        lines => format!("t({})", lines.join(", linebreak(), ")),
    }
}

/// An array of expressions.
pub(super) fn array(items: &[String]) -> String {
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

    /// Reads a string literal as Typst's grammar has it; nothing may stand behind it.
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
            let kept = plain(&text).replace(['\u{2028}', '\u{2029}'], " ");
            prop_assert_eq!(read(&string(&text)), Some(kept));
        }

        #[test]
        fn a_text_of_typst_is_one_literal_of_itself(text in r#"[#\[\]$"\\`@<>*_/=a-z\n(){};-]{0,40}"#) {
            prop_assert_eq!(read(&string(&text)), Some(text));
        }
    }

    #[test]
    fn code_stands_between_two_backticks() {
        assert_eq!(line("`a` is\n #b"), r#"t(raw("a"), " is #b")"#);
        assert_eq!(line("one ` alone"), r#""one ` alone""#);
        assert_eq!(lines("a\n\nb"), r#"t("a", linebreak(), "", linebreak(), "b")"#);
        assert_eq!(array(&["1".to_owned()]), "(1,)");
    }
}
