//! What is launched again and again on sets of operands that take turns: timed by the GPU's own events, and looked at.

use std::cell::Cell;

use derate_model::measurement::Check;

use super::entries::entry;
use super::memory::Memory;
use super::stopwatch::launches;
use super::{Arithmetic, Gpu, mantissa};
use crate::error::BenchError;
use crate::error::CudaError;
use crate::measure::{Cancel, Progress, Repeat};

/// Several times the last-level cache, so that a launch finds no operands there.
const CACHES: u64 = 4;
const MOST_SETS: u64 = 64;

/// An operator with all that its launches need.
pub(super) trait Work {
    /// Its operands and what becomes of them.
    type Set;
    /// Extents and arithmetic: `8 x 8 x 8 in fp16`.
    fn title(&self) -> String;
    fn arithmetic(&self) -> Arithmetic;
    /// Bytes of a set.
    fn bytes(&self) -> u64;
    /// A set, its operands copied from the first one where there is one.
    fn make(&self, first: Option<&Self::Set>) -> Result<Self::Set, CudaError>;
    /// Puts it into the GPU's order of work, once.
    fn launch(&self, set: &Self::Set) -> Result<(), CudaError>;
    /// Wipes whatever a launch writes.
    fn wipe(&self, set: &Self::Set) -> Result<(), CudaError>;
    /// Looks at what a launch wrote.
    fn hold(&mut self, set: &Self::Set) -> Result<(), CudaError>;
    /// What came of it.
    fn check(self) -> Check;
}

/// What a GPU took.
#[derive(Clone, Debug)]
pub struct Timed {
    /// Seconds of one launch, in each repetition; of an operator that is several kernels, of all of them once.
    pub seconds: Vec<f64>,
    /// Launches of a repetition, one after another.
    pub launches: u32,
    /// Sets of operands that took turns.
    pub sets: usize,
    /// Whether together they are larger than the last-level cache.
    pub beyond_cache: bool,
    /// Whether it was right.
    pub check: Check,
}

/// Refuses an environment that changes the arithmetic, and what the GPU has not the memory for; the GPU is this thread's from
/// here on.
pub(super) fn admit(
    gpu: &Gpu,
    arithmetic: Arithmetic,
    bytes: u64,
    what: &str,
) -> Result<(), CudaError> {
    mantissa::own_environment(arithmetic)?;
    gpu.enter()?;
    gpu.room(bytes, what)
}

/// Draws operands of a set, each from its seed, or copies them from those of the first set.
pub(super) fn draw<const N: usize>(
    arithmetic: Arithmetic,
    own: [&Memory; N],
    first: Option<[&Memory; N]>,
    seeds: [u64; N],
) -> Result<(), CudaError> {
    let size = usize::try_from(arithmetic.operand_bytes()).unwrap_or(4);
    match first {
        Some(first) => own.into_iter().zip(first).try_for_each(|(own, from)| own.copy_from(from)),
        None => own.into_iter().zip(seeds).try_for_each(|(own, seed)| {
            own.fill(size, |number| arithmetic.encode(entry(seed, number)))
        }),
    }
}

/// Sets of operands take turns, together larger than the cache where as many as that takes is few enough. Results are wiped
/// before each repetition, and that of its last launch is looked at after it: of the launches before, on the same operands, the
/// time alone tells.
pub(super) fn timed<W: Work>(
    mut work: W,
    gpu: &Gpu,
    repeat: Repeat,
    cancel: Cancel<'_>,
    progress: Progress<'_>,
) -> Result<Timed, BenchError> {
    let (title, one) = (work.title(), work.bytes());
    let go_on = || if cancel() { Err(BenchError::Cancelled) } else { Ok(()) };
    let whole = work.arithmetic() != Arithmetic::Fp32 || mantissa::is_whole(gpu)?;
    let cache = gpu.last_level_cache()?;
    let sets = sets(one, cache, gpu.free_memory()?);
    let watch = gpu.stopwatch()?;
    let mut made: Vec<W::Set> = Vec::new();
    for _ in 0..sets {
        go_on()?;
        let set = work.make(made.first())?;
        made.push(set);
    }
    // The first makes the libraries load their kernels.
    made.iter().try_for_each(|set| work.launch(set))?;
    let mut turns = made.iter().cycle();
    let last = Cell::new(None);
    let mut launch = |work: &W| {
        last.set(turns.next());
        last.get().map_or(Ok(()), |set| work.launch(set))
    };
    let each = launches(watch.time(1, || launch(&work))?);
    let mut seconds = Vec::with_capacity(repeat.repetitions);
    let all = repeat.warm_up + repeat.repetitions;
    for at in 0..all {
        go_on()?;
        progress(&format!("{title} on {}: {} of {all}", gpu.name(), at + 1));
        made.iter().try_for_each(|set| work.wipe(set))?;
        let took = watch.time(each, || launch(&work))?;
        if at >= repeat.warm_up {
            seconds.push(took);
        }
        if let Some(set) = last.get() {
            work.hold(set)?;
        }
    }
    // Whatever stopped within the last repetition is found now.
    made.iter().try_for_each(|set| work.wipe(set))?;
    made.iter().try_for_each(|set| work.launch(set))?;
    made.iter().try_for_each(|set| work.hold(set))?;
    let beyond_cache = one.saturating_mul(sets) > cache;
    let check = work.check();
    let check = Check { passed: check.passed && whole, ..check };
    Ok(Timed { seconds, launches: each, sets: made.len(), beyond_cache, check })
}

/// How many sets of operands take turns: together several times the cache, and at most half of the memory that is free.
fn sets(one: u64, cache: u64, free: u64) -> u64 {
    let one = one.max(1);
    let wanted = (CACHES * cache).div_ceil(one).clamp(1, MOST_SETS);
    wanted.min((free / 2 / one).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_take_turns_where_the_cache_would_hold_them() {
        // 4096 x 4096 in FP16 on a cache of 50 MiB, and one that is larger than it.
        assert_eq!(sets(33_570_816, 50 << 20, 80 << 30), 7);
        assert_eq!(sets(1 << 30, 50 << 20, 80 << 30), 1);
        assert_eq!(sets(1024, 50 << 20, 80 << 30), 64);
        assert_eq!(sets(1 << 30, 0, 1 << 30), 1);
        assert_eq!(sets(1 << 20, 50 << 20, 8 << 20), 4);
    }
}
