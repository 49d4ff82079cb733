//! The main job on `fixtures/smolvla`, from text in memory to the bytes of every report.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    reason = "criterion's macros make public functions; a bench that cannot be set up has failed"
)]

#[path = "../../model/tests/fixture/mod.rs"]
mod fixture;

use criterion::{Criterion, criterion_group, criterion_main};
use derate_model::audit::audit;
use derate_model::estimate::estimate;
use derate_reports::sections;
use fixture::Fixture;

fn main_job(c: &mut Criterion) {
    let fixture = Fixture::new("smolvla");
    c.bench_function("parse header, dump and project", |b| b.iter(|| fixture.analysis()));
    let analysis = fixture.analysis();
    c.bench_function("audit", |b| b.iter(|| audit(&analysis)));
    c.bench_function("estimate, ladder and grid", |b| b.iter(|| estimate(&analysis)));
    let (findings, estimates) = (audit(&analysis), estimate(&analysis));
    let document = sections::report(&analysis, &findings, &estimates);
    c.bench_function("workbook", |b| b.iter(|| derate_reports::render_xlsx(&document)));
    c.bench_function("from text to all reports", |b| {
        b.iter(|| {
            let analysis = fixture.analysis();
            let (findings, estimates) = (audit(&analysis), estimate(&analysis));
            let document = sections::report(&analysis, &findings, &estimates);
            let chart =
                sections::roofline(&estimates).map(|chart| derate_reports::render_svg(&chart));
            (
                derate_reports::render_xlsx(&document),
                derate_reports::render_markdown(&document),
                chart,
                serde_json::to_vec(&estimates),
            )
        });
    });
}

criterion_group!(benches, main_job);
criterion_main!(benches);
