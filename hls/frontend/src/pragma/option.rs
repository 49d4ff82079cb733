use serde::Serialize;
use std::fmt;

/// A count as it is written: a number, or a name or expression that only the source can settle.
/// In JSON a number or a string.
#[derive(Clone, Eq, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum Count {
    /// A number.
    Number(u64),
    /// Anything else, as written: `UNROLL_FACTOR`, `N/2`.
    Text(String),
}

impl Count {
    pub(crate) fn read_count(text: &str) -> Self {
        let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
        let number = match hexadecimal {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().ok(),
            None => None,
        };
        number.map_or_else(|| Self::Text(text.to_owned()), Self::Number)
    }

    /// The number, if it is one.
    pub fn number(&self) -> Option<u64> {
        match self {
            Self::Number(value) => Some(*value),
            Self::Text(_) => None,
        }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(value) => write!(f, "{value}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// One option: `II=1`, or `rewind` alone.
#[derive(Clone, Eq, PartialEq, Debug, Serialize)]
pub struct OptionPair {
    /// The key in small letters.
    pub key: String,
    /// What follows `=`, as written; `None` without `=`.
    pub value: Option<String>,
}

/// Whether a switch is on: `off`, or `off=true`.
pub(crate) fn has_flag(options: &[OptionPair], key: &str) -> bool {
    options.iter().any(|pair| {
        let value = pair.value.as_deref();
        pair.key == key && value.is_none_or(|value| value.eq_ignore_ascii_case("true"))
    })
}

/// Longer words, or pragmas with more options, are not read.
const OPTIONS: usize = 256;

/// Cuts what follows the directive's name. Blanks and commas part options, but not inside
/// brackets, and not around `=`.
pub(crate) fn read_pairs(text: &str) -> Vec<OptionPair> {
    let mut words: Vec<String> = vec![String::new()];
    let mut depth = 0_usize;
    // A blank behind `=` parts nothing.
    let mut joined = false;
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        let blank = sign.is_whitespace() || sign == ',';
        match sign {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if blank && depth == 0 {
            while signs.peek().is_some_and(|next| next.is_whitespace()) {
                signs.next();
            }
            let mut ahead = signs.clone();
            // `max=A / B` is one value.
            let goes_on = sign != ','
                && words.last().is_some_and(|word| word.contains('='))
                && match ahead.next() {
                    Some('*' | '/' | '%' | '+') => true,
                    Some('-') => ahead.next().is_some_and(char::is_whitespace),
                    _ => false,
                };
            if goes_on {
                joined = true;
            }
            if !joined && signs.peek() != Some(&'=') && words.last().is_some_and(|w| !w.is_empty())
            {
                if words.len() >= OPTIONS {
                    break;
                }
                words.push(String::new());
            }
            continue;
        }
        let is_operator = matches!(sign, '*' | '/' | '%' | '+' | '-') && joined;
        joined = is_operator
            || sign == '=' && depth == 0 && words.last().is_some_and(|word| !word.contains('='));
        if let Some(word) = words.last_mut() {
            word.push(sign);
        }
    }
    let words = words.into_iter().filter(|word| !word.is_empty());
    let pair = |word: String| match word.split_once('=') {
        Some((key, value)) => OptionPair {
            key: key.trim().to_ascii_lowercase(),
            value: Some(value.trim().to_owned()),
        },
        None => OptionPair { key: word.to_ascii_lowercase(), value: None },
    };
    words.map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let one = |pair: OptionPair| match pair.value {
            Some(value) => format!("{}={value}", pair.key),
            None => pair.key,
        };
        read_pairs(text).into_iter().map(one).collect()
    }

    #[test]
    fn blanks_round_the_sign_part_nothing() {
        assert_eq!(shown("II = 1 rewind"), ["ii=1", "rewind"]);
        assert_eq!(shown("variable=A ,complete  dim= 1"), ["variable=A", "complete", "dim=1"]);
        assert_eq!(shown("factor=(N + 1), max = f(a, b)"), ["factor=(N + 1)", "max=f(a, b)"]);
        assert_eq!(shown("max = A / B min=N - 1 avg=2"), ["max=A/B", "min=N-1", "avg=2"]);
        assert_eq!(shown("II=1 -rewind"), ["ii=1", "-rewind"]);
        assert_eq!(shown("a=b==c ="), ["a=b==c="]);
        assert_eq!(shown(""), [""; 0]);
    }

    #[test]
    fn counts_that_are_no_numbers_stay_text() {
        assert_eq!(Count::read_count("16"), Count::Number(16));
        assert_eq!(Count::read_count("0x10").number(), Some(16));
        assert_eq!(Count::read_count("N").to_string(), "N");
        assert_eq!(Count::read_count("").number(), None);
    }
}
