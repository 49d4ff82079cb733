//! Any model: every 2-D weight is one GEMM. Attention and elementwise work cannot be seen in shapes and are left out.

use std::fmt::Write;

use super::{Part, WorkloadError, linear_kernel};
use crate::ModelShape;
use crate::figures::count;

/// A linear layer: its weight's name and dimensions.
#[derive(Clone, Debug, Eq, PartialEq)]
struct Layer {
    tensor: String,
    name: String,
    number: Option<u64>,
    inputs: u64,
    outputs: u64,
}

/// Every 2-D weight of a dump but the embedding tables.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Linear {
    layers: Vec<Layer>,
    /// Tensors of two and more dimensions that are in no GEMM.
    left_out: Vec<String>,
}

/// So many are named in a note.
const NAMED: usize = 3;

/// Modules that gather rows; a linear layer inside of an embedding module is none of them.
const TABLES: [&str; 6] = ["embed_tokens", "wte", "wpe", "token_embd", "embedding", "embeddings"];

/// Whether a tensor is a table of which rows are gathered, not a matrix that is multiplied.
fn is_table(tensor: &str) -> bool {
    let name = tensor.strip_suffix(".weight").unwrap_or(tensor).to_ascii_lowercase();
    let module = name.rsplit('.').next().unwrap_or_default();
    TABLES.contains(&module)
        || module.ends_with("_embedding")
        || module.ends_with("_embeddings")
        || module.ends_with("_embd")
}

/// `a.layers.3.q.weight` as `a.layers.*.q`, and 3: the same operator of every layer has one name.
fn collapse(tensor: &str) -> (String, Option<u64>) {
    let mut number = None;
    let parts: Vec<&str> = tensor
        .strip_suffix(".weight")
        .unwrap_or(tensor)
        .split('.')
        .map(|part| match part.parse() {
            Ok(n) => {
                number = number.or(Some(n));
                "*"
            }
            Err(_) => part,
        })
        .collect();
    (parts.join("."), number)
}

impl Linear {
    pub(super) fn new(shape: &ModelShape) -> Result<Self, WorkloadError> {
        let (mut layers, mut left_out) = (Vec::new(), Vec::new());
        for tensor in shape.tensors.iter().filter(|t| t.shape_known && !t.dims.contains(&0)) {
            match *tensor.dims.as_slice() {
                [outputs, inputs] if !is_table(&tensor.name) => {
                    let (name, number) = collapse(&tensor.name);
                    layers.push(Layer {
                        tensor: tensor.name.clone(),
                        name,
                        number,
                        inputs,
                        outputs,
                    });
                }
                [] | [_] => {}
                _ => left_out.push(tensor.name.clone()),
            }
        }
        if layers.is_empty() { Err(WorkloadError::Empty) } else { Ok(Self { layers, left_out }) }
    }

    /// What is in the part and what is not.
    fn note(&self) -> String {
        let mut note = "Every 2-D weight once, as one GEMM over all tokens. Attention products, norms and activations are not in it, and a layer that sees fewer tokens, such as a classifier's head, counts too much.".to_owned();
        if !self.left_out.is_empty() {
            let named = self
                .left_out
                .iter()
                .take(NAMED)
                .map(|t| format!("`{t}`"))
                .collect::<Vec<_>>()
                .join(", ");
            let more = if self.left_out.len() > NAMED { ", ..." } else { "" };
            let _ = write!(
                note,
                " Left out as convolutions or embedding tables: {} ({named}{more}).",
                count(self.left_out.len(), "tensor")
            );
        }
        note
    }

    pub(super) fn parts(&self, tokens: u64, batch: u64) -> Vec<Part> {
        let rows = tokens.saturating_mul(batch);
        let kernel = |l: &Layer| {
            linear_kernel(l.name.clone(), l.number, &l.tensor, rows, l.inputs, l.outputs)
        };
        vec![Part {
            name: "linear layers".to_owned(),
            layers: 1,
            never_runs: None,
            note: self.note(),
            kernels: self.layers.iter().map(kernel).collect(),
        }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_share_a_name() {
        assert_eq!(collapse("m.layers.3.q_proj.weight"), ("m.layers.*.q_proj".to_owned(), Some(3)));
        assert_eq!(collapse("head.weight"), ("head".to_owned(), None));
    }

    #[test]
    fn only_the_table_itself_is_left_out() {
        assert!(is_table("model.embed_tokens.weight") && is_table("vit.position_embedding.weight"));
        assert!(!is_table("time_embed.linear_1.weight") && !is_table("patch_embed.proj.weight"));
    }
}
