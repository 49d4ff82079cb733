use derate_model::pipeline::{
    outlined_pipelined_loop, outlined_plain_loop, pipelined_function, sequence,
};

use derate_model::units::Cycles;

use super::csv::{Record, read};
use super::{Errors, Part, Row, Standing};

/// A body: its place, how many of each kind, the sum of their cycles, and what was printed.
struct Body {
    in_loop: bool,
    calls: u64,
    plain: u64,
    pipelined: u64,
    sum: u64,
    printed: f64,
}

impl Body {
    fn of(record: &Record) -> Self {
        let parts = ["calls", "loops", "pipelined"].map(|key| record.counts(key));
        Self {
            in_loop: record.text("place") == "loop",
            calls: parts[0].len() as u64,
            plain: parts[1].len() as u64,
            pipelined: parts[2].len() as u64,
            sum: parts.iter().flatten().sum(),
            printed: record.number("cycles"),
        }
    }

    fn parts(&self) -> u64 {
        self.calls + self.plain + self.pipelined
    }

    fn modelled(&self) -> (f64, f64) {
        let cycles = sequence(self.calls, self.plain, self.pipelined, self.in_loop, self.sum);
        (cycles.0, self.printed)
    }

    /// The sum and so many cycles more.
    fn plus(&self, more: u64) -> (f64, f64) {
        ((self.sum + more) as f64, self.printed)
    }

    /// Parts that run at the same time.
    fn overlaps(&self) -> bool {
        self.printed < self.sum as f64
    }
}

const REPORTS: &str = "csynth trees of public repositories, 2021.1 to 2025.1";
const MODULES: &str = "csynth of cornell-zhang/allo-pldi24-artifact (Allo and ScaleHLS), 2022.1";

fn row(
    set: &str,
    model: &'static str,
    standing: Standing,
    pairs: &[(f64, f64)],
    source: &'static str,
) -> Row {
    Row { set: set.to_owned(), model, standing, errors: Errors::of(pairs), source }
}

/// Modelled and printed cycles of the bodies that `wanted` takes.
fn some(
    bodies: &[Body],
    wanted: impl Fn(&Body) -> bool,
    model: impl Fn(&Body) -> (f64, f64),
) -> Vec<(f64, f64)> {
    bodies.iter().filter(|body| wanted(body)).map(model).collect()
}

/// A function with one loop or one pipeline in it.
fn alone(bodies: &[Body], modules: &[Record]) -> Vec<Row> {
    let inner = |kinds: &[&str], rule: fn(u64) -> Cycles| {
        let of = modules.iter().filter(|r| kinds.contains(&r.text("kind")));
        of.map(|r| (rule(r.count("inner")).0, r.number("cycles"))).collect::<Vec<_>>()
    };
    let functions: Vec<(f64, f64)> = read("pipelined_functions.csv")
        .iter()
        .map(|r| (pipelined_function(r.count("depth")).0, r.number("latency")))
        .collect();
    let wrapped = ["pipelined loop outlined as function", "pipelined loop inline in top"];
    let plain = ["non-pipelined loop outlined as function"];
    let single = |b: &Body| !b.in_loop && b.parts() == 1;
    let reported = |rule: fn(u64) -> Cycles| move |b: &Body| (rule(b.sum).0, b.printed);
    let (two, one) = (outlined_pipelined_loop, outlined_plain_loop);
    let pipelined = some(bodies, |b| single(b) && b.pipelined == 1, reported(two));
    let other = some(bodies, |b| single(b) && b.plain == 1, reported(one));
    let (free, chosen) = (Standing::Free, Standing::Chosen);
    let old = "csynth of public repositories, 2018.2 to 2020.1";
    vec![
        row("pipelined functions", "D - 1", free, &functions, old),
        row("pipelined loop alone in a module", "loop + 2", chosen, &inner(&wrapped, two), MODULES),
        row("pipelined loop alone in a module", "loop + 2", free, &pipelined, REPORTS),
        row("other loop alone in a module", "loop + 1", chosen, &inner(&plain, one), MODULES),
        row("other loop alone in a module", "loop + 1", free, &other, REPORTS),
    ]
}

