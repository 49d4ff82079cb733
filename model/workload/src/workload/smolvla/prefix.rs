//! The embeddings and the text layers, once per inference: they fill the cache of keys and values.

use super::dims::{AlikeLayers, check_heads, find_numbered, find_single};
use super::{HEAD_DIM, TEXT_LAYERS};
use crate::workload::{
    Block, Count, Elementwise, FormatOf, InferenceParameters, Joins, Layer, Matmul, Part, Repeated,
    ValueId, WorkloadError,
};
use derate_dump::ModelShape;

pub(super) const LAYER: [&str; 9] = [
    "input_layernorm.weight",
    "self_attn.q_proj.weight",
    "self_attn.k_proj.weight",
    "self_attn.v_proj.weight",
    "self_attn.o_proj.weight",
    "post_attention_layernorm.weight",
    "mlp.gate_proj.weight",
    "mlp.up_proj.weight",
    "mlp.down_proj.weight",
];
pub(super) const NORM_1: u16 = 0;
pub(super) const Q: u16 = 1;
pub(super) const K: u16 = 2;
pub(super) const V: u16 = 3;
pub(super) const O: u16 = 4;
pub(super) const NORM_2: u16 = 5;
pub(super) const GATE: u16 = 6;
pub(super) const UP: u16 = 7;
pub(super) const DOWN: u16 = 8;
const STATE: [&str; 2] = ["state_proj.weight", "state_proj.bias"];

/// Token embedding and state projection.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Embed {
    table: AlikeLayers,
    state: Option<AlikeLayers>,
}

impl Embed {
    /// Elements of the robot's state.
    pub(super) fn state_elements(&self) -> Option<u64> {
        Some(self.state.as_ref()?.dims[0].1)
    }

    pub(super) fn new(shape: &ModelShape, root: &str, outer: &str) -> Result<Self, WorkloadError> {
        Ok(Self {
            table: find_single(
                shape,
                &format!("{root}vlm.model.text_model."),
                &["embed_tokens.weight"],
            )?,
            state: find_single(shape, outer, &STATE).ok(),
        })
    }

    pub(super) fn build_part<C: Count>(&self, p: &InferenceParameters<C>) -> Part<C> {
        let (_, width) = self.table.dims[0];
        let mut tokens = Block::new("token embedding", &self.table.layers);
        let rows = p.language_tokens.times(&p.batch);
        let x = tokens.add_gather("embed_tokens", (rows, width), 0);
        let x = tokens.add_elementwise("scale", Elementwise::Scale, Joins::Epilogue, &[x], &[]);
        tokens.mark_output(x);
        let mut blocks = vec![Repeated::new(C::from(1), tokens)];
        if let Some(state) = &self.state {
            let (outputs, inputs) = state.dims[0];
            let mut b = Block::new("state", &state.layers);
            let x = b.add_input(p.batch.scaled(inputs), inputs, FormatOf::Slot(0));
            let x = b.add_linear("state_proj", x, (p.batch.clone(), inputs, outputs), 0);
            let x = b.add_elementwise(
                "state_bias",
                Elementwise::Bias,
                Joins::Epilogue,
                &[x],
                &[(outputs, 1)],
            );
            b.mark_output(x);
            blocks.push(Repeated::new(C::from(1), b));
        }
        Part::new(
            "embed/state_proj",
            "Rows of the token table and the projected robot state; the table's other rows stay where they are.",
            blocks,
        )
    }
}

/// The text layers.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct TextEncoder {
    pub(super) layers: Vec<AlikeLayers>,
    norm: Option<AlikeLayers>,
}

impl TextEncoder {
    pub(super) fn new(shape: &ModelShape, root: &str) -> Result<Self, WorkloadError> {
        let layers = find_numbered(shape, &format!("{root}{TEXT_LAYERS}"), &LAYER)?;
        check_heads(shape, &layers, Q)?;
        Ok(Self {
            layers,
            norm: find_single(shape, &format!("{root}vlm.model.text_model."), &["norm.weight"])
                .ok(),
        })
    }

