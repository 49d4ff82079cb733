//! The action expert, once per denoising step: its layers attend to themselves and to the prefix in turn.

use std::sync::Arc;

use super::dims::{Alike, numbered, single, whole_heads};
use super::prefix::{
    Attention, K, LAYER, O, Q, V, after_attention, keys_and_values, normed, queries,
};
use crate::workload::{
    Block, Elementwise, FormatOf, Joins, Layer, Parameters, Part, Repeated, WorkloadError,
};
use derate_dump::ModelShape;

const ACTION_IN: [&str; 2] = ["action_in_proj.weight", "action_in_proj.bias"];
const TIME: [&str; 4] = [
    "action_time_mlp_in.weight",
    "action_time_mlp_in.bias",
    "action_time_mlp_out.weight",
    "action_time_mlp_out.bias",
];
const ACTION_OUT: [&str; 2] = ["action_out_proj.weight", "action_out_proj.bias"];

/// The expert and the projections around it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Expert {
    action_in: Alike,
    time: Alike,
    layers: Vec<Alike>,
    norm: Alike,
    action_out: Alike,
    /// The input's tensors, then those of the time MLP.
    suffix: Arc<[Layer]>,
    /// The last norm's tensor, then those of the actions' projection.
    last: Arc<[Layer]>,
}

/// One layer with the tensors of both.
fn joined(one: &Alike, other: &Alike) -> Arc<[Layer]> {
    let both = one.layers.iter().zip(other.layers.iter()).map(|(one, other)| Layer {
        number: one.number,
        tensors: one.tensors.iter().chain(&other.tensors).copied().collect(),
    });
    both.collect()
}

impl Expert {
    pub(super) fn new(shape: &ModelShape, root: &str, outer: &str) -> Result<Self, WorkloadError> {
        let (action_in, time) = (single(shape, outer, &ACTION_IN)?, single(shape, outer, &TIME)?);
        let norm = single(shape, &format!("{root}lm_expert."), &["norm.weight"])?;
        let action_out = single(shape, outer, &ACTION_OUT)?;
        let layers = numbered(shape, &format!("{root}lm_expert.layers."), &LAYER)?;
        whole_heads(shape, &layers, Q)?;
        Ok(Self {
            layers,
            suffix: joined(&action_in, &time),
            last: joined(&norm, &action_out),
            action_in,
            time,
            norm,
            action_out,
        })
    }

    pub(super) fn part(&self, p: &Parameters, prefix: u64) -> Part {
        let steps = p.denoise_steps;
        let mut blocks = vec![Repeated::new(steps, self.suffix(p))];
        for alike in &self.layers {
            if cross_attends(alike) {
                let runs = if p.hoist_cross_kv { 1 } else { steps };
                blocks.push(Repeated::new(runs, cross_keys(alike, p, prefix)));
                blocks.push(Repeated::new(steps, cross_layer(alike, p, prefix)));
            } else {
                blocks.push(Repeated::new(steps, self_layer(alike, p, prefix)));
            }
        }
        blocks.push(Repeated::new(steps, self.last(p)));
        let part = Part::new(
            "expert",
            "Every step reads the expert's weights again. Even layers attend to the cached prefix and to the actions, odd ones to the prefix alone, whose keys and values they project anew in every step unless that is hoisted.",
            blocks,
        );
        Part { name: format!("expert x{steps}").into(), ..part }
    }

    /// Actions and time into the expert's width.
    fn suffix(&self, p: &Parameters) -> Block {
        let (width, actions) = self.action_in.dims[0];
        let (hidden, joined) = self.time.dims[0];
        let (out, _) = self.time.dims[2];
        let rows = p.chunk.saturating_mul(p.batch);
        // Slots 0 and 1 are the input's, 2 to 5 the time MLP's.
        let mut b = Block::new("action and time embedding", &self.suffix);
        let x = b.input(rows.saturating_mul(actions), actions, FormatOf::Slot(0));
        let x = b.linear("action_in_proj", x, (rows, actions, width), 0);
        let x = b.elementwise(
            "action_in_bias",
            Elementwise::Bias,
            Joins::Epilogue,
            &[x],
            &[(width, 1)],
        );
        let t = b.made(
            "time_embedding",
            Elementwise::Sinusoid,
            &[],
            (joined.saturating_sub(width), FormatOf::Slot(2)),
        );
        let x = b.made(
            "concatenate",
            Elementwise::Copy,
            &[x, t],
            (rows.saturating_mul(joined), FormatOf::Slot(2)),
        );
        let x = b.linear("action_time_mlp_in", x, (rows, joined, hidden), 2);
        let x = b.elementwise(
            "action_time_bias_in",
            Elementwise::Bias,
            Joins::Epilogue,
            &[x],
            &[(hidden, 3)],
        );
        let x = b.elementwise("silu", Elementwise::Silu, Joins::Epilogue, &[x], &[]);
        let x = b.linear("action_time_mlp_out", x, (rows, hidden, out), 4);
        let x = b.elementwise(
            "action_time_bias_out",
            Elementwise::Bias,
            Joins::Epilogue,
            &[x],
            &[(out, 5)],
        );
        b.output(x);
        b
    }

