//! Peaks that replace a target's own.

use derate_units::quantity::{ParseQuantity, QuantityError};
use derate_units::{Encoding, OpsPerSecond, Precision};

/// One for every arithmetic, or one for each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GivenPeaks {
    all: Option<OpsPerSecond>,
    each: Vec<(Precision, OpsPerSecond)>,
}

/// Why a text is not a peak.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum GivenPeakError {
    /// Not a rate.
    #[error(transparent)]
    Rate(#[from] QuantityError),
    /// No such arithmetic.
    #[error("{0}")]
    Arithmetic(String),
    /// Given before.
    #[error("the peak of {0} is given twice: give one")]
    Twice(String),
}

impl From<OpsPerSecond> for GivenPeaks {
    fn from(all: OpsPerSecond) -> Self {
        Self { all: Some(all), each: Vec::new() }
    }
}

impl GivenPeaks {
    /// From texts such as `62 TFLOP/s`, of every arithmetic, or `fp8=124 TFLOP/s`, of one; an encoding names its arithmetic.
    pub fn parse<T: AsRef<str>>(texts: &[T]) -> Result<Self, GivenPeakError> {
        let mut peaks = Self::default();
        for text in texts {
            let Some((name, rate)) = text.as_ref().split_once('=') else {
                let rate = OpsPerSecond::parse_quantity(text.as_ref())?;
                if peaks.all.replace(rate).is_some() {
                    return Err(GivenPeakError::Twice("every arithmetic".to_owned()));
                }
                continue;
            };
            let name = name.trim();
            let arithmetic = Precision::parse(name)
                .or_else(|| Encoding::parse(name).map(Encoding::arithmetic))
                .ok_or_else(|| GivenPeakError::Arithmetic(Encoding::describe_unknown(name)))?;
            let rate = OpsPerSecond::parse_quantity(rate)?;
            if peaks.each.iter().any(|(known, _)| *known == arithmetic) {
                return Err(GivenPeakError::Twice(arithmetic.to_string()));
            }
            peaks.each.push((arithmetic, rate));
        }
        Ok(peaks)
    }

    /// That of an arithmetic: its own, or that of every arithmetic.
    pub fn of(&self, arithmetic: Precision) -> Option<OpsPerSecond> {
        let own = self.each.iter().find(|(known, _)| known.format() == arithmetic.format());
        own.map(|(_, rate)| *rate).or(self.all)
    }

    /// Whether none is given.
    pub fn is_empty(&self) -> bool {
        self.all.is_none() && self.each.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_arithmetic_has_its_own_or_that_of_all() {
        let peaks =
            GivenPeaks::parse(&["62 TFLOP/s", "fp8=124 TFLOP/s", "nvfp4 = 500 TFLOP/s"]).unwrap();
        assert_eq!(peaks.of(Precision::FP16), Some(OpsPerSecond(62e12)));
        assert_eq!(peaks.of(Precision::FP8_E4M3), Some(OpsPerSecond(124e12)));
        assert_eq!(peaks.of(Precision::FP4_E2M1), Some(OpsPerSecond(500e12)));
        assert_eq!(GivenPeaks::parse(&["fp8=1 TFLOP/s"]).unwrap().of(Precision::FP16), None);
    }

    #[test]
    fn wrong_texts_are_refused() {
        for texts in [
            &["fp9=1 TFLOP/s"][..],
            &["fp8=fast"],
            &["fp8=1 TFLOP/s", "fp8_e4m3=2 TFLOP/s"],
            &["1 TFLOP/s", "2 TFLOP/s"],
            &["="],
        ] {
            assert!(GivenPeaks::parse(texts).is_err(), "{texts:?}");
        }
    }
}
