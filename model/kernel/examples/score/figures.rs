//! What is said of some designs: counts, errors, ranks.

use crate::row::{Row, UsedBeside};
use crate::statistics::{Errors, percent, rank_correlation};
use derate_kernel::{Cause, Doubt};
use std::collections::BTreeMap;

/// A design that is further off than this many percent is a miss.
const MISS: f64 = 10.0;

/// The figures of the designs of a kernel or of a set.
pub(crate) struct Figures {
    pub(crate) designs: usize,
    /// The share of the designs with cycles that have an answer, in percent.
    pub(crate) answered: f64,
    /// Where the tool says undefined: how many have no answer, of how many.
    pub(crate) open: (usize, usize),
    /// Cycles against the tool's report, and against RTL.
    pub(crate) reported: Errors,
    pub(crate) rtl: Errors,
    pub(crate) rank: f64,
    /// The share of designs whose cycles are in the range, in percent.
    pub(crate) in_range: f64,
    /// High over low.
    pub(crate) widths: Errors,
    pub(crate) interval: Errors,
    /// DSP, BRAM18, LUT, FF of the report, then after place and route.
    pub(crate) synthesis: [Errors; 4],
    pub(crate) routed: [Errors; 4],
    /// The share of loops whose trips, interval and depth are exact; `None` where none is known.
    pub(crate) loops: [Option<f64>; 3],
    /// Of the slowest answer.
    pub(crate) seconds: f64,
}

impl Figures {
    pub(crate) fn of_rows(rows: &[&Row]) -> Self {
        let reported = reported_errors(rows);
        let timed = rows.iter().filter(|row| row.truth.is_some()).count();
        // Where the tool says undefined, no number is the honest answer.
        let open = rows.iter().filter(|row| row.truth.is_none());
        let honest = open.clone().filter(|row| row.reported.is_none()).count();
        let pairs: Vec<(f64, f64)> =
            rows.iter().filter_map(|row| row.truth.zip(row.reported)).collect();
        let goals = rows.iter().filter_map(|row| row.cosim.or(row.truth).zip(row.range));
        let hits: Vec<bool> =
            goals.map(|(goal, (low, high))| (low..=high).contains(&goal)).collect();
        let widths = rows.iter().filter_map(|row| row.range).map(|(low, high)| high / low.max(1.0));
        let interval = rows.iter().filter_map(|row| row.interval_truth.zip(row.interval));
        let used = |pick: fn(&Row) -> &UsedBeside, at: usize| {
            let pair = |row: &&Row| pick(row)[at].0.map(|truth| (truth, pick(row)[at].1));
            Errors::of_pairs(rows.iter().filter_map(pair))
        };
        Self {
            designs: rows.len(),
            answered: percent(reported.count(), timed),
            open: (honest, open.count()),
            rtl: rtl_errors(rows),
            rank: rank_correlation(&pairs),
            in_range: percent(hits.iter().filter(|hit| **hit).count(), hits.len()),
            widths: Errors::of_values(widths.collect()),
            interval: Errors::of_pairs(interval),
            synthesis: [0, 1, 2, 3].map(|at| used(|row| &row.synthesis, at)),
            routed: [0, 1, 2, 3].map(|at| used(|row| &row.routed, at)),
            loops: [0, 1, 2].map(|at| loops_right(rows, at)),
            seconds: rows.iter().map(|row| row.seconds).fold(0.0, f64::max),
            reported,
        }
    }
}

/// The rows of a set by kernel.
pub(crate) fn by_kernel(rows: &[Row]) -> BTreeMap<&str, Vec<&Row>> {
    let mut kernels: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        kernels.entry(&row.kernel).or_default().push(row);
    }
    kernels
}

/// The medians of the kernels that have cycles.
pub(crate) fn medians(kernels: &BTreeMap<&str, Vec<&Row>>) -> Errors {
    let medians = kernels.values().map(|rows| reported_errors(rows).median());
    Errors::of_values(medians.filter(|median| median.is_finite()).collect())
}

fn reported_errors(rows: &[&Row]) -> Errors {
    Errors::of_pairs(rows.iter().filter_map(|row| row.truth.zip(row.reported)))
}

fn rtl_errors(rows: &[&Row]) -> Errors {
    Errors::of_pairs(rows.iter().filter_map(|row| row.cosim.zip(row.expected)))
}

