use serde::{Deserialize, Serialize};

use super::constants::four_digits;
use super::nelder_mead::find_minimum;
use super::{DominantPart, ElementBytes, GpuFigures};
use super::{GemmTiming, TimingConditions};
use derate_units::Seconds;
use derate_workload::Matmul;

/// A roofline with two efficiencies and a launch: what the finer model is held against, and what replaces it where a
/// device has no timings.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ThreeConstants {
    /// Share of the peak.
    pub compute: f64,
    /// Share of the memory's bandwidth.
    pub memory: f64,
    /// Microseconds of any call.
    pub launch: f64,
}

impl ThreeConstants {
    /// The roofline itself.
    pub const ROOFLINE: Self = Self { compute: 1.0, memory: 1.0, launch: 0.0 };

    /// `max(2 b m n k / (compute x peak), bytes / (memory x bandwidth)) + launch`.
    pub fn model_time(
        &self,
        product: Matmul,
        elements: &ElementBytes,
        machine: &GpuFigures,
    ) -> Seconds {
        let (compute, memory) = self.roof_seconds(product, elements, machine);
        Seconds(compute.max(memory) + self.launch * 1e-6)
    }

    /// What most of that time is.
    pub(super) fn region(
        &self,
        product: Matmul,
        elements: &ElementBytes,
        machine: &GpuFigures,
    ) -> DominantPart {
        let (compute, memory) = self.roof_seconds(product, elements, machine);
        if self.launch * 1e-6 >= compute.max(memory) {
            DominantPart::Overhead
        } else if compute < memory {
            DominantPart::Memory
        } else {
            DominantPart::Compute
        }
    }

    /// Seconds of the products and of the bytes.
    fn roof_seconds(
        &self,
        product: Matmul,
        elements: &ElementBytes,
        machine: &GpuFigures,
    ) -> (f64, f64) {
        let (left, right, result) = elements.bytes(product);
        let compute = product.flops().0 / (self.compute * machine.peak.0);
        (compute, (left + right + result) / (self.memory * machine.bandwidth.0))
    }

    /// The three with the least mean of `|ln(model / timing)|` over timings of any machines.
    pub fn fit_timings(sets: &[(&[GemmTiming], GpuFigures, TimingConditions)]) -> Self {
        let count: usize = sets.iter().map(|(timings, ..)| timings.len()).sum();
        let of = |point: &[f64]| match *point {
            [compute, memory, launch] => {
                Self { compute: compute.exp(), memory: memory.exp(), launch: launch.exp() }
            }
            _ => Self::ROOFLINE,
        };
        let mut missed = |point: &[f64]| {
            let three = of(point);
            let of_set =
                |(timings, machine, conditions): &(&[GemmTiming], GpuFigures, TimingConditions)| {
                    let off = |timing: &GemmTiming| {
                        let time = three.model_time(timing.product, &conditions.elements, machine);
                        (time / timing.time).ln().abs()
                    };
                    timings.iter().map(off).sum::<f64>()
                };
            sets.iter().map(of_set).sum::<f64>() / count.max(1) as f64
        };
        let mut best = (Vec::new(), f64::INFINITY);
        for compute in [0.4_f64, 0.8] {
            for memory in [0.5_f64, 0.9] {
                for launch in [3.0_f64, 10.0] {
                    let start = [compute.ln(), memory.ln(), launch.ln()];
                    let first = find_minimum(&mut missed, &start, 0.3, 400);
                    let found = find_minimum(&mut missed, &first.0, 0.1, 400);
                    if found.1 < best.1 {
                        best = found;
                    }
                }
            }
        }
        let Self { compute, memory, launch } = of(&best.0);
        Self {
            compute: four_digits(compute),
            memory: four_digits(memory),
            launch: four_digits(launch),
        }
    }
}
