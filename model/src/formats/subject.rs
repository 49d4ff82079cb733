use serde::Serialize;

use crate::Mixture;
use crate::operator::{Formats, Mlp, Operation, extents, gemm};
use crate::units::{Bytes, Ops};

/// What is computed in each format.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Subject {
    /// `C[m, n] = A[m, k] x W[k, n]`; a GEMV where `m` is 1.
    Gemm {
        /// Rows of A and C.
        m: u64,
        /// Columns of W and C.
        n: u64,
        /// What is summed over.
        k: u64,
    },
    /// Square linear layers with `GeLU`, forward and backward.
    Mlp {
        /// Inputs and outputs of a layer.
        width: u64,
        /// Layers.
        layers: u64,
        /// Rows of a batch.
        batch: u64,
    },
}

impl Subject {
    /// `4096,4096,4096` as M, N and K.
    pub fn gemm(text: &str) -> Result<Self, String> {
        let [m, n, k] = extents(text, "MxNxK or M,N,K")?;
        Ok(Self::Gemm { m, n, k })
    }

    /// `2048,4,512` as width, layers and batch.
    pub fn mlp(text: &str) -> Result<Self, String> {
        let [width, layers, batch] = extents(text, "WIDTH,LAYERS,BATCH")?;
        Ok(Self::Mlp { width, layers, batch })
    }

    /// As the command line has it.
    pub(super) fn option(self) -> String {
        match self {
            Self::Gemm { m, n, k } => format!("--gemm {m},{n},{k}"),
            Self::Mlp { width, layers, batch } => format!("--mlp {width},{layers},{batch}"),
        }
    }

    /// A phrase for headings.
    pub fn title(self) -> String {
        match self {
            Self::Gemm { m, n, k } => format!("GEMM of M = {m}, N = {n}, K = {k}"),
            Self::Mlp { width, layers, batch } => {
                format!("MLP of {layers} layers of {width}, batch {batch}, forward and backward")
            }
        }
    }

    /// Rows and columns of one weight matrix, as it is stored: what is summed over runs along a row.
    pub fn weight_shape(self) -> (u64, u64) {
        match self {
            Self::Gemm { n, k, .. } => (n, k),
            Self::Mlp { width, .. } => (width, width),
        }
    }

    /// Operations of products: `2mnk` of a GEMM; of an MLP `layers x 6 batch width^2`, two for each multiply-add forward and
    /// four backward.
    pub fn flops(self) -> Ops {
        self.operations().iter().map(|(operation, runs)| operation.flops * *runs).sum()
    }

    /// What runs, and how often.
    fn operations(self) -> Vec<(Operation, f64)> {
        match self {
            Self::Gemm { m, n, k } => vec![(gemm(m, n, k), 1.0)],
            Self::Mlp { width, layers, batch } => {
                let mlp = Mlp { batch, width, layers, backward: true, apart: false };
                mlp.operations().into_iter().map(|operation| (operation, layers as f64)).collect()
            }
        }
    }

    /// Bytes that cross external memory where every pass reads its operands and writes its result once.
    ///
    /// A GEMM: A, W and C. A layer of an MLP: forward x, W and its result; backward dz, W and dx, then dz, x and dW: six tensors
    /// of batch x width, W twice, and dW as activations are stored. `GeLU` is taken as fused into its neighbours, and biases
    /// are left out. The error says why weights of that format are not trained.
    pub fn bytes(self, mixture: &Mixture) -> Result<Bytes, String> {
        let weights = mixture.weights;
        if matches!(self, Self::Mlp { .. }) && weights.is_storage_only() {
            return Err(format!(
                "{weights} only stores weights: they are not trained, so a backward pass has no bytes in it"
            ));
        }
        let formats = Formats::new(*mixture);
        let each = self.operations().into_iter();
        Ok(each.map(|(operation, runs)| operation.bytes(&formats) * runs).sum())
    }
}
