use serde::{Serialize, Serializer};

use derate_units::RateFigure;
use derate_units::{Figure, OpsPerSecond, Precision};

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
    /// Whether the chip has nothing that computes in it; else its peak is only not known.
    #[serde(skip)]
    pub absent: bool,
    /// The arithmetic that its elements are widened to, whose peak counts in its place.
    pub computed_as: Option<Precision>,
}

impl ArithmeticPeak {
    /// Whether it is of that arithmetic, however memory pads it.
    pub(super) fn is_of(&self, arithmetic: Precision) -> bool {
        self.arithmetic.format() == arithmetic.format()
    }
}

impl Serialize for ArithmeticPeak {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct PeakJson<'a> {
            arithmetic: Precision,
            accumulate: Precision,
            engine: &'a str,
            rate: RateFigure<'a>,
        }
        let Self { arithmetic, accumulate, engine, rate } = self;
        let rate = RateFigure::of(rate, *arithmetic);
        PeakJson { arithmetic: *arithmetic, accumulate: *accumulate, engine, rate }
            .serialize(serializer)
    }
}
