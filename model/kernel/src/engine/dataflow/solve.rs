//! When processes end that wait for each other's streams and buffers.

use super::delay::{Delay, coarsen, push, skip};
use crate::engine::tokens::{Run, Traffic};
use rustc_hash::FxHashMap as HashMap;

/// What a process does, by itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Work {
    pub(crate) latency: f64,
    pub(crate) traffic: Vec<Traffic>,
    /// Processes that must have ended before it starts.
    pub(crate) behind: Vec<usize>,
}

/// Where a process is in time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timed {
    pub(crate) start: f64,
    pub(crate) end: f64,
    delay: Delay,
}

/// A stream between two processes.
#[derive(Clone, Debug)]
struct Channel {
    from: usize,
    to: usize,
    writes: Vec<Run>,
    reads: Vec<Run>,
    depth: f64,
}

/// From a token's write to the first cycle in which it can be read.
const PASS: f64 = 1.0;
/// More tokens that overlap are spread evenly.
const TOKENS: f64 = 200_000.0;
/// Rounds in which full streams hold up those who write them.
const ROUNDS: usize = 4;

/// The times of processes; `depth` is how many tokens a storage holds.
///
/// One process at least goes on in each cycle, or all stop for ever: together they take no longer than one after another.
pub(crate) fn solve(works: &[Work], depth: &dyn Fn(usize) -> f64) -> Vec<Timed> {
    let channels = channels(works, depth);
    let mut held: Vec<Delay> = vec![Delay::default(); works.len()];
    let mut timed = Vec::new();
    for _ in 0..ROUNDS {
        timed = pass(works, &channels, &held);
        let mut changed = false;
        for channel in channels.iter().filter(|channel| channel.depth < total(&channel.writes)) {
            let full = hold(channel, &timed);
            let joined = held[channel.from].join(&full);
            if joined.last() > held[channel.from].last() + 0.5 {
                changed = true;
            }
            held[channel.from] = joined;
        }
        if !changed {
            break;
        }
    }
    let together: f64 = works.iter().map(|work| work.latency + 1.0).sum();
    for one in &mut timed {
        one.start = one.start.min(together - 1.0);
        one.end = one.end.min(together);
    }
    timed
}

fn total(runs: &[Run]) -> f64 {
    runs.iter().map(|run| run.count).sum()
}

/// As many tokens as the other side has. Where they are more, conditions leave some out, and which ones is not known: they are
/// spread evenly.
fn spread(runs: Vec<Run>, count: f64) -> Vec<Run> {
    let (Some(first), Some(last)) = (runs.first(), runs.last()) else { return runs };
    if total(&runs) - count < 0.5 {
        return runs;
    }
    let length = last.first + last.step * (last.count - 1.0) - first.first;
    vec![Run { count, first: first.first, step: length / (count - 1.0).max(1.0) }]
}

fn later(runs: &[Run], by: f64) -> Vec<Run> {
    runs.iter().map(|run| Run { first: run.first + by, ..*run }).collect()
}

/// How late the writer of a stream is as the stream is full.
fn hold(channel: &Channel, timed: &[Timed]) -> Delay {
    let (from, to) = (&timed[channel.from], &timed[channel.to]);
    let freed = later(&to.delay.apply(&channel.reads), to.start + PASS - from.start);
    Delay::of_waiting(&skip(&channel.writes, channel.depth), &freed)
}

/// All processes once, each after those that it reads from.
fn pass(works: &[Work], channels: &[Channel], held: &[Delay]) -> Vec<Timed> {
    let mut timed: Vec<Timed> = Vec::with_capacity(works.len());
    for (at, work) in works.iter().enumerate() {
        let start = work
            .behind
            .iter()
            .filter_map(|before| timed.get(*before))
            .map(|before| before.end + 1.0)
            .fold(0.0, f64::max);
        let mut delay = held[at].clone();
        for channel in channels.iter().filter(|channel| channel.to == at && channel.from < at) {
            let from: &Timed = &timed[channel.from];
            let ready = later(&from.delay.apply(&channel.writes), from.start + PASS - start);
            delay = delay.join(&Delay::of_waiting(&channel.reads, &ready));
        }
        let end = start + work.latency + delay.last();
        timed.push(Timed { start, end, delay });
    }
    timed
}

