//! What a finding about a kernel costs: the one place that says what is too little for a warning.

use std::collections::BTreeMap;

use derate_hls::{Function, Loop, Resolver};
use derate_kernel::LoopAnswer;
use derate_units::figures::grouped;

use crate::ModelledKernel;
use crate::deeper_nest::find_deeper_nest;
use crate::hidden::find_hiding_stage;
use crate::nest::ancestors;

/// Less than this share of the kernel's cycles is a note.
const SHARE: f64 = 0.01;
/// Where the share is not known, a loop of fewer iterations in one run is a note.
const ITERATIONS: f64 = 16.0;
/// A sum of fewer additions in one run, where nothing is scheduled.
const ADDITIONS: u64 = 64;
/// So many iterations beside it take far longer.
const LONG: u64 = 1024;
/// A buffer of fewer bytes.
const BYTES: u64 = 4096;

/// Cycles that an interval loses in a run of the kernel, at least and at most.
#[derive(Clone, Copy, Default)]
struct Lost {
    least: f64,
    most: f64,
}

/// Why the interval of a loop costs too little for a warning; `None` where it does not, or where that is not known.
pub fn find_slight_interval(
    kernel: &ModelledKernel,
    one: &LoopAnswer,
    asked: u64,
    reached: u64,
) -> Option<String> {
    if let Some(hidden) = find_hiding_stage(kernel, one) {
        return Some(hidden);
    }
    #[allow(clippy::cast_precision_loss)]
    let more = reached.saturating_sub(asked) as f64;
    if more == 0.0 {
        return None;
    }
    let loops = &kernel.answer.loops;
    let is_it = |other: &LoopAnswer| (other.place, &other.label) == (one.place, &one.label);
    let (mut lost, mut is_large) = (Lost::default(), false);
    for at in (0..loops.len()).filter(|&at| is_it(&loops[at])) {
        let trips = range(&loops[at]);
        let mut own =
            Lost { least: more * (trips.0 - 1.0).max(0.0), most: more * (trips.1 - 1.0).max(0.0) };
        for around in ancestors(loops, at) {
            // What is little in an iteration is little in all of them.
            if around.is_depth_known && around.depth > 0.0 {
                if own.most < SHARE * around.depth {
                    own.most = 0.0;
                }
                is_large |= own.least >= SHARE * around.depth;
            }
            let trips = range(around);
            own = Lost {
                least: own.least * trips.0,
                most: if own.most > 0.0 { own.most * trips.1 } else { 0.0 },
            };
        }
        lost = Lost { least: lost.least + own.least, most: lost.most + own.most };
    }
    let latency = &kernel.answer.latency;
    if lost.most < SHARE * latency.best || lost.most == 0.0 {
        return Some(if lost.most == 0.0 {
            "it costs less than 1 % of the loop around it".to_owned()
        } else {
            let all = grouped(latency.best);
            format!("it costs {} of at least {all} cycles of a run", grouped(lost.most))
        });
    }
    if is_large || latency.is_known() && lost.least >= SHARE * latency.worst {
        return None;
    }
    let most = range(one).1;
    let few = most < ITERATIONS
        && ancestors(loops, loops.iter().position(is_it)?)
            .all(|it| range(it).1 <= 1.0 || it.trip.is_none());
    few.then(|| format!("the loop has {} iterations in one run of it", grouped(most)))
        .or_else(|| find_deeper_nest(kernel, one))
}

/// Why all the cycles of a loop are too few for a warning; `None` where they are not, or where that is not known.
pub fn find_slight_loop(kernel: &ModelledKernel, one: &LoopAnswer) -> Option<String> {
    if let Some(hidden) = find_hiding_stage(kernel, one) {
        return Some(hidden);
    }
    let loops = &kernel.answer.loops;
    let is_it = |other: &LoopAnswer| (other.place, &other.label) == (one.place, &one.label);
    let copies = (0..loops.len()).filter(|&at| is_it(&loops[at]));
    let all = copies.map(|at| {
        let own = &loops[at].cycles;
        let around: f64 = ancestors(loops, at).map(|around| range(around).1).product();
        if own.is_known() { own.worst * around } else { f64::INFINITY }
    });
    let (all, least): (f64, f64) = (all.sum(), kernel.answer.latency.best);
    let slight = (all < SHARE * least).then(|| {
        format!("it takes {} of at least {} cycles of a run", grouped(all), grouped(least))
    });
    slight.or_else(|| find_deeper_nest(kernel, one))
}

/// Why the loop at a line costs too little for a warning in each of the kernels that have it; `None` where none has it.
pub fn find_slight_line(kernels: &[ModelledKernel], file: &str, line: usize) -> Option<String> {
    let is_here = |kernel: &ModelledKernel, one: &LoopAnswer| {
        let name = kernel.program.files.get(usize::from(one.place.file));
        name.is_some_and(|name| name == file) && usize::try_from(one.place.line) == Ok(line)
    };
    let all = kernels.iter().flat_map(|kernel| {
        let own = kernel.answer.loops.iter().filter(move |one| is_here(kernel, one));
        own.map(move |one| find_slight_loop(kernel, one))
    });
    all.collect::<Option<Vec<_>>>()?.pop()
}

/// The iterations of a loop, at least and at most.
fn range(one: &LoopAnswer) -> (f64, f64) {
    match one.trip {
        Some((least, most, _)) if !one.trip_rests_on_type => (least, most),
        Some((least, ..)) => (least, f64::INFINITY),
        None => (0.0, f64::INFINITY),
    }
}

/// Why a sum of a loop costs too little for a warning, by the bounds of the text: a call makes few additions, or does them
/// beside a loop that takes far longer. A loop whose bound is not known is not long.
pub fn find_slight_sum(
    resolver: &Resolver<'_>,
    function: &Function,
    inner: &Loop,
) -> Option<String> {
    let trips = resolver.trip_counts(function, &BTreeMap::new());
    let trips: Vec<Option<u64>> = trips.into_iter().map(Result::ok).collect();
    let parent = |at: &usize| function.loops.get(*at)?.parent;
    let at = function.loops.iter().position(|one| one.span == inner.span)?;
    let chain: Vec<usize> = std::iter::successors(Some(at), parent).collect();
    let beside = |around: usize| {
        let all = (0..function.loops.len())
            .filter(move |&other| function.loops[other].parent == Some(around));
        all.filter(|other| !chain.contains(other)).map(|other| trips[other])
    };
    let is_longer = |around| beside(around).any(|trips| trips.is_some_and(|trips| trips >= LONG));
    let is_open = |around| beside(around).any(|trips| trips.is_none());
    let mut additions = 1_u64;
    for &index in &chain {
        if index != at && is_longer(index) {
            return Some(format!("{additions} additions beside a loop that takes far longer"));
        }
        // Its share is not known, as in `find_slight_interval`.
        if index != at
            && trips[index].is_none()
            && is_open(index)
            && (additions as f64) < ITERATIONS
        {
            return Some(format!(
                "{additions} additions in one run of the loop, and how long the loop beside it takes is not known"
            ));
        }
        additions = additions.saturating_mul(trips[index]?);
        if additions >= ADDITIONS {
            return None;
        }
    }
    Some(format!("a call makes {additions} additions"))
}

/// Why a buffer is too small for a warning.
pub fn find_slight_buffer(bytes: u64) -> Option<String> {
    (bytes < BYTES).then(|| format!("{} B in a run cost little", grouped(bytes as f64)))
}