/// Several parts one after another in a function, under both rules that are about.
fn functions(bodies: &[Body], modules: &[Record]) -> Vec<Row> {
    // "... (3 sequential calls)"
    let calls: Vec<(u64, f64, f64)> = modules
        .iter()
        .filter(|r| r.text("kind") == "sequential calls")
        .map(|r| {
            let (_, rest) = r.text("item").rsplit_once('(').unwrap();
            let n: u64 = rest.split(' ').next().unwrap().parse().unwrap();
            (n, r.number("inner"), r.number("cycles"))
        })
        .collect();
    let plus = |more: fn(u64) -> u64| {
        calls.iter().map(|&(n, sum, printed)| (sum + more(n) as f64, printed)).collect::<Vec<_>>()
    };
    let several = |b: &Body| !b.in_loop && b.parts() > 1 && !b.overlaps();
    let called = |b: &Body| several(b) && b.calls == b.parts();
    let loops = |b: &Body| several(b) && b.plain == b.parts();
    let mixed = |b: &Body| several(b) && b.calls > 0 && b.calls < b.parts();
    let other = |b: &Body| b.plus(b.parts() + 1);
    let (free, chosen, unused) = (Standing::Free, Standing::Chosen, Standing::Other);
    let (n, k) = ("n calls in a function", "k loops in a function, not pipelined");
    vec![
        row(n, "sum + (2 n - 1)", chosen, &plus(|n| 2 * n - 1), MODULES),
        row(n, "sum + n + 1", unused, &plus(|n| n + 1), MODULES),
        row(n, "sum + (2 n - 1)", free, &some(bodies, called, Body::modelled), REPORTS),
        row(n, "sum + n + 1", unused, &some(bodies, called, other), REPORTS),
        row(k, "sum + k", chosen, &some(bodies, loops, Body::modelled), REPORTS),
        row(k, "sum + k + 1", unused, &some(bodies, loops, other), REPORTS),
        row(
            "calls and loops in a function",
            "sum + (2 n - 1) + k + 2 p",
            chosen,
            &some(bodies, mixed, Body::modelled),
            REPORTS,
        ),
    ]
}

/// The same in the body of a loop that is not pipelined.
fn loop_bodies(bodies: &[Body]) -> Vec<Row> {
    let loops = |b: &Body| b.in_loop && b.plain == b.parts();
    let called = |b: &Body| b.in_loop && b.calls == b.parts();
    let other = |b: &Body| b.plus(b.parts() + 1);
    let (free, unused) = (Standing::Free, Standing::Other);
    let (n, k) = ("n calls in a loop's body", "k loops in a loop's body, not pipelined");
    vec![
        row(k, "sum + k + 1", free, &some(bodies, loops, Body::modelled), REPORTS),
        row(
            n,
            "sum + (2 n - 1) + 1",
            Standing::Chosen,
            &some(bodies, called, Body::modelled),
            REPORTS,
        ),
        row(n, "sum + n + 1", unused, &some(bodies, called, other), REPORTS),
    ]
}

pub(crate) fn part() -> Part {
    let bodies: Vec<Body> = read("sequences.csv").iter().map(Body::of).collect();
    let modules = read("modules.csv");
    let mut rows = alone(&bodies, &modules);
    rows.extend(functions(&bodies, &modules));
    rows.extend(loop_bodies(&bodies));
    let overlapping = bodies.iter().filter(|b| b.overlaps()).count();
    let remarks = vec![
        "Two rules are about for parts that run one after another. `sum + (2 n - 1)` is that of calls, `sum + k + 1` that \
         of loops in a loop's body; in a function's body a loop takes one state and there is no other. For two calls they \
         agree, which is why both seem to hold."
            .to_owned(),
        format!(
            "The sequences that miss have straight-line code between their parts, which no report prints (the printed \
             figure is then larger), or parts that run at the same time: {overlapping} functions that are faster than the \
             sum of their parts are left out above. So a sum of parts is an estimate, and a report's own figure is given \
             where there is one."
        ),
    ];
    Part { title: "Modules and sequences", rows, remarks }
}
