//! Thousands: `4 096` and `64 128` look alike, and so do `14,336` and `64,128`.
//!
//! What a shape alone leaves open the rest of its file may settle: no dimension is written with a
//! leading zero, so `2,048` is one number, and whoever wrote it groups by commas elsewhere too.

/// How a file parts thousands.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Grouping {
    /// Not known: what could be either is refused, and `64,128` is two numbers.
    Unknown,
    /// By spaces.
    Spaces,
    /// By commas without a space behind them.
    Commas,
}

impl Grouping {
    /// What the brackets in a text show, the first that shows anything.
    pub(super) fn of(text: &str) -> Self {
        let insides = text.split(['[', '(']).skip(1).filter_map(|piece| {
            let end = piece.find([']', ')', '\n'])?;
            let inside = &piece[..end];
            inside.chars().all(|c| c.is_ascii_digit() || c == ',' || is_gap(c)).then_some(inside)
        });
        for inside in insides {
            if shows_commas(inside) {
                return Self::Commas;
            }
            if shows_spaces(inside) {
                return Self::Spaces;
            }
        }
        Self::Unknown
    }
}

/// Whether a character is white space within a line.
pub(super) fn is_gap(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\u{a0}' | '\u{2009}' | '\u{202f}')
}

/// Whether digits are parted, if at all, as thousands are.
pub(super) fn is_grouped(text: &str, separator: impl Fn(char) -> bool) -> bool {
    let mut groups = text.split(&separator);
    let first = groups.next().unwrap_or_default();
    let parted = text.contains(&separator);
    !parted || ((1..=3).contains(&first.len()) && groups.all(|group| group.len() == 3))
}

/// The parts between commas that a space follows.
pub(super) fn split_wide(inside: &str) -> impl Iterator<Item = &str> {
    inside.split(", ").flat_map(|part| part.split(",\t")).map(str::trim)
}

/// Whether a list can only be read with commas between thousands, as `2,048` can.
pub(super) fn shows_commas(inside: &str) -> bool {
    split_wide(inside).any(|part| {
        is_grouped(part, |c| c == ',')
            && part.split(',').skip(1).any(|group| group.starts_with('0'))
    })
}

/// Whether a list can only be read with spaces between thousands, as `4 096` can.
pub(super) fn shows_spaces(inside: &str) -> bool {
    let several = inside.contains(',');
    inside.split(',').map(str::trim).any(|part| {
        part.contains(is_gap)
            && is_grouped(part, is_gap)
            && (several || part.split(is_gap).skip(1).any(|group| group.starts_with('0')))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_shows_how_it_groups() {
        assert_eq!(Grouping::of("a [14,336]\nb [2,048, 4]"), Grouping::Commas);
        assert_eq!(Grouping::of("a [14 336]\nb [14 336, 4]"), Grouping::Spaces);
        assert_eq!(Grouping::of("a [64,128]\nb (64, 128)"), Grouping::Unknown);
    }
}
