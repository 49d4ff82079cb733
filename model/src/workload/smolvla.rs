//! smolVLA: which tensors are its text encoder, and how many tokens that really sees.
//!
//! Dimensions come from the dump. What shapes cannot tell (head size, chunk, padding) is from the public
//! configuration of `lerobot/smolvla_base`, and says so.

use std::collections::BTreeSet;

use super::{Kernel, Matmul, Operand, Part, Role, Tokens, WorkloadError, linear_kernel};
use crate::{Figure, ModelShape, Project, Provenance, Tensor};

const TEXT_LAYER: &str = "vlm.model.text_model.layers.";
const LM_HEAD: &str = "vlm.lm_head.weight";
const POSITIONS: &str = "vision_model.embeddings.position_embedding.weight";
const CONNECTOR: &str = "connector.modality_projection.proj.weight";
const STATE: &str = "state_proj.weight";
/// Seed-notebook name and tensor of each projection, in the order of a layer.
const PROJECTIONS: [(&str, &str); 7] = [
    ("Attn_Q", "self_attn.q_proj.weight"),
    ("Attn_K", "self_attn.k_proj.weight"),
    ("Attn_V", "self_attn.v_proj.weight"),
    ("Attn_Out", "self_attn.o_proj.weight"),
    ("MLP_Gate", "mlp.gate_proj.weight"),
    ("MLP_Up", "mlp.up_proj.weight"),
    ("MLP_Down", "mlp.down_proj.weight"),
];

// Of the public configuration of lerobot/smolvla_base.
const HEAD_DIM: u64 = 64;
const ACTION_CHUNK: u64 = 50;
const CAMERAS: u64 = 3;
const LANGUAGE_TOKENS: u64 = 48;

/// A weight `[outputs, inputs]`.
#[derive(Clone, Debug, Eq, PartialEq)]
struct Projection {
    name: &'static str,
    tensor: String,
    inputs: u64,
    outputs: u64,
}

/// The text encoder of a smolVLA dump and the tokens of its prefix.
#[derive(Clone, Debug, PartialEq)]
pub struct SmolVla {
    layers: Vec<Vec<Projection>>,
    lm_head: Option<Projection>,
    tokens_per_camera: u64,
    state_tokens: u64,
    cameras: Figure<f64>,
    language_tokens: Figure<f64>,
    chunk: Figure<f64>,
}

/// The text layer that a tensor belongs to.
fn layer_number(tensor: &str) -> Option<usize> {
    let (_, rest) = tensor.split_once(TEXT_LAYER)?;
    rest.split('.').next()?.parse().ok()
}

/// A 2-D tensor as `[outputs, inputs]`.
fn as_projection(tensor: &Tensor, name: &'static str) -> Option<Projection> {
    let &[outputs, inputs] = tensor.dims.as_slice() else { return None };
    (tensor.shape_known && outputs > 0 && inputs > 0).then(|| Projection {
        name,
        tensor: tensor.name.clone(),
        inputs,
        outputs,
    })
}

/// The 2-D tensor whose name ends with `suffix`.
fn projection(shape: &ModelShape, name: &'static str, suffix: &str) -> Option<Projection> {
    shape.tensors.iter().find(|t| t.name.ends_with(suffix)).and_then(|t| as_projection(t, name))
}

