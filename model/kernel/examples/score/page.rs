//! The tables of the book's page, in Markdown.

use crate::figures::{Figures, by_kernel, describe_misses, find_baselines, medians};
use crate::row::Row;
use crate::search;
use crate::statistics::Errors;
use crate::table::MOST_KERNELS;
use std::collections::BTreeSet;

const HEAD: &str = "| kernel | designs | answered % | exact % | median | mean | p90 | rank | in range % | width |\n\
|---|---|---|---|---|---|---|---|---|---|";
/// An error above this says only that it is large.
const LARGE: f64 = 100_000.0;
/// More settings of one set are not listed.
const MOST_SETTINGS: usize = 3;

/// A heading with the settings, a table by kernel and a list of the rest.
pub(crate) fn print_set(set: &str, rows: &[Row]) {
    let kernels = by_kernel(rows);
    println!("\n## {set}\n");
    let settings: BTreeSet<&str> = rows.iter().map(|row| row.setting.as_str()).collect();
    let listed: Vec<&str> = settings.iter().take(MOST_SETTINGS).copied().collect();
    let more = if settings.len() > MOST_SETTINGS { " and others" } else { "" };
    println!("{}{more}.\n\n{HEAD}", listed.join("; "));
    if kernels.len() < MOST_KERNELS {
        for (kernel, rows) in &kernels {
            print_row(kernel, &Figures::of_rows(rows));
        }
    }
    let all = Figures::of_rows(&rows.iter().collect::<Vec<_>>());
    print_row("**all**", &all);
    println!();
    let medians = medians(&kernels);
    if medians.count() > 0 {
        println!(
            "- Median of the medians of {} kernels: {:.2} %.",
            medians.count(),
            medians.median()
        );
    }
    print_rest(&all);
    for line in search::describe_search(&kernels) {
        println!("- {}.", capitalise(&line));
    }
    for one in find_baselines(rows) {
        println!(
            "- {} on {} of these designs, against {}: median {:.2} %, mean {:.2} %; the model there: {:.2} and {:.2} %.",
            capitalise(one.name),
            one.theirs.count(),
            one.against,
            one.theirs.median(),
            one.theirs.mean(),
            one.own.median(),
            one.own.mean()
        );
    }
    if let Some(misses) = describe_misses(rows) {
        println!("- {misses}.");
    }
}

fn print_row(name: &str, figures: &Figures) {
    if figures.reported.count() == 0 {
        println!(
            "| {name} | {} | {} |  |  |  |  |  |  |  |",
            figures.designs,
            describe_open(figures)
        );
        return;
    }
    println!(
        "| {name} | {} | {:.1} | {:.1} | {} | {} | {} | {:.2} | {:.1} | {:.2} |",
        figures.designs,
        figures.answered,
        figures.reported.exact(),
        error(figures.reported.median()),
        error(figures.reported.mean()),
        error(figures.reported.quantile(0.9)),
        figures.rank,
        figures.in_range,
        figures.widths.median(),
    );
}

fn describe_open(figures: &Figures) -> String {
    let (honest, open) = figures.open;
    if honest == open {
        "unknown, as the tool says".to_owned()
    } else {
        format!("unknown in {honest} of {open}")
    }
}

fn error(value: f64) -> String {
    if value > LARGE { format!("> {LARGE:.0}") } else { format!("{value:.2}") }
}

/// RTL, resources, intervals and loops of the whole set, where they are known.
fn print_rest(all: &Figures) {
    if all.rtl.count() > 0 {
        println!(
            "- Against RTL simulation, {} designs: median {:.2} %, mean {:.2} %.",
            all.rtl.count(),
            all.rtl.median(),
            all.rtl.mean()
        );
    }
    let known = |used: &[Errors; 4], names: [&str; 4], with_exact: bool| -> Vec<String> {
        let shown = names.iter().zip(used).filter(|(_, errors)| errors.count() > 0);
        shown
            .map(|(name, errors)| {
                let exact = format!("{:.0} % exact, median ", errors.exact());
                let exact = if with_exact { exact.as_str() } else { "" };
                format!("{name} {exact}{:.0} %", errors.median())
            })
            .collect()
    };
    let names = ["DSP", "BRAM18", "LUT", "FF"];
    let synthesis = known(&all.synthesis, names, true);
    if !synthesis.is_empty() {
        println!("- Resources of synthesis: {}.", synthesis.join("; "));
    }
    let routed = known(&all.routed, names, false);
    if !routed.is_empty() {
        println!("- After place and route, medians: {}.", routed.join(", "));
    }
    if all.interval.count() > 0 {
        println!("- Intervals exact: {:.0} %.", all.interval.exact());
    }
    let loops = ["trips", "II", "depth"].iter().zip(all.loops);
    let loops: Vec<String> =
        loops.filter_map(|(name, share)| Some(format!("{name} {:.0} %", share?))).collect();
    if !loops.is_empty() {
        println!("- Loops exact: {}.", loops.join(", "));
    }
}

fn capitalise(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
