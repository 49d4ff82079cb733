//! One estimate of the whole model, and how many a sweep computes per second on two threads.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "criterion's macros make public functions; a bench that cannot be set up has failed, and prints what it saw"
)]

#[path = "../tests/fixture/mod.rs"]
mod fixture;

use std::sync::atomic::AtomicU64;
use std::time::Instant;

use criterion::{Criterion, criterion_group, criterion_main};
use derate_model::estimate::{estimate, estimate_scenarios};
use derate_model::scenario;
use derate_model::sweep::{Axis, combinations, sweep};
use fixture::Fixture;

/// That of the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const DESIGN: &str = "[design]\nrows = 16\ncolumns = 16\nschedule = \"attention\"\n\n[derate]";
const THREADS: usize = 2;

fn project() -> Fixture {
    Fixture::new("smolvla").with("derate.toml", "[derate]", DESIGN)
}

fn one(c: &mut Criterion) {
    let analysis = project().analysis();
    let (ladder, _) = scenario::ladder_steps(&analysis);
    c.bench_function("every part, schedule and scenario (at most 2 ms)", |b| {
        b.iter(|| estimate_scenarios(&analysis, &ladder));
    });
    c.bench_function("the same with precisions, grid, variants and sensitivity", |b| {
        b.iter(|| estimate(&analysis));
    });
}

/// `key=first,first+1..`, `count` values.
fn numbers(key: &str, first: u32, count: u32, unit: &str) -> String {
    let values: Vec<String> = (first..first + count).map(|n| format!("{n}{unit}")).collect();
    format!("{key}={}", values.join(","))
}

fn sweeps(_: &mut Criterion) {
    let analysis = project().analysis();
    let (ladder, _) = scenario::ladder_steps(&analysis);
    let rates = [numbers("bandwidth", 100, 400, " GB/s"), numbers("clock", 100, 250, " MHz")];
    let shapes = [
        numbers("cameras", 1, 3, ""),
        numbers("language_tokens", 1, 100, ""),
        numbers("denoise_steps", 1, 20, ""),
        numbers("chunk", 1, 10, ""),
    ];
    let fused =
        [shapes[0].clone(), shapes[1].clone(), shapes[2].clone(), "schedule=block".to_owned()];
    for name in ["derived-peak", "design"] {
        let scenario = ladder.iter().find(|s| s.kind.name() == name).unwrap();
        for (what, texts) in [
            ("rates alone vary", &rates[..]),
            ("cameras, tokens, steps and chunk vary", &shapes[..]),
            ("cameras, tokens and steps vary, blocks fused", &fused[..]),
        ] {
            let axes: Vec<Axis> = texts.iter().map(|text| Axis::parse(text).unwrap()).collect();
            let total = combinations(&axes).unwrap();
            let start = Instant::now();
            let points = sweep(&analysis, scenario, &axes, THREADS, &AtomicU64::new(0)).unwrap();
            let seconds = start.elapsed().as_secs_f64();
            assert_eq!(points.len() as u64, total);
            println!(
                "sweep of {name}, {what}: {:.0} points per second on {THREADS} threads ({total} in {seconds:.2} s; wanted: 300,000)",
                total as f64 / seconds
            );
        }
    }
}

criterion_group!(benches, one, sweeps);
criterion_main!(benches);
