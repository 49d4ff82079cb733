//! What is predicted and measured: one operator with its extents.

use derate_model::operator::{
    Attention, AttentionError, Formats, Given, Mlp, Scores, Shape, extents,
};
use derate_model::predict::{Operators, Prediction, Setting, command};
use derate_model::{Encoding, Mixture, Target};
use serde::{Deserialize, Serialize};

use super::fields::Fields;
use super::platforms::Known;

/// An operator.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum Subject {
    /// `y[n] = W[n, k] x[k]`.
    Gemv { n: u64, k: u64 },
    /// `C[m, n] = A[m, k] B[k, n]`.
    Gemm { m: u64, n: u64, k: u64 },
    /// One attention.
    Attention {
        batch: u64,
        heads: u64,
        kv_heads: u64,
        head_dim: u64,
        queries: u64,
        keys: u64,
        causal: bool,
    },
    /// Layers of one width, forward and backward.
    Mlp { width: u64, layers: u64, batch: u64 },
}

/// The kinds of operators.
pub(crate) const KINDS: [&str; 4] = ["gemv", "gemm", "attention", "mlp"];

impl Subject {
    /// From the fields of a request; `None` where one was refused.
    pub(crate) fn read(kind: &str, fields: &Fields) -> Option<Self> {
        let of = |name| fields.extent(name);
        match kind {
            "gemv" => {
                let (n, k) = (of("n"), of("k"));
                Some(Self::Gemv { n: n?, k: k? })
            }
            "gemm" => {
                let (m, n, k) = (of("m"), of("n"), of("k"));
                Some(Self::Gemm { m: m?, n: n?, k: k? })
            }
            "attention" => {
                let (heads, head_dim, queries) = (of("heads"), of("head_dim"), of("queries"));
                let kv_heads = fields.extent_or("kv_heads", heads.unwrap_or(1));
                let keys = fields.extent_or("keys", queries.unwrap_or(1));
                let (batch, causal) = (fields.extent_or("batch", 1), fields.flag("causal"));
                let (heads, head_dim, queries) = (heads?, head_dim?, queries?);
                let (batch, kv_heads, keys) = (batch?, kv_heads?, keys?);
                let own =
                    Self::Attention { batch, heads, kv_heads, head_dim, queries, keys, causal };
                if let Shape::Attention(attention) = own.shape()
                    && let Err(error) = attention.check()
                {
                    let field = match error {
                        AttentionError::Heads { .. } => "kv_heads",
                        AttentionError::Causal { .. } => "keys",
                    };
                    fields.refuse(field, error.to_string());
                    return None;
                }
                Some(own)
            }
            "mlp" => {
                let (width, batch, layers) =
                    (of("width"), of("batch"), fields.extent_or("layers", 1));
                Some(Self::Mlp { width: width?, layers: layers?, batch: batch? })
            }
            other => {
                fields.refuse("workload", unknown(other));
                None
            }
        }
    }

    /// From a shape as people write it. The error is one sentence.
    pub(crate) fn of_shape(kind: &str, shape: &str) -> Result<Self, String> {
        match kind {
            "gemv" => extents(shape, "NxK").map(|[n, k]| Self::Gemv { n, k }),
            "gemm" => extents(shape, "MxNxK").map(|[m, n, k]| Self::Gemm { m, n, k }),
            _ => Err(format!("`{kind}` has no shape of that form: a sweep is of gemv or gemm")),
        }
    }

    /// The operator at its extents.
    pub(crate) fn shape(&self) -> Shape {
        match *self {
            Self::Gemv { n, k } => Shape::Gemv { n, k },
            Self::Gemm { m, n, k } => Shape::Gemm { m, n, k },
            Self::Attention { batch, heads, kv_heads, head_dim, queries, keys, causal } => {
                let (window, scores) = (None, Scores::Fused);
                Shape::Attention(Attention {
                    batch,
                    heads,
                    kv_heads,
                    head_dim,
                    queries,
                    keys,
                    causal,
                    window,
                    scores,
                })
            }
            Self::Mlp { width, layers, batch } => {
                Shape::Mlp(Mlp { batch, width, layers, backward: true, apart: false })
            }
        }
    }