impl SmolVla {
    pub(super) fn new(project: &Project, shape: &ModelShape) -> Result<Self, WorkloadError> {
        let numbers: BTreeSet<usize> =
            shape.tensors.iter().filter_map(|t| layer_number(&t.name)).collect();
        // A layer that is missing between others is a cut dump, not a smaller model.
        let layers =
            numbers.last().map_or(1, |last| last.saturating_add(1)).min(shape.tensors.len() + 1);
        let root = shape
            .tensors
            .iter()
            .find_map(|t| t.name.split_once(TEXT_LAYER))
            .map_or("", |(root, _)| root);
        let layers = (0..layers)
            .map(|layer| {
                PROJECTIONS
                    .iter()
                    .map(|(name, part)| {
                        let tensor = format!("{root}{TEXT_LAYER}{layer}.{part}");
                        let found = shape.get(&tensor).and_then(|t| as_projection(t, name));
                        found.ok_or(WorkloadError::Missing(tensor))
                    })
                    .collect::<Result<Vec<_>, _>>()
            })
            .collect::<Result<Vec<_>, _>>()?;
        let needed = |name, suffix: &str| {
            projection(shape, name, suffix).ok_or_else(|| WorkloadError::Missing(suffix.to_owned()))
        };
        let positions = needed("positions", POSITIONS)?;
        let connector = needed("connector", CONNECTOR)?;
        let features = positions.outputs.saturating_mul(positions.inputs);
        if connector.inputs == 0 || features % connector.inputs != 0 {
            return Err(WorkloadError::Connector { features, inputs: connector.inputs });
        }
        if let Some(q) = layers
            .iter()
            .flatten()
            .find(|p| p.outputs % HEAD_DIM != 0 && p.name.starts_with("Attn_Q"))
        {
            return Err(WorkloadError::Heads {
                tensor: q.tensor.clone(),
                outputs: q.outputs,
                head_dim: HEAD_DIM,
            });
        }
        Ok(Self {
            layers,
            lm_head: projection(shape, "LM_Head", LM_HEAD),
            // The pixel shuffle folds patches into channels until the connector's width is reached.
            tokens_per_camera: features / connector.inputs,
            state_tokens: u64::from(projection(shape, "state", STATE).is_some()),
            cameras: match &project.model.cameras {
                Some(claim) => {
                    Figure::new(claim.value as f64, Provenance::Assumed, "cameras in derate.toml")
                }
                None => Figure::new(
                    CAMERAS as f64,
                    Provenance::Published,
                    "image features of lerobot/smolvla_base",
                ),
            },
            language_tokens: match &project.model.language_tokens {
                Some(claim) => Figure::new(
                    claim.value as f64,
                    Provenance::Assumed,
                    "language_tokens in derate.toml",
                ),
                None => Figure::new(
                    LANGUAGE_TOKENS as f64,
                    Provenance::Published,
                    "tokenizer_max_length of lerobot/smolvla_base, padding computed",
                ),
            },
            chunk: Figure::new(
                ACTION_CHUNK as f64,
                Provenance::Published,
                "chunk_size of lerobot/smolvla_base: the actions that the expert denoises at once",
            ),
        })
    }

    /// What shapes do not tell.
    pub(super) fn figures(&self) -> Vec<(String, Figure<f64>)> {
        let head = Figure::new(
            HEAD_DIM as f64,
            Provenance::Published,
            "head_dim of the text configuration of lerobot/smolvla_base",
        );
        vec![
            ("cameras".to_owned(), self.cameras.clone()),
            ("language tokens".to_owned(), self.language_tokens.clone()),
            ("head size".to_owned(), head),
            ("action chunk".to_owned(), self.chunk.clone()),
        ]
    }

    /// Whether a dump is one of smolVLA's.
    pub fn recognises(shape: &ModelShape) -> bool {
        shape
            .tensors
            .iter()
            .any(|t| layer_number(&t.name).is_some() && t.name.contains("vlm_with_expert"))
    }

    /// What a first project file says of it.
    pub const STARTER: &'static str = "workload = \"smolvla\"\n\
         cameras = 3              # images per inference\n\
         language_tokens = 48     # padding included\n";

    pub(super) fn chunk(&self) -> &Figure<f64> {
        &self.chunk
    }

    /// Prefix for the project's cameras first, then for 3, 2 and 1.
    pub(super) fn prefixes(&self) -> Vec<Tokens> {
        let others = (1..=CAMERAS)
            .rev()
            .map(|c| c as f64)
            .filter(|c| c.to_bits() != self.cameras.value.to_bits());
        std::iter::once(self.cameras.value).chain(others).map(|c| self.prefix(c)).collect()
    }

