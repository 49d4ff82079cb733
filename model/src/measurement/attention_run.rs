use serde::{Deserialize, Serialize};

use crate::operator::{Attention, Scores};

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
    /// The type of queries, keys, values and result.
    #[serde(rename = "type")]
    pub precision: String,
}

impl AttentionRun {
    /// Of an attention without a window.
    pub fn of(attention: &Attention, precision: String) -> Self {
        let Attention { batch, heads, kv_heads, head_dim, queries, keys, causal, .. } = *attention;
        let scores_written = attention.scores == Scores::Written;
        Self { batch, heads, kv_heads, head_dim, queries, keys, causal, scores_written, precision }
    }

    /// The operator.
    pub fn shape(&self) -> Attention {
        let Self { batch, heads, kv_heads, head_dim, queries, keys, causal, .. } = *self;
        let scores = if self.scores_written { Scores::Written } else { Scores::Fused };
        let window = None;
        Attention { batch, heads, kv_heads, head_dim, queries, keys, causal, window, scores }
    }
}
