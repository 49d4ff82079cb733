//! Sources of 15 MB, held against what the C++ grammar alone takes for the same text, and shapes that once were slow.
//!
//! Two runs of one thing differ by what else the machine does; the two sides are therefore run in turn, and the ratio is
//! that of each pair.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "criterion's macros make public functions; a bench that cannot be set up has failed, and prints what it saw"
)]

#[path = "../../model/tests/fixture/mod.rs"]
mod fixture;
mod synthetic;

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use derate_hls::Sources;
use derate_model::audit::audit;
use derate_model::{Code, Recorded};
use derate_reports::readings;
use fixture::Fixture;

const MEGABYTE: usize = 1_000_000;
const PAIRS: usize = 3;

/// How long something takes, its result's end included.
fn timed<T>(run: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    drop(black_box(run()));
    start.elapsed()
}

/// Whether a part of this bench is asked for: `cargo bench --bench large_sources -- grammar` runs that part alone.
fn wanted(part: &str) -> bool {
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    filter.is_none_or(|filter| part.contains(&filter))
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

fn grammar(text: &str) -> tree_sitter::Tree {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_cpp::LANGUAGE.into()).unwrap();
    parser.parse(text, None).unwrap()
}

/// The whole audit of a text, from text to findings, against the grammar on that text.
fn against_the_grammar(_: &mut Criterion) {
    if !wanted("grammar") {
        return;
    }
    let text = synthetic::project(15 * MEGABYTE);
    let project = Fixture::new("smolvla").only("model_weights.h", &text);
    let (mut ours, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..PAIRS {
        let grammar = timed(|| grammar(&text)).as_secs_f64();
        let whole = timed(|| audit(&project.analysis())).as_secs_f64();
        ratios.push(whole / grammar);
        ours.push(whole);
        theirs.push(grammar);
    }
    let list: Vec<String> = ratios.iter().map(|ratio| format!("{ratio:.2}")).collect();
    println!(
        "audit of one file of {:.1} MB: {:.2} s; tree-sitter alone: {:.2} s; ratio {:.2}, at most 3 (medians of {PAIRS} pairs; their ratios: {})",
        text.len() as f64 / 1e6,
        median(ours),
        median(theirs),
        median(ratios),
        list.join(", ")
    );
}

/// A name, what makes it, and how many.
type Shape = (&'static str, fn(usize) -> String, usize);

/// What is twice as long takes twice as long, or little more.
fn growth(_: &mut Criterion) {
    if !wanted("growth") {
        return;
    }
    let types = |text: &str| {
        let mut sources = Sources::default();
        let file = sources.add("a.h", text);
        let code = Code::new(&mut sources, &[file], &[], &mut Recorded::default(), None);
        readings::types(&sources, &code, &[])
    };
    let shapes: [Shape; 4] = [
        ("functions of one name", synthetic::same_names, 30_000),
        ("branches of one #if", synthetic::branches, 10_000),
        ("array declarations", synthetic::arrays, 490_000),
        ("aliases of aliases", synthetic::aliases, 50_000),
    ];
    for (name, make, count) in shapes {
        let (half, whole) = (make(count / 2), make(count));
        let (mut times, mut ratios) = (Vec::new(), Vec::new());
        for _ in 0..PAIRS {
            let (half, whole) = (timed(|| types(&half)), timed(|| types(&whole)));
            times.push(whole.as_secs_f64());
            ratios.push(whole.as_secs_f64() / half.as_secs_f64());
        }
        println!(
            "types of {count} {name} ({:.1} MB): {:.2} s; {:.2} times what half of them take",
            whole.len() as f64 / 1e6,
            median(times),
            median(ratios)
        );
    }
}

fn smolvla(c: &mut Criterion) {
    let fixture = Fixture::new("smolvla");
    c.bench_function("read and audit fixtures/smolvla (at most 100 ms)", |b| {
        b.iter(|| audit(&fixture.analysis()));
    });
}

criterion_group!(benches, smolvla, against_the_grammar, growth);
criterion_main!(benches);
