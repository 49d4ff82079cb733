use crate::Span;
use serde::Serialize;
use std::fmt;

/// A value, and where the report prints it.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Serialize)]
pub struct Located<T> {
    /// What was read.
    pub value: T,
    /// Where it is.
    pub span: Span,
}

impl<T> Located<T> {
    pub(crate) fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }

    /// The same place with another reading of it.
    pub(crate) fn map<U>(self, read: impl FnOnce(T) -> U) -> Located<U> {
        Located { value: read(self.value), span: self.span }
    }
}

/// A count as a tool prints it. What is not a number stays the word that was printed: it is never
/// taken for zero and never guessed.
///
/// In JSON: a number, an object with `min` and `max` (`null` where that end is not a number), or the
/// word as a string.
#[derive(Clone, Eq, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum Figure {
    /// One number.
    Known(u64),
    /// Between two numbers, as in `102 ~ 1977`; an end that is not a number, as in `1 ~ ?`, is `None`.
    Range {
        /// The lower end.
        min: Option<u64>,
        /// The upper end.
        max: Option<u64>,
    },
    /// No number: `undef`, `?`, `-`, `NA`, as it is printed.
    Unknown(String),
}

impl Figure {
    /// Reads `12`, `1 ~ 12`, or keeps the word.
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        if let Some(value) = parse_number(text) {
            return Self::Known(value);
        }
        if let Some((low, high)) = text.split_once('~') {
            let (min, max) = (parse_number(low), parse_number(high));
            if min.is_some() || max.is_some() {
                return Self::from_range(min, max);
            }
        }
        Self::Unknown(text.to_owned())
    }

    fn from_range(min: Option<u64>, max: Option<u64>) -> Self {
        match (min, max) {
            (Some(low), Some(high)) if low == high => Self::Known(low),
            _ => Self::Range { min, max },
        }
    }

    /// One figure from a best and a worst case.
    pub(crate) fn from_cases(low: &Self, high: &Self) -> Self {
        match (low.min(), high.max()) {
            (None, None) => low.clone(),
            (min, max) => Self::from_range(min, max),
        }
    }

    /// The number, if it is one number.
    pub fn known(&self) -> Option<u64> {
        match self {
            Self::Known(value) => Some(*value),
            _ => None,
        }
    }

    /// The lower end, if that is known.
    pub fn min(&self) -> Option<u64> {
        match self {
            Self::Known(value) => Some(*value),
            Self::Range { min, .. } => *min,
            Self::Unknown(_) => None,
        }
    }

    /// The upper end, if that is known.
    pub fn max(&self) -> Option<u64> {
        match self {
            Self::Known(value) => Some(*value),
            Self::Range { max, .. } => *max,
            Self::Unknown(_) => None,
        }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = |end: &Option<u64>| end.map_or_else(|| "?".to_owned(), |value| value.to_string());
        match self {
            Self::Known(value) => write!(f, "{value}"),
            Self::Range { min, max } => write!(f, "{} ~ {}", end(min), end(max)),
            Self::Unknown(word) => f.write_str(word),
        }
    }
}

fn parse_number(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

/// A measure with a fraction, as a tool prints it: a clock period, a slack, a frequency.
/// In JSON a number, or the word as a string.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum Decimal {
    /// A number; its unit is that of the field.
    Known(f64),
    /// No number, as it is printed.
    Unknown(String),
}

/// Counters of so many bits are counted to their end by no design.
const LONG: u32 = 28;

impl Figure {
    /// Whether it is the range of a type in place of a count: the tool takes the largest value that a variable bound may have,
    /// `2^32 - 1` or a part of it that a step of at most 16 leaves, such as 858,993,459, a fifth.
    #[must_use]
    pub fn is_type_range(&self) -> bool {
        let ends = |count: u64| {
            let near = |count: u64| count.is_power_of_two() && count.trailing_zeros() >= LONG;
            // A step of n leaves the n-th part, without what is over.
            let all = u64::from(u32::MAX);
            let is_part = (all >> 4..=all).contains(&count) && all / (all / count) == count;
            near(count) || count.checked_add(1).is_some_and(near) || is_part
        };
        self.max().is_some_and(ends)
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(value) => write!(f, "{value}"),
            Self::Unknown(word) => f.write_str(word),
        }
    }
}

impl Decimal {
    /// Reads the number in front of `unit`; another unit, or none at all where the text does not
    /// end with the number, makes it unknown.
    pub(crate) fn parse(text: &str, unit: &str) -> Self {
        let text = text.trim();
        let bare = text.strip_suffix(unit).unwrap_or(text).trim_end();
        let plain = |b: u8| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+' | b'e' | b'E');
        let value = bare.bytes().all(plain).then(|| bare.parse::<f64>().ok()).flatten();
        match value.filter(|value| value.is_finite()) {
            Some(value) => Self::Known(value),
            None => Self::Unknown(text.to_owned()),
        }
    }

    /// The number with the other sign.
    pub(crate) fn negated(self) -> Self {
        match self {
            Self::Known(value) if value.abs() > 0.0 => Self::Known(-value),
            other => other,
        }
    }

    /// The number, if it is one.
    pub fn known(&self) -> Option<f64> {
        match self {
            Self::Known(value) => Some(*value),
            Self::Unknown(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_words() {
        for word in ["undef", "?", "-", "NA", "", "~", "? ~ ?", "1.5", "0x10", "-3"] {
            assert_eq!(Figure::parse(word), Figure::Unknown(word.to_owned()), "{word}");
        }
        assert_eq!(Figure::parse("99999999999999999999").known(), None);
    }

    #[test]
    fn ranges_keep_what_is_known() {
        assert_eq!(Figure::parse("3~7"), Figure::Range { min: Some(3), max: Some(7) });
        assert_eq!(Figure::parse("1 ~ ?"), Figure::Range { min: Some(1), max: None });
        assert_eq!(Figure::parse("1 ~ ?").to_string(), "1 ~ ?");
        assert_eq!(Figure::parse("7 ~ 7"), Figure::Known(7));
        let undef = Figure::parse("undef");
        assert_eq!(Figure::from_cases(&undef, &undef), undef);
        assert_eq!(Figure::from_cases(&Figure::Known(1), &undef).to_string(), "1 ~ ?");
    }

    #[test]
    fn a_decimal_has_its_unit_or_is_unknown() {
        assert_eq!(Decimal::parse("7.30 ns", "ns"), Decimal::Known(7.3));
        assert_eq!(Decimal::parse("-0.56", "ns"), Decimal::Known(-0.56));
        assert_eq!(Decimal::parse("1.2 us", "ns"), Decimal::Unknown("1.2 us".to_owned()));
        assert_eq!(Decimal::parse("inf", "ns").known(), None);
    }
}
