//! The operations of a group of kernels.

use std::ops::Range;

use crate::layer_formats::LayerFormats;
use crate::matmul::Matmul;
use crate::workload::{Block, Role};
use derate_units::Precision;

/// Operations of one run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GroupWork {
    /// Of matrix products.
    pub flops: f64,
    /// All others.
    pub elementwise: f64,
    /// The matrix products, each with its arithmetic.
    pub products: Vec<(Precision, Matmul)>,
    /// Elements that the kernels without a product make.
    pub streamed: f64,
}

impl GroupWork {
    /// Time of the matrix products at the peak rate of each arithmetic; infinite where one is zero.
    pub fn seconds(&self, mut peak: impl FnMut(Precision) -> f64) -> f64 {
        self.products.iter().map(|(precision, product)| product.flops().0 / peak(*precision)).sum()
    }
}

/// The arithmetic of one kernel: that of its weights, else the widest of its operands'.
pub fn kernel_arithmetic(block: &Block, kernel: usize, formats: &LayerFormats) -> Precision {
    let operands = block.operands_of(&block.kernels[kernel]);
    let weight = operands.iter().find(|o| o.role == Role::Weight);
    let wider = |a: Precision, b: Precision| if b.bits() > a.bits() { b } else { a };
    match weight {
        Some(weight) => formats.of(weight.format),
        None => {
            operands.iter().map(|o| formats.of(o.format)).reduce(wider).unwrap_or(formats.scores)
        }
    }
}

/// The work of one run of a group.
pub fn count_work(block: &Block, group: Range<usize>, formats: &LayerFormats) -> GroupWork {
    let mut work = GroupWork::default();
    for index in group {
        let kernel = &block.kernels[index];
        work.elementwise += block.elementwise_ops(kernel).0;
        if let Some(&product) = kernel.op.product() {
            work.flops += product.flops().0;
            work.products.push((kernel_arithmetic(block, index, formats), product));
        } else if let Some(result) = block.operands_of(kernel).last() {
            work.streamed += result.elements as f64;
        }
    }
    work
}
