//! The text encoder as the seed analyses model it: its projections over a claimed number of tokens.

use super::HEAD_DIM;
use super::dims::{AlikeLayers, find_single};
use super::prefix::{AttentionCall, DOWN, GATE, K, O, Q, TextEncoder, UP, V};
use crate::workload::{Block, Count, FormatOf, NeverRuns, Part, Repeated};
use derate_dump::ModelShape;

/// The seed notebook's name of each projection, in the order of a layer.
const NAMES: [(&str, u16); 7] = [
    ("Attn_Q", Q),
    ("Attn_K", K),
    ("Attn_V", V),
    ("Attn_Out", O),
    ("MLP_Gate", GATE),
    ("MLP_Up", UP),
    ("MLP_Down", DOWN),
];

/// Why an inference runs none of the layers that the claim models.
const MODELLED: NeverRuns =
    NeverRuns::Modelled("the analysis models it so; an inference runs the parts before it");

/// Why nothing calls the head.
const UNCALLED: NeverRuns = NeverRuns::Uncalled(
    "smolVLA's inference never calls it: the weights are stored, actions come from the expert",
);

/// The head that is stored and never called.
pub(super) fn find_lm_head(shape: &ModelShape, root: &str) -> Option<AlikeLayers> {
    find_single(shape, &format!("{root}vlm."), &["lm_head.weight"]).ok()
}

/// The seven projections, the attention products and the LM head.
pub(super) fn claimed_parts<C: Count>(
    text: &TextEncoder,
    lm_head: Option<&AlikeLayers>,
    tokens: &C,
    batch: &C,
) -> Vec<Part<C>> {
    let projections = text.layers.iter().map(|alike| build_projections(alike, tokens, batch));
    let attention = text.layers.iter().map(|alike| build_attention(alike, tokens, batch));
    let once = |block| Repeated::new(C::from(1), block);
    let mut parts = vec![
        Part {
            never_runs: Some(MODELLED),
            ..Part::new(
                "text layers",
                "The seven projections of each layer over the claimed tokens, as the claimed analysis counts them.",
                projections.map(once).collect(),
            )
        },
        Part {
            never_runs: Some(MODELLED),
            ..Part::new(
                "text attention",
                "QK^T and PV of each layer, with K and V read once per key/value head and the scores written and read. The claimed analysis does not count them.",
                attention.map(once).collect(),
            )
        },
    ];
    if let Some(head) = lm_head {
        let (outputs, inputs) = head.dims[0];
        let mut b = Block::new("LM head", &head.layers);
        let x = b.add_input(batch.scaled(inputs), inputs, FormatOf::Slot(0));
        let y = b.add_linear("LM_Head", x, (batch.clone(), inputs, outputs), 0);
        b.mark_output(y);
        parts.push(Part {
            never_runs: Some(UNCALLED),
            ..Part::new(
                "LM head",
                "One row, the last token, as the claimed analysis counts it.",
                vec![once(b)],
            )
        });
    }
    parts
}

fn build_projections<C: Count>(alike: &AlikeLayers, tokens: &C, batch: &C) -> Block<C> {
    let rows = tokens.times(batch);
    let mut b = Block::new("text layers", &alike.layers);
    for (name, slot) in NAMES {
        let (outputs, inputs) = alike.dims[usize::from(slot)];
        let x = b.add_input(rows.scaled(inputs), inputs, FormatOf::Slot(slot));
        let y = b.add_linear(name, x, (rows.clone(), inputs, outputs), slot);
        b.mark_output(y);
    }
    b
}

fn build_attention<C: Count>(alike: &AlikeLayers, tokens: &C, batch: &C) -> Block<C> {
    let rows = tokens.times(batch);
    let (attended, _) = alike.dims[usize::from(Q)];
    let (kv, _) = alike.dims[usize::from(K)];
    let mut b = Block::new("text attention", &alike.layers);
    let q = b.add_input(rows.scaled(attended), HEAD_DIM, FormatOf::Slot(Q));
    let cached = rows.scaled(kv);
    let k = b.add_input(cached.clone(), kv, FormatOf::Slot(K));
    let v = b.add_input(cached, kv, FormatOf::Slot(V));
    let attention = AttentionCall {
        batch: batch.clone(),
        heads: attended / HEAD_DIM,
        queries: tokens.clone(),
        keys: tokens.clone(),
        names: ["Attn_QK", "Attn_PV"],
        softmax: false,
    };
    let o = attention.add_kernels(&mut b, q, &[("keys", k)], &[("values", v)], FormatOf::Slot(Q));
    b.mark_output(o);
    b
}
