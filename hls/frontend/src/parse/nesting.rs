//! What may be read in two ways, past what the grammar bears.
//!
//! An `a<` may be a comparison, and a `[[` may open one attribute list more or a declaration of its own. The parser
//! keeps both readings and compares them whole each time: its time grows with the square of their number, and 60 kB
//! of nothing else take it many seconds.

use crate::preprocess::blank_range;
use std::ops::Range;

/// Brackets of one kind in one statement; no code that a person or a generator wrote comes near.
const MOST: usize = 256;

/// Blanks the rest of each statement that has more angle brackets open at once, or more attributes, and says where.
/// The last bracket stays, so that the statement is read as broken and never as a shorter one.
pub(super) fn cut_nesting(masked: &mut [u8]) -> Vec<Range<usize>> {
    let mut cuts: Vec<Range<usize>> = Vec::new();
    let (mut angles, mut attributes, mut cut_from) = (0_usize, 0_usize, None);
    for at in 0..masked.len() {
        match masked[at] {
            b'<' if opens_template(masked, at) => angles += 1,
            b'>' => angles = angles.saturating_sub(1),
            b'[' if masked.get(at + 1) == Some(&b'[') => attributes += 1,
            b';' | b'{' | b'}' => {
                cuts.extend(cut_from.take().map(|from| from..at));
                (angles, attributes) = (0, 0);
            }
            _ => {}
        }
        if angles.max(attributes) > MOST && cut_from.is_none() {
            cut_from = Some(at + 1);
        }
    }
    cuts.extend(cut_from.map(|from| from..masked.len()));
    for range in &cuts {
        blank_range(masked, range.clone());
    }
    cuts
}

/// Whether a `<` follows a name and is not part of `<<`, `<=` or `<:`.
fn opens_template(text: &[u8], at: usize) -> bool {
    let before = text[..at].iter().rev().find(|byte| !byte.is_ascii_whitespace());
    let name =
        before.is_some_and(|&byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80);
    name && !matches!(text.get(at + 1), Some(b'<' | b'=' | b':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(depth: usize) -> String {
        format!("using a = {}8{}; using b = float;", "x<".repeat(depth), ">".repeat(depth))
    }

    #[test]
    fn what_nests_too_deeply_ends_at_its_semicolon() {
        let text = nested(MOST + 1);
        let mut masked = text.clone().into_bytes();
        let cuts = cut_nesting(&mut masked);
        assert_eq!(cuts.len(), 1);
        assert!(
            text[..cuts[0].start].ends_with('<') && text[cuts[0].end..].starts_with("; using b")
        );
        assert_eq!(masked.len(), text.len());
    }

    #[test]
    fn attributes_without_an_end_are_cut() {
        let mut masked = "[[a]] ".repeat(1000).into_bytes();
        assert_eq!(cut_nesting(&mut masked).len(), 1);
    }

    #[test]
    fn what_a_person_nests_stays() {
        for text in [
            nested(MOST),
            "a < b;".repeat(1000),
            "s << x ".repeat(1000),
            "[[a]] int b;".repeat(1000),
        ] {
            let mut masked = text.clone().into_bytes();
            assert!(cut_nesting(&mut masked).is_empty() && masked == text.as_bytes());
        }
    }
}
