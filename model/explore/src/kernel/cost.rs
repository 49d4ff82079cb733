//! What a design of a kernel costs.

use crate::Cost;
use derate_kernel::KernelAnswer;
use derate_machine::Usage;

/// What the model says a kernel costs: cycles, and resources as the tool's report has them, with the block memory that it
/// leaves out. Cycles that data decide are
/// unknown.
#[must_use]
pub fn kernel_cost(answer: &KernelAnswer) -> Cost {
    if !answer.is_scheduled {
        return Cost { objective: f64::NAN, usage: Usage::default() };
    }
    let cycles = answer.latency.expected;
    let of = &answer.resources;
    Cost {
        objective: if answer.latency.is_open { f64::NAN } else { cycles },
        usage: Usage {
            dsp: of.dsp.value,
            bram18: of.bram18.needed(),
            uram: of.uram.value,
            lut: of.lut.value,
            ff: of.ff.value,
        },
    }
}

/// What a design costs that the tool does not take, or that leaves work out: forever.
pub(super) fn endless_cost() -> Cost {
    Cost { objective: f64::INFINITY, usage: Usage::default() }
}

/// The same as [`kernel_cost`] of an answer that may be missing; a design that leaves out more than a hundredth of the work takes
/// forever.
pub(super) fn working_cost(answer: Option<&KernelAnswer>, work: f64) -> Cost {
    let unknown = Cost { objective: f64::NAN, usage: Usage::default() };
    answer.map_or(unknown, |answer| {
        let leaves_out = answer.work.multiplications < 0.99 * work;
        if leaves_out { endless_cost() } else { kernel_cost(answer) }
    })
}
