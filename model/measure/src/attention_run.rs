use serde::{Deserialize, Serialize};

use derate_workload::operator::{Attention, Scores};

/// Extents and type of an attention.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct AttentionRun {
    /// Sequences.
    pub batch: u64,
    /// Heads of queries.
    pub heads: u64,
    /// Heads of keys and of values.
    pub kv_heads: u64,
    /// Width of a head.
    pub head_dim: u64,
    /// Queries of a sequence: the last of its tokens.
    pub queries: u64,
    /// Keys of a sequence.
    pub keys: u64,
    /// Whether a query sees no later key.
    #[serde(default)]
    pub causal: bool,
    /// Whether scores are written to memory and read again; else they never leave the chip.
    #[serde(default)]
    pub scores_written: bool,
    /// Whether a softmax of its own reads and writes them once more between the two products.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub softmax_apart: bool,
    /// The type of queries, keys, values and result.
    #[serde(rename = "type")]
    pub precision: String,
}

impl AttentionRun {
    /// Of an attention without a window.
    pub fn of(attention: &Attention, precision: String) -> Self {
        let Attention { batch, heads, kv_heads, head_dim, queries, keys, causal, .. } = *attention;
        Self {
            batch,
            heads,
            kv_heads,
            head_dim,
            queries,
            keys,
            causal,
            scores_written: attention.scores != Scores::Fused,
            softmax_apart: attention.scores == Scores::Apart,
            precision,
        }
    }

    /// The operator.
    pub fn shape(&self) -> Attention {
        let Self { batch, heads, kv_heads, head_dim, queries, keys, causal, .. } = *self;
        // What a softmax of its own reads has been written.
        let scores = match (self.scores_written, self.softmax_apart) {
            (_, true) => Scores::Apart,
            (true, false) => Scores::Written,
            (false, false) => Scores::Fused,
        };
        let window = None;
        Attention { batch, heads, kv_heads, head_dim, queries, keys, causal, window, scores }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use derate_workload::operator::{OperatorKind, Shape};

    #[test]
    fn scores_are_where_the_file_says_and_on_the_chip_where_it_says_nothing() {
        for shape in OperatorKind::Attention.sweep_shapes() {
            let Shape::Attention(own) = shape else { continue };
            for scores in [Scores::Fused, Scores::Written, Scores::Apart] {
                let own = Attention { scores, ..own };
                let text =
                    serde_json::to_string(&AttentionRun::of(&own, "fp16".to_owned())).unwrap();
                let read: AttentionRun = serde_json::from_str(&text).unwrap();
                assert_eq!(read.shape(), own);
                assert_eq!(text.contains("softmax_apart"), scores == Scores::Apart);
            }
        }
        let bare =
            r#"{"batch":1,"heads":1,"kv_heads":1,"head_dim":8,"queries":2,"keys":2,"type":"fp16"}"#;
        let read: AttentionRun = serde_json::from_str(bare).unwrap();
        assert_eq!(read.shape().scores, Scores::Fused);
    }
}