    /// The field of its largest extent, which is to blame where it is too large.
    pub(crate) fn widest(&self) -> &'static str {
        let extents: &[(&'static str, u64)] = match *self {
            Self::Gemv { n, k } => &[("n", n), ("k", k)],
            Self::Gemm { m, n, k } => &[("m", m), ("n", n), ("k", k)],
            Self::Attention { batch, heads, head_dim, queries, keys, .. } => &[
                ("queries", queries),
                ("keys", keys),
                ("head_dim", head_dim),
                ("heads", heads),
                ("batch", batch),
            ],
            Self::Mlp { width, layers, batch } => {
                &[("width", width), ("batch", batch), ("layers", layers)]
            }
        };
        // The first of several that are alike.
        let largest = extents.iter().rev().max_by_key(|(_, extent)| *extent);
        largest.map_or("workload", |(field, _)| field)
    }

    /// The words of `derate predict` that ask for it.
    fn words(&self) -> Vec<String> {
        let pairs = |pairs: &[(&str, u64)]| -> Vec<String> {
            pairs
                .iter()
                .flat_map(|(flag, value)| [format!("--{flag}"), value.to_string()])
                .collect()
        };
        match *self {
            Self::Gemv { n, k } => {
                vec!["gemv".to_owned(), "--shape".to_owned(), format!("{n}x{k}")]
            }
            Self::Gemm { m, n, k } => {
                vec!["gemm".to_owned(), "--shape".to_owned(), format!("{m}x{n}x{k}")]
            }
            Self::Attention { batch, heads, kv_heads, head_dim, queries, keys, causal } => {
                let mut words = vec!["attention".to_owned()];
                words.extend(pairs(&[
                    ("batch", batch),
                    ("heads", heads),
                    ("kv-heads", kv_heads),
                    ("head-dim", head_dim),
                    ("queries", queries),
                    ("keys", keys),
                ]));
                words.extend(causal.then(|| "--causal".to_owned()));
                words
            }
            Self::Mlp { width, layers, batch } => {
                let mut words = vec!["mlp".to_owned()];
                words.extend(pairs(&[("width", width), ("layers", layers), ("batch", batch)]));
                words
            }
        }
    }

    /// What the roofline gives. The error is one sentence.
    pub(crate) fn predict(
        &self,
        on: &Known,
        mixture: Mixture,
        precision: &str,
    ) -> Result<Prediction, String> {
        let mut words = vec!["predict".to_owned()];
        words.extend(self.words());
        words.extend(["--platform".to_owned(), on.word.clone()]);
        words.extend(["--precision".to_owned(), precision.to_owned()]);
        let setting = setting(&on.target, &Formats::new(mixture), words);
        let operators = Operators(&setting);
        match self.shape() {
            Shape::Gemv { n, k } => operators.gemv(n, k),
            Shape::Gemm { m, n, k } => operators.gemm(m, n, k),
            Shape::Mlp(mlp) => operators.mlp(&mlp),
            Shape::Attention(attention) => operators.attention(&attention),
        }
    }
}

/// What every prediction stands on.
pub(crate) fn setting(on: &Target, formats: &Formats, words: Vec<String>) -> Setting {
    Setting {
        target: on.clone(),
        formats: *formats,
        given: Given::default(),
        command: command(words),
    }
}

/// Why a kind of operator was refused.
pub(crate) fn unknown(kind: &str) -> String {
    format!("`{kind}` is no workload: there are {}", KINDS.join(", "))
}

/// One encoding of all tensors. The error is one sentence.
pub(crate) fn encoding(name: &str) -> Result<Encoding, String> {
    Encoding::parse(name).ok_or_else(|| Encoding::unknown(name))
}
