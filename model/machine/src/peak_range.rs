//! What a peak that is not known may be, from the other arithmetic of the same machine.

use derate_units::{ElementFormat, Figure, Hertz, OpsPerSecond, Precision};

use crate::Target;
use derate_units::figures::rate;

/// The range of a peak that nobody gives.
#[derive(Clone, Debug, PartialEq)]
pub struct PeakRange {
    /// The arithmetic that it is of.
    pub arithmetic: Precision,
    /// It is at least that, the peak of that arithmetic of the same machine.
    pub low: (OpsPerSecond, Precision),
    /// It is at most that; `None` where no arithmetic bounds it.
    pub high: Option<(OpsPerSecond, Precision)>,
    /// The machine has nothing that computes in it: its elements are widened to one of these arithmetics.
    pub is_widened: bool,
}

impl PeakRange {
    /// What has to hold, as the end of a sentence.
    pub fn condition(&self) -> String {
        let said = |(value, of): (OpsPerSecond, Precision)| format!("{} ({of})", rate(value, of));
        let (own, low) = (self.arithmetic, said(self.low));
        match (self.is_widened, self.high) {
            (true, Some(high)) if high != self.low => {
                format!(
                    "{own} elements are widened to arithmetic of the same platform, of {low} to {}",
                    said(high)
                )
            }
            (true, _) => format!("{own} elements are widened to {low}"),
            (false, Some(high)) => format!(
                "the {own} peak is between {low} and {}, peaks of the same platform",
                said(high)
            ),
            (false, None) => {
                format!("the {own} peak is at least {low}, a peak of the same platform")
            }
        }
    }
}

/// Whether each number of `narrow` is one of `wide`.
fn holds(wide: Precision, narrow: Precision) -> bool {
    match (wide.format(), narrow.format()) {
        (
            ElementFormat::Float { exponent, mantissa },
            ElementFormat::Float { exponent: own, mantissa: digits },
        ) => exponent >= own && mantissa >= digits,
        (
            ElementFormat::Integer { bits, signed },
            ElementFormat::Integer { bits: own, signed: sign },
        ) => bits >= own && signed == sign,
        _ => wide.can_hold(narrow),
    }
}

impl Target {
    /// What the peak of an arithmetic without one may be; `None` where nothing bounds it from below.
    ///
    /// Where the machine computes in it, the peak is no lower than those of wider formats of its kind (of integers, than that of
    /// FP32 either), and no higher than those of narrower ones. Where it does not, elements are widened to a format that has each of
    /// their numbers, and the peak is one of theirs.
    pub fn peak_range(
        &self,
        arithmetic: Precision,
        clock: Option<&Figure<Hertz>>,
    ) -> Option<PeakRange> {
        let is_widened = self.why_absent(arithmetic).is_some();
        let own = |other: &Precision| other.format() == arithmetic.format();
        let known = self.arithmetics().into_iter().filter(|other| !own(other));
        let known: Vec<(OpsPerSecond, Precision)> = known
            .filter_map(|other| Some((self.peak(other, None, clock).ok()?.value, other)))
            .collect();
        let alike = |other: Precision| other.is_float() == arithmetic.is_float();
        let bits = |of: Precision| of.number_bits();
        let faster = |a: &&(OpsPerSecond, Precision), b: &&(OpsPerSecond, Precision)| {
            a.0.0.total_cmp(&b.0.0)
        };
        let (low, high) = if is_widened {
            let holders = || known.iter().filter(|(_, other)| holds(*other, arithmetic));
            (holders().min_by(faster), holders().max_by(faster))
        } else {
            let wider = |(_, other): &&(OpsPerSecond, Precision)| {
                (alike(*other) && bits(*other) >= bits(arithmetic))
                    || (!arithmetic.is_float() && *other == Precision::FP32)
            };
            let narrower = |(_, other): &&(OpsPerSecond, Precision)| {
                alike(*other) && bits(*other) < bits(arithmetic)
            };
            (
                known.iter().filter(wider).max_by(faster),
                known.iter().filter(narrower).min_by(faster),
            )
        };
        let low = *low?;
        let high = high.copied().filter(|high| high.0 >= low.0);
        Some(PeakRange { arithmetic, low, high, is_widened })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(of: &str, arithmetic: Precision) -> Option<PeakRange> {
        Target::named(of).unwrap().peak_range(arithmetic, None)
    }

    #[test]
    fn a_gb10_has_ranges_where_nobody_gives_a_peak() {
        let fp16 = range("gb10", Precision::FP16).unwrap();
        assert_eq!(fp16.low, (OpsPerSecond(31e12), Precision::FP32));
        assert_eq!(fp16.high, Some((OpsPerSecond(500e12), Precision::FP4_E2M1)));
        assert!(!fp16.is_widened);
        let int8 = range("gb10", Precision::INT8).unwrap();
        assert_eq!((int8.low.1, int8.high), (Precision::FP32, None));
    }

    #[test]
    fn what_a_chip_lacks_is_widened() {
        let int4 = range("h100-sxm", Precision::INT4).unwrap();
        assert!(int4.is_widened && int4.low.1 == Precision::FP32, "{int4:?}");
        let bf16 = range("t4", Precision::BF16).unwrap();
        assert_eq!(bf16.low.1, Precision::FP32);
        assert_eq!(bf16.condition(), "BF16 elements are widened to 8.14 TFLOP/s (FP32)");
        assert!(range("u280", Precision::FP16).unwrap().is_widened);
    }

    /// A known peak is in the range that it would have, were it not known.
    #[test]
    fn ranges_of_known_peaks_hold_them() {
        for target in Target::catalogue() {
            let Target::Processor(_) = &target else { continue };
            for arithmetic in target.arithmetics() {
                let own = target.peak(arithmetic, None, None).unwrap().value;
                let Some(range) = target.peak_range(arithmetic, None) else { continue };
                let high = range.high.map_or(f64::INFINITY, |high| high.0.0);
                assert!(
                    range.low.0.0 <= own.0 * 1.0001 && own.0 <= high * 1.0001,
                    "{} {arithmetic}: {own:?} {range:?}",
                    target.name()
                );
            }
        }
    }
}
