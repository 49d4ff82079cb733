//! The action expert, once per denoising step: its layers attend to themselves and to the prefix in turn.

use std::sync::Arc;

use super::dims::{AlikeLayers, check_heads, find_numbered, find_single};
use super::prefix::{
    AttentionCall, K, LAYER, O, Q, V, add_after_attention, add_keys_and_values, add_norm,
    add_queries,
};
use crate::workload::{
    Block, Count, Elementwise, FormatOf, InferenceParameters, Joins, Layer, Part, Repeated,
    WorkloadError,
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
    action_in: AlikeLayers,
    time: AlikeLayers,
    layers: Vec<AlikeLayers>,
    norm: AlikeLayers,
    action_out: AlikeLayers,
    /// The input's tensors, then those of the time MLP.
    suffix: Arc<[Layer]>,
    /// The last norm's tensor, then those of the actions' projection.
    last: Arc<[Layer]>,
}

/// One layer with the tensors of both.
fn join_layers(one: &AlikeLayers, other: &AlikeLayers) -> Arc<[Layer]> {
    let both = one.layers.iter().zip(other.layers.iter()).map(|(one, other)| Layer {
        number: one.number,
        tensors: one.tensors.iter().chain(&other.tensors).copied().collect(),
    });
    both.collect()
}

impl Expert {
    pub(super) fn new(shape: &ModelShape, root: &str, outer: &str) -> Result<Self, WorkloadError> {
        let (action_in, time) =
            (find_single(shape, outer, &ACTION_IN)?, find_single(shape, outer, &TIME)?);
        let norm = find_single(shape, &format!("{root}lm_expert."), &["norm.weight"])?;
        let action_out = find_single(shape, outer, &ACTION_OUT)?;
        let layers = find_numbered(shape, &format!("{root}lm_expert.layers."), &LAYER)?;
        check_heads(shape, &layers, Q)?;
        Ok(Self {
            layers,
            suffix: join_layers(&action_in, &time),
            last: join_layers(&norm, &action_out),
            action_in,
            time,
            norm,
            action_out,
        })
    }

    /// Elements of one action.
    pub(super) fn action_elements(&self) -> u64 {
        self.action_in.dims[0].1
    }

    /// One denoising step.
    pub(super) fn build_step<C: Count>(&self, p: &InferenceParameters<C>, prefix: &C) -> Part<C> {
        let once = || C::from(1);
        let mut blocks = vec![Repeated::new(once(), self.build_suffix(p))];
        for alike in &self.layers {
            if is_cross_attention(alike) {
                blocks.push(Repeated::new(once(), build_cross_keys(alike, p, prefix)));
                blocks.push(Repeated::new(once(), build_cross_layer(alike, p, prefix)));
            } else {
                blocks.push(Repeated::new(once(), build_self_layer(alike, p, prefix)));
            }
        }
        blocks.push(Repeated::new(once(), self.build_last(p)));
        Part::new(
            "expert",
            "Every step reads the expert's weights again. Even layers attend to the cached prefix and to the actions, odd ones to the prefix alone, whose keys and values they project anew in every step unless that is hoisted.",
            blocks,
        )
    }

    /// All steps. Where they are hoisted, the keys and values of cross-attention are projected once.
    pub(super) fn repeat_step<C: Count>(
        &self,
        mut step: Part<C>,
        steps: &C,
        hoist_cross_kv: bool,
    ) -> Part<C> {
        // The block before the layers, then each layer; one of cross-attention has its keys before it.
        let layers = self.layers.iter().flat_map(|alike| {
            let is_keys: &[bool] =
                if is_cross_attention(alike) { &[true, false] } else { &[false] };
            is_keys.iter().copied()
        });
        let is_once = std::iter::once(false).chain(layers).chain([false]);
        for (repeated, is_keys) in step.blocks.iter_mut().zip(is_once) {
            if !(is_keys && hoist_cross_kv) {
                repeated.runs = steps.clone();
            }
        }
        if let Some(steps) = steps.as_number() {
            step.name = format!("expert x{steps}").into();
        }
        step
    }

    /// Actions and time into the expert's width.
    fn build_suffix<C: Count>(&self, p: &InferenceParameters<C>) -> Block<C> {
        let (width, actions) = self.action_in.dims[0];
        let (hidden, joined) = self.time.dims[0];
        let (out, _) = self.time.dims[2];
        let rows = p.chunk.times(&p.batch);
        // Slots 0 and 1 are the input's, 2 to 5 the time MLP's.
        let mut b = Block::new("action and time embedding", &self.suffix);
        let x = b.add_input(rows.scaled(actions), actions, FormatOf::Slot(0));
        let x = b.add_linear("action_in_proj", x, (rows.clone(), actions, width), 0);
        let x = b.add_elementwise(
            "action_in_bias",
            Elementwise::Bias,
            Joins::Epilogue,
            &[x],
            &[(width, 1)],
        );
        let t = b.add_made(
            "time_embedding",
            Elementwise::Sinusoid,
            &[],
            (joined.saturating_sub(width).into(), FormatOf::Slot(2)),
        );
        let x = b.add_made(
            "concatenate",
            Elementwise::Copy,
            &[x, t],
            (rows.scaled(joined), FormatOf::Slot(2)),
        );
        let x = b.add_linear("action_time_mlp_in", x, (rows.clone(), joined, hidden), 2);
        let x = b.add_elementwise(
            "action_time_bias_in",
            Elementwise::Bias,
            Joins::Epilogue,
            &[x],
            &[(hidden, 3)],
        );
        let x = b.add_elementwise("silu", Elementwise::Silu, Joins::Epilogue, &[x], &[]);
        let x = b.add_linear("action_time_mlp_out", x, (rows.clone(), hidden, out), 4);
        let x = b.add_elementwise(
            "action_time_bias_out",
            Elementwise::Bias,
            Joins::Epilogue,
            &[x],
            &[(out, 5)],
        );
        b.mark_output(x);
        b
    }

