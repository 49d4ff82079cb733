//! smolVLA: which tensors are its text encoder, and how many tokens that really sees.
//!
//! Dimensions come from the dump. What shapes cannot tell (head size, chunk, padding) is from the public
//! configuration of `lerobot/smolvla_base`, and says so.

use super::{Kernel, Matmul, Operand, Part, Role, Tokens, WorkloadError, linear_kernel};
use crate::{Figure, ModelShape, Project, Provenance};

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
    cameras: u64,
    language_tokens: Figure<f64>,
    chunk: Figure<f64>,
}

/// The 2-D tensor whose name ends with `suffix`, as `[outputs, inputs]`.
fn projection(shape: &ModelShape, name: &'static str, suffix: &str) -> Option<Projection> {
    let tensor = shape.tensors.iter().find(|t| t.shape_known && t.name.ends_with(suffix))?;
    let &[outputs, inputs] = tensor.dims.as_slice() else { return None };
    Some(Projection { name, tensor: tensor.name.clone(), inputs, outputs })
}

impl SmolVla {
    pub(super) fn new(project: &Project, shape: &ModelShape) -> Result<Self, WorkloadError> {
        let mut layers = Vec::new();
        loop {
            let prefix = format!("{TEXT_LAYER}{}.", layers.len());
            if !layers.is_empty() && !shape.tensors.iter().any(|t| t.name.contains(&prefix)) {
                break;
            }
            let layer = PROJECTIONS
                .iter()
                .map(|(name, part)| {
                    let suffix = format!("{prefix}{part}");
                    projection(shape, name, &suffix).ok_or(WorkloadError::Missing(suffix))
                })
                .collect::<Result<Vec<_>, _>>()?;
            layers.push(layer);
        }
        let needed = |name, suffix: &str| {
            projection(shape, name, suffix).ok_or_else(|| WorkloadError::Missing(suffix.to_owned()))
        };
        let positions = needed("positions", POSITIONS)?;
        let connector = needed("connector", CONNECTOR)?;
        Ok(Self {
            layers,
            lm_head: projection(shape, "LM_Head", LM_HEAD),
            // The pixel shuffle folds patches into channels until the connector's width is reached.
            tokens_per_camera: (positions.outputs.saturating_mul(positions.inputs)
                / connector.inputs.max(1))
            .max(1),
            state_tokens: u64::from(projection(shape, "state", STATE).is_some()),
            cameras: project.model.cameras.as_ref().map_or(CAMERAS, |c| c.value),
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

    pub(super) fn chunk(&self) -> &Figure<f64> {
        &self.chunk
    }

    /// Prefix for the project's cameras first, then for 3, 2 and 1.
    pub(super) fn prefixes(&self) -> Vec<Tokens> {
        let mut cameras = vec![self.cameras];
        cameras.extend((1..=CAMERAS).rev().filter(|&c| c != self.cameras));
        cameras.into_iter().map(|c| self.prefix(c)).collect()
    }

    /// `cameras x tokens per camera + language + state`.
    fn prefix(&self, cameras: u64) -> Tokens {
        let (per_camera, state, language) =
            (self.tokens_per_camera, self.state_tokens, self.language_tokens.value);
        let count = cameras as f64 * per_camera as f64 + language + state as f64;
        let plural = if cameras == 1 { "" } else { "s" };
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
                note: "The seven projections of each layer. Norms, RoPE, softmax, activations and residuals are not in it.",
                kernels: projections,
            },
            Part {
                name: "text attention".to_owned(),
                layers,
                never_runs: None,
                note: "QK^T and PV of each layer, with K and V read once per key/value head and the scores written and read. Not in the seed notebook.",
                kernels: attention,
            },
        ];
        if let Some(head) = &self.lm_head {
            parts.push(Part {
                name: "LM head".to_owned(),
                layers: 1,
                never_runs: Some("smolVLA's inference never calls it: the weights are stored, actions come from the expert"),
                note: "One row, the last token, as the seed notebook has it.",
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
    let heads = (q.outputs / HEAD_DIM).max(1);
    let head_dim = q.outputs / heads;
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
