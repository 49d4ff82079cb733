//! A first answer from the text of a kernel, and a design scheduled anew under other directives. Each name says what is wanted.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    reason = "criterion's macros make public functions; a bench that cannot be set up has failed"
)]

use std::fmt::Write as _;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use derate_hls::read_tcl;
use derate_kernel::{
    Directives, Program, Settings, estimate_kernel, find_part, read_program, uncertainty,
};
use derate_syntax::{SourceFile, read_unit};

/// That of the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Lines of one stage below.
const STAGE_LINES: usize = 12;

/// A chain of matrix products with a bias and a clamp, each a function of its own.
fn write_chain(stages: usize) -> String {
    let mut text = String::from("#define N 64\n");
    for stage in 0..stages {
        write!(
            text,
            "static void stage{stage}(float in[N][N], float weight[N][N], float out[N][N]) {{
rows{stage}:
    for (int i = 0; i < N; i++)
    columns{stage}:
        for (int j = 0; j < N; j++) {{
            float sum = {stage}.5f;
        terms{stage}:
            for (int k = 0; k < N; k++) sum += in[i][k] * weight[k][j];
            out[i][j] = sum > 0.0f ? sum : 0.0f;
        }}
}}

"
        )
        .unwrap();
    }
    text.push_str("void chain(float x[N][N], float w[N][N], float y[N][N]) {\n    float t0[N][N], t1[N][N];\n");
    for stage in 0..stages {
        let from = if stage == 0 { "x".to_owned() } else { format!("t{}", stage % 2) };
        let to = if stage + 1 == stages { "y".to_owned() } else { format!("t{}", (stage + 1) % 2) };
        writeln!(text, "    stage{stage}({from}, w, {to});").unwrap();
    }
    text.push_str("}\n");
    text
}

fn read_chain(text: &str) -> Program {
    let source = SourceFile { path: "chain.cpp".to_owned(), text: text.to_owned() };
    let unit = read_unit(&[source], &mut |_, _, _| None, &[]);
    read_program(&unit, "chain").unwrap()
}

fn settings() -> Settings {
    Settings::new(find_part("xcu280").unwrap(), 3.33, (2023, 2))
}

fn answer_first(c: &mut Criterion) {
    let text = write_chain(300 / STAGE_LINES);
    let lines = text.lines().count();
    let settings = settings();
    c.bench_function(&format!("first answer, {lines} lines (wanted: < 50 ms)"), |b| {
        b.iter(|| {
            let program = read_chain(black_box(&text));
            uncertainty(&estimate_kernel(&program, &Directives::default(), &settings))
        });
    });
}

/// Every pair of an unroll factor of the innermost loop and a pipelined loop, for two stages.
fn write_directives() -> Vec<Directives> {
    let mut list = Vec::new();
    for factor in [1, 2, 4, 8, 16] {
        for at in ["columns", "terms"] {
            for stage in 0..2 {
                let text = format!(
                    "set_directive_pipeline \"stage{stage}/{at}{stage}\"\n\
                     set_directive_unroll -factor {factor} \"stage{stage}/terms{stage}\"\n\
                     set_directive_array_partition -type cyclic -factor {factor} -dim 1 chain w\n"
                );
                list.push(Directives { list: read_tcl(&text).directives });
            }
        }
    }
    list
}

fn schedule_again(c: &mut Criterion) {
    let mut group = c.benchmark_group("designs a second under other directives (wanted: 1,000/s)");
    let settings = settings();
    for stages in [1, 2, 4] {
        let program = read_chain(&write_chain(stages));
        let designs = write_directives();
        group.throughput(Throughput::Elements(designs.len() as u64));
        group.bench_function(format!("{stages} loop nests"), |b| {
            b.iter(|| {
                for directives in &designs {
                    black_box(estimate_kernel(&program, directives, &settings));
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, answer_first, schedule_again);
criterion_main!(benches);
