//! What the model is asked to reach on these sets, what it reaches, and what keeps it from more.

use crate::figures::{Figures, by_kernel, largest_doubt, medians, name_cause};
use crate::row::Row;
use crate::statistics::Errors;
use derate_kernel::Cause;
use std::collections::BTreeMap;

/// Causes that are listed of a bar that is missed.
const LISTED: usize = 3;
/// A kernel needs so many different latencies for a correlation of its own.
const DISTINCT: usize = 10;

/// A figure that is asked for.
struct Bar {
    name: &'static str,
    asked: f64,
    /// Whether more is better.
    at_least: bool,
    reach: fn(&[Row], &Figures) -> f64,
    /// By how much a design misses it, in percent; `None` where it does not.
    miss: fn(&Row) -> Option<f64>,
}

const COVERAGE: Bar = Bar {
    name: "answered, %",
    asked: 100.0,
    at_least: true,
    reach: |_, all| all.answered,
    miss: |row| row.truth.filter(|_| row.reported.is_none()).map(|_| 100.0),
};
const RANGE: Bar = Bar {
    name: "in range, %",
    asked: 90.0,
    at_least: true,
    reach: |_, all| all.in_range,
    miss: outside,
};
const WIDTH: Bar = Bar {
    name: "high over low, median",
    asked: 1.2,
    at_least: false,
    reach: |_, all| all.widths.median(),
    miss: |row| width(row, 1.2),
};
const WIDE: Bar = Bar {
    name: "high over low, p90",
    asked: 3.0,
    reach: |_, all| all.widths.quantile(0.9),
    miss: |row| width(row, 3.0),
    ..WIDTH
};
const INTERVALS: Bar = Bar {
    name: "intervals exact, %",
    asked: 80.0,
    reach: |_, all| all.interval.exact(),
    miss: |row| error(row.interval_truth, row.interval, 0.0),
    ..RANGE
};
const LOOP_II: Bar = Bar {
    name: "II of loops exact, %",
    asked: 90.0,
    reach: |_, all| all.loops[1].unwrap_or(f64::NAN),
    miss: |row| loops_off(row, 1),
    ..RANGE
};
const LOOP_DEPTH: Bar = Bar {
    name: "depth of loops exact, %",
    reach: |_, all| all.loops[2].unwrap_or(f64::NAN),
    miss: |row| loops_off(row, 2),
    ..LOOP_II
};
const LEAST_RANK: Bar = Bar {
    name: "rank, least of a kernel",
    asked: 0.8,
    reach: |rows, _| ranks(rows).into_iter().fold(1.0, f64::min),
    miss: |row| error(row.truth, row.reported, 10.0),
    ..RANGE
};
const MEDIAN_RANK: Bar = Bar {
    name: "rank, median of kernels",
    asked: 0.95,
    reach: |rows, _| Errors::of_values(ranks(rows)).median(),
    ..LEAST_RANK
};

const fn median(asked: f64) -> Bar {
    Bar {
        name: "error, median, %",
        asked,
        at_least: false,
        reach: |_, all| all.reported.median(),
        miss: |row| error(row.truth, row.reported, 10.0),
    }
}

const fn mean(asked: f64) -> Bar {
    Bar { name: "error, mean, %", reach: |_, all| all.reported.mean(), ..median(asked) }
}

const fn kernels(asked: f64) -> Bar {
    Bar {
        name: "error, median of kernels, %",
        reach: |rows, _| medians(&by_kernel(rows)).median(),
        ..median(asked)
    }
}

const fn rtl(asked: f64) -> Bar {
    Bar {
        name: "error against RTL, median, %",
        reach: |_, all| all.rtl.median(),
        miss: |row| error(row.cosim, row.expected, 1.0),
        ..median(asked)
    }
}

const fn rtl_mean(asked: f64) -> Bar {
    Bar {
        name: "error against RTL, mean, %",
        reach: |_, all| all.rtl.mean(),
        miss: |row| error(row.cosim, row.expected, 10.0),
        ..rtl(asked)
    }
}

