//! Figures that a study of formats is given.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use derate_units::{BytesPerSecond, OpsPerByte, OpsPerSecond, Precision};
use derate_workload::operator::GivenPeaks;

/// In place of the platform's, or beside them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GivenFigures {
    /// In place of the platform's.
    pub bandwidth: Option<BytesPerSecond>,
    /// In place of the platform's.
    pub peaks: GivenPeaks,
    /// Beside the platform's: what somebody claims.
    pub claims: GivenPeaks,
    /// Circuit weights of one's own.
    pub weights: Option<OwnWeights>,
}

/// A claimed peak beside the one that can be derived, for one arithmetic.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClaimedPeak {
    /// Which.
    pub arithmetic: Precision,
    /// What is claimed.
    pub claimed: OpsPerSecond,
    /// Claimed peak over bandwidth.
    pub claimed_ridge: OpsPerByte,
    /// The platform's own; `null` where it is not known.
    pub own: Option<OpsPerSecond>,
    /// Its own peak over bandwidth.
    pub own_ridge: Option<OpsPerByte>,
    /// Claimed over own.
    pub ratio: Option<f64>,
}

/// What a multiply-add costs in circuits, in those of FP32.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnWeights(Vec<(Precision, f64)>);

/// Why a file of weights could not be taken: one sentence.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{origin}: {reason}")]
pub struct WeightsError {
    origin: String,
    reason: String,
}

impl OwnWeights {
    /// From a file with a table `[weights]`.
    pub fn parse(origin: &str, text: &str) -> Result<Self, WeightsError> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct File {
            weights: BTreeMap<String, f64>,
        }
        let refuse = |reason: String| WeightsError { origin: origin.to_owned(), reason };
        let file: File = toml::from_str(text).map_err(|error| {
            refuse(format!(
                "write a table [weights] with lines such as int8 = 0.08: {}",
                error.message()
            ))
        })?;
        let one = |(name, weight): (String, f64)| {
            let of = Precision::parse(&name)
                .ok_or_else(|| refuse(format!("`{name}` is not a precision")))?;
            let good = weight.is_finite() && weight > 0.0;
            good.then_some((of, weight)).ok_or_else(|| {
                refuse(format!("the weight of {name} is {weight}: give a number above zero"))
            })
        };
        file.weights.into_iter().map(one).collect::<Result<_, _>>().map(Self)
    }

    /// That of an arithmetic.
    pub fn of(&self, arithmetic: Precision) -> Option<f64> {
        let own = self.0.iter().find(|(known, _)| known.format() == arithmetic.format());
        own.map(|(_, weight)| *weight)
    }
}

/// The weight of formats below 16 bits by a rule: area of a multiplier goes with the square of its significant bits, that of
/// an adder with its width. `w = (m^2 + 2 m) / (24^2 + 2 x 24)`, `m` the significant bits (the hidden one counts) or those of
/// an integer: 1 for FP32, 0.192 for TF32 and FP16.
pub fn weigh_circuit(arithmetic: Precision) -> f64 {
    use derate_units::ElementFormat;
    let bits = match arithmetic.format() {
        ElementFormat::Float { mantissa, .. } => mantissa + 1,
        ElementFormat::Integer { bits, .. } | ElementFormat::Fixed { bits, .. } => bits,
    };
    let area = |bits: f64| bits * bits + 2.0 * bits;
    area(f64::from(bits)) / area(24.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_read_and_refused() {
        let own = OwnWeights::parse("w.toml", "[weights]\nfp32 = 1.0\nint8 = 0.08\n").unwrap();
        assert_eq!((own.of(Precision::INT8), own.of(Precision::FP16)), (Some(0.08), None));
        for text in
            ["", "[weights]\nfp9 = 1.0\n", "[weights]\nint8 = -1.0\n", "[weights]\nint8 = \"a\"\n"]
        {
            assert!(
                OwnWeights::parse("w.toml", text).unwrap_err().to_string().starts_with("w.toml: ")
            );
        }
    }

    #[test]
    fn fewer_significant_bits_weigh_less() {
        let of = [
            Precision::FP32,
            Precision::FP16,
            Precision::BF16,
            Precision::FP8_E4M3,
            Precision::FP4_E2M1,
        ];
        let weights: Vec<f64> = of.into_iter().map(weigh_circuit).collect();
        assert!(
            (weights[0] - 1.0).abs() < 1e-12 && weights.windows(2).all(|pair| pair[1] < pair[0]),
            "{weights:?}"
        );
        assert!((weigh_circuit(Precision::INT8) - weigh_circuit(Precision::BF16)).abs() < 1e-12);
    }
}
