//! Cycles that data decide.

use std::ops::Add;

/// A number of cycles that depends on data and on how loops are counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// The least, by the data.
    pub best: f64,
    /// The most, by the data.
    pub worst: f64,
    /// What hardware takes at worst: nested loops counted exactly.
    pub expected: f64,
    /// What the tool's report says: a loop whose trips vary counts with the most of its range, or with its middle, as that version does.
    pub reported: f64,
    /// Whether data that are not known decide.
    pub is_open: bool,
    /// Whether a loop that data decide is counted with the range of a type, as the tool's report does.
    pub rests_on_type: bool,
}

impl Span {
    /// A number that nothing changes.
    #[must_use]
    pub fn exactly(cycles: f64) -> Self {
        let (is_open, rests_on_type) = (false, false);
        Self {
            best: cycles,
            worst: cycles,
            expected: cycles,
            reported: cycles,
            is_open,
            rests_on_type,
        }
    }

    /// Whether hardware takes so many cycles: neither data nor the range of a type decide them.
    #[must_use]
    pub fn is_known(&self) -> bool {
        !self.is_open && !self.rests_on_type
    }

    /// The same change of each number.
    #[must_use]
    pub fn map(self, change: impl Fn(f64) -> f64) -> Self {
        Self {
            best: change(self.best),
            worst: change(self.worst),
            expected: change(self.expected),
            reported: change(self.reported),
            is_open: self.is_open,
            rests_on_type: self.rests_on_type,
        }
    }

    /// Each number with that of another one.
    #[must_use]
    pub fn zip(self, other: Self, join: impl Fn(f64, f64) -> f64) -> Self {
        Self {
            best: join(self.best, other.best),
            worst: join(self.worst, other.worst),
            expected: join(self.expected, other.expected),
            reported: join(self.reported, other.reported),
            is_open: self.is_open || other.is_open,
            rests_on_type: self.rests_on_type || other.rests_on_type,
        }
    }

    /// This way in a share of the runs, another one in the rest: the mean of a run. The tool's report takes the longer one.
    #[must_use]
    pub fn shared(self, share: f64, other: Self) -> Self {
        let mean = |own: f64, other: f64| share * own + (1.0 - share) * other;
        let (own, rest) = (share > 0.0, share < 1.0);
        Self {
            reported: self.reported.max(other.reported),
            is_open: own && self.is_open || rest && other.is_open,
            rests_on_type: own && self.rests_on_type || rest && other.rests_on_type,
            ..self.zip(other, mean)
        }
    }

    /// One of two ways.
    #[must_use]
    pub fn either(self, other: Self) -> Self {
        Self {
            best: self.best.min(other.best),
            worst: self.worst.max(other.worst),
            expected: self.expected.max(other.expected),
            reported: self.reported.max(other.reported),
            is_open: self.is_open || other.is_open,
            rests_on_type: self.rests_on_type || other.rests_on_type,
        }
    }
}

impl Add for Span {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }
}
