//! What is not a matrix product: operations per element of the result.

use serde::{Serialize, Serializer};

use super::PointFunction;

/// An operator that touches each element a fixed number of times.
///
/// The counts are a convention (an exponential, a division or a root is one operation); `elementwise_ops` is beside
/// `flops` and never in it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Elementwise {
    /// One addition.
    Bias,
    /// One addition of two results.
    Residual,
    /// Square, sum, scale by the root, scale by the weight.
    RmsNorm,
    /// Sum, subtract, square, sum, scale by the root, scale, shift.
    LayerNorm,
    /// Maximum, subtract, exponential, sum, divide.
    Softmax,
    /// The tanh form of GELU: cube (2), scale, add, scale, tanh, add, scale, product.
    Gelu,
    /// Exponential, add, divide, product.
    Silu,
    /// `SiLU` and the product with the other branch.
    SiluProduct,
    /// Two products and an addition.
    Rope,
    /// One product.
    Scale,
    /// Sine or cosine of a scaled position.
    Sinusoid,
    /// A step and its addition.
    EulerStep,
    /// Nothing but moving.
    Copy,
    /// The largest or the mean of a window of so many elements: one operation for each.
    Pool(u64),
    /// A sum, a mean or a maximum of so many elements for each result: one operation for each.
    Reduction(u64),
    /// A function of the table of functions.
    Function(PointFunction),
}

impl Serialize for Elementwise {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Elementwise {
    /// Its name in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bias => "bias",
            Self::Residual => "residual",
            Self::RmsNorm => "rms-norm",
            Self::LayerNorm => "layer-norm",
            Self::Softmax => "softmax",
            Self::Gelu => "gelu",
            Self::Silu => "silu",
            Self::SiluProduct => "silu-product",
            Self::Rope => "rope",
            Self::Scale => "scale",
            Self::Sinusoid => "sinusoid",
            Self::EulerStep => "euler-step",
            Self::Copy => "copy",
            Self::Pool(_) => "pool",
            Self::Reduction(_) => "reduction",
            Self::Function(function) => function.name,
        }
    }

    /// Operations per element of the result.
    pub fn operations(self) -> u64 {
        match self {
            Self::Copy => 0,
            Self::Bias | Self::Residual | Self::Scale => 1,
            Self::Sinusoid | Self::EulerStep => 2,
            Self::Rope => 3,
            Self::RmsNorm | Self::Silu => 4,
            Self::Softmax | Self::SiluProduct => 5,
            Self::LayerNorm => 7,
            Self::Gelu => 9,
            Self::Pool(elements) | Self::Reduction(elements) => elements,
            Self::Function(function) => function.operations,
        }
    }
}
