//! Where a kernel is in the workload, whatever the parameters.

use derate_workload::classes::LayerClass;
use derate_workload::{Kernel, Matmul, Op, Operand, Part, Repeated};

/// A kernel of the workload, as it is for the project's own parameters.
pub(super) struct Site<'a> {
    part: usize,
    block: usize,
    kernel: usize,
    /// The kernel there.
    pub(super) base: &'a Kernel,
}

impl<'a> Site<'a> {
    /// The kernels of a class in their order; `parts` are those that it was made of.
    pub(super) fn of(parts: &'a [Part], class: &'a LayerClass) -> impl Iterator<Item = Self> {
        let part = class.part;
        let blocks = parts.get(part).map_or(&[][..], |part| &part.blocks);
        let block = blocks.iter().position(|b| std::sync::Arc::ptr_eq(&b.block, &class.block));
        let kernels = block.map_or(&[][..], |_| &class.block.kernels[..]);
        let block = block.unwrap_or(0);
        kernels.iter().enumerate().map(move |(kernel, base)| Self { part, block, kernel, base })
    }

    /// The kernel of a block, by its places.
    pub(super) fn new(part: usize, block: usize, kernel: usize, base: &'a Kernel) -> Self {
        Self { part, block, kernel, base }
    }

    /// The same kernel for other parameters; `None` where another kernel is there.
    fn among<'p>(&self, parts: &'p [Part]) -> Option<(&'p Repeated, &'p Kernel, &'p [Operand])> {
        let repeated = parts.get(self.part)?.blocks.get(self.block)?;
        let kernel = repeated.block.kernels.get(self.kernel)?;
        let same = kernel.name == self.base.name
            && kernel.end - kernel.first == self.base.end - self.base.first;
        same.then(|| (repeated, kernel, repeated.block.operands_of(kernel)))
    }

    /// How often it runs.
    pub(super) fn calls(&self, parts: &[Part], layers: u64) -> Option<u64> {
        self.among(parts)?.0.runs.checked_mul(layers)
    }

    /// Its product.
    pub(super) fn matmul(&self, parts: &[Part]) -> Option<Matmul> {
        match self.among(parts)?.1.op {
            Op::Matmul(matmul) => Some(matmul),
            Op::Elementwise(_) | Op::Gather => None,
        }
    }

    /// Operations of its product; none where it is something else.
    pub(super) fn flops(&self, parts: &[Part]) -> Option<u64> {
        match self.among(parts)?.1.op {
            Op::Matmul(Matmul { batch, m, k, n }) => {
                [batch, m, k, n].into_iter().try_fold(2_u64, u64::checked_mul)
            }
            Op::Elementwise(_) | Op::Gather => Some(0),
        }
    }

    /// Elements of one of its operands.
    pub(super) fn operand(&self, parts: &[Part], at: usize) -> Option<u64> {
        Some(self.among(parts)?.2.get(at)?.elements)
    }

    /// The sum of the elements of its operands, each as often as `weight` says.
    pub(super) fn elements(
        &self,
        parts: &[Part],
        weight: impl Fn(usize, &Operand) -> u64,
    ) -> Option<u64> {
        let (_, _, operands) = self.among(parts)?;
        operands.iter().enumerate().try_fold(0_u64, |sum, (at, operand)| {
            sum.checked_add(operand.elements.checked_mul(weight(at, operand))?)
        })
    }
}
