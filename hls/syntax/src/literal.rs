//! Numbers and characters as they are written.

use crate::ast::ExprKind;

/// The number that a literal writes.
pub(crate) fn read_number(text: &str) -> Option<ExprKind> {
    if let Some(number) = read_integer(text) {
        let Integer { value, unsigned, bits } = number;
        return Some(ExprKind::Integer { value, unsigned, bits });
    }
    let (value, single) = read_float(text)?;
    Some(ExprKind::Float { value, single })
}

/// A whole number.
#[derive(Clone, Copy, Eq, PartialEq, Debug)]
pub(crate) struct Integer {
    pub(crate) value: i128,
    pub(crate) unsigned: bool,
    pub(crate) bits: u8,
}

/// Reads `12`, `0x1F`, `017`, `0b11`, `1'000'000`, with suffixes.
pub(crate) fn read_integer(text: &str) -> Option<Integer> {
    let clean: String = text.chars().filter(|&one| one != '\'').collect::<String>().to_lowercase();
    let digits = clean.trim_end_matches(['u', 'l', 'z']);
    let suffix = &clean[digits.len()..];
    let (radix, digits) = match digits.as_bytes() {
        [b'0', b'x', ..] => (16, &digits[2..]),
        [b'0', b'b', ..] => (2, &digits[2..]),
        [b'0', _, ..] => (8, &digits[1..]),
        _ => (10, digits),
    };
    let value = i128::from_str_radix(digits, radix).ok()?;
    let written = suffix.contains('u');
    let long = suffix.contains(['l', 'z']);
    let unsigned_fits = written || radix != 10;
    let fits_int = !long && (value < 1 << 31 || (unsigned_fits && value < 1 << 32));
    let bits = if fits_int { 32 } else { 64 };
    let unsigned = written || value >= 1 << (bits - 1);
    Some(Integer { value, unsigned, bits })
}

/// Reads `1.5`, `1e-3f`, `0x1p3`. The second is whether `f` is written.
pub(crate) fn read_float(text: &str) -> Option<(f64, bool)> {
    let clean: String = text.chars().filter(|&one| one != '\'').collect::<String>().to_lowercase();
    if let Some(hex) = clean.strip_prefix("0x") {
        let (digits, exponent) = hex.split_once('p')?;
        let single = exponent.ends_with('f');
        let exponent: i32 = exponent.trim_end_matches(['f', 'l']).parse().ok()?;
        let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
        let mut value = 0.0;
        for digit in whole.chars().chain(part.chars()) {
            value = value * 16.0 + f64::from(digit.to_digit(16)?);
        }
        let places = i32::try_from(part.len()).ok()?;
        let power = exponent.checked_sub(places.checked_mul(4)?)?;
        return Some((value * 2.0_f64.powi(power), single));
    }
    let digits = clean.trim_end_matches(['f', 'l', 'h']);
    let single = clean[digits.len()..].contains('f');
    Some((digits.parse().ok()?, single))
}

/// Reads `'a'`, `'\n'`, `'\x41'`.
pub(crate) fn read_character(text: &str) -> Option<i128> {
    let inner = text.trim_start_matches(['L', 'u', 'U', '8']).strip_prefix('\'')?;
    let inner = inner.strip_suffix('\'')?;
    let Some(escape) = inner.strip_prefix('\\') else {
        return inner.chars().next().map(|one| i128::from(u32::from(one)));
    };
    let first = escape.chars().next()?;
    Some(match first {
        'n' => 10,
        't' => 9,
        'r' => 13,
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'v' => 11,
        'x' => i128::from_str_radix(&escape[1..], 16).ok()?,
        '0'..='7' => i128::from_str_radix(escape, 8).ok()?,
        other => i128::from(u32::from(other)),
    })
}
