//! What is computed in each format: a GEMM, or an MLP forward and backward.

use derate_units::{Bytes, Mixture};
use derate_workload::operator::{ExtentError, Mlp, OperatorFormats, Shape, parse_extents};

/// `4096,4096,4096` as M, N and K; a GEMV where M is 1.
pub fn parse_gemm(text: &str) -> Result<Shape, ExtentError> {
    let [m, n, k] = parse_extents(text, "MxNxK or M,N,K")?;
    Ok(Shape::Gemm { m, n, k })
}

/// `2048,4,512` as width, layers and batch.
pub fn parse_mlp(text: &str) -> Result<Shape, ExtentError> {
    let [width, layers, batch] = parse_extents(text, "WIDTH,LAYERS,BATCH")?;
    Ok(Shape::Mlp(Mlp { batch, width, layers, backward: true, apart: false }))
}

/// A studied operator, as the command line has it, a phrase for headings, and rows and columns of one weight matrix as it is
/// stored: what is summed over runs along a row.
pub(super) struct Studied {
    pub(super) option: String,
    pub(super) title: String,
    pub(super) weights: (u64, u64),
}

impl Studied {
    /// The error is a sentence for operators of which there is no study.
    pub(super) fn new(shape: &Shape) -> Result<Self, String> {
        match *shape {
            Shape::Gemm { m, n, k } => Ok(Self {
                option: format!("--gemm {m},{n},{k}"),
                title: format!("GEMM of M = {m}, N = {n}, K = {k}"),
                weights: (n, k),
            }),
            Shape::Mlp(Mlp { batch, width, layers, backward: true, apart: false }) => Ok(Self {
                option: format!("--mlp {width},{layers},{batch}"),
                title: format!(
                    "MLP of {layers} layers of {width}, batch {batch}, forward and backward"
                ),
                weights: (width, width),
            }),
            _ => Err(format!(
                "{} of {} is not studied over formats: give a GEMM, or an MLP forward and backward with GELU fused",
                shape.kind().name(),
                shape.title()
            )),
        }
    }
}

/// Bytes that cross external memory where every pass reads its operands and writes its result once.
///
/// A GEMM: A, W and C. A layer of an MLP: forward x, W and its result; backward dz, W and dx, then dz, x and dW: six tensors of
/// batch x width, W twice, and dW as activations are stored. `GeLU` is taken as fused into its neighbours, and biases are left
/// out. The error says why weights of that format are not trained.
pub(super) fn moved_bytes(shape: &Shape, mixture: &Mixture) -> Result<Bytes, String> {
    let weights = mixture.weights;
    if matches!(shape, Shape::Mlp(Mlp { backward: true, .. })) && weights.is_storage_only() {
        return Err(format!(
            "{weights} only stores weights: they are not trained, so there is no backward pass to count"
        ));
    }
    let (read, written) = shape.bytes(&OperatorFormats::new(*mixture));
    Ok(read + written)
}
