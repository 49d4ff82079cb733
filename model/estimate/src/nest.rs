//! The loops around a loop.

use derate_kernel::LoopAnswer;

/// The loops around one, from the innermost on: they are in the order of the source.
pub(crate) fn ancestors(loops: &[LoopAnswer], at: usize) -> impl Iterator<Item = &LoopAnswer> {
    let mut nest = loops.get(at).map_or(0, |one| one.nest);
    let before = loops.get(..at).unwrap_or_default().iter().rev();
    before.filter(move |one| {
        let is_around = one.nest < nest;
        if is_around {
            nest = one.nest;
        }
        is_around
    })
}
