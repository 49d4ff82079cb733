//! Values of `derate.toml`, each read so that an error knows its line.

use std::collections::BTreeMap;

use derate_hls::{FileId, Reason, Sources, Span};

use super::{Claim, ProjectError};
use derate_units::Precision;
use derate_units::quantity::ParseQuantity;

/// No model has more cameras, tokens or inferences at a time.
pub(super) const MOST: u64 = 1_000_000;

/// Reads one file's values, so that each error knows its line.
pub(super) struct Checker<'a> {
    pub(super) sources: &'a Sources,
    pub(super) file: FileId,
}

impl Checker<'_> {
    pub(super) fn span(&self, range: std::ops::Range<usize>) -> Span {
        Span { file: self.file, start: range.start, end: range.end }
    }

    pub(super) fn claim<T, U, E: ToString>(
        &self,
        raw: toml::Spanned<T>,
        read: impl FnOnce(T) -> Result<U, E>,
    ) -> Result<Claim<U>, ProjectError> {
        let span = self.span(raw.span());
        let value = read(raw.into_inner())
            .map_err(|reason| ProjectError::at(self.sources, span, reason.to_string()))?;
        Ok(Claim { value, text: self.sources.slice(span).to_owned(), span })
    }

    pub(super) fn text(&self, raw: toml::Spanned<String>) -> Result<Claim<String>, ProjectError> {
        self.claim(raw, |text| {
            if text.trim().is_empty() {
                Err("an empty text names nothing: write a name or leave the key out")
            } else {
                Ok(text)
            }
        })
    }

    /// A list of texts; none where the key is not there.
    pub(super) fn texts(
        &self,
        raw: Option<Vec<toml::Spanned<String>>>,
    ) -> Result<Vec<Claim<String>>, ProjectError> {
        raw.into_iter().flatten().map(|text| self.text(text)).collect()
    }

    pub(super) fn quantity<Q: ParseQuantity>(
        &self,
        raw: toml::Spanned<String>,
    ) -> Result<Claim<Q>, ProjectError> {
        self.claim(raw, |text| Q::parse_quantity(&text))
    }

    /// A whole number from 1 to a million: what a model has of such things.
    pub(super) fn count(&self, raw: toml::Spanned<i64>) -> Result<Claim<u64>, ProjectError> {
        self.claim(raw, |n| {
            u64::try_from(n).ok().filter(|n| (1..=MOST).contains(n)).ok_or_else(|| {
                Reason::from(format!("{n} is not a count: write a whole number from 1 to {MOST}"))
            })
        })
    }

    /// A table whose keys are precisions.
    pub(super) fn by_precision<T, U, E: ToString>(
        &self,
        raw: BTreeMap<toml::Spanned<String>, toml::Spanned<T>>,
        mut read: impl FnMut(T) -> Result<U, E>,
    ) -> Result<BTreeMap<Precision, Claim<U>>, ProjectError> {
        let mut claims = BTreeMap::new();
        for (key, value) in raw {
            let at_key =
                |reason: Reason| ProjectError::at(self.sources, self.span(key.span()), reason);
            let precision = parse_precision(key.get_ref()).map_err(at_key)?;
            if claims.insert(precision, self.claim(value, &mut read)?).is_some() {
                let reason = format!("{precision} is given twice: keep one of its names");
                return Err(at_key(reason.into()));
            }
        }
        Ok(claims)
    }
}

pub(super) fn parse_precision(name: &str) -> Result<Precision, Reason> {
    Precision::parse(name).ok_or_else(|| {
        Reason::from(format!(
            "`{name}` is not a known precision: write one such as fp32, bf16, fp16, int8 or int4"
        ))
    })
}

/// The value of an optional key.
pub(super) fn optional<T, U>(
    raw: Option<T>,
    read: impl FnOnce(T) -> Result<U, ProjectError>,
) -> Result<Option<U>, ProjectError> {
    raw.map(read).transpose()
}
