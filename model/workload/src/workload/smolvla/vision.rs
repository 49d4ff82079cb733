//! The vision encoder and the connector, once per camera.

use super::HEAD_DIM;
use super::dims::{AlikeLayers, check_heads, find_numbered, find_single};
use crate::workload::{
    Block, Count, Elementwise, FormatOf, InferenceParameters, Joins, Matmul, Part, Repeated,
    WorkloadError,
};
use derate_dump::ModelShape;

const EMBEDDINGS: [&str; 3] = [
    "embeddings.patch_embedding.weight",
    "embeddings.patch_embedding.bias",
    "embeddings.position_embedding.weight",
];
const LAYER: [&str; 16] = [
    "layer_norm1.weight",
    "layer_norm1.bias",
    "self_attn.q_proj.weight",
    "self_attn.q_proj.bias",
    "self_attn.k_proj.weight",
    "self_attn.k_proj.bias",
    "self_attn.v_proj.weight",
    "self_attn.v_proj.bias",
    "self_attn.out_proj.weight",
    "self_attn.out_proj.bias",
    "layer_norm2.weight",
    "layer_norm2.bias",
    "mlp.fc1.weight",
    "mlp.fc1.bias",
    "mlp.fc2.weight",
    "mlp.fc2.bias",
];
const NORM_1: u16 = 0;
const Q: u16 = 2;
const K: u16 = 4;
const V: u16 = 6;
const OUT: u16 = 8;
const NORM_2: u16 = 10;
const FC1: u16 = 12;
const FC2: u16 = 14;
const POST_NORM: [&str; 2] = ["post_layernorm.weight", "post_layernorm.bias"];
const CONNECTOR: [&str; 1] = ["modality_projection.proj.weight"];

/// The vision encoder.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Vision {
    embeddings: AlikeLayers,
    layers: Vec<AlikeLayers>,
    post_norm: AlikeLayers,
}

impl Vision {
    pub(super) fn new(shape: &ModelShape, root: &str) -> Result<Self, WorkloadError> {
        let root = format!("{root}vlm.model.vision_model.");
        let layers = find_numbered(shape, &format!("{root}encoder.layers."), &LAYER)?;
        check_heads(shape, &layers, Q)?;
        Ok(Self {
            embeddings: find_single(shape, &root, &EMBEDDINGS)?,
            layers,
            post_norm: find_single(shape, &root, &POST_NORM)?,
        })
    }

    /// Elements of one image, as the patch embedding reads it.
    pub(super) fn pixels_per_image(&self) -> u64 {
        let (_, pixels) = self.embeddings.dims[0];
        self.embeddings.dims[2].0 * pixels
    }

    /// Images are encoded one by one: every camera reads the weights again.
    pub(super) fn build_part<C: Count>(&self, p: &InferenceParameters<C>) -> Part<C> {
        let (patches, _) = self.embeddings.dims[2];
        let mut blocks = vec![self.build_embedding(&p.batch, patches)];
        blocks.extend(self.layers.iter().map(|alike| build_layer(alike, &p.batch, patches)));
        blocks.push(self.build_last_norm(&p.batch, patches));
        Part::new(
            "vision",
            "Images are encoded one by one, so the weights are read once per camera. FLOP of matrix products; norms, biases, softmax, GELU and residuals are given as elementwise operations.",
            blocks.into_iter().map(|block| Repeated::new(p.cameras.clone(), block)).collect(),
        )
    }

    fn build_embedding<C: Count>(&self, batch: &C, patches: u64) -> Block<C> {
        let (width, pixels) = self.embeddings.dims[0];
        let rows = batch.scaled(patches);
        let mut b = Block::new("patch embedding", &self.embeddings.layers);
        let image = b.add_input(rows.scaled(pixels), pixels, FormatOf::Slot(0));
        let x = b.add_linear("patch_embedding", image, (rows, pixels, width), 0);
        let x = b.add_elementwise(
            "patch_bias",
            Elementwise::Bias,
            Joins::Epilogue,
            &[x],
            &[(width, 1)],
        );
        let table = b.add_gather("position_embedding", (patches.into(), width), 2);
        let x = b.add_elementwise(
            "add_positions",
            Elementwise::Residual,
            Joins::Nothing,
            &[x, table],
            &[],
        );
        b.mark_output(x);
        b
    }

    fn build_last_norm<C: Count>(&self, batch: &C, patches: u64) -> Block<C> {
        let (width, _) = self.post_norm.dims[0];
        let mut b = Block::new("post norm", &self.post_norm.layers);
        let x = b.add_input(batch.scaled(patches).scaled(width), width, FormatOf::Slot(0));
        let x = b.add_elementwise(
            "post_layernorm",
            Elementwise::LayerNorm,
            Joins::Nothing,
            &[x],
            &[(width, 0), (width, 1)],
        );
        b.mark_output(x);
        b
    }
}

