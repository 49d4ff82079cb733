//! Spaces of 10^12 designs to their certificate, and how many designs of a kernel are scheduled in a second. The names say what
//! is wanted.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "criterion's macros make public functions; a bench that cannot be set up has failed, and prints what it saw"
)]

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use criterion::{Criterion, criterion_group, criterion_main};
use derate_explore::array::{ArrayAxes, ArraySpace};
use derate_explore::kernel::{
    KernelSpace, Variation, fill_definitions, kernel_cost, propose_variations,
};
use derate_explore::{
    Certificate, Choice, Cost, LeastResource, Search, SeparableSpace, Unit, descend,
};
use derate_kernel::{Directives, Program, Settings, estimate_kernel, find_part, read_program};
use derate_load::{Preprocess, load_project};
use derate_machine::{Budget, Platform, ResourceKind, Usage};
use derate_syntax::{SourceFile, read_unit};

/// Twelve kernels with ten ways to build each: lanes cost DSP, banks cost memory, and time falls with both.
fn write_units() -> Vec<Unit> {
    let unit = |at: usize| {
        let work = 1e6 * (1.0 + 0.37 * at as f64);
        let choice = |n: usize| {
            let lanes = f64::exp2(n as f64);
            let waste = 1.0 + 0.11 * ((7 * n + 5 * at) % 4) as f64;
            Choice {
                name: format!("{lanes} lanes"),
                cost: Cost {
                    objective: work / lanes + 40.0 * n as f64,
                    usage: Usage {
                        dsp: 5.0 * lanes * waste,
                        bram18: 2.0 * lanes + 9.0,
                        ..Usage::default()
                    },
                },
            }
        };
        Unit { name: format!("kernel {at}"), choices: (0..10).map(choice).collect() }
    };
    (0..12).map(unit).collect()
}

fn search(c: &mut Criterion) {
    let limits = Budget { dsp: Some(5000.0), bram18: Some(2200.0), ..Budget::default() };
    c.bench_function("10^12 designs to a certificate (wanted: < 1 s)", |b| {
        b.iter(|| {
            let space = SeparableSpace::new(write_units()).with_prices(&limits);
            let mut search = Search::new(black_box(&space), limits);
            search.run(|_| true);
            assert_eq!(search.certificate(), Certificate::Optimal);
            search.progress()
        });
    });
}

fn search_for_resource(c: &mut Criterion) {
    let limits = Budget { dsp: Some(9000.0), bram18: Some(9000.0), ..Budget::default() };
    let space = SeparableSpace::new(write_units()).with_prices(&limits);
    c.bench_function("10^12 designs to the least DSP within a time (wanted: < 1 s)", |b| {
        b.iter(|| {
            let small = LeastResource::new(black_box(&space), ResourceKind::Dsp, 2e6);
            let mut search = Search::new(&small, limits);
            search.run(|_| true);
            assert_eq!(search.certificate(), Certificate::Optimal);
            search.progress()
        });
    });
}

/// The array of a whole model, on one core.
fn search_array(_: &mut Criterion) {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/smolvla"));
    let analysis = load_project(folder, &Preprocess::default()).unwrap().analysis;
    let limits = Budget { lut: None, ff: None, ..Budget::of_platform(&analysis.platform) };
    let mut axes = ArrayAxes::of_project(&analysis);
    let all: Vec<String> = (1..=4096).map(|size| size.to_string()).collect();
    for key in ["rows", "columns", "unroll"] {
        axes.vary(&format!("{key}={}", all.join(","))).unwrap();
    }
    let space = ArraySpace::new(&analysis, None, axes, limits).unwrap();
    let start = Instant::now();
    let mut search = Search::new(&space, limits);
    search.run(|_| true);
    let (seconds, progress) = (start.elapsed().as_secs_f64(), search.progress());
    println!(
        "array of smolVLA: {:?} of {:.2e} designs in {seconds:.2} s, {} bounds (wanted: < 1 s)",
        search.certificate(),
        progress.designs,
        progress.bounded
    );
}

const ATTENTION: &str = include_str!("../../../fixtures/codesign/wide/kernels/attention.cpp");

fn read_attention(values: &[(String, String)]) -> Option<Program> {
    let text = fill_definitions(ATTENTION, values);
    let source = SourceFile { path: "attention.cpp".to_owned(), text };
    read_program(&read_unit(&[source], &mut |_, _, _| None, &[]), "attention").ok()
}

/// The attention kernel with wide ports: its points, designs that a search schedules, and the best after 10 s.
fn search_kernel(_: &mut Criterion) {
    let settings = Settings::new(find_part("xcu280").unwrap(), 1e3 / 300.0, (2023, 2));
    let card = Platform::named("u280").unwrap();
    let limits = Budget::of_platform(&card);
    let points = include_str!("../../../fixtures/codesign/wide/points.csv").lines().skip(1);
    let point = |line: &str| {
        let names = ["TILE", "SCORE_LANES", "COMBINE_LANES"].map(str::to_owned);
        let values = names.into_iter().zip(line.split(',').map(str::to_owned)).collect::<Vec<_>>();
        let program = read_attention(&values).unwrap();
        let cost = kernel_cost(&estimate_kernel(&program, &Directives::default(), &settings));
        limits.refusing_resource(&cost.usage).is_none().then_some(cost.objective)
    };
    let best_point = points.filter_map(point).reduce(f64::min).unwrap();
    let program = read_attention(&[]).unwrap();
    let answer = estimate_kernel(&program, &Directives::default(), &settings);
    let none = Directives::default();
    let mut variations = propose_variations(&program, &none, &settings, &answer).variations;
    variations.push(Variation::parse("TILE=64,32,128").unwrap());
    let space =
        KernelSpace::new(variations, &read_attention, Directives::default(), settings.clone());
    let start = Instant::now();
    let mut search = Search::new(&space, limits);
    descend(&mut search, space.written_point(), |_| start.elapsed().as_secs_f64() < 10.0);
    let seconds = start.elapsed().as_secs_f64();
    let best = search.best().unwrap().cost.objective;
    println!(
        "attention with wide ports: {} designs in {seconds:.1} s, {:.0} a second (wanted: 1,000); the best is {:.2} times as fast as the best point (wanted: 1.5 in 10 s)",
        space.scheduled(),
        space.scheduled() as f64 / seconds,
        best_point / best
    );
}

criterion_group!(benches, search, search_for_resource, search_array, search_kernel);
criterion_main!(benches);
