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

/// Control characters, the two code points that XML forbids, and the marks that reorder text on the screen.
fn is_unwanted(c: char) -> bool {
    (c.is_control() && c != '\n')
        || matches!(c, '\u{FFFE}' | '\u{FFFF}')
        || matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
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
}
