//! What is computed: kernels with the tensors that they read and write, in parts, for a number of tokens.

mod linear;
mod smolvla;

use serde::Serialize;

pub use linear::Linear;
pub use smolvla::SmolVla;

use crate::units::Ops;
use crate::{Figure, ModelShape, Project};

/// A matrix product, possibly many of the same shape: `batch x (m x k) * (k x n)`.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Ord, PartialOrd, Serialize)]
pub struct Matmul {
    /// Independent products: 1 for a GEMM, the heads for attention.
    pub batch: u64,
    /// Rows of the left operand.
    pub m: u64,
    /// The contracted dimension.
    pub k: u64,
    /// Columns of the right operand.
    pub n: u64,
}

impl Matmul {
    /// One GEMM.
    pub fn gemm(m: u64, k: u64, n: u64) -> Self {
        Self { batch: 1, m, k, n }
    }

    /// `2 x batch x m x k x n`: a multiply-add counts two operations.
    pub fn flops(self) -> Ops {
        Ops(2.0 * self.batch as f64 * self.m as f64 * self.k as f64 * self.n as f64)
    }
}

/// What an operand is to its kernel.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Ord, PartialOrd, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Read, stored in the model.
    Weight,
    /// Read, made by another kernel.
    Input,
    /// Written.
    Output,
}

/// Data that a kernel moves between external memory and the chip.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Operand {
    /// What it is, such as `weights` or `scores`.
    pub name: &'static str,
    /// Its part in the kernel.
    pub role: Role,
    /// Elements, each crossing once.
    pub elements: u64,
    /// The tensor whose number format its elements have.
    pub stored_as: String,
}

/// One call of one operator.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Kernel {
    /// Name, the same for the same operator of every layer.
    pub name: String,
    /// Which layer it stands in.
    pub layer: Option<u64>,
    /// The matrix product.
    pub matmul: Matmul,
    /// What it moves.
    pub operands: Vec<Operand>,
}

/// Kernels that belong together and run one after another.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Part {
    /// Name, such as `text layers`.
    pub name: String,
    /// Layers that repeat the same kernels.
    pub layers: u64,
    /// Why an inference never runs it; `None` where it does.
    pub never_runs: Option<&'static str>,
    /// What stands in it and what does not.
    pub note: String,
    /// All kernels of all layers.
    pub kernels: Vec<Kernel>,
}

/// A number of tokens that a workload has reason to run with.
#[derive(Clone, Debug, PartialEq)]
pub struct Tokens {
    /// How many.
    pub count: u64,
    /// What they are, such as `prefix, 3 cameras`.
    pub name: String,
    /// How the count comes about.
    pub figure: Figure<f64>,
}

/// Why a workload could not be built: one sentence.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum WorkloadError {
    /// The name is not known.
    #[error("no workload is called `{0}`: write smolvla, or linear (every 2-D weight as one GEMM)")]
    Unknown(String),
    /// The dump lacks a tensor.
    #[error(
        "the dump has no 2-D tensor `{0}`, which the smolvla workload needs: give the whole dump, or set workload = \"linear\" in [model]"
    )]
    Missing(String),
    /// The image features do not fold into whole tokens.
    #[error(
        "the position embedding has {features} elements and the connector takes {inputs}: these do not fold into whole image tokens, so the dump is no smolVLA; set workload = \"linear\" in [model]"
    )]
    Connector {
        /// Patches times channels.
        features: u64,
        /// Inputs of the connector.
        inputs: u64,
    },
    /// The queries do not divide into heads.
    #[error(
        "`{tensor}` has {outputs} outputs, which are no whole number of heads of {head_dim}: check the dump, or set workload = \"linear\" in [model]"
    )]
    Heads {
        /// The query projection.
        tensor: String,
        /// Its outputs.
        outputs: u64,
        /// The head size of the configuration.
        head_dim: u64,
    },
    /// The dump has nothing to multiply.
    #[error(
        "the dump has no 2-D weight, so there is nothing to model: give a dump that shows the linear layers"
    )]
    Empty,
}

/// A model's operators, read from its shapes.
#[derive(Clone, Debug, PartialEq)]
pub enum Workload {
    /// smolVLA: vision, language prefix and action expert.
    SmolVla(SmolVla),
    /// Every 2-D weight as one GEMM.
    Linear(Linear),
}

impl Workload {
    /// The workload that the project names; where it names none, `smolvla` if the dump is one, else `linear`.
    pub fn new(project: &Project, shape: &ModelShape) -> Result<Self, WorkloadError> {
        match project.model.workload.as_ref().map(|w| w.value.as_str()) {
            Some("smolvla") => SmolVla::new(project, shape).map(Self::SmolVla),
            Some("linear") => Linear::new(shape).map(Self::Linear),
            Some(other) => Err(WorkloadError::Unknown(other.to_owned())),
            None => SmolVla::new(project, shape)
                .map(Self::SmolVla)
                .or_else(|_| Linear::new(shape).map(Self::Linear)),
        }
    }

    /// Its name in `derate.toml`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::SmolVla(_) => "smolvla",
            Self::Linear(_) => "linear",
        }
    }

    /// The kernels for `tokens` rows of each of `batch` inferences.
    pub fn parts(&self, tokens: u64, batch: u64) -> Vec<Part> {
        match self {
            Self::SmolVla(model) => model.parts(tokens, batch),
            Self::Linear(model) => model.parts(tokens, batch),
        }
    }

    /// The token counts that an inference really has, the project's own first; empty where the shapes do not tell.
    pub fn tokens(&self) -> Vec<Tokens> {
        match self {
            Self::SmolVla(model) => model.prefixes(),
            Self::Linear(_) => Vec::new(),
        }
    }

    /// Figures that the workload stands on and that shapes cannot tell.
    pub fn figures(&self) -> Vec<(String, Figure<f64>)> {
        match self {
            Self::SmolVla(model) => model.figures(),
            Self::Linear(_) => Vec::new(),
        }
    }

    /// Rows that look like a sequence length and are not one for the modelled layers.
    pub fn action_chunk(&self) -> Option<&Figure<f64>> {
        match self {
            Self::SmolVla(model) => Some(model.chunk()),
            Self::Linear(_) => None,
        }
    }
}

/// A GEMM of `rows` activations with the weight `[out, in]` that `tensor` names.
fn linear_kernel(
    name: String,
    layer: Option<u64>,
    tensor: &str,
    rows: u64,
    inputs: u64,
    outputs: u64,
) -> Kernel {
    let operand =
        |name, role, elements: u64| Operand { name, role, elements, stored_as: tensor.to_owned() };
    Kernel {
        name,
        layer,
        matmul: Matmul::gemm(rows, inputs, outputs),
        operands: vec![
            operand("activations", Role::Input, rows.saturating_mul(inputs)),
            operand("weights", Role::Weight, inputs.saturating_mul(outputs)),
            operand("result", Role::Output, rows.saturating_mul(outputs)),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_multiply_add_counts_two() {
        assert_eq!(Matmul::gemm(50, 960, 960).flops(), Ops(92_160_000.0));
    }
}
