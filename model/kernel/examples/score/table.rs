//! What is printed: a line for each kernel and one for the set.

use crate::row::Row;
use crate::search;
use crate::statistics::{Errors, percent, rank_correlation};
use std::collections::BTreeMap;
use std::path::Path;

/// Sets with more kernels than this show the whole only.
const MOST_KERNELS: usize = 40;

const HEAD: &str = "kernel                         n cover% honest   exact%  median%    mean%     p90% rank  in-range% width   p90 \
| RTL n  median%  mean% | interval exact% | dsp bram18 lut ff: exact%/median% | routed dsp lut ff median% \
| loops trip ii depth % | slowest s";

/// One design with its loops.
pub(crate) fn print_design(folder: &Path, row: &Row) {
    let error = row.reported.zip(row.truth);
    let error = error.map_or(f64::NAN, |(own, truth)| 100.0 * (own - truth) / truth.max(1.0));
    println!(
        "{:14} {error:9.2}% own {:?} truth {:?} expected {:?} cosim {:?} {:.2} s {} {}",
        row.kernel,
        row.reported,
        row.truth,
        row.expected,
        row.cosim,
        row.seconds,
        row.design,
        folder.display()
    );
    println!("      dsp bram18 lut ff {:?}; routed {:?}", row.synthesis, row.routed);
    for one in &row.loops {
        println!("      {} truth {:?} own {:?} {:?}", one.label, one.truth, one.own, one.held);
    }
    for reason in row.unknown.iter().take(5) {
        println!("      ? {reason}");
    }
}

/// All kernels of a set, the set, and what published predictors say of the same rows.
pub(crate) fn print_set(set: &str, rows: &[Row]) {
    let mut kernels: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        kernels.entry(&row.kernel).or_default().push(row);
    }
    println!("== {set}\n{HEAD}");
    if kernels.len() < MOST_KERNELS {
        for (kernel, rows) in &kernels {
            print_rows(kernel, rows);
        }
    }
    let all: Vec<&Row> = rows.iter().collect();
    print_rows("ALL", &all);
    let medians = kernels.values().map(|rows| reported_errors(rows).median());
    let medians = Errors::of_values(medians.filter(|median| median.is_finite()).collect());
    println!("median of the medians of {} kernels {:.2} %", medians.count(), medians.median());
    search::print_search(&kernels);
    print_baselines(rows);
}

fn reported_errors(rows: &[&Row]) -> Errors {
    Errors::of_pairs(rows.iter().filter_map(|row| row.truth.zip(row.reported)))
}

fn rtl_errors(rows: &[&Row]) -> Errors {
    Errors::of_pairs(rows.iter().filter_map(|row| row.cosim.zip(row.expected)))
}

fn print_rows(name: &str, rows: &[&Row]) {
    let timed = rows.iter().filter(|row| row.truth.is_some()).count();
    let errors = reported_errors(rows);
    // Where the tool says undefined, no number is the honest answer.
    let open: Vec<&&Row> = rows.iter().filter(|row| row.truth.is_none()).collect();
    let honest = open.iter().filter(|row| row.reported.is_none()).count();
    let pairs: Vec<(f64, f64)> =
        rows.iter().filter_map(|row| row.truth.zip(row.reported)).collect();
    let goals = rows.iter().filter_map(|row| row.cosim.or(row.truth).zip(row.range));
    let hits: Vec<bool> = goals.map(|(goal, (low, high))| (low..=high).contains(&goal)).collect();
    let hit = percent(hits.iter().filter(|hit| **hit).count(), hits.len());
    let widths = rows.iter().filter_map(|row| row.range).map(|(low, high)| high / low.max(1.0));
    let widths = Errors::of_values(widths.collect());
    let rtl = rtl_errors(rows);
    let intervals =
        Errors::of_pairs(rows.iter().filter_map(|row| row.interval_truth.zip(row.interval)));
    let used = |at: usize| {
        let errors = Errors::of_pairs(
            rows.iter().filter_map(|row| Some((row.synthesis[at].0?, row.synthesis[at].1))),
        );
        format!("{:.0}/{:.0}", errors.exact(), errors.median())
    };
    let routed = |at: usize| {
        let pair = |row: &&Row| Some((row.routed[at].0?, row.routed[at].1));
        Errors::of_pairs(rows.iter().filter_map(pair)).median()
    };
    let slowest = rows.iter().map(|row| row.seconds).fold(0.0, f64::max);
    println!(
        "{name:26} {:5} {:6.1} {honest:3}/{:<3} {:7.1} {:8.2} {:8.2} {:8.2} {:4.2} {hit:8.1} {:6.2} {:5.2} | {:4} {:8.2} {:6.2} | {:6.1} | {} {} {} {} | {:.0} {:.0} {:.0} | {} {} {} | {slowest:.2}",
        rows.len(),
        percent(errors.count(), timed),
        open.len(),
        errors.exact(),
        errors.median(),
        errors.mean(),
        errors.quantile(0.9),
        rank_correlation(&pairs),
        widths.median(),
        widths.quantile(0.9),
        rtl.count(),
        rtl.median(),
        rtl.mean(),
        intervals.exact(),
        used(0),
        used(1),
        used(2),
        used(3),
        routed(0),
        routed(2),
        routed(3),
        loops_right(rows, 0),
        loops_right(rows, 1),
        loops_right(rows, 2),
    );
}

/// The share of loops whose trips, interval or depth is exact.
fn loops_right(rows: &[&Row], at: usize) -> String {
    let loops = rows.iter().flat_map(|row| &row.loops);
    #[allow(clippy::float_cmp, reason = "whole numbers")]
    let right = |one: &crate::row::LoopScore| {
        Some(one.own.is_some_and(|own| Some(own[at]) == one.truth[at]))
            .filter(|_| one.truth[at].is_some())
    };
    let right: Vec<bool> = loops.filter_map(right).collect();
    match right.len() {
        0 => "-".to_owned(),
        count => format!("{:.0}", percent(right.iter().filter(|one| **one).count(), count)),
    }
}

/// Predictors that `design.json` names, and the tool's own report against RTL, each on the rows that it has.
fn print_baselines(rows: &[Row]) {
    let mut baselines: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.baseline.1.is_some()) {
        baselines.entry(&row.baseline.0).or_default().push(row);
    }
    let show = |name: &str, against: &str, errors: &Errors, own: &Errors| {
        println!(
            "{name} against {against}, {} rows: median {:.2} mean {:.2} p90 {:.2} %; the model there: median {:.2} mean {:.2} %",
            errors.count(),
            errors.median(),
            errors.mean(),
            errors.quantile(0.9),
            own.median(),
            own.mean()
        );
    };
    for (name, rows) in &baselines {
        let goal = |row: &Row| row.cosim.or(row.truth);
        let theirs = Errors::of_pairs(rows.iter().filter_map(|row| goal(row).zip(row.baseline.1)));
        let own = |row: &&&Row| {
            goal(row).zip(if row.cosim.is_some() { row.expected } else { row.reported })
        };
        let own = Errors::of_pairs(rows.iter().filter_map(|row| own(&row)));
        show(name, "RTL where it is known, else the report", &theirs, &own);
    }
    let all: Vec<&Row> = rows.iter().collect();
    let report = Errors::of_pairs(rows.iter().filter_map(|row| row.cosim.zip(row.truth)));
    if report.count() > 0 {
        show("the tool's report", "RTL", &report, &rtl_errors(&all));
    }
}