/// What is asked of a set beside coverage and range.
fn bars_of(set: &str) -> Vec<Bar> {
    match set {
        "hgnn_pipelined" => vec![median(0.7), mean(4.1)],
        "hgnn_unpipelined" => vec![median(1.2), mean(4.8)],
        "hgnn_whole" => vec![median(1.0), mean(5.0)],
        "hlsfactory_autodse" => vec![median(10.0), kernels(10.0), MEDIAN_RANK, LEAST_RANK],
        "streamhls" => vec![rtl(0.7), rtl_mean(6.0), INTERVALS, LOOP_II, LOOP_DEPTH],
        "polybench_rtl" => vec![rtl(0.5), rtl_mean(2.0)],
        _ => vec![median(15.0), kernels(15.0)],
    }
}

/// Prints the bars that are missed, each with the causes that cost most.
pub(crate) fn print_bars(sets: &BTreeMap<String, Vec<Row>>) {
    let (mut all_bars, mut missed) = (0, Vec::new());
    for (set, rows) in sets {
        let figures = Figures::of_rows(&rows.iter().collect::<Vec<_>>());
        let general = [COVERAGE, RANGE, WIDTH, WIDE];
        for bar in general.into_iter().chain(bars_of(set)) {
            let reached = (bar.reach)(rows, &figures);
            all_bars += 1;
            let is_met = if bar.at_least { reached >= bar.asked } else { reached <= bar.asked };
            if !is_met {
                let causes = describe_causes(rows, bar.miss);
                missed.push(format!(
                    "| {set} | {} | {} | {reached:.2} | {causes} |",
                    bar.name, bar.asked
                ));
            }
        }
    }
    println!("\n## Bars that are missed\n");
    println!(
        "{} of {all_bars} bars for cycles are met. Of the others: the designs that miss, by the largest doubt of each, with \
         the median of what they miss by.\n",
        all_bars - missed.len()
    );
    println!(
        "| set | bar | asked | reached | designs that miss, by cause |\n|---|---|---|---|---|"
    );
    for line in missed {
        println!("{line}");
    }
}

/// The causes with most of what is missed: how many designs, and by how much in the median.
fn describe_causes(rows: &[Row], miss: fn(&Row) -> Option<f64>) -> String {
    let mut causes: BTreeMap<Option<Cause>, Vec<f64>> = BTreeMap::new();
    for row in rows {
        if let Some(by) = miss(row) {
            causes.entry(largest_doubt(row)).or_default().push(by);
        }
    }
    let mut causes: Vec<_> = causes.into_iter().collect();
    causes.sort_by_key(|(_, misses)| std::cmp::Reverse(misses.len()));
    let listed = causes.into_iter().take(LISTED).map(|(cause, misses)| {
        let (count, name) = (misses.len(), cause.map_or("no doubt", name_cause));
        format!("{name}: {count}, by {:.0} %", Errors::of_values(misses).median())
    });
    listed.collect::<Vec<_>>().join("; ")
}

fn error(truth: Option<f64>, own: Option<f64>, least: f64) -> Option<f64> {
    let error = Errors::of_pairs([truth.zip(own)?]).median();
    (error > least).then_some(error)
}

/// How far hardware is from the range, in percent of its nearer end.
fn outside(row: &Row) -> Option<f64> {
    let (goal, (low, high)) = row.cosim.or(row.truth).zip(row.range)?;
    let nearer = goal.clamp(low, high);
    (!(low..=high).contains(&goal)).then(|| 100.0 * (goal - nearer).abs() / nearer.max(1.0))
}

fn width(row: &Row, most: f64) -> Option<f64> {
    let (low, high) = row.range?;
    let width = high / low.max(1.0);
    (width > most).then(|| 100.0 * (width / most - 1.0))
}

/// The share of loops that are off, in percent.
#[allow(clippy::float_cmp, clippy::cast_precision_loss, reason = "whole numbers")]
fn loops_off(row: &Row, at: usize) -> Option<f64> {
    let known = row.loops.iter().filter(|one| one.truth[at].is_some());
    let off = known.clone().filter(|one| one.own.map(|own| own[at]) != one.truth[at]).count();
    (off > 0).then(|| 100.0 * off as f64 / known.count() as f64)
}

/// The correlations of kernels with enough different latencies.
fn ranks(rows: &[Row]) -> Vec<f64> {
    let kernels = by_kernel(rows);
    let many = kernels.values().filter(|rows| {
        let mut truths: Vec<u64> =
            rows.iter().filter_map(|row| row.truth).map(f64::to_bits).collect();
        truths.sort_unstable();
        truths.dedup();
        truths.len() >= DISTINCT
    });
    many.map(|rows| Figures::of_rows(rows).rank).collect()
}