/// The share of loops whose trips, interval or depth is exact.
fn loops_right(rows: &[&Row], at: usize) -> Option<f64> {
    let loops = rows.iter().flat_map(|row| &row.loops);
    #[allow(clippy::float_cmp, reason = "whole numbers")]
    let right = |one: &crate::row::LoopScore| {
        Some(one.own.is_some_and(|own| Some(own[at]) == one.truth[at]))
            .filter(|_| one.truth[at].is_some())
    };
    let right: Vec<bool> = loops.filter_map(right).collect();
    let count = right.iter().filter(|one| **one).count();
    (!right.is_empty()).then(|| percent(count, right.len()))
}

/// A predictor on the rows that it has, beside the model.
pub(crate) struct Baseline<'a> {
    pub(crate) name: &'a str,
    pub(crate) against: &'static str,
    pub(crate) theirs: Errors,
    pub(crate) own: Errors,
}

/// Predictors that `design.json` names, and the tool's own report against RTL.
pub(crate) fn find_baselines(rows: &[Row]) -> Vec<Baseline<'_>> {
    let mut named: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.baseline.1.is_some()) {
        named.entry(&row.baseline.0).or_default().push(row);
    }
    let goal = |row: &Row| row.cosim.or(row.truth);
    let own = |row: &Row| if row.cosim.is_some() { row.expected } else { row.reported };
    let mut baselines: Vec<Baseline<'_>> = named
        .into_iter()
        .map(|(name, rows)| Baseline {
            name,
            against: "RTL where it is known, else the report",
            theirs: Errors::of_pairs(rows.iter().filter_map(|row| goal(row).zip(row.baseline.1))),
            own: Errors::of_pairs(rows.iter().filter_map(|row| goal(row).zip(own(row)))),
        })
        .collect();
    let theirs = Errors::of_pairs(rows.iter().filter_map(|row| row.cosim.zip(row.truth)));
    if theirs.count() > 0 {
        let own = rtl_errors(&rows.iter().collect::<Vec<_>>());
        baselines.push(Baseline { name: "the tool's report", against: "RTL", theirs, own });
    }
    baselines
}

/// Designs that are further off than [`MISS`], by the largest doubt of each, in a sentence; `None` where there are none.
pub(crate) fn describe_misses(rows: &[Row]) -> Option<String> {
    let mut causes: BTreeMap<Option<Cause>, usize> = BTreeMap::new();
    for row in rows {
        let Some(pair) = row.truth.zip(row.reported) else { continue };
        if Errors::of_pairs([pair]).median() > MISS {
            *causes.entry(largest_doubt(row)).or_default() += 1;
        }
    }
    let mut counts: Vec<(Option<Cause>, usize)> = causes.into_iter().collect();
    counts.sort_by_key(|one| std::cmp::Reverse(one.1));
    let name = |cause: &Option<Cause>| cause.map_or("no doubt", name_cause);
    let counts: Vec<String> =
        counts.iter().map(|(cause, count)| format!("{} {count}", name(cause))).collect();
    (!counts.is_empty()).then(|| {
        format!(
            "Designs that are off by more than {MISS} %, by the largest doubt: {}",
            counts.join(", ")
        )
    })
}

/// The doubt that makes the range widest.
pub(crate) fn largest_doubt(row: &Row) -> Option<Cause> {
    let weight = |doubt: &Doubt| doubt.amount * (doubt.factors.1.ln() + doubt.factors.0.ln());
    let largest = row.doubts.iter().max_by(|a, b| weight(a).total_cmp(&weight(b)));
    largest.map(|doubt| doubt.cause)
}

pub(crate) fn name_cause(cause: Cause) -> &'static str {
    match cause {
        Cause::Ports => "memory ports",
        Cause::DeepPorts => "memory ports in a deep pipeline",
        Cause::FastRecurrence => "a recurrence at a fast clock",
        Cause::OwnRecurrence => "a recurrence in a loop that the tool pipelines by itself",
        Cause::ValueRecurrence => "a recurrence through a value",
        Cause::Data => "data decide",
        Cause::Unknown => "something unknown",
        Cause::Stalls => "stalls of a dataflow",
        Cause::Outside => "time outside of loops",
        Cause::Streams => "streams",
        Cause::Buses => "memory behind a bus",
        Cause::ReorderedSums => "sums in another order",
        Cause::Family => "the family of the part",
        Cause::Version => "the version of the tool",
    }
}
