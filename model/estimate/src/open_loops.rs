//! Loops without a fixed number of iterations in loops that ask for a pipeline.

use derate_kernel::LoopAnswer;
use derate_kernel::ir::{Stmt, any_in, rests_on_data};

use crate::ModelledKernel;

/// The first loop without a fixed number of iterations in a loop that asks for a pipeline and has none.
#[must_use]
pub fn find_open(loops: &[LoopAnswer], at: usize) -> Option<usize> {
    loops.get(at).filter(|one| one.asked.is_some() && one.ii.is_none())?;
    list_open(loops, at).next()
}

/// The loops without a fixed number of iterations in a loop: they come directly behind it.
fn list_open(loops: &[LoopAnswer], at: usize) -> impl Iterator<Item = usize> {
    let nest = loops[at].nest;
    let is_open = |inner: &LoopAnswer| {
        let is_fixed = |(least, most, _): (f64, f64, f64)| (least - most).abs() < 0.5;
        inner.trip_rests_on_type || inner.trip_is_given || !inner.trip.is_some_and(is_fixed)
    };
    let within = (at + 1..loops.len()).take_while(move |&inner| loops[inner].nest > nest);
    within.filter(move |&inner| is_open(&loops[inner]))
}

/// The loops that a pipeline can be moved to: they have no loop without a fixed number of iterations in them.
#[must_use]
pub fn list_innermost(loops: &[LoopAnswer], one: &LoopAnswer) -> Vec<String> {
    let at = loops.iter().position(|other| (other.place, &other.label) == (one.place, &one.label));
    let Some(at) = at else { return Vec::new() };
    let innermost = list_open(loops, at).filter(|&inner| list_open(loops, inner).next().is_none());
    let mut names: Vec<String> = Vec::new();
    for name in innermost.map(|inner| format!("`{}`", loops[inner].label)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Whether data decide how often a loop iterates, and not a macro that nothing defines.
#[must_use]
pub fn is_decided_by_data(kernel: &ModelledKernel, inner: &LoopAnswer) -> bool {
    kernel.program.functions.iter().any(|function| {
        any_in(&function.body, &mut |stmt| {
            let Stmt::Loop(item) = stmt else { return false };
            item.place == inner.place && rests_on_data(item) == Some(true)
        })
    })
}
