//! The numbers of a shape, in the ways people write them.

use super::grouping::{self, Grouping, is_gap, is_grouped};

/// Why the inside of a pair of brackets is not a shape.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum DimsError {
    /// A number that does not fit 64 bits.
    Overflow(String),
    /// Anything else.
    Other(String),
}

/// One number; `,` or `_` may separate its thousands.
pub(super) fn parse_number(text: &str) -> Result<u64, DimsError> {
    let text = text.trim();
    let digits = text.bytes().any(|b| b.is_ascii_digit());
    let plain = text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b',' | b'_'));
    if text.is_empty() {
        return Err(DimsError::Other("a dimension is missing".to_owned()));
    }
    if !digits || !plain || !is_grouped(text, |c| matches!(c, ',' | '_')) {
        return Err(DimsError::Other(format!("`{}` is not a dimension", clip_text(text))));
    }
    text.bytes()
        .filter(u8::is_ascii_digit)
        .try_fold(0_u64, |value, digit| value.checked_mul(10)?.checked_add(u64::from(digit - b'0')))
        .ok_or_else(|| DimsError::Overflow(format!("`{}` does not fit 64 bits", clip_text(text))))
}

/// A long text cut to what fits a message.
pub(super) fn clip_text(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

fn ambiguous_error(text: &str) -> DimsError {
    DimsError::Other(format!(
        "`{}` may be one number or several: put a comma and a space between the dimensions",
        clip_text(text)
    ))
}

/// The text between the brackets of `[720, 32]`, `(960,)`, `[64 3 7 7]`, `[4 096, 4 096]` or
/// `[102,400, 2,048]`.
pub(super) fn parse_bracketed(inside: &str, grouping: Grouping) -> Result<Vec<u64>, DimsError> {
    let inside = inside.trim();
    if inside.is_empty() {
        return Ok(Vec::new());
    }
    if inside.contains(',') {
        return parse_commas(inside.strip_suffix(',').unwrap_or(inside), grouping);
    }
    if !inside.contains(is_gap) {
        return parse_crossed(inside);
    }
    if is_grouped(inside, is_gap) {
        if grouping == Grouping::Spaces || grouping::shows_spaces(inside) {
            return parse_spaced(inside).map(|dim| vec![dim]);
        }
        return Err(ambiguous_error(inside));
    }
    inside.split(is_gap).filter(|part| !part.is_empty()).map(parse_number).collect()
}

fn parse_commas(inside: &str, grouping: Grouping) -> Result<Vec<u64>, DimsError> {
    let wide: Vec<&str> = grouping::split_wide(inside).collect();
    let tight = wide.iter().any(|part| part.contains(','));
    if tight && (grouping == Grouping::Commas || grouping::shows_commas(inside)) {
        return wide.into_iter().map(parse_number).collect();
    }
    if tight && wide.len() > 1 && wide.iter().all(|part| is_grouped(part, |c| c == ',')) {
        return Err(ambiguous_error(inside));
    }
    inside.split(',').map(|part| parse_spaced(part.trim())).collect()
}

/// A number that may group its thousands by spaces.
fn parse_spaced(part: &str) -> Result<u64, DimsError> {
    if !part.contains(is_gap) {
        return parse_number(part);
    }
    if !is_grouped(part, is_gap) {
        return Err(DimsError::Other(format!("`{}` is not a dimension", clip_text(part))));
    }
    parse_number(&part.replace(is_gap, ""))
}

/// `64x3x7x7`, `384×384`, `49,280 × 960`, or one number.
pub(super) fn parse_crossed(text: &str) -> Result<Vec<u64>, DimsError> {
    text.split(['x', 'X', '×', '*']).map(parse_number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_write_a_shape() {
        let unknown = |text| parse_bracketed(text, Grouping::Unknown).ok();
        assert_eq!(unknown("720, 32"), Some(vec![720, 32]));
        assert_eq!(unknown("960,"), Some(vec![960]));
        assert_eq!(unknown(""), Some(vec![]));
        assert_eq!(unknown("64 3 7 7"), Some(vec![64, 3, 7, 7]));
        assert_eq!(unknown("4 096, 4 096"), Some(vec![4096, 4096]));
        assert_eq!(unknown("4 096"), Some(vec![4096]));
        assert_eq!(unknown("64 128"), None);
        assert_eq!(parse_bracketed("14 336", Grouping::Spaces), Ok(vec![14_336]));
        assert_eq!(unknown("102,400, 2,048"), Some(vec![102_400, 2048]));
        assert_eq!(unknown("2,048"), Some(vec![2048]));
        assert_eq!(unknown("102,400, 512"), None);
        assert_eq!(unknown("64,128"), Some(vec![64, 128]));
        assert_eq!(parse_bracketed("14,336", Grouping::Commas), Ok(vec![14_336]));
        assert_eq!(parse_crossed("49,280 × 960"), Ok(vec![49_280, 960]));
    }

    #[test]
    fn a_number_beyond_64_bits_is_named() {
        assert!(matches!(parse_number("18446744073709551616"), Err(DimsError::Overflow(_))));
        assert_eq!(parse_number("18446744073709551615"), Ok(u64::MAX));
    }
}
