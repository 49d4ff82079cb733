//! What a metric of `ncu` is called, in which unit it is, and how its numbers are written.

use crate::profile::parse_number;

/// What is read of a launch.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Metric {
    /// Time of the launch.
    Seconds,
    /// Bytes between the chip and its memory, both ways.
    Bytes,
    /// Those that were read.
    BytesRead,
    /// Those that were written.
    BytesWritten,
    /// Share of the multiprocessors' peak.
    SmShare,
    /// Share of the memory's peak.
    DramShare,
}

impl Metric {
    /// The metric of a name: that of `--metrics` and of `--page raw`, or the one that the pages of sections print (2020 and later).
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "gpu__time_duration.sum"
            | "gpu__time_duration.avg"
            | "gpu__time_duration.max"
            | "Duration" => Self::Seconds,
            "dram__bytes.sum" => Self::Bytes,
            "dram__bytes_read.sum" => Self::BytesRead,
            "dram__bytes_write.sum" => Self::BytesWritten,
            "sm__throughput.avg.pct_of_peak_sustained_elapsed"
            | "Compute (SM) Throughput"
            | "SM [%]"
            | "SOL SM" => Self::SmShare,
            "dram__throughput.avg.pct_of_peak_sustained_elapsed"
            | "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"
            | "DRAM Throughput"
            | "SOL DRAM" => Self::DramShare,
            _ => return None,
        })
    }

    /// The factor to bytes, seconds or a share; `None` for a unit that is not known for it.
    pub(super) fn factor(self, unit: &str) -> Option<f64> {
        let unit = unit.trim().to_ascii_lowercase();
        let scaled = |names: &[(&str, f64)]| {
            names.iter().find(|(name, _)| *name == unit).map(|(_, factor)| *factor)
        };
        match self {
            Self::Seconds => scaled(&[
                ("second", 1.0),
                ("s", 1.0),
                ("sec", 1.0),
                ("msecond", 1e-3),
                ("ms", 1e-3),
                ("msec", 1e-3),
                ("usecond", 1e-6),
                ("us", 1e-6),
                ("usec", 1e-6),
                ("µs", 1e-6),
                ("nsecond", 1e-9),
                ("ns", 1e-9),
                ("nsec", 1e-9),
            ]),
            Self::Bytes | Self::BytesRead | Self::BytesWritten => scaled(&[
                ("byte", 1.0),
                ("bytes", 1.0),
                ("kbyte", 1e3),
                ("mbyte", 1e6),
                ("gbyte", 1e9),
                ("tbyte", 1e12),
            ]),
            Self::SmShare | Self::DramShare => scaled(&[("%", 0.01)]),
        }
    }
}

/// How the numbers of a file are written: `ncu` follows the locale of the machine where it ran.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Notation {
    /// `1,234.56`.
    Point,
    /// `1.234,56`.
    Comma,
    /// Unknown: `117.344` alone is a time of 117 or of 117,344.
    Either,
}

/// What one number says of the notation; `None` for what tells nothing.
fn tell(text: &str) -> Option<Notation> {
    let text = text.trim();
    if !text.chars().all(|c| c.is_ascii_digit() || c == '.' || c == ',') {
        return None;
    }
    let one = |mark: char, other: char, as_decimal: Notation, as_group: Notation| {
        let (_, behind) = text.rsplit_once(mark)?;
        let last = !behind.contains(other);
        let count = text.matches(mark).count();
        // Groups have three digits; a mark that is there twice, or before another, makes groups.
        if count > 1 || !last {
            return Some(as_group);
        }
        (text.contains(other) || behind.len() != 3).then_some(as_decimal)
    };
    one('.', ',', Notation::Point, Notation::Comma)
        .or_else(|| one(',', '.', Notation::Comma, Notation::Point))
}

impl Notation {
    /// That of the numbers of a file; the error is the one that contradicts those before it.
    pub(super) fn of<'a>(numbers: impl Iterator<Item = &'a str>) -> Result<Self, &'a str> {
        let mut known = Self::Either;
        for text in numbers {
            match (tell(text), known) {
                (Some(own), Self::Either) => known = own,
                (Some(own), before) if own != before => return Err(text),
                _ => {}
            }
        }
        Ok(known)
    }

    /// A number in it; `None` for `n/a` and the like. The error is a text that may be two numbers.
    pub(super) fn parse(self, text: &str) -> Result<Option<f64>, ()> {
        match self {
            Self::Comma => {
                let swapped = text.chars().filter(|c| *c != '.');
                let swapped: String = swapped.map(|c| if c == ',' { '.' } else { c }).collect();
                Ok(parse_number(&swapped))
            }
            // A comma before three digits is a group in both: ncu prints two decimals.
            Self::Either if text.contains('.') => Err(()),
            Self::Point | Self::Either => Ok(parse_number(text)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_notation_is_that_of_the_locale() {
        for (numbers, expected) in [
            (&["33.58", "1,234"][..], Notation::Point),
            (&["1,234.5"], Notation::Point),
            (&["3,995,313"], Notation::Point),
            (&["27.595.520", "117.344"], Notation::Comma),
            (&["117.344", "65,77"], Notation::Comma),
            (&["1.234,567"], Notation::Comma),
            (&["117.344", "128", "n/a", "(128, 1, 1)"], Notation::Either),
        ] {
            assert_eq!(Notation::of(numbers.iter().copied()), Ok(expected), "{numbers:?}");
        }
        assert_eq!(Notation::of(["65,77", "33.58"].into_iter()), Err("33.58"));
        assert_eq!(Notation::Comma.parse("27.595.520"), Ok(Some(27_595_520.0)));
        assert_eq!(Notation::Comma.parse("65,77"), Ok(Some(65.77)));
        assert_eq!(Notation::Point.parse("3,995,313.4"), Ok(Some(3_995_313.4)));
        assert_eq!(Notation::Either.parse("2,816"), Ok(Some(2816.0)));
        assert_eq!(Notation::Either.parse("117.344"), Err(()));
        assert_eq!(Notation::Point.parse("n/a"), Ok(None));
    }

    #[test]
    fn a_rate_is_not_an_amount() {
        for name in
            ["dram__bytes.sum.per_second", "dram__bytes_read.sum.pct_of_peak_sustained_elapsed"]
        {
            assert_eq!(Metric::named(name), None);
        }
        assert_eq!(Metric::Bytes.factor("%"), None);
        assert_eq!(Metric::Seconds.factor("us"), Some(1e-6));
    }
}
