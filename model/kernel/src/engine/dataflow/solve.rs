//! When processes end that wait for each other's streams and buffers.

use super::delay::{Delay, skip};
use crate::engine::tokens::{Run, Traffic};

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
/// Rounds in which full streams hold up those who write them.
const ROUNDS: usize = 4;

/// The times of processes; `depth` is how many tokens a storage holds.
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
    timed
}

fn total(runs: &[Run]) -> f64 {
    runs.iter().map(|run| run.count).sum()
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
    let mut found: Vec<(usize, usize, &Traffic, &Traffic)> = Vec::new();
    let mut channels: Vec<Channel> = Vec::new();
    let like = |a: &Traffic, b: &Traffic| {
        a.storage == b.storage && (a.first - b.first).abs() < 0.5 && a.dims == b.dims
    };
    for (from, writer) in works.iter().enumerate() {
        for (to, reader) in works.iter().enumerate() {
            if from == to {
                continue;
            }
            for write in writer.traffic.iter().filter(|traffic| traffic.is_write) {
                let Some(read) = reader.traffic.iter().find(|read| {
                    !read.is_write && read.storage == write.storage && read.element == write.element
                }) else {
                    continue;
                };
                let known = |other: &(usize, usize, &Traffic, &Traffic)| {
                    (other.0, other.1) == (from, to) && like(other.2, write) && like(other.3, read)
                };
                if found.iter().any(known) {
                    continue;
                }
                found.push((from, to, write, read));
                channels.push(Channel {
                    from,
                    to,
                    writes: all_runs(&writer.traffic, write),
                    reads: all_runs(&reader.traffic, read),
                    depth: depth(write.storage),
                });
            }
        }
    }
    channels
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
    all.iter().flat_map(|one| one.runs()).collect()
}
