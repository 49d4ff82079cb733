//! What is printed: a line for each kernel and one for the set.

use crate::figures::{Figures, by_kernel, describe_misses, find_baselines, medians};
use crate::row::Row;
use crate::search;
use std::path::Path;

/// Sets with more kernels than this show the whole only.
pub(crate) const MOST_KERNELS: usize = 40;

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
    let doubts = row.doubts.iter().map(|one| format!("{:?} {:.2}", one.cause, one.amount));
    println!("      range {:?}; doubts {}", row.range, doubts.collect::<Vec<_>>().join(", "));
    for one in &row.loops {
        println!("      {} truth {:?} own {:?} {:?}", one.label, one.truth, one.own, one.held);
    }
    let own = row.own_loops.iter().filter(|_| row.loops.is_empty());
    for one in own {
        println!("      {one}");
    }
    for reason in row.unknown.iter().take(5) {
        println!("      ? {reason}");
    }
}

/// All kernels of a set, the set, and what published predictors say of the same rows.
pub(crate) fn print_set(set: &str, rows: &[Row]) {
    let kernels = by_kernel(rows);
    println!("== {set}\n{HEAD}");
    if kernels.len() < MOST_KERNELS {
        for (kernel, rows) in &kernels {
            print_line(kernel, &Figures::of_rows(rows));
        }
    }
    print_line("ALL", &Figures::of_rows(&rows.iter().collect::<Vec<_>>()));
    let medians = medians(&kernels);
    println!("median of the medians of {} kernels {:.2} %", medians.count(), medians.median());
    for line in search::describe_search(&kernels) {
        println!("{line}");
    }
    for one in find_baselines(rows) {
        println!(
            "{} against {}, {} rows: median {:.2} mean {:.2} p90 {:.2} %; the model there: median {:.2} mean {:.2} %",
            one.name,
            one.against,
            one.theirs.count(),
            one.theirs.median(),
            one.theirs.mean(),
            one.theirs.quantile(0.9),
            one.own.median(),
            one.own.mean()
        );
    }
    if let Some(misses) = describe_misses(rows) {
        println!("{misses}");
    }
}

fn print_line(name: &str, figures: &Figures) {
    let used = |at: usize| {
        format!("{:.0}/{:.0}", figures.synthesis[at].exact(), figures.synthesis[at].median())
    };
    let right =
        |at: usize| figures.loops[at].map_or_else(|| "-".to_owned(), |share| format!("{share:.0}"));
    println!(
        "{name:26} {:5} {:6.1} {:3}/{:<3} {:7.1} {:8.2} {:8.2} {:8.2} {:4.2} {:8.1} {:6.2} {:5.2} | {:4} {:8.2} {:6.2} | {:6.1} | {} {} {} {} | {:.0} {:.0} {:.0} | {} {} {} | {:.2}",
        figures.designs,
        figures.answered,
        figures.open.0,
        figures.open.1,
        figures.reported.exact(),
        figures.reported.median(),
        figures.reported.mean(),
        figures.reported.quantile(0.9),
        figures.rank,
        figures.in_range,
        figures.widths.median(),
        figures.widths.quantile(0.9),
        figures.rtl.count(),
        figures.rtl.median(),
        figures.rtl.mean(),
        figures.interval.exact(),
        used(0),
        used(1),
        used(2),
        used(3),
        figures.routed[0].median(),
        figures.routed[2].median(),
        figures.routed[3].median(),
        right(0),
        right(1),
        right(2),
        figures.seconds,
    );
}