    /// The last norm, the actions' projection and the step of the integrator.
    fn build_last<C: Count>(&self, p: &InferenceParameters<C>) -> Block<C> {
        let (width, _) = self.norm.dims[0];
        let (actions, inputs) = self.action_out.dims[0];
        let rows = p.chunk.times(&p.batch);
        let mut b = Block::new("action output", &self.last);
        let x = b.add_input(rows.scaled(width), width, FormatOf::Slot(0));
        let noisy = b.add_input(rows.scaled(actions), actions, FormatOf::Slot(1));
        let x =
            b.add_elementwise("norm", Elementwise::RmsNorm, Joins::Nothing, &[x], &[(width, 0)]);
        let x = b.add_linear("action_out_proj", x, (rows.clone(), inputs, actions), 1);
        let x = b.add_elementwise(
            "action_out_bias",
            Elementwise::Bias,
            Joins::Epilogue,
            &[x],
            &[(actions, 2)],
        );
        let x = b.add_elementwise(
            "euler_step",
            Elementwise::EulerStep,
            Joins::Epilogue,
            &[x, noisy],
            &[],
        );
        b.mark_output(x);
        b
    }
}

/// An expert layer whose keys are made of the prefix's, not of its own tokens.
fn is_cross_attention(alike: &AlikeLayers) -> bool {
    let ((_, own), (kv, keyed)) = (alike.dims[usize::from(Q)], alike.dims[usize::from(K)]);
    keyed != own && keyed == kv
}

/// Attends to the cached prefix and to its own tokens.
fn build_self_layer<C: Count>(
    alike: &AlikeLayers,
    p: &InferenceParameters<C>,
    prefix: &C,
) -> Block<C> {
    let rows = &p.chunk.times(&p.batch);
    let (kv, _) = alike.dims[usize::from(K)];
    let mut b = Block::new("self-attention layer", &alike.layers);
    let (x, n) = add_norm(&mut b, &alike.dims, rows);
    let q = add_queries(&mut b, &alike.dims, rows, n);
    let cached = prefix.times(&p.batch).scaled(kv);
    let cached_keys = b.add_input(cached.clone(), kv, FormatOf::Slot(K));
    let cached_values = b.add_input(cached, kv, FormatOf::Slot(V));
    let (k, v) = add_keys_and_values(&mut b, &alike.dims, rows, n);
    let attention = AttentionCall::new(&alike.dims, &p.batch, &p.chunk, prefix.plus(&p.chunk));
    let o = attention.add_kernels(
        &mut b,
        q,
        &[("cached keys", cached_keys), ("keys", k)],
        &[("cached values", cached_values), ("values", v)],
        FormatOf::Slot(O),
    );
    let x = add_after_attention(&mut b, &alike.dims, rows, o, x);
    b.mark_output(x);
    b
}

/// Keys and values of the prefix, projected for one cross-attention layer.
fn build_cross_keys<C: Count>(
    alike: &AlikeLayers,
    p: &InferenceParameters<C>,
    prefix: &C,
) -> Block<C> {
    let rows = prefix.times(&p.batch);
    let mut b = Block::new("cross-attention keys and values", &alike.layers);
    for (name, slot) in [("k_proj", K), ("v_proj", V)] {
        let (outputs, inputs) = alike.dims[usize::from(slot)];
        let cached = b.add_input(rows.scaled(inputs), inputs, FormatOf::Slot(slot));
        let made = b.add_linear(name, cached, (rows.clone(), inputs, outputs), slot);
        b.mark_output(made);
    }
    b
}

/// Attends to the prefix alone.
fn build_cross_layer<C: Count>(
    alike: &AlikeLayers,
    p: &InferenceParameters<C>,
    prefix: &C,
) -> Block<C> {
    let rows = &p.chunk.times(&p.batch);
    let (kv, _) = alike.dims[usize::from(K)];
    let mut b = Block::new("cross-attention layer", &alike.layers);
    let (x, n) = add_norm(&mut b, &alike.dims, rows);
    let q = add_queries(&mut b, &alike.dims, rows, n);
    let cached = prefix.times(&p.batch).scaled(kv);
    let keys = b.add_input(cached.clone(), kv, FormatOf::Slot(K));
    let values = b.add_input(cached, kv, FormatOf::Slot(V));
    let attention = AttentionCall::new(&alike.dims, &p.batch, &p.chunk, prefix.clone());
    let o = attention.add_kernels(
        &mut b,
        q,
        &[("keys", keys)],
        &[("values", values)],
        FormatOf::Slot(O),
    );
    let x = add_after_attention(&mut b, &alike.dims, rows, o, x);
    b.mark_output(x);
    b
}
