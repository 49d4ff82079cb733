//! Decoders at the roofs: layers a second with a record for every operation, a large model, and a sweep. Each name says what is
//! wanted of it.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    reason = "criterion's macros make public functions; a bench that cannot be set up has failed"
)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use derate_model::language::sweep::{LengthAxis, sweep_lengths};
use derate_model::language::{
    Biases, Decoder, Deployment, Generation, GenerationCase, Logits, Step,
};
use derate_model::operator::{OperatorFormats, RoofOverrides, Scores, TargetRoofs};
use derate_model::{Mixture, Target};

/// The layer that peers were measured on.
fn llama_like() -> Decoder {
    Decoder {
        hidden: 960,
        layers: 16,
        heads: 15,
        kv_heads: 5,
        head_dim: 64,
        ffn: 2560,
        vocabulary: 49_280,
        biases: Biases::default(),
        ..Decoder::named("smollm2-360m").unwrap()
    }
}

fn deployment<'a>(model: &'a Decoder, mixture: &str, scores: Scores) -> Deployment<'a> {
    let formats = OperatorFormats::new(Mixture::parse(mixture).unwrap());
    let target = Target::named("h100-sxm").unwrap();
    let ground = TargetRoofs::new(&target, &formats, &RoofOverrides::default()).unwrap();
    Deployment { model, formats, roofs: ground.roofs, scores }
}

fn layers(c: &mut Criterion) {
    let model = llama_like();
    let mut group = c.benchmark_group("layer with a record for each operation (wanted: 1 M/s)");
    group.throughput(Throughput::Elements(1));
    for mixture in ["bf16", "w=int4-g128,a=bf16,kv=fp8"] {
        let deployment = deployment(&model, mixture, Scores::Written);
        let step = Step { batch: 1, queries: 50, keys: 50, causal: false, logits: Logits::All };
        group.bench_function(mixture, |b| b.iter(|| deployment.layer_records(black_box(&step))));
    }
    group.finish();
}

fn large(c: &mut Criterion) {
    let model = Decoder::named("llama-3-70b").unwrap();
    let deployment = deployment(&model, "bf16", Scores::Fused);
    c.bench_function(
        "70B, 8k of context, batch 32: prefill, decode, cache and 1,000 tokens (wanted: < 5 ms)",
        |b| {
            b.iter(|| {
                let generation = Generation { batch: black_box(32), prompt: 8192, generate: 1000 };
                (
                    deployment.prefill(32, 8192, Logits::Last),
                    deployment.decode(32, 8192),
                    deployment.footprint(32, 8192),
                    deployment.sum_run(&generation, Logits::Last),
                )
            });
        },
    );
}

fn sweeps(c: &mut Criterion) {
    let model = Decoder::named("llama-3-70b").unwrap();
    let deployment = deployment(&model, "bf16", Scores::Fused);
    let numbers = |range: std::ops::RangeInclusive<u64>, by: u64| {
        range.map(|n| (n * by).to_string()).collect::<Vec<_>>().join(",")
    };
    let axes =
        [format!("batch={}", numbers(1..=100, 1)), format!("prompt={}", numbers(1..=100, 80))];
    let axes: Vec<LengthAxis> = axes.iter().map(|text| LengthAxis::parse(text).unwrap()).collect();
    let generation = Generation { batch: 1, prompt: 512, generate: 128 };
    let case = GenerationCase { generation, context: None, logits: Logits::Last };
    c.bench_function("sweep of 10,000 points on two threads (wanted: < 2 s)", |b| {
        b.iter(|| sweep_lengths(&deployment, None, &case, &axes, 2).unwrap());
    });
}

criterion_group!(benches, layers, large, sweeps);
criterion_main!(benches);
