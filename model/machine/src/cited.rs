//! What the files of cards and of processors share: a value with its provenance, and the line that an error names.

use std::ops::Range;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::Spanned;

use crate::catalogue_error::PlatformError;
use derate_hls::FilePlace;
use derate_units::quantity::ParseQuantity;
use derate_units::{Bytes, Figure, Precision, Provenance};

/// What is wrong, and at which bytes of the file.
pub(crate) struct Refusal {
    pub(crate) place: Range<usize>,
    pub(crate) reason: String,
}

impl Refusal {
    pub(crate) fn at(place: Range<usize>, reason: impl Into<String>) -> Self {
        Self { place, reason: reason.into() }
    }
}

/// `{ value = .., provenance = "..", source = ".." }`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Cited<T> {
    value: Spanned<T>,
    provenance: Provenance,
    source: String,
}

impl<T> Cited<T> {
    /// The figure, if `read` takes the value.
    pub(crate) fn read_value<U, E: ToString>(
        self,
        read: impl FnOnce(T) -> Result<U, E>,
    ) -> Result<Figure<U>, Refusal> {
        let place = self.value.span();
        let value = read(self.value.into_inner())
            .map_err(|reason| Refusal::at(place, reason.to_string()))?;
        Ok(Figure::new(value, self.provenance, self.source))
    }
}

impl Cited<u32> {
    /// A count from 1 to `most`.
    pub(crate) fn read_whole(self, key: &str, most: u32) -> Result<Figure<u32>, Refusal> {
        self.read_value(|count| {
            (1..=most)
                .contains(&count)
                .then_some(count)
                .ok_or_else(|| format!("`{key}` is a whole number from 1 to {most}, not {count}"))
        })
    }
}

impl Cited<f64> {
    /// A positive number.
    pub(crate) fn read_positive(self, key: &str) -> Result<Figure<f64>, Refusal> {
        self.read_value(|value| {
            let good = value.is_finite() && value > 0.0;
            good.then_some(value)
                .ok_or_else(|| format!("`{key}` must be a positive number, not {value}"))
        })
    }

    /// A number that may be zero.
    pub(crate) fn read_count(self, key: &str) -> Result<Figure<f64>, Refusal> {
        self.read_value(|value| {
            let good = value.is_finite() && value >= 0.0;
            good.then_some(value)
                .ok_or_else(|| format!("`{key}` must be zero or a positive number, not {value}"))
        })
    }

    /// A number above zero and at most one.
    pub(crate) fn read_share(self, key: &str) -> Result<Figure<f64>, Refusal> {
        let place = self.value.span();
        let share = self.read_positive(key)?;
        if share.value <= 1.0 {
            Ok(share)
        } else {
            Err(Refusal::at(place, format!("`{key}` is a share, at most 1, not {}", share.value)))
        }
    }
}

impl Cited<String> {
    /// A quantity with its unit.
    pub(crate) fn read_quantity<Q: ParseQuantity>(self) -> Result<Figure<Q>, Refusal> {
        self.read_value(|text| Q::parse_quantity(&text))
    }

    /// An address, or a distance between two, in bytes: `0x4000000000`.
    pub(crate) fn read_address(self, key: &str) -> Result<Figure<Bytes>, Refusal> {
        self.read_value(|text| {
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

/// The kind of platform that a file describes.
pub(crate) enum FileKind {
    /// It has none, as the files of FPGA cards.
    Card,
    /// A processor, or what claims to be one, and the line that says so.
    Processor { line: usize },
}

impl FileKind {
    pub(crate) fn is_processor(&self) -> bool {
        matches!(self, Self::Processor { .. })
    }
}

fn line_of(text: &str, at: usize) -> usize {
    1 + text.get(..at).unwrap_or(text).matches('\n').count()
}

/// A precision by its name.
pub(crate) fn read_precision(name: Spanned<String>) -> Result<Precision, Refusal> {
    let (place, name) = (name.span(), name.into_inner());
    Precision::parse(&name)
        .ok_or_else(|| Refusal::at(place, format!("`{name}` is not a known precision")))
}

/// Whether a file has a `kind`; a file that is not TOML has none, and its own reader says what is wrong.
pub(crate) fn file_kind(text: &str) -> FileKind {
    #[derive(Deserialize)]
    struct Kinded {
        kind: Option<Spanned<toml::Value>>,
    }
    let read = toml::from_str::<Kinded>(text).ok().and_then(|file| file.kind);
    read.map_or(FileKind::Card, |kind| FileKind::Processor {
        line: line_of(text, kind.span().start),
    })
}

/// Reads a platform file; an error names its line, and what of the catalogue shows the form.
pub(crate) fn read_file<F: DeserializeOwned, T>(
    origin: &str,
    text: &str,
    example: &'static str,
    convert: impl FnOnce(F) -> Result<T, Refusal>,
) -> Result<T, PlatformError> {
    let invalid = |place: Option<Range<usize>>, reason: String| PlatformError::Invalid {
        place: FilePlace {
            file: origin.to_owned(),
            line: place.map(|place| line_of(text, place.start)),
        },
        reason,
        example,
    };
    let file = toml::from_str(text)
        .map_err(|error: toml::de::Error| invalid(error.span(), error.message().to_owned()))?;
    convert(file).map_err(|refusal| invalid(Some(refusal.place), refusal.reason))
}
