//! Places: bytes of a text, and lines and columns as the editor counts them.

use gen_lsp_types::{Position, PositionEncodingKind, Range};

/// The unit of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Bytes.
    Utf8,
    /// What the protocol has by default.
    Utf16,
    /// Characters.
    Utf32,
}

impl Encoding {
    /// The best one that the editor offers.
    pub(crate) fn choose(offered: &[PositionEncodingKind]) -> Self {
        if offered.contains(&PositionEncodingKind::UTF8) {
            Self::Utf8
        } else if offered.contains(&PositionEncodingKind::UTF32) {
            Self::Utf32
        } else {
            Self::Utf16
        }
    }

    pub(crate) fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
            Self::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    fn width(self, character: char) -> usize {
        match self {
            Self::Utf8 => character.len_utf8(),
            Self::Utf16 => character.len_utf16(),
            Self::Utf32 => 1,
        }
    }
}

/// The byte at a position. A column beyond the end of its line is that end, a line beyond the last is the end of the text.
pub(crate) fn offset_at(text: &str, position: Position, encoding: Encoding) -> usize {
    let mut start = 0;
    for _ in 0..position.line {
        match text[start..].find('\n') {
            Some(end) => start += end + 1,
            None => return text.len(),
        }
    }
    let line = text[start..].split('\n').next().unwrap_or_default();
    let line = line.strip_suffix('\r').unwrap_or(line);
    let column = position.character as usize;
    let mut width = 0;
    for (at, character) in line.char_indices() {
        if width >= column {
            return start + at;
        }
        width += encoding.width(character);
    }
    start + line.len()
}

/// The position of a byte.
pub(crate) fn position_of(text: &str, offset: usize, encoding: Encoding) -> Position {
    let offset = floor_boundary(text, offset);
    let before = &text[..offset];
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let column: usize = before[start..].chars().map(|one| encoding.width(one)).sum();
    Position::new(as_u32(before.matches('\n').count()), as_u32(column))
}

/// The range of some bytes.
pub(crate) fn range_of(text: &str, bytes: std::ops::Range<usize>, encoding: Encoding) -> Range {
    Range::new(position_of(text, bytes.start, encoding), position_of(text, bytes.end, encoding))
}

fn floor_boundary(text: &str, offset: usize) -> usize {
    let offset = offset.min(text.len());
    (0..=offset).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

fn as_u32(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ALL: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

    #[test]
    fn columns_are_counted_in_the_unit_of_the_editor() {
        let text = "a\u{e4}\u{1f600}b\n";
        let columns = ALL.map(|encoding| position_of(text, text.find('b').unwrap_or(0), encoding));
        assert_eq!(columns.map(|one| one.character), [7, 4, 3]);
    }

    #[test]
    fn a_place_beyond_a_line_is_its_end() {
        let at = |line, column| offset_at("ab\r\ncd", Position::new(line, column), Encoding::Utf16);
        assert_eq!([at(0, 9), at(1, 9), at(7, 0)], [2, 6, 6]);
    }

    proptest! {
        #[test]
        fn a_byte_and_its_position_are_the_same_place(text in "[a\u{e4}\u{1f600}\n]{0,40}", at in 0usize..60) {
            let at = floor_boundary(&text, at);
            for encoding in ALL {
                prop_assert_eq!(offset_at(&text, position_of(&text, at, encoding), encoding), at);
            }
        }
    }
}
