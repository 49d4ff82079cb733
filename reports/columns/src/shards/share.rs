//! Which part of a search a process computes.

use std::ops::Range;
use std::str::FromStr;

/// Part `index` of `count`, from one: `3/64`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Share {
    index: u64,
    count: u64,
}

/// The text is not of the form `I/N`.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("`{0}` is not a part: write I/N with I from 1 to N, such as 3/64")]
pub struct NotAShare(String);

/// More parts than points of any search.
const MOST: u64 = 1 << 32;

impl Share {
    /// All of it.
    pub const WHOLE: Self = Self { index: 1, count: 1 };

    /// The points that it has, of so many. The parts of a search have all of its points, each once, and differ by at most one in
    /// length.
    #[must_use]
    pub fn range(self, points: u64) -> Range<u64> {
        let at = |index: u64| {
            let place = u128::from(points) * u128::from(index) / u128::from(self.count);
            u64::try_from(place).unwrap_or(points)
        };
        at(self.index - 1)..at(self.index)
    }
}

impl FromStr for Share {
    type Err = NotAShare;

    fn from_str(text: &str) -> Result<Self, NotAShare> {
        let number = |text: &str| text.parse::<u64>().ok();
        let read =
            text.split_once('/').and_then(|(index, count)| Some((number(index)?, number(count)?)));
        match read {
            Some((index, count)) if (1..=count).contains(&index) && count <= MOST => {
                Ok(Self { index, count })
            }
            _ => Err(NotAShare(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn parts_have_every_point_once(points in 0..u64::MAX, count in 1..2000_u64) {
            let mut next = 0;
            for index in 1..=count {
                let range = Share { index, count }.range(points);
                prop_assert_eq!(range.start, next);
                let (length, usual) = (range.end - range.start, points / count);
                prop_assert!(length == usual || length == usual + 1);
                next = range.end;
            }
            prop_assert_eq!(next, points);
        }
    }

    #[test]
    fn a_part_is_a_number_of_so_many() {
        assert_eq!("1/1".parse(), Ok(Share::WHOLE));
        for text in ["0/3", "4/3", "1", "1/0", "-1/3", "1/3/3", "", "1/99999999999"] {
            let error = text.parse::<Share>().unwrap_err();
            assert_eq!(error, NotAShare(text.to_owned()));
        }
    }
}
