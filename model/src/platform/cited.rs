//! A value with its provenance, as the platform files spell it, and the place that an error names.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use crate::quantity::ParseQuantity;
use crate::units::Bytes;
use crate::{Figure, Provenance};

/// What is wrong, and at which bytes of the file.
pub(super) struct Refusal {
    pub(super) place: Range<usize>,
    pub(super) reason: String,
}

impl Refusal {
    pub(super) fn at(place: Range<usize>, reason: impl Into<String>) -> Self {
        Self { place, reason: reason.into() }
    }
}

/// `{ value = .., provenance = "..", source = ".." }`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cited<T> {
    value: Spanned<T>,
    provenance: Provenance,
    source: String,
}

impl<T> Cited<T> {
    /// The figure, if `read` takes the value.
    pub(super) fn read<U>(
        self,
        read: impl FnOnce(T) -> Result<U, String>,
    ) -> Result<Figure<U>, Refusal> {
        let place = self.value.span();
        let value = read(self.value.into_inner()).map_err(|reason| Refusal::at(place, reason))?;
        Ok(Figure::new(value, self.provenance, self.source))
    }
}

impl Cited<u32> {
    /// A count from 1 to `most`.
    pub(super) fn whole(self, key: &str, most: u32) -> Result<Figure<u32>, Refusal> {
        self.read(|count| {
            (1..=most)
                .contains(&count)
                .then_some(count)
                .ok_or_else(|| format!("`{key}` is a whole number from 1 to {most}, not {count}"))
        })
    }
}

impl Cited<f64> {
    /// A positive number.
    pub(super) fn number(self, key: &str) -> Result<Figure<f64>, Refusal> {
        self.read(|value| {
            let good = value.is_finite() && value > 0.0;
            good.then_some(value)
                .ok_or_else(|| format!("`{key}` must be a positive number, not {value}"))
        })
    }

    /// A number that may be zero.
    pub(super) fn count(self, key: &str) -> Result<Figure<f64>, Refusal> {
        self.read(|value| {
            let good = value.is_finite() && value >= 0.0;
            good.then_some(value)
                .ok_or_else(|| format!("`{key}` must be zero or a positive number, not {value}"))
        })
    }

    /// A number above zero and at most one.
    pub(super) fn share(self, key: &str) -> Result<Figure<f64>, Refusal> {
        let place = self.value.span();
        let share = self.number(key)?;
        if share.value <= 1.0 {
            Ok(share)
        } else {
            Err(Refusal::at(place, format!("`{key}` is a share, at most 1, not {}", share.value)))
        }
    }
}

impl Cited<String> {
    /// A quantity with its unit.
    pub(super) fn quantity<Q: ParseQuantity>(self) -> Result<Figure<Q>, Refusal> {
        self.read(|text| Q::parse_quantity(&text))
    }

    /// An address, or a distance between two, in bytes: `0x4000000000`.
    pub(super) fn address(self, key: &str) -> Result<Figure<Bytes>, Refusal> {
        self.read(|text| {
            let digits = text.strip_prefix("0x").map(|digits| u64::from_str_radix(digits, 16));
            match digits {
                Some(Ok(bytes)) if bytes >> 48 == 0 => Ok(Bytes(bytes as f64)),
                _ => Err(format!(
                    "`{key}` is {text:?}: give at most 48 bits in hexadecimal, such as \"0x4000000000\""
                )),
            }
        })
    }
}
