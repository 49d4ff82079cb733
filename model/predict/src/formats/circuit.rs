use serde::Serialize;

use super::given::{OwnWeights, weigh_circuit};
use derate_units::{Bytes, Ops, Precision, Provenance};

/// A set of circuit weights: what a multiply-add costs in a format, in those of FP32. Both are guesses of the study
/// that proposes a bit-level intensity, one of its text and one of its code; neither is measured.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CircuitWeights {
    /// 1, 0.6, 0.25, 0.25 for FP32, TF32, FP16 and BF16.
    Text,
    /// 1, 0.55, 0.22, 0.2.
    Code,
    /// Those of a file, else by the rule of [`super::weigh_circuit`].
    Rule,
}

impl CircuitWeights {
    /// The sets that the study guessed.
    pub const ALL: [Self; 2] = [Self::Text, Self::Code];

    /// `text`, `code` or `rule`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Code => "code",
            Self::Rule => "rule",
        }
    }

    /// The weight of that arithmetic; `None` where nobody guessed one.
    pub fn of(self, arithmetic: Precision, own: Option<&OwnWeights>) -> Option<f64> {
        if self == Self::Rule {
            return own.map_or_else(|| Some(weigh_circuit(arithmetic)), |own| own.of(arithmetic));
        }
        let [text, code] = match arithmetic {
            Precision::FP32 => [1.0, 1.0],
            Precision::TF32 => [0.6, 0.55],
            Precision::FP16 => [0.25, 0.22],
            Precision::BF16 => [0.25, 0.2],
            _ => return None,
        };
        Some(if self == Self::Text { text } else { code })
    }
}

/// Bit-level intensity: work weighed by the circuits that do it, over the bits that move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BitIntensity {
    /// Which definition: that of the text, `F w / (B b)`, or that of the code, `F w / (8 B) x 32 / b`.
    pub definition: CircuitWeights,
    /// Which set the weight is of.
    pub weights: CircuitWeights,
    /// The weight `w`.
    pub weight: f64,
    /// The intensity.
    pub value: f64,
    /// The weights are assumed, and so is what is computed with them.
    pub provenance: Provenance,
}

impl BitIntensity {
    /// Both definitions with both sets of weights; none where the arithmetic has no weight. `bits` is what an element
    /// takes in memory. The two definitions differ by a factor of four, whatever the format: `32 / 8`.
    pub fn list_intensities(
        arithmetic: Precision,
        bits: f64,
        flops: Ops,
        bytes: Bytes,
        own: Option<&OwnWeights>,
    ) -> Vec<Self> {
        let pairs = CircuitWeights::ALL
            .into_iter()
            .flat_map(|definition| CircuitWeights::ALL.map(|weights| (definition, weights)));
        let one = |(definition, weights): (CircuitWeights, CircuitWeights)| {
            let weight = weights.of(arithmetic, own)?;
            let weighed = flops.0 * weight;
            let value = match definition {
                CircuitWeights::Text | CircuitWeights::Rule => weighed / (bytes.0 * bits),
                CircuitWeights::Code => weighed / (bytes.0 * 8.0) * (32.0 / bits),
            };
            let provenance = Provenance::Assumed;
            Some(Self { definition, weights, weight, value, provenance })
        };
        // By the text's definition; of formats that nobody guessed a weight of, too.
        let by_rule = (CircuitWeights::Text, CircuitWeights::Rule);
        pairs.chain([by_rule]).filter_map(one).collect()
    }
}
