//! A space of 10^12 designs to its certificate. The name says what is wanted.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    reason = "criterion's macros make public functions; a bench that cannot be set up has failed"
)]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use derate_explore::{Certificate, Choice, Cost, Search, SeparableSpace, Unit};
use derate_machine::{Budget, Usage};

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

criterion_group!(benches, search);
criterion_main!(benches);
