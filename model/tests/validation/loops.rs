use std::collections::BTreeMap;

use derate_model::pipeline::{pipelined_loop, pipelined_loop_at_most, plain_loop};

use super::csv::{Record, read};
use super::{Errors, Part, Row, Standing};

/// The repositories of the loops on which the closed form without its `max(.., II)` was tested first.
const FIRST: usize = 453;

fn with(records: &[Record], model: impl Fn(f64, f64, f64) -> f64) -> Vec<(f64, f64)> {
    let pair = |r: &Record| {
        (model(r.number("trips"), r.number("ii"), r.number("depth")), r.number("latency"))
    };
    records.iter().map(pair).collect()
}

fn closed(records: &[Record]) -> Vec<(f64, f64)> {
    let pair = |r: &Record| {
        let cycles = pipelined_loop(r.count("trips"), r.count("ii"), r.count("depth"));
        (cycles.0, r.number("latency"))
    };
    records.iter().map(pair).collect()
}

pub(crate) fn part() -> Part {
    let all = read("pipelined_loops.csv");
    let (first, later) = all.split_at(FIRST);
    let source = "csynth reports of public repositories, 2018.2 to 2025.1";
    let row = |set: &str, model, standing, pairs: Vec<(f64, f64)>| Row {
        set: set.to_owned(),
        model,
        standing,
        errors: Errors::of(&pairs),
        source,
    };
    let form = "(T - 1) x II + max(D - 1, II)";
    let plain: Vec<(f64, f64)> = read("plain_loops.csv")
        .iter()
        .map(|r| (plain_loop(r.count("trips"), r.count("iteration")).0, r.number("latency")))
        .collect();
    let rows = vec![
        row("pipelined loops", form, Standing::Chosen, closed(first)),
        row("pipelined loops of other repositories", form, Standing::Free, closed(later)),
        row(
            "pipelined loops",
            "(T - 1) x II + max(D - 1, 1)",
            Standing::Other,
            with(first, |t, ii, d| (t - 1.0) * ii + (d - 1.0).max(1.0)),
        ),
        row(
            "pipelined loops",
            "(T - 1) x II + D (textbook)",
            Standing::Other,
            with(first, |t, ii, d| (t - 1.0) * ii + d),
        ),
        row(
            "pipelined loops",
            "T x II (roofline)",
            Standing::Other,
            with(first, |t, ii, _| t * ii),
        ),
        row("loops that are not pipelined", "T x L", Standing::Free, plain),
    ];
    let inside = first.iter().filter(|r| inside(r)).count();
    let mut remarks = vec![
        format!(
            "The printed latency lies between the closed form and one initiation interval above it for {inside} of the \
             {FIRST} pipelined loops, whatever the trip count; the other one is a cycle below. Where in between does not \
             follow from T, II and D: two loops of one project, tool and version with T = 79, II = 100 and D = 526 print \
             8,325 cycles (the closed form) and 8,417. So nothing was fitted; `pipelined_loop_at_most` gives the upper end."
        ),
        at_the_interval(&all),
    ];
    remarks.push(format!("By repository, exact: {}.", by_repository(&all)));
    Part { title: "Loops", rows, remarks }
}

fn inside(r: &Record) -> bool {
    let (trips, ii, depth) = (r.count("trips"), r.count("ii"), r.count("depth"));
    let printed = r.number("latency");
    pipelined_loop(trips, ii, depth).0 <= printed
        && printed <= pipelined_loop_at_most(trips, ii, depth).0
}

/// What the rule says of loops whose depth is no more than their interval, by repository.
fn at_the_interval(all: &[Record]) -> String {
    let of = |r: &&Record| r.count("ii") > 1 && r.count("depth") <= r.count("ii");
    let some: Vec<Record> = all.iter().filter(of).cloned().collect();
    format!(
        "`max(D - 1, II)` in place of `max(D - 1, 1)` says that no loop takes less than T x II. It tells where \
         1 < D <= II, in {} loops, {}, and none of them is further off than by the other form. kmisimn76/SparseAccel \
         is not among the first {FIRST}.",
        some.len(),
        by_repository(&some)
    )
}

/// How many of each repository are met, so that no single one carries the share.
fn by_repository(all: &[Record]) -> String {
    let mut each: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (record, (model, printed)) in all.iter().zip(closed(all)) {
        let (met, count) = each.entry(record.text("repository")).or_default();
        *count += 1;
        *met += usize::from((model - printed).abs() < 0.5);
    }
    let list: Vec<String> =
        each.iter().map(|(name, (met, count))| format!("{name} {met} of {count}")).collect();
    list.join(", ")
}

pub(crate) fn check(part: &Part) {
    let [closed, later, ..] = &part.rows[..] else { panic!("the first rows") };
    assert!(closed.errors.exact_share() > 0.94 && closed.errors.mean < 0.0015);
    assert!(later.errors.exact_share() > 0.99);
    let all = read("pipelined_loops.csv");
    assert_eq!(all.iter().filter(|r| !inside(r)).count(), 1);
}
