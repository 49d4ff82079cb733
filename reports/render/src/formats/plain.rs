//! Text without the characters that terminals and XML do not take.

use std::borrow::Cow;

/// `text` without control characters except line breaks: an excerpt must not control a terminal, and XML 1.0 does not allow them.
pub fn plain_text(text: &str) -> Cow<'_, str> {
    if text.chars().any(is_unwanted) {
        Cow::Owned(
            text.chars()
                .map(|c| if c == '\t' { ' ' } else { c })
                .filter(|&c| !is_unwanted(c))
                .collect(),
        )
    } else {
        Cow::Borrowed(text)
    }
}

pub(crate) fn one_line(text: &str) -> String {
    let text = plain_text(text);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// An excerpt of code in which the marks that reorder text are signs of the same length in UTF-8: places in it stay.
pub(super) fn mask_marks(text: &str) -> String {
    let sign = |c: char| match c {
        '\u{61C}' => '\u{BF}',
        c if is_mark(c) => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    text.chars().map(sign).collect()
}

/// Control characters, the two code points that XML forbids, and the marks that reorder text on the screen.
fn is_unwanted(c: char) -> bool {
    (c.is_control() && c != '\n') || matches!(c, '\u{FFFE}' | '\u{FFFF}') || is_mark(c)
}

fn is_mark(c: char) -> bool {
    matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_go_and_line_breaks_stay() {
        assert_eq!(plain_text("a\u{1b}[31mb\r\nc\td\u{0}"), "a[31mb\nc d");
        assert_eq!(plain_text("a\u{202e}b\u{200f}c\u{61c}d\u{2066}"), "abcd");
        assert!(matches!(plain_text("as it is\n"), Cow::Borrowed(_)));
        assert_eq!(one_line(" a\n\n b\u{7} "), "a b");
    }

    #[test]
    fn places_in_an_excerpt_stay() {
        let text = "a\u{202e}b\u{200f}c\u{61c}d\u{2066}\n";
        let masked = mask_marks(text);
        assert_eq!(masked.len(), text.len());
        assert!(!masked.contains(is_mark));
        assert_eq!(masked.find('d'), text.find('d'));
    }
}
