//! Texts that fit a cell.

use super::super::plain::plain_text;

/// The longest text that a cell holds, with some reserve.
const LONGEST: usize = 32_000;

/// Text that a cell can hold. Excel counts in UTF-16.
pub(super) fn clip_text(text: &str) -> String {
    let text = plain_text(text);
    let mut used = 0;
    let end = text.char_indices().find(|(_, c)| {
        used += c.len_utf16();
        used > LONGEST
    });
    match end {
        Some((end, _)) => text[..end].to_owned() + "…",
        None => text.into_owned(),
    }
}
