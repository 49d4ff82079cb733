//! One operator: what it computes and what data it touches.

use std::borrow::Cow;

use serde::Serialize;

use super::Elementwise;
use crate::matmul::Matmul;
use derate_units::Precision;

/// A convolution as the matrix product that it is, with the window that makes its left operand.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Convolved<C = u64> {
    /// A batch of the groups; positions as rows, the window and its channels contracted.
    pub product: Matmul<C>,
    /// Extents of the window, outermost first.
    pub window: Vec<u64>,
    /// Steps of the window, the same or one a dimension; empty for 1.
    pub stride: Vec<u64>,
    /// Whether it spreads each input over the window.
    pub transposed: bool,
}

/// What a kernel does.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Op<C = u64> {
    /// Matrix products; the operands are left, right, result, in that order.
    Matmul(Matmul<C>),
    /// A convolution; the operands are input, weight, result, in that order.
    Convolution(Box<Convolved<C>>),
    /// The same few operations on every element of the result.
    Elementwise(Elementwise),
    /// Rows of a table are copied: traffic without arithmetic.
    Gather,
}

impl<C> Op<C> {
    /// The matrix product that it is; `None` for what multiplies none.
    pub fn product(&self) -> Option<&Matmul<C>> {
        match self {
            Self::Matmul(product) => Some(product),
            Self::Convolution(own) => Some(&own.product),
            Self::Elementwise(_) | Self::Gather => None,
        }
    }
}

/// What an operand is to its kernel.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Ord, PartialOrd, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Read, a matrix of the model or rows of one of its tables.
    Weight,
    /// Read, a norm's scale or a bias of the model.
    Vector,
    /// Read, made by another kernel.
    Input,
    /// Written.
    Output,
}

impl Role {
    /// Whether it is data of the model, not of an inference.
    pub fn is_stored(self) -> bool {
        matches!(self, Self::Weight | Self::Vector)
    }
}

/// Whose number format an operand has.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FormatOf {
    /// That of a tensor of the layer, by its slot in [`super::Block::layers`].
    Slot(u16),
    /// That of attention scores: FP32 where tensors keep their own format, as `PyTorch` runs them.
    Scores,
    /// This one where every tensor keeps its own, or where it is not a float; else that of all tensors.
    Own(Precision),
}

/// Data that flows between the kernels of a block, by its index in [`super::Block::values`].
pub type ValueId = u16;

/// Data that a kernel reads or writes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Operand<C = u64> {
    /// What it is, such as `weights` or `scores`.
    pub name: &'static str,
    /// Its part in the kernel.
    pub role: Role,
    /// Elements.
    pub elements: C,
    /// Its number format.
    pub format: FormatOf,
    /// Which value it is; a weight is none.
    pub value: Option<ValueId>,
}

/// How a kernel may join the one before it.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Ord, PartialOrd)]
pub enum Joins {
    /// It may not, short of fusing the whole block.
    Nothing,
    /// It works on the tile that the kernel before has just made: a bias, an activation, a residual.
    Epilogue,
    /// It works on the score rows that the kernel before has just made.
    Attention,
}

/// One call of one operator.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Kernel<C = u64> {
    /// Name, the same for the same operator of every layer.
    pub name: Cow<'static, str>,
    /// What it does.
    pub op: Op<C>,
    /// How it may be fused.
    pub joins: Joins,
    /// Whether a product adds its further operands to its result: a bias.
    pub adds: bool,
    /// First of its operands in [`super::Block::operands`].
    pub first: usize,
    /// One past the last.
    pub end: usize,
}

#[cfg(test)]
mod tests {
    use super::*;
    use derate_units::Ops;

    #[test]
    fn a_multiply_add_counts_two() {
        assert_eq!(Matmul::gemm(50, 960, 960).flops(), Ops(92_160_000.0));
    }
}