    /// `cameras x tokens per camera + language + state`.
    fn prefix(&self, cameras: f64) -> Tokens {
        let (per_camera, state, language) =
            (self.tokens_per_camera, self.state_tokens, self.language_tokens.value);
        let count = cameras * per_camera as f64 + language + state as f64;
        let plural = if cameras < 1.5 { "" } else { "s" };
        Tokens {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a sum of counts; the cast saturates"
            )]
            count: count as u64,
            name: format!("prefix, {cameras} camera{plural}"),
            figure: Figure::new(
                count,
                Provenance::Derived,
                format!(
                    "{cameras} camera{plural} x {per_camera} tokens (dump: position embedding and connector) + {language} language ({}) + {state} state",
                    self.language_tokens.source
                ),
            ),
        }
    }

    pub(super) fn parts(&self, tokens: u64, batch: u64) -> Vec<Part> {
        let rows = tokens.saturating_mul(batch);
        let mut projections = Vec::new();
        let mut attention = Vec::new();
        for (index, layer) in (0..).zip(&self.layers) {
            for p in layer {
                projections.push(linear_kernel(
                    p.name.to_owned(),
                    Some(index),
                    &p.tensor,
                    rows,
                    p.inputs,
                    p.outputs,
                ));
            }
            if let [q, k, ..] = layer.as_slice() {
                attention.extend(attention_kernels(index, q, k, tokens, batch));
            }
        }
        let layers = self.layers.len() as u64;
        let mut parts = vec![
            Part {
                name: "text layers".to_owned(),
                layers,
                never_runs: None,
                note: "The seven projections of each layer. Norms, RoPE, softmax, activations and residuals are not in it.".to_owned(),
                kernels: projections,
            },
            Part {
                name: "text attention".to_owned(),
                layers,
                never_runs: None,
                note: "QK^T and PV of each layer, with K and V read once per key/value head and the scores written and read. Not in the seed notebook.".to_owned(),
                kernels: attention,
            },
        ];
        if let Some(head) = &self.lm_head {
            parts.push(Part {
                name: "LM head".to_owned(),
                layers: 1,
                never_runs: Some("smolVLA's inference never calls it: the weights are stored, actions come from the expert"),
                note: "One row, the last token, as the seed notebook has it.".to_owned(),
                kernels: vec![linear_kernel(head.name.to_owned(), None, &head.tensor, batch, head.inputs, head.outputs)],
            });
        }
        parts
    }
}

/// QK^T and PV over all heads; grouped heads share K and V.
fn attention_kernels(
    layer: u64,
    q: &Projection,
    k: &Projection,
    tokens: u64,
    batch: u64,
) -> [Kernel; 2] {
    let (heads, head_dim) = (q.outputs / HEAD_DIM, HEAD_DIM);
    let rows = tokens.saturating_mul(batch);
    let products = heads.saturating_mul(batch);
    let scores = products.saturating_mul(tokens).saturating_mul(tokens);
    let operand = |name, role, elements: u64, like: &Projection| Operand {
        name,
        role,
        elements,
        stored_as: like.tensor.clone(),
    };
    let kernel = |name: &str, matmul, operands: [Operand; 3]| Kernel {
        name: name.to_owned(),
        layer: Some(layer),
        matmul,
        operands: operands.into(),
    };
    let (queries, keys) = (rows.saturating_mul(q.outputs), rows.saturating_mul(k.outputs));
    [
        kernel(
            "Attn_QK",
            Matmul { batch: products, m: tokens, k: head_dim, n: tokens },
            [
                operand("queries", Role::Input, queries, q),
                operand("keys", Role::Input, keys, k),
                operand("scores", Role::Output, scores, q),
            ],
        ),
        kernel(
            "Attn_PV",
            Matmul { batch: products, m: tokens, k: tokens, n: head_dim },
            [
                operand("scores", Role::Input, scores, q),
                operand("values", Role::Input, keys, k),
                operand("result", Role::Output, queries, q),
            ],
        ),
    ]
}
