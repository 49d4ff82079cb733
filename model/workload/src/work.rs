//! The operations of a group of kernels.

use std::ops::Range;

use crate::layer_formats::LayerFormats;
use crate::workload::{Block, Role};
use derate_units::Precision;

/// Operations of one run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GroupWork {
    /// Of matrix products.
    pub flops: f64,
    /// All others.
    pub elementwise: f64,
    /// Time of the matrix products at their arithmetic's peak; infinite where one is not known.
    pub seconds: f64,
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

/// The work of one run of a group, with the peak rate of each arithmetic.
pub fn count_work(
    block: &Block,
    group: Range<usize>,
    formats: &LayerFormats,
    peak: &mut impl FnMut(Precision) -> f64,
) -> GroupWork {
    let mut work = GroupWork::default();
    for index in group {
        let kernel = &block.kernels[index];
        if let Some(product) = kernel.op.product() {
            let flops = product.flops().0;
            work.flops += flops;
            work.seconds += flops / peak(kernel_arithmetic(block, index, formats));
        }
        work.elementwise += block.elementwise_ops(kernel).0;
    }
    work
}
