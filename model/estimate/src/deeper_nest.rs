//! Whether a loop is beside a far deeper nest, where arguments are the bounds of both.

use derate_kernel::LoopAnswer;

use crate::ModelledKernel;

/// A nest of so many more loops takes far longer, whatever the arguments are.
const DEEPER: usize = 2;

/// A loop with what is around it.
#[derive(Clone, Copy)]
struct Depth {
    nest: usize,
    /// The loops around it, and itself, whose bounds are not known.
    open: usize,
    /// Whether it is the loop in question, or in it.
    is_within: bool,
}

/// Why a loop costs little beside a nest with more loops whose bounds are arguments; `None` where its own bounds are known, or no
/// nest beside it is deeper by two of them.
pub(crate) fn find_deeper_nest(kernel: &ModelledKernel, one: &LoopAnswer) -> Option<String> {
    let loops = &kernel.answer.loops;
    let is_it = |other: &LoopAnswer| (other.place, &other.label) == (one.place, &one.label);
    let depths = list_depths(loops, is_it);
    let all = || loops.iter().zip(&depths);
    let own = all().filter(|(other, _)| is_it(other)).map(|(_, depth)| depth.open).max()?;
    let beside = all().filter(|(_, depth)| !depth.is_within);
    let (other, deepest) = beside.max_by_key(|(_, depth)| depth.open)?;
    (own > 0 && deepest.open >= own + DEEPER).then(|| {
        format!(
            "arguments are the bounds of {} loops at `{}` of `{}`, and of {own} here: the deeper nest takes longer",
            deepest.open, other.label, other.function
        )
    })
}

/// The loops are in the order of the source, each behind the one around it.
fn list_depths(loops: &[LoopAnswer], is_it: impl Fn(&LoopAnswer) -> bool) -> Vec<Depth> {
    let mut around: Vec<Depth> = Vec::new();
    let mut depths = Vec::with_capacity(loops.len());
    for one in loops {
        while around.last().is_some_and(|outer| outer.nest >= one.nest) {
            around.pop();
        }
        let (open, is_within) = around.last().map_or((0, false), |it| (it.open, it.is_within));
        let depth = Depth {
            nest: one.nest,
            open: open + usize::from(one.trip.is_none()),
            is_within: is_within || is_it(one),
        };
        around.push(depth);
        depths.push(depth);
    }
    depths
}
