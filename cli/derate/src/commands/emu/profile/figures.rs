//! How times are written.

use derate_reports::{Cell, NumberFormat, format_quantity};

/// The unit that suits a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeUnit {
    pub(super) name: &'static str,
    per_second: f64,
}

const FORMAT: NumberFormat = NumberFormat::Significant(4);

impl TimeUnit {
    /// The largest unit of which a time has one.
    pub(super) fn of(seconds: f64) -> Self {
        let units = [("s", 1.0), ("ms", 1e3), ("us", 1e6), ("ns", 1e9)];
        let found = units.into_iter().find(|(_, per_second)| seconds * per_second >= 1.0);
        let (name, per_second) = found.unwrap_or(("ms", 1e3));
        Self { name, per_second }
    }

    /// Seconds in this unit.
    pub(super) fn convert(self, seconds: f64) -> f64 {
        seconds * self.per_second
    }

    /// `1.234 ms`
    pub(super) fn write(self, seconds: f64) -> String {
        format_quantity(self.convert(seconds), FORMAT, self.name)
    }

    pub(super) fn cell(self, seconds: f64) -> Cell {
        Cell::number(self.convert(seconds), FORMAT)
    }
}

/// A whole number.
pub(super) fn integer(number: u64) -> Cell {
    Cell::number(number as f64, NumberFormat::Integer)
}

/// A share of one.
pub(super) fn percent(part: f64, whole: f64) -> Option<Cell> {
    (whole > 0.0).then(|| Cell::number(part / whole, NumberFormat::Percent(1)))
}
