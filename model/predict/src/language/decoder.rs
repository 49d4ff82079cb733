//! The extents of a decoder, and its parameters.

use serde::Serialize;

use derate_units::Precision;

/// A decoder with gated feed-forward layers and grouped key-value heads: Llama, Mistral, Qwen, Gemma.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Decoder {
    /// Name, as in the catalogue, or the path of its `config.json`.
    pub name: String,
    /// Full name.
    pub title: String,
    /// Where its extents are from.
    pub source: String,
    /// Width of the residual stream.
    pub hidden: u64,
    /// Layers, all alike.
    pub layers: u64,
    /// Query heads.
    pub heads: u64,
    /// Key and value heads; they divide the query heads.
    pub kv_heads: u64,
    /// Width of one head.
    pub head_dim: u64,
    /// Width of the feed-forward layer.
    pub ffn: u64,
    /// Rows of the embedding table and of the head.
    pub vocabulary: u64,
    /// Whether the head is the embedding table.
    pub tied: bool,
    /// Positions that it was trained for, where that is said.
    pub positions: Option<u64>,
    /// Tokens that a token attends to at most, its own included; `None` where it sees all.
    pub window: Option<u64>,
    /// Which projections have a bias.
    pub biases: Biases,
    /// Whether each head of queries and keys has a norm of its own.
    pub head_norms: bool,
    /// The format that its weights are published in, where that is said.
    pub dtype: Option<Precision>,
    /// What else there is to say about how its file was read.
    pub notes: Vec<String>,
}

/// Which projections of a layer have a bias.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
pub struct Biases {
    /// Queries, keys and values.
    pub qkv: bool,
    /// The projection after attention.
    pub output: bool,
    /// The three of the feed-forward layer.
    pub ffn: bool,
}

/// The trained parameters, by their place.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
pub struct ParameterCounts {
    /// Matrices of all layers.
    pub matrices: u64,
    /// Norms and biases of all layers, and the last norm.
    pub vectors: u64,
    /// The embedding table.
    pub embedding: u64,
    /// The head; 0 where it is the embedding table.
    pub head: u64,
}

impl ParameterCounts {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.matrices + self.vectors + self.embedding + self.head
    }
}

impl Decoder {
    /// Width of all query heads.
    pub fn query_width(&self) -> u64 {
        self.heads * self.head_dim
    }

    /// Width of all key heads, which is that of all value heads.
    pub fn kv_width(&self) -> u64 {
        self.kv_heads * self.head_dim
    }

    /// The matrices of one layer, each as outputs and inputs: queries, keys, values, output, gate, up, down.
    pub fn matrices(&self) -> [(u64, u64); 7] {
        let (hidden, ffn) = (self.hidden, self.ffn);
        [
            (self.query_width(), hidden),
            (self.kv_width(), hidden),
            (self.kv_width(), hidden),
            (hidden, self.query_width()),
            (ffn, hidden),
            (ffn, hidden),
            (hidden, ffn),
        ]
    }

    /// What is trained. The extents are bounded where they are read, so that no product leaves 64 bits.
    pub fn parameters(&self) -> ParameterCounts {
        let Biases { qkv, output, ffn } = self.biases;
        let matrices: u64 = self.matrices().iter().map(|(outputs, inputs)| outputs * inputs).sum();
        let vectors = 2 * self.hidden
            + u64::from(qkv) * (self.query_width() + 2 * self.kv_width())
            + u64::from(output) * self.hidden
            + u64::from(ffn) * (2 * self.ffn + self.hidden)
            + u64::from(self.head_norms) * 2 * self.head_dim;
        let table = self.vocabulary * self.hidden;
        ParameterCounts {
            matrices: self.layers * matrices,
            vectors: self.layers * vectors + self.hidden,
            embedding: table,
            head: if self.tied { 0 } else { table },
        }
    }

    /// Tokens that the last of `context` tokens attends to.
    pub fn attended(&self, context: u64) -> u64 {
        self.window.map_or(context, |window| context.min(window))
    }
}
