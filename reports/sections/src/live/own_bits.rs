//! Bits of a kernel's elements where each tensor keeps its own format.

use derate_render::Formula;
use derate_render::formula::{column, number};

use super::roofs::Roofs;
use super::samples::Samples;
use derate_estimate::KernelEstimate;
use derate_workload::{Part, Role};

/// Bits of a kernel's elements where each tensor has its own format.
pub(super) struct OwnBits {
    /// Their mean.
    pub(super) formula: Formula,
    /// Whether all operands are alike.
    alike: bool,
    /// Of the first operand.
    pub(super) first: f64,
    /// Of the weights.
    pub(super) weights: f64,
}

impl OwnBits {
    pub(super) fn of(
        kernel: &KernelEstimate,
        samples: &Samples,
        all: impl Fn(&[Part]) -> Option<u64>,
    ) -> Self {
        let bits = || kernel.operands.iter().map(|o| f64::from(o.precision.bits()));
        let first = bits().next().unwrap_or(0.0);
        let alike = bits().all(|bits| bits.to_bits() == first.to_bits());
        let weights = kernel.operands.iter().find(|o| o.role == Role::Weight);
        let mean = || Some(samples.size(all)?.formula() / column("elements"));
        let formula = if alike { None } else { mean() }.unwrap_or_else(|| number(first));
        let weights = weights.map_or(first, |o| f64::from(o.precision.bits()));
        Self { formula, alike, first, weights }
    }

    /// Bits of an operand that has `own` of its own.
    pub(super) fn of_operand(&self, roofs: &Roofs<'_>, own: f64) -> Formula {
        if self.alike { column("bits") } else { roofs.by_choice(number(own), roofs.bits()) }
    }
}
