//! How the kernels of an inference grow: fitted once, summed for every group of every schedule.

use super::samples::{Growth, Samples, Size};
use super::site::Site;
use derate_workload::{Matmul, Op, Part};

/// One operand.
pub(super) struct OperandSize(Option<Growth>);

/// One kernel.
pub(super) struct KernelSizes {
    operands: Vec<OperandSize>,
    flops: Option<Growth>,
    /// `batch`, `m`, `k` and `n` of a product.
    pub(super) dims: Option<[Option<Size>; 4]>,
}

/// The kernels of one block and how often each layer runs.
pub(super) struct BlockSizes {
    pub(super) kernels: Vec<KernelSizes>,
    pub(super) runs: Option<Growth>,
}

/// The kernels of all parts, as [`Samples`] has them.
pub(crate) struct Sizes<'a> {
    pub(super) samples: &'a Samples,
    parts: Vec<Vec<BlockSizes>>,
}

fn kernel(samples: &Samples, site: &Site<'_>) -> KernelSizes {
    let operand = |at| OperandSize(samples.growth(|parts| site.operand(parts, at)));
    let dim = |of: fn(Matmul) -> u64| samples.size(|parts| Some(of(site.matmul(parts)?)));
    let product = matches!(site.base.op, Op::Matmul(_));
    KernelSizes {
        operands: (0..site.base.end - site.base.first).map(operand).collect(),
        flops: samples.growth(|parts| site.flops(parts)),
        dims: product.then(|| [dim(|p| p.batch), dim(|p| p.m), dim(|p| p.k), dim(|p| p.n)]),
    }
}

impl<'a> Sizes<'a> {
    pub(super) fn of(samples: &'a Samples) -> Option<Self> {
        let parts = samples.base()?.parts.iter().enumerate().map(|(part, own)| {
            let blocks = own.blocks.iter().enumerate().map(|(block, repeated)| BlockSizes {
                kernels: repeated
                    .block
                    .kernels
                    .iter()
                    .enumerate()
                    .map(|(at, base)| kernel(samples, &Site::new(part, block, at, base)))
                    .collect(),
                runs: samples.growth(|parts| Some(parts.get(part)?.blocks.get(block)?.runs)),
            });
            blocks.collect()
        });
        Some(Self { samples, parts: parts.collect() })
    }

    /// A block by its part and its place there.
    pub(super) fn block(&self, part: usize, block: usize) -> Option<&BlockSizes> {
        self.parts.get(part)?.get(block)
    }

    /// How often the host starts a part: the most runs of a block.
    pub(super) fn starts(&self, part: usize) -> Option<Size> {
        let runs = |parts: &[Part]| parts.get(part)?.blocks.iter().map(|block| block.runs).max();
        self.samples.size(runs)
    }

    /// Whether what one run of a kernel moves or computes depends on an input: of those that an inference runs, or of
    /// `all`. What grows in an unknown way may depend on anything.
    pub(super) fn depend_on(&self, input: &str, all: bool) -> bool {
        let parts = self.samples.base().map_or(&[][..], |base| &base.parts);
        let running =
            self.parts.iter().zip(parts).filter(|(_, part)| all || part.never_runs.is_none());
        let kernels = running.flat_map(|(blocks, _)| blocks).flat_map(|block| &block.kernels);
        kernels
            .flat_map(|kernel| kernel.operands.iter().map(|o| &o.0).chain([&kernel.flops]))
            .any(|growth| growth.as_ref().is_none_or(|growth| growth.follows(input)))
    }
}

impl BlockSizes {
    /// Operations of the kernels at `kernels`.
    pub(super) fn flops(&self, kernels: impl Iterator<Item = usize>) -> Option<Growth> {
        let mut sum = Growth::default();
        for at in kernels {
            sum = sum.plus(self.kernels.get(at)?.flops.as_ref()?)?;
        }
        Some(sum)
    }

    /// Elements of operands, each as often as it is said: kernel, operand, times.
    pub(super) fn elements(
        &self,
        operands: impl Iterator<Item = (usize, usize, u64)>,
    ) -> Option<Growth> {
        let mut sum = Growth::default();
        for (kernel, operand, times) in operands.filter(|(.., times)| *times > 0) {
            let one = self.kernels.get(kernel)?.operands.get(operand)?.0.as_ref()?;
            sum = sum.plus(&one.scaled(times)?)?;
        }
        Some(sum)
    }
}