fn build_layer<C: Count>(alike: &AlikeLayers, batch: &C, patches: u64) -> Block<C> {
    let rows = batch.scaled(patches);
    let (width, inputs) = alike.dims[usize::from(Q)];
    let (hidden, _) = alike.dims[usize::from(FC1)];
    let mut b = Block::new("vision layer", &alike.layers);
    let x = b.add_input(rows.scaled(inputs), inputs, FormatOf::Slot(Q));
    let norm = |b: &mut Block<C>, name, x, slot| {
        let vectors = [(inputs, slot), (inputs, slot + 1)];
        b.add_elementwise(name, Elementwise::LayerNorm, Joins::Nothing, &[x], &vectors)
    };
    let linear = |b: &mut Block<C>, name: [&'static str; 2], x, dims: (u64, u64), slot| {
        let made = b.add_linear(name[0], x, (rows.clone(), dims.0, dims.1), slot);
        b.add_elementwise(
            name[1],
            Elementwise::Bias,
            Joins::Epilogue,
            &[made],
            &[(dims.1, slot + 1)],
        )
    };
    let n = norm(&mut b, "layer_norm1", x, NORM_1);
    let q = linear(&mut b, ["q_proj", "q_bias"], n, (inputs, width), Q);
    let k = linear(&mut b, ["k_proj", "k_bias"], n, (inputs, width), K);
    let v = linear(&mut b, ["v_proj", "v_bias"], n, (inputs, width), V);
    let (patches, head) = (C::from(patches), C::from(HEAD_DIM));
    let products = batch.scaled(width / HEAD_DIM);
    let like = |slot| FormatOf::Slot(slot);
    let s = b.add_product(
        "attention_qk",
        Matmul { batch: products.clone(), m: patches.clone(), k: head.clone(), n: patches.clone() },
        &[("queries", q), ("keys", k)],
        // The vision encoder upcasts inside its softmax alone: scores have the tensors' own format.
        ("scores", like(Q)),
        Joins::Nothing,
    );
    let s = b.add_softmax(s, like(V));
    let o = b.add_product(
        "attention_pv",
        Matmul { batch: products, m: patches.clone(), k: patches, n: head },
        &[("scores", s), ("values", v)],
        ("result", like(OUT)),
        Joins::Attention,
    );
    let o = linear(&mut b, ["out_proj", "out_bias"], o, (width, inputs), OUT);
    let x = b.add_elementwise(
        "attention_residual",
        Elementwise::Residual,
        Joins::Epilogue,
        &[o, x],
        &[],
    );
    let n = norm(&mut b, "layer_norm2", x, NORM_2);
    let h = linear(&mut b, ["fc1", "fc1_bias"], n, (inputs, hidden), FC1);
    let h = b.add_elementwise("gelu", Elementwise::Gelu, Joins::Epilogue, &[h], &[]);
    let y = linear(&mut b, ["fc2", "fc2_bias"], h, (hidden, inputs), FC2);
    let x = b.add_elementwise("mlp_residual", Elementwise::Residual, Joins::Epilogue, &[y, x], &[]);
    b.mark_output(x);
    b
}

/// The projection of folded patches into the text model's width.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Connector(AlikeLayers);

impl Connector {
    pub(super) fn new(shape: &ModelShape, root: &str) -> Result<Self, WorkloadError> {
        find_single(shape, &format!("{root}vlm.model.connector."), &CONNECTOR).map(Self)
    }

    /// Width of the folded patches.
    pub(super) fn inputs(&self) -> u64 {
        self.0.dims[0].1
    }

    pub(super) fn build_part<C: Count>(
        &self,
        p: &InferenceParameters<C>,
        tokens_per_camera: u64,
    ) -> Part<C> {
        let (outputs, inputs) = self.0.dims[0];
        let rows = p.batch.scaled(tokens_per_camera);
        let mut b = Block::new("connector", &self.0.layers);
        let x = b.add_input(rows.scaled(inputs), inputs, FormatOf::Slot(0));
        let x = b.add_elementwise("pixel_shuffle", Elementwise::Copy, Joins::Nothing, &[x], &[]);
        let x = b.add_linear("proj", x, (rows, inputs, outputs), 0);
        let x = b.add_elementwise("scale", Elementwise::Scale, Joins::Epilogue, &[x], &[]);
        b.mark_output(x);
        Part::new(
            "connector",
            "Once per camera: the patches are folded into channels and projected.",
            vec![Repeated::new(p.cameras.clone(), b)],
        )
    }
}
