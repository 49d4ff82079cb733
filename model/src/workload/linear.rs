//! Any model: every 2-D weight is one GEMM. Attention and elementwise work cannot be seen in shapes and are left out.

use super::{Part, WorkloadError, linear_kernel};
use crate::ModelShape;

/// A linear layer: its weight's name and dimensions.
#[derive(Clone, Debug, Eq, PartialEq)]
struct Layer {
    tensor: String,
    name: String,
    number: Option<u64>,
    inputs: u64,
    outputs: u64,
}

/// Every 2-D weight of a dump but the embeddings.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Linear {
    layers: Vec<Layer>,
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
        let layers: Vec<Layer> = shape
            .tensors
            .iter()
            .filter(|tensor| tensor.shape_known)
            .filter_map(|tensor| {
                let &[outputs, inputs] = tensor.dims.as_slice() else { return None };
                // An embedding is a gather of rows, not a product.
                if tensor.name.to_ascii_lowercase().contains("embed") {
                    return None;
                }
                let (name, number) = collapse(&tensor.name);
                Some(Layer { tensor: tensor.name.clone(), name, number, inputs, outputs })
            })
            .collect();
        if layers.is_empty() { Err(WorkloadError::Empty) } else { Ok(Self { layers }) }
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
            note: "Every 2-D weight once, as one GEMM. Attention products, convolutions, norms and activations are not in it.",
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
}
