use crate::Settled;
use serde::Serialize;
use std::fmt;

/// One or several banks of one memory: `DDR[0]`, `HBM[0:15]`, `PLRAM`.
#[derive(Clone, Eq, PartialEq, Debug, Serialize)]
pub struct BankRange {
    /// `HBM`, `DDR`, `PLRAM`, `HOST`, `LPDDR`.
    pub memory: String,
    /// The first bank; `None` for the memory as a whole.
    pub first: Option<u64>,
    /// The last bank, itself included.
    pub last: Option<u64>,
}

impl BankRange {
    /// Reads `HBM[3]`, `HBM[0:15]` or `DDR`.
    pub fn parse(text: &str) -> Settled<Self> {
        let name = |word: &str| {
            let word = word.trim();
            let good = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '_' | '.');
            let empty = word.is_empty() || !word.chars().all(good);
            (!empty)
                .then(|| word.to_owned())
                .ok_or_else(|| format!("`{word}` is not the name of a memory"))
        };
        let Some((memory, rest)) = text.split_once('[') else {
            return Ok(Self { memory: name(text)?, first: None, last: None });
        };
        let memory = name(memory)?;
        let inside = rest.trim_end().strip_suffix(']').ok_or("the bracket is not closed")?;
        let number = |word: &str| {
            let word = word.trim();
            word.parse::<u64>().map_err(|_| format!("`{word}` is not a bank number"))
        };
        let (first, last) = match inside.split_once(':') {
            Some((first, last)) => (number(first)?, number(last)?),
            None => (number(inside)?, number(inside)?),
        };
        if last < first {
            return Err(format!("bank {last} comes before bank {first}").into());
        }
        Ok(Self { memory, first: Some(first), last: Some(last) })
    }

    /// How many banks, where numbers are given.
    pub fn count(&self) -> Option<u64> {
        (self.last?.checked_sub(self.first?)?).checked_add(1)
    }
}

impl fmt::Display for BankRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.first, self.last) {
            (Some(first), Some(last)) if first != last => {
                write!(f, "{}[{first}:{last}]", self.memory)
            }
            (Some(first), _) => write!(f, "{}[{first}]", self.memory),
            (None, _) => f.write_str(&self.memory),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_include_both_ends() {
        let range = BankRange::parse("HBM[0:15]").unwrap();
        assert_eq!((range.count(), range.to_string().as_str()), (Some(16), "HBM[0:15]"));
        assert_eq!(BankRange::parse("DDR[1]").unwrap().count(), Some(1));
        assert_eq!(BankRange::parse("HOST").unwrap().count(), None);
        let whole = BankRange::parse("HBM[0:18446744073709551615]").unwrap();
        assert_eq!(whole.count(), None);
    }

    #[test]
    fn nonsense_has_a_reason() {
        for text in ["HBM[", "HBM[x]", "HBM[3:1]", "", "HBM[-1]", "a b", "HBM[0:]"] {
            assert!(BankRange::parse(text).is_err(), "{text}");
        }
    }
}
