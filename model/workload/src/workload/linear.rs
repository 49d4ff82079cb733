//! Any model: every 2-D weight is one GEMM. Attention and elementwise work cannot be seen in shapes and are left out.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use super::{Block, Count, FormatOf, Layer, Part, Repeated, WorkloadError};
use derate_dump::{ModelShape, Tensor};
use derate_units::figures::{count, list_few};

/// Linear layers of one name and size.
#[derive(Clone, Debug, Eq, PartialEq)]
struct LinearGroup {
    name: String,
    inputs: u64,
    outputs: u64,
    layers: Arc<[Layer]>,
}

/// A name, inputs, outputs and the layers found so far.
type Found = (String, u64, u64, Vec<Layer>);

/// Every 2-D weight of a dump but the embedding tables.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct LinearModel {
    layers: Vec<LinearGroup>,
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
fn collapse_name(tensor: &str) -> (String, Option<u64>) {
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

impl LinearModel {
    pub(super) fn new(shape: &ModelShape) -> Result<Self, WorkloadError> {
        let (mut found, mut left_out) = (Vec::<Found>::new(), Vec::new());
        let mut places: BTreeMap<(String, u64, u64), usize> = BTreeMap::new();
        let known = |t: &&Tensor| t.shape_known && !t.dims.contains(&0);
        for (id, tensor) in shape.tensors.iter().enumerate().filter(|(_, t)| known(t)) {
            match *tensor.dims.as_slice() {
                [outputs, inputs] if !is_table(&tensor.name) => {
                    let (name, number) = collapse_name(&tensor.name);
                    let place = (name.clone(), inputs, outputs);
                    let at = *places.entry(place).or_insert(found.len());
                    if at == found.len() {
                        found.push((name, inputs, outputs, Vec::new()));
                    }
                    found[at].3.push(Layer { number, tensors: vec![id] });
                }
                [] | [_] => {}
                _ => left_out.push(tensor.name.clone()),
            }
        }
        let layers: Vec<LinearGroup> = found
            .into_iter()
            .map(|(name, inputs, outputs, layers)| LinearGroup {
                name,
                inputs,
                outputs,
                layers: layers.into(),
            })
            .collect();
        if layers.is_empty() { Err(WorkloadError::Empty) } else { Ok(Self { layers, left_out }) }
    }

    /// What is in the part and what is not.
    fn describe_parts(&self) -> String {
        let mut note = "Every 2-D weight once, as one GEMM over all tokens. Attention products, norms and activations are not in it, and a layer that sees fewer tokens, such as a classifier's head, counts too much.".to_owned();
        if !self.left_out.is_empty() {
            let names: Vec<String> = self.left_out.iter().map(|name| format!("`{name}`")).collect();
            let named = list_few(&names, NAMED);
            let _ = write!(
                note,
                " Left out as convolutions or embedding tables: {} ({named}).",
                count(self.left_out.len(), "tensor")
            );
        }
        note
    }

    pub(super) fn list_parts<C: Count>(&self, tokens: &C, batch: &C) -> Vec<Part<C>> {
        let rows = tokens.times(batch);
        let blocks = self.layers.iter().map(|alike| {
            let mut b = Block::new(alike.name.clone(), &alike.layers);
            let x = b.add_input(rows.scaled(alike.inputs), alike.inputs, FormatOf::Slot(0));
            let y =
                b.add_linear(alike.name.clone(), x, (rows.clone(), alike.inputs, alike.outputs), 0);
            b.mark_output(y);
            Repeated::new(C::from(1), b)
        });
        vec![Part::new("linear layers", self.describe_parts(), blocks.collect())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_share_a_name() {
        assert_eq!(
            collapse_name("m.layers.3.q_proj.weight"),
            ("m.layers.*.q_proj".to_owned(), Some(3))
        );
        assert_eq!(collapse_name("head.weight"), ("head".to_owned(), None));
    }

    #[test]
    fn only_the_table_itself_is_left_out() {
        assert!(is_table("model.embed_tokens.weight") && is_table("vit.position_embedding.weight"));
        assert!(!is_table("time_embed.linear_1.weight") && !is_table("patch_embed.proj.weight"));
    }
}
