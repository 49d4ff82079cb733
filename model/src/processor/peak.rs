use serde::{Serialize, Serializer};

use crate::figures::rate_unit;
use crate::units::OpsPerSecond;
use crate::{Figure, Precision, Provenance};

/// What a processor computes at most in one arithmetic, on dense operands.
#[derive(Clone, Debug, PartialEq)]
pub struct ArithmeticPeak {
    /// What operands are multiplied in.
    pub arithmetic: Precision,
    /// What products are summed in.
    pub accumulate: Precision,
    /// What computes it, such as `tensor cores`.
    pub engine: String,
    /// The rate; a vendor's figure with sparsity is not it.
    pub rate: Figure<OpsPerSecond>,
}

/// Arithmetic without a peak.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct UnknownPeak {
    /// Which.
    pub arithmetic: Precision,
    /// Why, in a sentence without its full stop.
    pub reason: String,
}

impl ArithmeticPeak {
    /// Whether it is of that arithmetic, however memory pads it.
    pub(super) fn is_of(&self, arithmetic: Precision) -> bool {
        self.arithmetic.format() == arithmetic.format()
    }
}

/// Integer operations are no FLOP: the unit follows the arithmetic.
impl Serialize for ArithmeticPeak {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Rate<'a> {
            value: OpsPerSecond,
            unit: &'static str,
            provenance: Provenance,
            source: &'a str,
        }
        #[derive(Serialize)]
        struct Fields<'a> {
            arithmetic: Precision,
            accumulate: Precision,
            engine: &'a str,
            rate: Rate<'a>,
        }
        let Figure { value, provenance, source } = &self.rate;
        Fields {
            arithmetic: self.arithmetic,
            accumulate: self.accumulate,
            engine: &self.engine,
            rate: Rate {
                value: *value,
                unit: rate_unit(self.arithmetic),
                provenance: *provenance,
                source,
            },
        }
        .serialize(serializer)
    }
}
