//! Where a figure came from. It travels with the figure into every output.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::units::Quantity;

/// How a figure came to be known, from weakest to strongest claim on reality.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Ord, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Provenance {
    /// Somebody said so, or it is the usual value; nothing backs it here.
    Assumed,
    /// Computed from other figures by a formula that the source names.
    Derived,
    /// Modelled time of the emulator; says nothing of hardware.
    Emulated,
    /// The vendor's data sheet or guide.
    Datasheet,
    /// A synthesis tool's report.
    Synthesised,
    /// Somebody else's measurement.
    Published,
    /// Our own measurement.
    Measured,
}

impl Provenance {
    /// That of a figure computed from others: it is at most derived, and never better known than the least known of them.
    pub fn of_inputs(inputs: impl IntoIterator<Item = Self>) -> Self {
        inputs.into_iter().fold(Self::Derived, Self::min)
    }
}

impl fmt::Display for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Assumed => "Assumed",
            Self::Derived => "Derived",
            Self::Emulated => "Emulated",
            Self::Datasheet => "Datasheet",
            Self::Synthesised => "Synthesised",
            Self::Published => "Published",
            Self::Measured => "Measured",
        })
    }
}

/// A quantity with its provenance and the sentence that says where it is from.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure<Q> {
    /// The quantity.
    pub value: Q,
    /// How it is known.
    pub provenance: Provenance,
    /// Where it is from, in a sentence.
    pub source: String,
}

impl<Q> Figure<Q> {
    /// A figure of the given provenance.
    pub fn new(value: Q, provenance: Provenance, source: impl Into<String>) -> Self {
        Self { value, provenance, source: source.into() }
    }

    /// The same figure in another type.
    pub fn map<R>(self, convert: impl FnOnce(Q) -> R) -> Figure<R> {
        Figure { value: convert(self.value), provenance: self.provenance, source: self.source }
    }
}

impl<Q: Quantity + Serialize> Serialize for Figure<Q> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fields<'a, Q> {
            value: Q,
            unit: &'static str,
            provenance: Provenance,
            source: &'a str,
        }
        Fields {
            value: self.value,
            unit: Q::UNIT,
            provenance: self.provenance,
            source: &self.source,
        }
        .serialize(serializer)
    }
}

/// How a subtitle says that a document rests on no measurement.
pub const NOT_MEASURED: &str = "modelled, not measured";

#[cfg(test)]
mod tests {
    use super::Provenance::{self, Assumed, Datasheet, Derived, Measured};

    #[test]
    fn a_computed_figure_is_no_better_known_than_what_it_stands_on() {
        assert_eq!(Provenance::of_inputs([Measured, Datasheet]), Derived);
        assert_eq!(Provenance::of_inputs([Measured, Assumed]), Assumed);
    }
}
