//! What crosses memory for one group, as polynomials of the inputs.

use derate_render::{Cell, Formula, NumberFormat};

use super::partition::FusedGroup;
use super::polynomial::Polynomial;
use derate_estimate::{KernelEstimate, OperandTraffic};
use derate_units::Precision;
use derate_workload::work::kernel_arithmetic;
use derate_workload::{Count, Kernel, Matmul, Repeated};

/// A group in numbers and as polynomials.
pub(super) struct Moved<'a> {
    pub(super) repeated: &'a Repeated<Polynomial>,
    pub(super) kernel: &'a KernelEstimate,
    pub(super) fused: &'a FusedGroup<'a>,
}

/// A count that grows is a formula; one that does not is a number.
pub(super) fn write_count(value: f64, count: &Polynomial) -> Cell {
    match count.constant() {
        Some(_) => Cell::number(value, NumberFormat::Integer),
        None => Cell::formula(value, count.formula(), NumberFormat::Integer),
    }
}

/// The operations of a kernel's product.
fn count_operations(kernel: &Kernel<Polynomial>) -> Polynomial {
    kernel.op.product().map(Matmul::count_operations).unwrap_or_default()
}

impl<'a> Moved<'a> {
    /// Its first kernel.
    fn first(&self) -> &'a Kernel<Polynomial> {
        &self.repeated.block.kernels[self.fused.group.kernels.start]
    }

    /// The product of its first kernel.
    pub(super) fn matmul(&self) -> Option<&'a Matmul<Polynomial>> {
        self.first().op.product()
    }

    /// The operands of its first kernel.
    pub(super) fn operands(&self) -> &'a [derate_workload::Operand<Polynomial>] {
        self.repeated.block.operands_of(self.first())
    }

    /// Calls per inference.
    pub(super) fn count_calls(&self) -> Polynomial {
        self.repeated.runs.scaled(self.fused.class.layers.len() as u64)
    }

    /// Operations of all its products.
    pub(super) fn count_flops(&self) -> Polynomial {
        let kernels = &self.repeated.block.kernels[self.fused.group.kernels.clone()];
        kernels.iter().map(count_operations).sum()
    }

    /// Operations of the products of each arithmetic.
    pub(super) fn flops_by_arithmetic(&self) -> Vec<(Precision, Polynomial)> {
        let class = self.fused.class;
        let mut all: Vec<(Precision, Polynomial)> = Vec::new();
        for at in self.fused.group.kernels.clone() {
            let kernel = &self.repeated.block.kernels[at];
            if kernel.op.product().is_none() {
                continue;
            }
            let own = kernel_arithmetic(&class.block, at, &class.formats);
            let flops = count_operations(kernel);
            match all.iter_mut().find(|(known, _)| known.key() == own.key()) {
                Some((_, sum)) => *sum = sum.plus(&flops),
                None => all.push((own, flops)),
            }
        }
        all
    }

    /// The sum of the operands that cross, with `weight` for each element: what crosses in every run, and what is read once
    /// for all runs.
    fn sum_elements(&self, weight: impl Fn(&OperandTraffic) -> u64) -> [Polynomial; 2] {
        let first = self.fused.group.kernels.start;
        let block = &self.repeated.block;
        let (mut streamed, mut held) = (Polynomial::default(), Polynomial::default());
        // Operands of a member follow one another.
        let mut last = (usize::MAX, 0);
        for own in &self.kernel.operands {
            last = if last.0 == own.member { (own.member, last.1 + 1) } else { (own.member, 0) };
            let kernel = &block.kernels[first + own.member];
            let Some(operand) = block.operands_of(kernel).get(last.1) else { continue };
            if self.fused.class.held && own.role.is_stored() {
                held = held.plus(&operand.elements.scaled(weight(own)));
            } else {
                let times = super::to_count(own.crossings) * weight(own);
                streamed = streamed.plus(&operand.elements.scaled(times));
            }
        }
        [streamed, held]
    }

    /// The formula of that sum, and whether it depends on nothing.
    pub(super) fn write_elements(
        &self,
        weight: impl Fn(&OperandTraffic) -> u64,
    ) -> (Formula, bool) {
        let [streamed, held] = self.sum_elements(weight);
        if held.constant() == Some(0.0) {
            return (streamed.formula(), streamed.constant().is_some());
        }
        (streamed.formula() + held.formula() / self.repeated.runs.formula(), false)
    }

    /// The bits of the operands that cross and that `is` chooses, where they are alike.
    pub(super) fn common_bits(&self, is: impl Fn(&OperandTraffic) -> bool) -> Option<f64> {
        let operands = self.kernel.operands.iter();
        let mut own = operands.filter(|o| o.crossings > 0.0 && is(o)).map(|o| o.precision.bits());
        let first = own.next()?;
        own.all(|bits| bits == first).then_some(f64::from(first))
    }
}
