//! Whether a loop is hidden behind another stage of its dataflow region, which takes longer.

use std::collections::BTreeSet;

use derate_kernel::ir::{Program, Stmt, any_in};
use derate_kernel::{LoopAnswer, RegionAnswer, StageAnswer};
use derate_units::figures::grouped;

use crate::ModelledKernel;
use crate::nest::ancestors;

/// A stage waits for another one that is longer by this share: what takes as long as the slowest holds the region, too.
const SHARE: f64 = 0.01;
/// Fewer cycles are the start of the stages.
const START: f64 = 16.0;
/// Where data decide what the stages take: one that takes so many times as long by the counts that are given is the slower one.
const TIMES: f64 = 2.0;

/// The stage that the region waits for, where a loop is in another one: what the loop loses costs nothing.
pub(crate) fn find_hiding_stage(kernel: &ModelledKernel, one: &LoopAnswer) -> Option<String> {
    kernel.answer.regions.iter().find_map(|region| find_slower(kernel, region, one))
}

fn find_slower(kernel: &ModelledKernel, region: &RegionAnswer, one: &LoopAnswer) -> Option<String> {
    let loops = &kernel.answer.loops;
    let around = loops.iter().enumerate().filter(|(_, own)| own.place == one.place);
    let around: Vec<&LoopAnswer> = around.flat_map(|(at, _)| ancestors(loops, at)).collect();
    let has = |stage: &&StageAnswer| {
        let mut all = around.iter().copied().chain([one]);
        let is_it =
            region.function == one.function && all.any(|it| is_nest(&it.label, &stage.name));
        is_it || reaches(&kernel.program, &stage.name, &one.function, &mut BTreeSet::new())
    };
    let (own, others): (Vec<_>, Vec<_>) = region.stages.iter().partition(has);
    if own.is_empty() || own.iter().any(|stage| !stage.interval.is_known()) {
        return None;
    }
    let longest = own.iter().map(|stage| stage.interval.worst).fold(0.0, f64::max);
    let slower = others.iter().max_by(|a, b| a.interval.best.total_cmp(&b.interval.best))?;
    let least = slower.interval.best;
    if longest < least * (1.0 - SHARE) && longest + START <= least {
        return Some(describe(&slower.name, least, longest));
    }
    // The stages may follow the same data, a mode or a number of images: all the cycles of one are those of the slower one.
    let most =
        |cycles: fn(&StageAnswer) -> f64| own.iter().map(|one| cycles(one)).fold(0.0, f64::max);
    let expected = most(|stage| stage.interval.expected);
    let shortest = most(|stage| stage.interval.best);
    let is_slower = |stage: &&&StageAnswer| {
        stage.interval.is_known()
            && stage.interval.expected >= TIMES * expected
            && stage.interval.worst >= TIMES * longest
            && stage.interval.best >= shortest
    };
    let slower = others.iter().filter(is_slower);
    let slowest = slower.max_by(|a, b| a.interval.expected.total_cmp(&b.interval.expected));
    slowest.map(|stage| describe(&stage.name, stage.interval.expected, expected))
}

/// What the region waits for.
fn describe(name: &str, slower: f64, own: f64) -> String {
    format!(
        "the region waits for `{name}`, which takes {} cycles; the stage with this loop takes {}",
        grouped(slower),
        grouped(own)
    )
}

/// Whether a loop has a name, or is a nest of which it is the first or the last loop.
fn is_nest(label: &str, name: &str) -> bool {
    label.ends_with(name) || label.strip_prefix(name).is_some_and(|rest| rest.starts_with('_'))
}

/// Whether a function is another one or calls it; `seen` has those that were looked at.
fn reaches<'p>(
    program: &'p Program,
    from: &'p str,
    to: &str,
    seen: &mut BTreeSet<&'p str>,
) -> bool {
    if from == to {
        return true;
    }
    let Some(function) = program.functions.iter().find(|one| one.name == from) else {
        return false;
    };
    seen.insert(from)
        && any_in(&function.body, &mut |stmt| {
            let Stmt::Call(call) = stmt else { return false };
            let callee = program.functions.get(call.function);
            callee.is_some_and(|callee| reaches(program, &callee.name, to, seen))
        })
}