/// The streams between processes; equal ones count once.
fn channels(works: &[Work], depth: &dyn Fn(usize) -> f64) -> Vec<Channel> {
    let mut channels: Vec<Channel> = Vec::new();
    let like = |a: &Traffic, b: &Traffic| {
        a.storage == b.storage && (a.first - b.first).abs() < 0.5 && a.dims == b.dims
    };
    let reads: Vec<_> = works.iter().map(reads_by_storage).collect();
    for (from, writer) in works.iter().enumerate() {
        for (to, reader) in works.iter().enumerate() {
            if from == to {
                continue;
            }
            let mut found: Vec<(&Traffic, &Traffic)> = Vec::new();
            for write in writer.traffic.iter().filter(|traffic| traffic.is_write) {
                let of_storage = reads[to].get(&write.storage).into_iter().flatten();
                let mut fitting = of_storage.filter(|read| read.element == write.element);
                let Some(read) = fitting.next() else { continue };
                let known = |(other, its_read): &(&Traffic, &Traffic)| {
                    (other.storage, &other.element) == (write.storage, &write.element)
                        || like(other, write) && like(its_read, read)
                };
                if found.iter().any(known) {
                    continue;
                }
                found.push((write, read));
                let (writes, reads) =
                    (all_runs(&writer.traffic, write), all_runs(&reader.traffic, read));
                let count = total(&writes).min(total(&reads));
                channels.push(Channel {
                    from,
                    to,
                    writes: spread(writes, count),
                    reads: spread(reads, count),
                    depth: depth(write.storage),
                });
            }
        }
    }
    channels
}

fn reads_by_storage(work: &Work) -> HashMap<usize, Vec<&Traffic>> {
    let mut reads: HashMap<usize, Vec<&Traffic>> = HashMap::default();
    for read in work.traffic.iter().filter(|traffic| !traffic.is_write) {
        reads.entry(read.storage).or_default().push(read);
    }
    reads
}

/// The tokens of all accesses like this one, in order.
fn all_runs(traffic: &[Traffic], like: &Traffic) -> Vec<Run> {
    let mut all: Vec<&Traffic> = traffic
        .iter()
        .filter(|one| {
            one.is_write == like.is_write
                && one.storage == like.storage
                && one.element == like.element
        })
        .collect();
    all.sort_by(|a, b| a.first.total_cmp(&b.first));
    sort_runs(all.iter().flat_map(|one| one.runs()).collect())
}

/// Runs in the order of their tokens: accesses of one iteration lie between those of the next.
fn sort_runs(runs: Vec<Run>) -> Vec<Run> {
    let last = |run: &Run| run.first + run.step * (run.count - 1.0);
    if runs.windows(2).all(|pair| last(&pair[0]) <= pair[1].first) {
        return runs;
    }
    let count = total(&runs);
    if count > TOKENS {
        let first = runs.iter().map(|run| run.first).fold(f64::INFINITY, f64::min);
        let end = runs.iter().map(last).fold(first, f64::max);
        return vec![Run { count, first, step: (end - first) / (count - 1.0) }];
    }
    let mut tokens: Vec<f64> = Vec::new();
    for run in &runs {
        let mut done = 0.0;
        while done < run.count {
            tokens.push(run.first + run.step * done);
            done += 1.0;
        }
    }
    // Lists that are sorted each: a stable sort merges them.
    tokens.sort_by(f64::total_cmp);
    let mut sorted = Vec::new();
    for first in tokens {
        push(&mut sorted, Run { count: 1.0, first, step: 0.0 });
    }
    coarsen(sorted)
}
