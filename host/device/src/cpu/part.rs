//! The threads of a stream, parked at barriers: what is timed is the work, not the making of threads.

use std::hint::black_box;
use std::sync::{Barrier, Mutex, PoisonError, mpsc};
use std::thread::Builder;
use std::time::Instant;

use derate_model::measurement::KernelKind;

use crate::error::BenchError;

/// What one thread works on. Its memory is reserved, and first touched by that thread: a machine with several memories puts
/// it beside the processor that uses it.
pub(super) struct Part {
    from: Vec<u64>,
    to: Vec<u64>,
    words: usize,
}

/// When a repetition of a thread began and ended.
type Span = (Instant, Instant);

/// From the first thread's start to the last one's end, of each repetition.
type Spans = Mutex<Vec<Option<Span>>>;

/// Widens a repetition's span by that of one thread.
fn widen_span(spans: &Spans, at: usize, (begin, end): Span) {
    let mut spans = spans.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(span) = spans.get_mut(at) {
        let (first, last) = span.unwrap_or((begin, end));
        *span = Some((first.min(begin), last.max(end)));
    }
}

fn sum_words(words: &[u64]) -> u64 {
    words.iter().fold(0, |sum: u64, next| sum.wrapping_add(*next))
}

impl Part {
    /// Memory for so many words each way; `None` where there is not as much.
    pub(super) fn reserve(words: usize) -> Option<Self> {
        let (mut from, mut to) = (Vec::new(), Vec::new());
        from.try_reserve_exact(words).ok()?;
        to.try_reserve_exact(words).ok()?;
        Some(Self { from, to, words })
    }

    /// Whether all was right.
    fn run_repetitions(
        mut self,
        kind: KernelKind,
        repetitions: usize,
        barrier: &Barrier,
        spans: &Spans,
    ) -> bool {
        self.from.extend((0..self.words as u64).map(|at| at.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        self.to.resize(self.words, 0);
        let wanted = sum_words(&self.from);
        let mut passed = true;
        for at in 0..repetitions {
            let value = at as u64 + 1;
            if kind == KernelKind::Memcpy {
                self.to.fill(0);
            }
            barrier.wait();
            let begin = Instant::now();
            let mut got = 0;
            match kind {
                KernelKind::Memcpy => {
                    black_box(&mut self.to).copy_from_slice(black_box(&self.from));
                }
                KernelKind::Write => black_box(&mut self.to).fill(value),
                _ => got = black_box(sum_words(black_box(&self.from))),
            }
            widen_span(spans, at, (begin, Instant::now()));
            // No thread checks while another still works.
            barrier.wait();
            passed &= match kind {
                KernelKind::Memcpy => self.from == self.to,
                KernelKind::Write => self.to.iter().all(|&one| one == value),
                _ => got == wanted,
            };
        }
        passed
    }
}

/// Runs each part on a thread of its own, so many times. Gives the seconds of each repetition, from the first thread's start
/// to the last one's end, and whether all was right.
pub(super) fn side_by_side(
    kind: KernelKind,
    parts: Vec<Part>,
    repetitions: usize,
    mut progress: impl FnMut(usize),
) -> Result<(Vec<f64>, bool), BenchError> {
    let count = parts.len();
    let barrier = Barrier::new(count + 1);
    let spans: Spans = Mutex::new(vec![None; repetitions]);
    let passed: Vec<Option<bool>> = std::thread::scope(|scope| {
        let mut threads = Vec::with_capacity(count);
        let mut gates = Vec::with_capacity(count);
        for part in parts {
            let (open, gate) = mpsc::channel::<()>();
            let (barrier, spans) = (&barrier, &spans);
            // A gate that closes says that not all threads are there.
            let run = move || {
                gate.recv().ok().map(|()| part.run_repetitions(kind, repetitions, barrier, spans))
            };
            match Builder::new().spawn_scoped(scope, run) {
                Ok(thread) => threads.push(thread),
                Err(error) => {
                    let made = threads.len();
                    return Err(BenchError::Setup(format!(
                        "this machine makes {made} threads of {count} ({error}): give fewer"
                    )));
                }
            }
            gates.push(open);
        }
        for open in &gates {
            // A thread that has ended is found when it is joined.
            let _ = open.send(());
        }
        for at in 0..repetitions {
            progress(at);
            barrier.wait();
            barrier.wait();
        }
        Ok(threads.into_iter().map(|thread| thread.join().ok().flatten()).collect())
    })?;
    let passed: Option<Vec<bool>> = passed.into_iter().collect();
    let passed = passed.ok_or_else(|| {
        BenchError::Setup("a thread of the bench ended before its work".to_owned())
    })?;
    let spans = spans.into_inner().unwrap_or_else(PoisonError::into_inner);
    let seconds = spans.into_iter().flatten().map(|(begin, end)| (end - begin).as_secs_f64());
    Ok((seconds.collect(), passed.into_iter().all(|one| one)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_repetition_is_timed_and_checked_once() {
        for kind in [KernelKind::Read, KernelKind::Write, KernelKind::Memcpy] {
            let parts = (0..4).map(|_| Part::reserve(1 << 12).unwrap()).collect();
            let mut seen = Vec::new();
            let (seconds, passed) = side_by_side(kind, parts, 5, |at| seen.push(at)).unwrap();
            assert!(passed);
            assert_eq!((seconds.len(), seen), (5, vec![0, 1, 2, 3, 4]));
            assert!(seconds.iter().all(|&time| time > 0.0));
        }
        assert!(Part::reserve(usize::MAX / 16).is_none());
    }
}
