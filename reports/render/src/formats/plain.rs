//! Text without what terminals and XML choke on.

use std::borrow::Cow;

/// Drops control characters but line breaks: an excerpt must not be able to steer a terminal, and XML 1.0 has no
/// place for them.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
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

/// The text on one line.
pub(crate) fn one_line(text: &str) -> String {
    let text = plain(text);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Control characters, the two code points that XML forbids, and the marks that reorder text on the screen.
fn is_unwanted(c: char) -> bool {
    (c.is_control() && c != '\n')
        || matches!(c, '\u{FFFE}' | '\u{FFFF}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_go_and_line_breaks_stay() {
        assert_eq!(plain("a\u{1b}[31mb\r\nc\td\u{0}"), "a[31mb\nc d");
        assert!(matches!(plain("as it is\n"), Cow::Borrowed(_)));
        assert_eq!(one_line(" a\n\n b\u{7} "), "a b");
    }
}
