//! The numbers of a shape, in the ways people write them.

/// Why the inside of a pair of brackets is no shape.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum DimsError {
    /// A number that does not fit 64 bits.
    Overflow(String),
    /// Anything else.
    Other(String),
}

/// How to read digits that only a space parts: `4 096` and `64 128` look alike.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Spaces {
    /// Not known: refuse what could be either.
    Unknown,
    /// The file groups thousands by spaces.
    Thousands,
}

/// One number, with `,` or `_` between thousands allowed.
pub(super) fn number(text: &str) -> Result<u64, DimsError> {
    let text = text.trim();
    let mut value = 0_u64;
    let mut digits = 0;
    for byte in text.bytes() {
        match byte {
            b'0'..=b'9' => {
                digits += 1;
                value = value
                    .checked_mul(10)
                    .and_then(|v| v.checked_add(u64::from(byte - b'0')))
                    .ok_or_else(|| {
                    DimsError::Overflow(format!("`{}` does not fit 64 bits", clip(text)))
                })?;
            }
            b',' | b'_' if digits > 0 => {}
            _ => return Err(DimsError::Other(format!("`{}` is not a dimension", clip(text)))),
        }
    }
    if digits == 0 {
        return Err(DimsError::Other("a dimension is missing".to_owned()));
    }
    Ok(value)
}

/// A long text cut to what fits a message.
pub(super) fn clip(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

fn is_gap(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\u{a0}' | '\u{2009}' | '\u{202f}')
}

/// Whether the digit groups of `text` are one number with thousands parted by spaces.
fn groups_of_three(text: &str) -> bool {
    let mut groups = text.split(is_gap).filter(|group| !group.is_empty());
    let first = groups.next().is_some_and(|group| (1..=3).contains(&group.len()));
    first && groups.all(|group| group.len() == 3)
}

/// What stands between the brackets of `[720, 32]`, `(960,)`, `[64 3 7 7]` or `[4 096, 4 096]`.
pub(super) fn bracketed(inside: &str, spaces: Spaces) -> Result<Vec<u64>, DimsError> {
    let inside = inside.trim();
    if inside.is_empty() {
        return Ok(Vec::new());
    }
    if inside.contains(',') {
        let inside = inside.strip_suffix(',').unwrap_or(inside);
        return inside.split(',').map(|part| grouped(part.trim())).collect();
    }
    if !inside.contains(is_gap) {
        return crossed(inside);
    }
    if groups_of_three(inside) {
        let leading_zero = inside.split(is_gap).any(|group| group.starts_with('0'));
        if leading_zero || spaces == Spaces::Thousands {
            return grouped(inside).map(|dim| vec![dim]);
        }
        return Err(DimsError::Other(format!(
            "`{}` may be one number or several: put commas between the dimensions",
            clip(inside)
        )));
    }
    inside.split(is_gap).filter(|part| !part.is_empty()).map(number).collect()
}

/// Whether a list can only be read with thousands parted by spaces, as `4 096, 960` can.
pub(super) fn shows_thousands(inside: &str) -> bool {
    let mut parts =
        inside.split(',').map(str::trim).filter(|part| part.contains(is_gap)).peekable();
    inside.contains(',') && parts.peek().is_some() && parts.all(groups_of_three)
}

/// A number that may group its thousands by spaces.
fn grouped(part: &str) -> Result<u64, DimsError> {
    if part.contains(is_gap) {
        if !groups_of_three(part) {
            return Err(DimsError::Other(format!("`{}` is not a dimension", clip(part))));
        }
        return number(&part.replace(is_gap, ""));
    }
    number(part)
}

/// `64x3x7x7`, `384×384`, `49,280 × 960`, or one number.
pub(super) fn crossed(text: &str) -> Result<Vec<u64>, DimsError> {
    text.split(['x', 'X', '×', '*']).map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_write_a_shape() {
        let unknown = |text| bracketed(text, Spaces::Unknown).ok();
        assert_eq!(unknown("720, 32"), Some(vec![720, 32]));
        assert_eq!(unknown("960,"), Some(vec![960]));
        assert_eq!(unknown(""), Some(vec![]));
        assert_eq!(unknown("64 3 7 7"), Some(vec![64, 3, 7, 7]));
        assert_eq!(unknown("4 096, 4 096"), Some(vec![4096, 4096]));
        assert_eq!(unknown("4 096"), Some(vec![4096]));
        assert_eq!(unknown("64 128"), None);
        assert_eq!(bracketed("14 336", Spaces::Thousands), Ok(vec![14_336]));
        assert_eq!(crossed("49,280 × 960"), Ok(vec![49_280, 960]));
    }

    #[test]
    fn a_number_beyond_64_bits_is_named() {
        assert!(matches!(number("18446744073709551616"), Err(DimsError::Overflow(_))));
        assert_eq!(number("18446744073709551615"), Ok(u64::MAX));
    }
}
