//! What is launched again and again on sets of operands that take turns: timed by the GPU's own events, and looked at.

use std::cell::Cell;

use derate_model::measurement::ResultCheck;

use super::entries::entry;
use super::memory::GpuMemory;
use super::stopwatch::choose_launches;
use super::{Arithmetic, Gpu, mantissa};
use crate::error::{BenchError, CudaError};
use crate::measure::{Cancel, Progress, Repeat};

/// Several times the last-level cache, so that a launch finds no operands there.
const CACHES: u64 = 4;
const MOST_SETS: u64 = 64;

/// What is repeated: its name and its needs.
pub(super) struct Job {
    /// Extents and arithmetic: `8 x 8 x 8 in fp16`.
    pub(super) title: String,
    /// What NVIDIA's libraries multiply in; `None` where they do not.
    pub(super) arithmetic: Option<Arithmetic>,
    /// Bytes of a set of operands and results; saturated.
    pub(super) bytes: u64,
}

/// Bytes of all parts of a set; saturated.
pub(super) fn sum_bytes(parts: [u64; 3]) -> u64 {
    parts.into_iter().fold(0, u64::saturating_add)
}

/// An operator with all that its launches need.
pub(super) trait Work {
    /// Its operands and what becomes of them.
    type Set;
    /// A set, its operands copied from the first one where there is one.
    fn make_set(&mut self, first: Option<&Self::Set>) -> Result<Self::Set, CudaError>;
    /// Puts it into the GPU's order of work, once.
    fn launch_set(&self, set: &Self::Set) -> Result<(), CudaError>;
    /// Wipes whatever a launch writes.
    fn wipe_results(&self, set: &Self::Set) -> Result<(), CudaError>;
    /// Looks at what a launch wrote.
    fn check_set(&mut self, set: &Self::Set) -> Result<(), CudaError>;
    /// What came of it.
    fn into_check(self) -> ResultCheck;
}

/// What a GPU took.
#[derive(Clone, Debug)]
pub struct GpuTiming {
    /// Seconds of one launch, in each repetition; of an operator that is several kernels, of all of them once.
    pub seconds: Vec<f64>,
    /// Launches of a repetition, one after another.
    pub launches: u32,
    /// Sets of operands that took turns.
    pub sets: usize,
    /// Whether together they are larger than the last-level cache.
    pub beyond_cache: bool,
    /// Whether it was right.
    pub check: ResultCheck,
}

/// Refuses an environment that changes the arithmetic, and what the GPU has not the memory for; the GPU is this thread's from
/// here on.
pub(super) fn prepare_gpu(gpu: &Gpu, job: &Job, noun: &str) -> Result<(), CudaError> {
    job.arithmetic.map_or(Ok(()), mantissa::check_own_environment)?;
    gpu.make_current()?;
    gpu.require_memory(job.bytes, &format!("{noun} of {}", job.title))
}

/// Draws operands of a set, each from its seed, or copies them from those of the first set.
pub(super) fn draw_operands<const N: usize>(
    arithmetic: Arithmetic,
    own: [&GpuMemory; N],
    first: Option<[&GpuMemory; N]>,
    seeds: [u64; N],
) -> Result<(), CudaError> {
    draw_each([arithmetic; N], own, first, seeds)
}

/// The same of operands that are stored each in their own way.
pub(super) fn draw_each<const N: usize>(
    arithmetic: [Arithmetic; N],
    own: [&GpuMemory; N],
    first: Option<[&GpuMemory; N]>,
    seeds: [u64; N],
) -> Result<(), CudaError> {
    if let Some(first) = first {
        return own.into_iter().zip(first).try_for_each(|(own, from)| own.copy_from(from));
    }
    own.into_iter().zip(seeds).zip(arithmetic).try_for_each(|((own, seed), arithmetic)| {
        let size = usize::try_from(arithmetic.operand_bytes()).unwrap_or(4);
        own.fill(size, |number| arithmetic.encode(entry(seed, number)))
    })
}

/// Sets of operands take turns, together larger than the cache where as many as that takes is few enough. Results are wiped
/// before each repetition, and that of its last launch is looked at after it: of the launches before, on the same operands, the
/// time alone tells.
pub(super) fn time_work<W: Work>(
    mut work: W,
    job: &Job,
    gpu: &Gpu,
    repeat: Repeat,
    cancel: Cancel<'_>,
    progress: Progress<'_>,
) -> Result<GpuTiming, BenchError> {
    let Job { title, arithmetic, bytes: one } = job;
    let one = *one;
    let go_on = || if cancel() { Err(BenchError::Cancelled) } else { Ok(()) };
    let whole = *arithmetic != Some(Arithmetic::Fp32) || mantissa::is_whole(gpu)?;
    let cache = gpu.last_level_cache()?;
    let sets = count_sets(one, cache, gpu.free_memory()?);
    let watch = gpu.new_stopwatch()?;
    let mut made: Vec<W::Set> = Vec::new();
    for _ in 0..sets {
        go_on()?;
        let set = work.make_set(made.first())?;
        made.push(set);
    }
    // The first makes the libraries load their kernels.
    made.iter().try_for_each(|set| work.launch_set(set))?;
    let mut turns = made.iter().cycle();
    let last = Cell::new(None);
    let mut launch = |work: &W| {
        last.set(turns.next());
        last.get().map_or(Ok(()), |set| work.launch_set(set))
    };
    let each = choose_launches(watch.time(1, || launch(&work))?);
    let mut seconds = Vec::with_capacity(repeat.repetitions);
    let all = repeat.warm_up + repeat.repetitions;
    for at in 0..all {
        go_on()?;
        progress(&format!("{title} on {}: {} of {all}", gpu.name(), at + 1));
        made.iter().try_for_each(|set| work.wipe_results(set))?;
        let took = watch.time(each, || launch(&work))?;
        if at >= repeat.warm_up {
            seconds.push(took);
        }
        if let Some(set) = last.get() {
            work.check_set(set)?;
        }
    }
    // Whatever stopped within the last repetition is found now.
    made.iter().try_for_each(|set| work.wipe_results(set))?;
    made.iter().try_for_each(|set| work.launch_set(set))?;
    made.iter().try_for_each(|set| work.check_set(set))?;
    let beyond_cache = one.saturating_mul(sets) > cache;
    let check = work.into_check();
    let check = ResultCheck { passed: check.passed && whole, ..check };
    Ok(GpuTiming { seconds, launches: each, sets: made.len(), beyond_cache, check })
}

/// How many sets of operands take turns: together several times the cache, and at most half of the memory that is free.
fn count_sets(one: u64, cache: u64, free: u64) -> u64 {
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
        assert_eq!(count_sets(33_570_816, 50 << 20, 80 << 30), 7);
        assert_eq!(count_sets(1 << 30, 50 << 20, 80 << 30), 1);
        assert_eq!(count_sets(1024, 50 << 20, 80 << 30), 64);
        assert_eq!(count_sets(1 << 30, 0, 1 << 30), 1);
        assert_eq!(count_sets(1 << 20, 50 << 20, 8 << 20), 4);
    }
}