    /// The last norm, the actions' projection and the step of the integrator.
    fn last(&self, p: &Parameters) -> Block {
        let (width, _) = self.norm.dims[0];
        let (actions, inputs) = self.action_out.dims[0];
        let rows = p.chunk.saturating_mul(p.batch);
        let mut b = Block::new("action output", &self.last);
        let x = b.input(rows.saturating_mul(width), width, FormatOf::Slot(0));
        let noisy = b.input(rows.saturating_mul(actions), actions, FormatOf::Slot(1));
        let x = b.elementwise("norm", Elementwise::RmsNorm, Joins::Nothing, &[x], &[(width, 0)]);
        let x = b.linear("action_out_proj", x, (rows, inputs, actions), 1);
        let x = b.elementwise(
            "action_out_bias",
            Elementwise::Bias,
            Joins::Epilogue,
            &[x],
            &[(actions, 2)],
        );
        let x =
            b.elementwise("euler_step", Elementwise::EulerStep, Joins::Epilogue, &[x, noisy], &[]);
        b.output(x);
        b
    }
}

/// An expert layer whose keys are made of the prefix's, not of its own tokens.
fn cross_attends(alike: &Alike) -> bool {
    let ((_, own), (kv, keyed)) = (alike.dims[usize::from(Q)], alike.dims[usize::from(K)]);
    keyed != own && keyed == kv
}

/// Attends to the cached prefix and to its own tokens.
fn self_layer(alike: &Alike, p: &Parameters, prefix: u64) -> Block {
    let rows = p.chunk.saturating_mul(p.batch);
    let (kv, _) = alike.dims[usize::from(K)];
    let mut b = Block::new("self-attention layer", &alike.layers);
    let (x, n) = normed(&mut b, &alike.dims, rows);
    let q = queries(&mut b, &alike.dims, rows, n);
    let cached = prefix.saturating_mul(p.batch).saturating_mul(kv);
    let cached_keys = b.input(cached, kv, FormatOf::Slot(K));
    let cached_values = b.input(cached, kv, FormatOf::Slot(V));
    let (k, v) = keys_and_values(&mut b, &alike.dims, rows, n);
    let attention = Attention::new(&alike.dims, p.batch, p.chunk, prefix.saturating_add(p.chunk));
    let o = attention.kernels(
        &mut b,
        q,
        &[("cached keys", cached_keys), ("keys", k)],
        &[("cached values", cached_values), ("values", v)],
        FormatOf::Slot(O),
    );
    let x = after_attention(&mut b, &alike.dims, rows, o, x);
    b.output(x);
    b
}

/// Keys and values of the prefix, projected for one cross-attention layer.
fn cross_keys(alike: &Alike, p: &Parameters, prefix: u64) -> Block {
    let rows = prefix.saturating_mul(p.batch);
    let mut b = Block::new("cross-attention keys and values", &alike.layers);
    for (name, slot) in [("k_proj", K), ("v_proj", V)] {
        let (outputs, inputs) = alike.dims[usize::from(slot)];
        let cached = b.input(rows.saturating_mul(inputs), inputs, FormatOf::Slot(slot));
        let made = b.linear(name, cached, (rows, inputs, outputs), slot);
        b.output(made);
    }
    b
}

/// Attends to the prefix alone.
fn cross_layer(alike: &Alike, p: &Parameters, prefix: u64) -> Block {
    let rows = p.chunk.saturating_mul(p.batch);
    let (kv, _) = alike.dims[usize::from(K)];
    let mut b = Block::new("cross-attention layer", &alike.layers);
    let (x, n) = normed(&mut b, &alike.dims, rows);
    let q = queries(&mut b, &alike.dims, rows, n);
    let cached = prefix.saturating_mul(p.batch).saturating_mul(kv);
    let keys = b.input(cached, kv, FormatOf::Slot(K));
    let values = b.input(cached, kv, FormatOf::Slot(V));
    let attention = Attention::new(&alike.dims, p.batch, p.chunk, prefix);
    let o =
        attention.kernels(&mut b, q, &[("keys", keys)], &[("values", values)], FormatOf::Slot(O));
    let x = after_attention(&mut b, &alike.dims, rows, o, x);
    b.output(x);
    b
}
