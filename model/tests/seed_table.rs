//! The seed notebook's kernel table, its ridges, and the peaks that can be derived, on the fixture.
#![allow(
    clippy::float_cmp,
    reason = "counts below 2^53 are exact, and quotients of the same numbers equal"
)]
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod fixture;

use derate_model::audit::Audit;
use derate_model::estimate::{KernelEstimate, ScenarioEstimate, estimate, estimate_one};
use derate_model::scenario::{self, PeakBasis};
use derate_model::units::BytesPerSecond;
use derate_model::{Figure, Precision, Provenance, Storage};
use fixture::Fixture;

/// Kernel, M, K, N, FLOP, and bytes at INT8; the notebook computes with one byte per element first.
const SEED: [(&str, u64, u64, u64, f64, f64); 8] = [
    ("Attn_Q", 50, 960, 960, 92_160_000.0, 1_017_600.0),
    ("Attn_K", 50, 960, 320, 30_720_000.0, 371_200.0),
    ("Attn_V", 50, 960, 320, 30_720_000.0, 371_200.0),
    ("Attn_Out", 50, 960, 960, 92_160_000.0, 1_017_600.0),
    ("MLP_Gate", 50, 960, 2560, 245_760_000.0, 2_633_600.0),
    ("MLP_Up", 50, 960, 2560, 245_760_000.0, 2_633_600.0),
    ("MLP_Down", 50, 2560, 960, 245_760_000.0, 2_633_600.0),
    ("LM_Head", 1, 960, 49280, 94_617_600.0, 47_359_040.0),
];

fn kernel<'a>(scenario: &'a ScenarioEstimate, name: &str) -> &'a KernelEstimate {
    scenario.parts.iter().flat_map(|part| &part.kernels).find(|k| k.name == name).unwrap()
}

fn at(precision: Precision, tokens: f64, gbs: f64, peaks: PeakBasis) -> ScenarioEstimate {
    let figure = |value| Figure::new(value, Provenance::Assumed, "test");
    let bandwidth = Figure::new(BytesPerSecond(gbs * 1e9), Provenance::Assumed, "test");
    let scenario = scenario::single(Storage::Uniform(precision), figure(tokens), bandwidth, peaks);
    estimate_one(&Fixture::new("smolvla").analysis(), &scenario).unwrap()
}

#[test]
fn the_table_comes_out_exactly_at_four_precisions() {
    for (precision, bytes_per_element) in [
        (Precision::INT8, 1.0),
        (Precision::BF16, 2.0),
        (Precision::FP32, 4.0),
        (Precision::INT4, 0.5),
    ] {
        let scenario = at(precision, 50.0, 460.0, PeakBasis::Claimed);
        for (name, m, k, n, flops, bytes) in SEED {
            let kernel = kernel(&scenario, name);
            let weights = (k * n) as f64 * bytes_per_element;
            assert_eq!((kernel.m, kernel.k, kernel.n), (m, k, n), "{name}");
            assert_eq!(kernel.totals.flops.0, flops, "{name}");
            assert_eq!(kernel.totals.bytes.0, bytes * bytes_per_element, "{name} at {precision}");
            assert_eq!(
                kernel.totals.oi.0,
                flops / (bytes * bytes_per_element),
                "{name} at {precision}"
            );
            assert_eq!(kernel.totals.weight_bytes.0, weights, "{name} at {precision}");
        }
    }
}

#[test]
fn the_true_prefix_raises_int8_intensity_as_published() {
    let scenario = at(Precision::INT8, 241.0, 300.0, PeakBasis::Derived);
    for (name, oi) in
        [("Attn_Q", 320.89), ("Attn_K", 240.50), ("MLP_Gate", 358.32), ("MLP_Down", 358.32)]
    {
        assert!((kernel(&scenario, name).totals.oi.0 - oi).abs() < 0.005, "{name}");
    }
}

#[test]
fn attention_products_are_those_of_the_trace() {
    let scenario = at(Precision::BF16, 241.0, 300.0, PeakBasis::Derived);
    let attention = scenario.parts.iter().find(|part| part.name == "text attention").unwrap();
    assert_eq!(attention.totals.flops.0, 3_568_496_640.0);
    let projections = scenario.parts.iter().find(|part| part.name == "text layers").unwrap();
    assert_eq!(projections.totals.flops.0, 75_812_044_800.0);
    assert_eq!(projections.totals.weight_bytes.0, 314_572_800.0);
}

#[test]
fn prefixes_are_241_177_and_113() {
    let tokens = Fixture::new("smolvla").analysis().workload.tokens();
    assert_eq!(tokens.iter().map(|t| t.count).collect::<Vec<_>>(), [241, 177, 113]);
}

#[test]
fn the_ladder_moves_oi_by_two_and_the_ridge_from_11_8_over_18_0_to_3_6() {
    let analysis = Fixture::new("smolvla").analysis();
    let estimate = estimate(&analysis);
    let names: Vec<&str> = estimate.scenarios.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["claimed", "as-built", "derated", "derived-peak", "true-tokens"]);
    let figure = |name: &str| {
        let scenario = estimate.scenario(name).unwrap();
        (
            format!("{:.2}", scenario.main_part().unwrap().totals.oi.0),
            format!("{:.2}", scenario.main_ridge().unwrap().0),
        )
    };
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(figure("claimed"), pair("46.03", "11.76"));
    assert_eq!(figure("as-built"), pair("23.01", "11.76"));
    assert_eq!(figure("derated"), pair("23.01", "18.03"));
    assert_eq!(figure("derived-peak"), pair("23.01", "3.61"));
    assert_eq!(estimate.scenario("true-tokens").unwrap().tokens.value, 241.0);
    assert!(estimate.skipped.is_empty());
}

#[test]
fn the_grid_has_every_combination() {
    let estimate = estimate(&Fixture::new("smolvla").analysis());
    // Four precisions, tokens as claimed and for 3, 2 and 1 cameras, two bandwidths, two kinds of peak.
    assert_eq!(estimate.grid.len(), 4 * 4 * 2 * 2);
}

#[test]
fn close_to_the_memory_wall_reverses_and_says_why() {
    let analysis = Fixture::new("smolvla").analysis();
    let estimate = estimate(&analysis);
    let verdict = derate_model::present::verdict(&Audit::default(), &estimate).join("\n");
    assert!(
        verdict.contains("\"close to the memory wall\". That conclusion reverses"),
        "{verdict}"
    );
    assert!(verdict.contains("5 DSP per MAC") && verdict.contains("1.082 TFLOP/s"), "{verdict}");
}

#[test]
fn a_latency_that_nobody_knows_is_unknown_with_the_reason() {
    let estimate = estimate(&Fixture::new("smolvla").analysis());
    for kernel in estimate.scenarios.iter().flat_map(|s| &s.parts).flat_map(|p| &p.kernels) {
        assert!(kernel.totals.latency_seconds.is_none());
        assert!(kernel.unknown.iter().any(|reason| reason.starts_with("latency_seconds: ")));
    }
}
