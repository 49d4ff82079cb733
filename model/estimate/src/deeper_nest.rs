//! Whether a loop is beside a far deeper nest, where arguments are the bounds of both.

use derate_kernel::LoopAnswer;

use crate::ModelledKernel;
use crate::nest::ancestors;

/// A nest of so many more loops takes far longer, whatever the arguments are.
const DEEPER: usize = 2;

/// Why a loop costs little beside a nest with more loops whose bounds are arguments; `None` where its own bounds are known, or no
/// nest beside it is deeper by two of them.
pub(crate) fn find_deeper_nest(kernel: &ModelledKernel, one: &LoopAnswer) -> Option<String> {
    let loops = &kernel.answer.loops;
    let is_it = |other: &LoopAnswer| (other.place, &other.label) == (one.place, &one.label);
    let is_open = |own: &&LoopAnswer| own.trip.is_none();
    let count = |at: usize| ancestors(loops, at).chain(loops.get(at)).filter(is_open).count();
    let own = (0..loops.len()).filter(|&at| is_it(&loops[at])).map(count).max()?;
    let beside =
        (0..loops.len()).filter(|&at| !is_it(&loops[at]) && !ancestors(loops, at).any(is_it));
    let deepest = beside.map(|at| (count(at), at)).max_by_key(|(open, _)| *open);
    let (open, at) = deepest.filter(|(open, _)| own > 0 && *open >= own + DEEPER)?;
    let other = &loops[at];
    Some(format!(
        "arguments are the bounds of {open} loops at `{}` of `{}`, and of {own} here: the deeper nest takes longer",
        other.label, other.function
    ))
}