    /// Number of the last layer.
    fn last_layer(&self) -> Option<u64> {
        self.layers
            .iter()
            .flat_map(|alike| alike.layers.iter())
            .filter_map(|layer| layer.number)
            .max()
    }

    pub(super) fn build_part<C: Count>(&self, p: &InferenceParameters<C>, tokens: &C) -> Part<C> {
        let last = self.last_layer();
        let mut blocks = Vec::new();
        for alike in &self.layers {
            let ends = |layer: &&Layer| p.drop_dead_work && layer.number == last;
            if !alike.layers.iter().any(|layer| ends(&layer)) {
                blocks.push(build_layer(alike, &p.batch, tokens, false));
                continue;
            }
            let (dead, others): (Vec<_>, Vec<_>) = alike.layers.iter().partition(ends);
            for (layers, only_cache) in [(others, false), (dead, true)] {
                if !layers.is_empty() {
                    let layers = layers.into_iter().cloned().collect();
                    let alike = AlikeLayers { dims: alike.dims.clone(), layers };
                    blocks.push(build_layer(&alike, &p.batch, tokens, only_cache));
                }
            }
        }
        if let (Some(norm), false) = (&self.norm, p.drop_dead_work) {
            let (width, _) = norm.dims[0];
            let mut b = Block::new("text norm", &norm.layers);
            let elements = tokens.times(&p.batch).scaled(width);
            let x = b.add_input(elements, width, FormatOf::Slot(0));
            let x = b.add_elementwise(
                "norm",
                Elementwise::RmsNorm,
                Joins::Nothing,
                &[x],
                &[(width, 0)],
            );
            b.mark_output(x);
            blocks.push(b);
        }
        let part = Part::new(
            "text prefix",
            "Image, language and state tokens once through the text layers; only the keys and values are kept.",
            blocks.into_iter().map(|block| Repeated::new(C::from(1), block)).collect(),
        );
        Part { is_main: true, ..part }
    }
}

/// Dimensions of one attention call.
pub(super) struct AttentionCall<C> {
    pub(super) batch: C,
    pub(super) heads: u64,
    pub(super) queries: C,
    pub(super) keys: C,
    /// What the two products are called.
    pub(super) names: [&'static str; 2],
    /// Whether the softmax between them is a kernel.
    pub(super) softmax: bool,
}

impl<C: Count> AttentionCall<C> {
    /// That of a layer, with its softmax.
    pub(super) fn new(dims: &[(u64, u64)], batch: &C, queries: &C, keys: C) -> Self {
        let (attended, _) = dims[usize::from(Q)];
        Self {
            batch: batch.clone(),
            heads: attended / HEAD_DIM,
            queries: queries.clone(),
            keys,
            names: ["attention_qk", "attention_pv"],
            softmax: true,
        }
    }

