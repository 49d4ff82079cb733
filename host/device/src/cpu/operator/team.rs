//! Threads that share one repetition's work.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::stop::Stop;

/// Operations below which another thread takes longer to start than it saves.
const WORTH: f64 = 2e6;

/// Parts for each thread where parts are of one size: a thread that the system holds up leaves its parts to the others.
pub(super) const PARTS: usize = 4;

/// How many threads a work of so many operations is worth: no more than there are, nor than `pieces`.
pub(super) fn useful_threads(threads: usize, operations: f64, pieces: usize) -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "held by `threads`"
    )]
    let by_work = (operations / WORTH).clamp(1.0, threads.max(1) as f64) as usize;
    by_work.min(pieces).max(1)
}

/// Parts of `0..all`, as even as whole `unit`s allow; none is empty.
pub(super) fn split_range(all: usize, unit: usize, count: usize) -> Vec<Range<usize>> {
    let units = all.div_ceil(unit);
    let each = units.div_ceil(count.max(1)).max(1) * unit;
    (0..all).step_by(each).map(|from| from..all.min(from + each)).collect()
}

/// Runs all jobs on so many threads, this one among them, until somebody asks to stop. Where the machine makes fewer threads, those
/// that are there do the work.
pub(super) fn side_by_side<F: FnOnce() + Send>(threads: usize, jobs: Vec<F>, stop: &Stop<'_>) {
    let others = threads.min(jobs.len()).saturating_sub(1);
    let queue = Mutex::new(jobs.into_iter());
    let work = || {
        while let Some(job) = { queue.lock().unwrap_or_else(PoisonError::into_inner).next() } {
            if stop.asked() {
                return;
            }
            job();
        }
    };
    thread::scope(|scope| {
        for _ in 0..others {
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn parts_are_all_of_it_once(all in 0..500_usize, unit in 1..20_usize, count in 0..9_usize) {
            let parts = split_range(all, unit, count);
            prop_assert_eq!(parts.iter().map(ExactSizeIterator::len).sum::<usize>(), all);
            prop_assert!(parts.len() <= count.max(1));
            let mut at = 0;
            for part in parts {
                prop_assert!(part.start == at && !part.is_empty() && part.start.is_multiple_of(unit));
                at = part.end;
            }
        }
    }

    #[test]
    fn every_job_runs_once() {
        for threads in [0, 1, 3, 50] {
            let sum = AtomicUsize::new(0);
            let jobs: Vec<_> = (0..20)
                .map(|at| {
                    let sum = &sum;
                    move || {
                        sum.fetch_add(at, Ordering::Relaxed);
                    }
                })
                .collect();
            side_by_side(threads, jobs, &Stop::new(&|| false));
            assert_eq!(sum.into_inner(), 190);
        }
        assert_eq!(
            (
                useful_threads(8, 1e3, 8),
                useful_threads(8, 5e6, 8),
                useful_threads(8, 1e12, 3),
                useful_threads(0, 1e9, 5)
            ),
            (1, 2, 3, 1)
        );
    }
}
