//! What is not a matrix product: operations per element of the result.

use serde::Serialize;

/// An operator that touches each element a fixed number of times.
///
/// The counts are a convention (an exponential, a division or a root is one operation); `elementwise_ops` is beside
/// `flops` and never in it.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
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
}

impl Elementwise {
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
        }
    }
}