    /// QK^T, softmax and PV; grouped heads share keys and values, which may come in several pieces. The softmax hands its
    /// probabilities on in the values' format, as `PyTorch` does.
    pub(super) fn add_kernels(
        &self,
        b: &mut Block<C>,
        q: u16,
        keys: &[(&'static str, u16)],
        values: &[(&'static str, u16)],
        result: FormatOf,
    ) -> u16 {
        let products = self.batch.scaled(self.heads);
        let (m, n) = (self.queries.clone(), self.keys.clone());
        let scores = Matmul { batch: products.clone(), m, k: HEAD_DIM.into(), n };
        let (m, k) = (self.queries.clone(), self.keys.clone());
        let outputs = Matmul { batch: products, m, k, n: HEAD_DIM.into() };
        let mut operands = vec![("queries", q)];
        operands.extend_from_slice(keys);
        let s = b.add_product(
            self.names[0],
            scores,
            &operands,
            ("scores", FormatOf::Scores),
            Joins::Nothing,
        );
        let format = values.first().map_or(FormatOf::Scores, |&(_, value)| b.format_of(value));
        let s = if self.softmax { b.add_softmax(s, format) } else { s };
        let mut operands = vec![("scores", s)];
        operands.extend_from_slice(values);
        b.add_product(self.names[1], outputs, &operands, ("result", result), Joins::Attention)
    }
}

/// The input of a layer and its norm, of text and expert alike.
pub(super) fn add_norm<C: Count>(
    b: &mut Block<C>,
    dims: &[(u64, u64)],
    rows: &C,
) -> (ValueId, ValueId) {
    let (_, width) = dims[usize::from(Q)];
    let x = b.add_input(rows.scaled(width), width, FormatOf::Slot(Q));
    let n = b.add_elementwise(
        "input_layernorm",
        Elementwise::RmsNorm,
        Joins::Nothing,
        &[x],
        &[(width, NORM_1)],
    );
    (x, n)
}

/// Queries of the normed rows `n`.
pub(super) fn add_queries<C: Count>(
    b: &mut Block<C>,
    dims: &[(u64, u64)],
    rows: &C,
    n: ValueId,
) -> ValueId {
    let (attended, width) = dims[usize::from(Q)];
    let q = b.add_linear("q_proj", n, (rows.clone(), width, attended), Q);
    b.add_elementwise("q_rope", Elementwise::Rope, Joins::Epilogue, &[q], &[])
}

/// Keys and values of the normed rows `n`.
pub(super) fn add_keys_and_values<C: Count>(
    b: &mut Block<C>,
    dims: &[(u64, u64)],
    rows: &C,
    n: ValueId,
) -> (ValueId, ValueId) {
    let (kv, width) = dims[usize::from(K)];
    let k = b.add_linear("k_proj", n, (rows.clone(), width, kv), K);
    let k = b.add_elementwise("k_rope", Elementwise::Rope, Joins::Epilogue, &[k], &[]);
    (k, b.add_linear("v_proj", n, (rows.clone(), width, kv), V))
}

/// Output projection to the end of a layer, of text and expert alike.
pub(super) fn add_after_attention<C: Count>(
    b: &mut Block<C>,
    dims: &[(u64, u64)],
    rows: &C,
    o: u16,
    x: u16,
) -> u16 {
    let (width, attended) = dims[usize::from(O)];
    let (hidden, _) = dims[usize::from(GATE)];
    let y = b.add_linear("o_proj", o, (rows.clone(), attended, width), O);
    let x = b.add_elementwise(
        "attention_residual",
        Elementwise::Residual,
        Joins::Epilogue,
        &[y, x],
        &[],
    );
    let n = b.add_elementwise(
        "post_attention_layernorm",
        Elementwise::RmsNorm,
        Joins::Nothing,
        &[x],
        &[(width, NORM_2)],
    );
    let gate = b.add_linear("gate_proj", n, (rows.clone(), width, hidden), GATE);
    let up = b.add_linear("up_proj", n, (rows.clone(), width, hidden), UP);
    let h = b.add_elementwise(
        "silu_product",
        Elementwise::SiluProduct,
        Joins::Epilogue,
        &[up, gate],
        &[],
    );
    let y = b.add_linear("down_proj", h, (rows.clone(), hidden, width), DOWN);
    b.add_elementwise("mlp_residual", Elementwise::Residual, Joins::Epilogue, &[y, x], &[])
}

/// One text layer; `only_cache` leaves out what nobody reads of the last one.
fn build_layer<C: Count>(alike: &AlikeLayers, batch: &C, tokens: &C, only_cache: bool) -> Block<C> {
    let dims = &alike.dims;
    let rows = &tokens.times(batch);
    let name = if only_cache { "last text layer, keys and values only" } else { "text layer" };
    let mut b = Block::new(name, &alike.layers);
    let (x, n) = add_norm(&mut b, dims, rows);
    let q = (!only_cache).then(|| add_queries(&mut b, dims, rows, n));
    let (k, v) = add_keys_and_values(&mut b, dims, rows, n);
    b.mark_output(k);
    b.mark_output(v);
    if let Some(q) = q {
        let attention = AttentionCall::new(dims, batch, tokens, tokens.clone());
        let o =
            attention.add_kernels(&mut b, q, &[("keys", k)], &[("values", v)], FormatOf::Slot(O));
        let x = add_after_attention(&mut b, dims, rows, o, x);
        b.mark_output(x);
    }
    b
}
