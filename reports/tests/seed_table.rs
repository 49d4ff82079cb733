//! The seed notebook's kernel table, its ridges, and the peaks that can be derived, on the fixture.
#![allow(
    clippy::float_cmp,
    reason = "counts below 2^53 are exact, and quotients of the same numbers equal"
)]
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "../../model/tests/fixture/mod.rs"]
mod fixture;

use derate_model::audit::Audit;
use derate_model::estimate::{KernelEstimate, ScenarioEstimate, estimate, estimate_one};
use derate_model::scenario::{self, PeakBasis};
use derate_model::scenario::{Assumptions, ScenarioKind};
use derate_model::units::BytesPerSecond;
use derate_model::workload::Matmul;
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
    let scenario =
        Assumptions::custom(Storage::Uniform(precision), figure(tokens), bandwidth, peaks);
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
            assert_eq!(kernel.matmul, Some(Matmul::gemm(m, k, n)), "{name}");
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
    let tokens = Fixture::new("smolvla").analysis().workload.token_counts();
    assert_eq!(tokens.iter().map(|t| t.count).collect::<Vec<_>>(), [241, 177, 113]);
}

#[test]
fn the_ladder_moves_oi_by_bytes_and_tokens_and_the_ridge_from_11_8_over_18_0_to_3_6() {
    let analysis = Fixture::new("smolvla").analysis();
    let estimate = estimate(&analysis);
    let names: Vec<&str> = estimate.ladder().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["claimed", "as-built", "true-tokens", "derated", "derived-peak"]);
    let figure = |name: &str| {
        let scenario = estimate.scenario(ScenarioKind::parse(name).unwrap()).unwrap();
        (
            format!("{:.2}", scenario.main_part().unwrap().totals.oi.0),
            format!("{:.2}", scenario.main_ceiling().unwrap().ridge.0),
        )
    };
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(figure("claimed"), pair("46.03", "11.76"));
    assert_eq!(figure("as-built"), pair("23.01", "11.76"));
    assert_eq!(figure("true-tokens"), pair("85.11", "11.76"));
    assert_eq!(figure("derated"), pair("85.11", "18.03"));
    assert_eq!(figure("derived-peak"), pair("85.11", "3.61"));
    assert!(estimate.skipped.is_empty());
}

#[test]
fn true_tokens_are_no_step_where_they_are_claimed() {
    let right = Fixture::new("smolvla").with(
        "derate.toml",
        "sequence_length = 50",
        "sequence_length = 241",
    );
    let estimate = estimate(&right.analysis());
    let names: Vec<&str> = estimate.ladder().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["claimed", "as-built", "derated", "derived-peak"]);
}

#[test]
fn weights_are_counted_once_and_their_reads_as_often_as_they_are() {
    let estimate = estimate(&Fixture::new("smolvla").analysis());
    let parts = &estimate.scenario(ScenarioKind::Claimed).unwrap().parts;
    let expert = parts.iter().find(|part| part.name == "expert x10").unwrap();
    assert_eq!(expert.totals.weight_bytes.0, 10.0 * expert.stored_weight_bytes.0);
    let prefix = parts.iter().find(|part| part.name == "text prefix").unwrap();
    assert_eq!(prefix.totals.weight_bytes, prefix.stored_weight_bytes);
}

#[test]
fn the_grid_has_every_combination() {
    let estimate = estimate(&Fixture::new("smolvla").analysis());
    // Four precisions, tokens as claimed and for 3, 2 and 1 cameras, two bandwidths, two kinds of peak.
    assert_eq!(estimate.grid.len(), 4 * 4 * 2 * 2);
}

#[test]
fn the_claim_about_the_memory_wall_is_quoted_with_its_own_figures() {
    let analysis = Fixture::new("smolvla").analysis();
    let estimate = estimate(&analysis);
    let verdict =
        derate_reports::sections::verdict(&analysis, &Audit::default(), &estimate).join("\n");
    let claimed = "(OI 46 OP/B) are at 3.9 times the ridge point of 11.8 OP/B: compute bound, far";
    assert!(verdict.contains(claimed), "{verdict}");
    assert!(verdict.contains("That holds, but with other figures"), "{verdict}");
    assert!(verdict.contains("(OI 85.1 OP/B) are at 24 times it"), "{verdict}");
    assert!(verdict.contains("5 DSP per MAC") && verdict.contains("1.082 TFLOP/s"), "{verdict}");
}

#[test]
fn a_latency_that_nobody_knows_is_unknown_with_the_reason() {
    let estimate = estimate(&Fixture::new("smolvla").analysis());
    for kernel in estimate.scenarios.iter().flat_map(|s| &s.parts).flat_map(|p| &p.kernels) {
        assert!(kernel.totals.latency_seconds.is_none());
        assert!(kernel.unknown.iter().any(|reason| reason.starts_with("the latency is unknown: ")));
    }
}

#[test]
fn a_correction_raises_no_claim() {
    let modest = Fixture::new("smolvla").with("derate.toml", "460 GB/s", "100 GB/s").with(
        "derate.toml",
        "fp32 = \"5.41 TFLOP/s\"",
        "fp32 = \"0.5 TFLOP/s\"",
    );
    let estimate = estimate(&modest.analysis());
    let last = estimate.scenarios.last().unwrap();
    assert_eq!(last.bandwidth.value.0, 100e9);
    assert_eq!(last.main_ceiling().unwrap().peak.rate.value.0, 0.5e12);
}

#[test]
fn each_claim_moves_what_depends_on_it() {
    let claimed = |fixture: Fixture| estimate(&fixture.analysis()).scenarios.remove(0);
    let base = claimed(Fixture::new("smolvla"));
    let faster = claimed(Fixture::new("smolvla").with("derate.toml", "460 GB/s", "230 GB/s"));
    let ridge = |s: &ScenarioEstimate| s.main_ceiling().unwrap().ridge.0;
    assert_eq!(ridge(&faster), ridge(&base) * 2.0);
    let slower =
        claimed(Fixture::new("smolvla").with("derate.toml", "5.41 TFLOP/s", "2.705 TFLOP/s"));
    let time = |s: &ScenarioEstimate| s.main_part().unwrap().totals.throughput_seconds.unwrap().0;
    assert_eq!(time(&slower), time(&base) * 2.0);
    let batch = claimed(Fixture::new("smolvla").with("derate.toml", "batch = 1", "batch = 4"));
    assert_eq!(
        batch.main_part().unwrap().totals.flops.0,
        base.main_part().unwrap().totals.flops.0 * 4.0
    );
    let clock = Fixture::new("smolvla").with("derate.toml", "300 MHz", "150 MHz").analysis();
    let peak = estimate(&clock)
        .scenario(ScenarioKind::DerivedPeak)
        .unwrap()
        .main_ceiling()
        .unwrap()
        .peak
        .rate
        .value
        .0;
    assert_eq!(peak, 1.0824e12 / 2.0);
}

#[test]
fn the_verdict_names_each_of_three_places() {
    let verdict = |tokens: &str| {
        let fixture = Fixture::new("smolvla").with("derate.toml", "sequence_length = 50", tokens);
        let analysis = fixture.analysis();
        derate_reports::sections::verdict(&analysis, &Audit::default(), &estimate(&analysis))
            .join("\n")
    };
    let close = verdict("sequence_length = 20");
    let claimed = "1.6 times the ridge point of 11.8 OP/B: compute bound, but close";
    assert!(close.contains(claimed) && close.contains("conclusion reverses"), "{close}");
    let memory = verdict("sequence_length = 4");
    assert!(memory.contains("11.8 OP/B: memory bound. That conclusion reverses"), "{memory}");
    let far = verdict("sequence_length = 241");
    assert!(far.contains("That holds"), "{far}");
}

#[test]
fn ridge_and_peak_are_of_one_arithmetic() {
    // The head that never runs is stored in FP32 here; the layers are INT8.
    let fixture = Fixture::new("smolvla")
        .with("model_weights.h", "using bfloat16_t = float; ", "using bfloat16_t = signed char; ")
        .with(
            "model_weights.h",
            "extern const bfloat16_t weight[VOCAB_SIZE]",
            "extern const float32_t weight[VOCAB_SIZE]",
        );
    let estimate = estimate(&fixture.analysis());
    let scenario = estimate.scenario(ScenarioKind::DerivedPeak).unwrap();
    let ceiling = scenario.main_ceiling().unwrap();
    assert_eq!(ceiling.peak.precision, Precision::INT8);
    assert_eq!(ceiling.ridge.0, ceiling.peak.rate.value.0 / scenario.bandwidth.value.0);
}

#[test]
fn the_design_decides_what_its_operators_cost() {
    let peak = |costs: &str, precision| {
        let design = format!("[design]\ndsp_per_mac = {{ {costs} }}\n\n[derate]");
        let analysis = Fixture::new("smolvla").with("derate.toml", "[derate]", &design).analysis();
        let peaks = scenario::derived_peaks(&analysis, precision);
        assert_eq!(peaks.len(), 1);
        peaks[0].rate.value.0
    };
    assert_eq!(peak("fp32 = 10", Precision::FP32), 2.0 * 902.0 * 300e6);
    assert_eq!(peak("fp32 = 10", Precision::BF16), 2.0 * 902.0 * 300e6, "BF16 is built as FP32");
    assert_eq!(peak("bf16 = 2", Precision::BF16), 2.0 * 4510.0 * 300e6);
    assert_eq!(
        peak("\"ap_fixed<8,2>\" = 0.5", Precision::parse("ap_fixed<8, 2>").unwrap()),
        2.0 * 18040.0 * 300e6
    );
}

/// Near miss: a cost of its own is nobody else's.
#[test]
fn a_cost_that_stands_in_says_whose_it_is() {
    let bf16 = |costs: &str| {
        let design = format!("[design]\ndsp_per_mac = {{ {costs} }}\n\n[derate]");
        let analysis = Fixture::new("smolvla").with("derate.toml", "[derate]", &design).analysis();
        let mut peaks = scenario::derived_peaks(&analysis, Precision::BF16);
        assert_eq!(peaks.len(), 1);
        peaks.remove(0).variant
    };
    assert_eq!(bf16("fp32 = 10"), "as FP32: 10 DSP per MAC");
    assert_eq!(bf16("fp32 = 10, bf16 = 2"), "2 DSP per MAC");
}

#[test]
fn a_dump_with_a_hole_is_no_smaller_model() {
    let holed = Fixture::new("smolvla");
    let flat: Vec<String> = holed
        .analysis()
        .shape
        .tensors
        .iter()
        .filter(|t| !t.name.contains("text_model.layers.7."))
        .map(|t| format!("{}: torch.Size({:?})\n", t.name, t.dims))
        .collect();
    let error = holed.only("model_shape.txt", &flat.concat()).try_analysis().unwrap_err();
    assert!(error.contains("layers.7."), "{error}");
}

#[test]
fn layers_that_differ_keep_their_numbers() {
    let odd = Fixture::new("smolvla");
    let flat: Vec<String> = odd
        .analysis()
        .shape
        .tensors
        .iter()
        .map(|t| {
            let dims = if t.name.ends_with("text_model.layers.3.mlp.gate_proj.weight") {
                vec![2688, 960]
            } else {
                t.dims.clone()
            };
            format!("{}: torch.Size({dims:?}) [torch.bfloat16]\n", t.name)
        })
        .collect();
    let estimate = estimate(&odd.only("model_shape.txt", &flat.concat()).analysis());
    let names: Vec<&str> = estimate.scenarios[0].parts[0]
        .kernels
        .iter()
        .map(|k| k.name.as_ref())
        .filter(|n| n.contains("Gate"))
        .collect();
    assert_eq!(names, ["MLP_Gate (layers 0-2, 4-15)", "MLP_Gate (layers 3)"]);
    assert!(estimate.scenarios[0].parts[0].one_layer.is_none(), "there is no one layer");
}

#[test]
fn a_peak_that_can_be_built_is_kept_and_said_so() {
    let modest = Fixture::new("smolvla").with(
        "derate.toml",
        "fp32 = \"5.41 TFLOP/s\"",
        "fp32 = \"0.5 TFLOP/s\"",
    );
    let analysis = modest.analysis();
    let verdict =
        derate_reports::sections::verdict(&analysis, &Audit::default(), &estimate(&analysis))
            .join("\n");
    assert!(verdict.contains("and that peak can be built"), "{verdict}");
}

#[test]
fn no_peak_is_derived_at_a_clock_that_the_slices_do_not_bear() {
    let fast = Fixture::new("smolvla").with("derate.toml", "300 MHz", "1200 MHz");
    assert_eq!(fast.analysis().clock().value.0, 775e6);
    assert!(fast.findings().iter().any(|f| f.code == "clock/above-fmax"));
}

#[test]
fn what_nobody_claims_is_not_called_a_claim() {
    let bare = Fixture::new("smolvla").with("derate.toml", "precision = \"bf16\"", "# precision");
    let analysis = bare.analysis();
    let verdict =
        derate_reports::sections::verdict(&analysis, &Audit::default(), &estimate(&analysis))
            .join("\n");
    assert!(!verdict.contains("With the bytes that the code stores"), "{verdict}");
    assert!(verdict.contains("not claimed (precision)"), "{verdict}");
}

#[test]
fn the_figure_marks_once_what_is_claimed_and_holds() {
    let series = |fixture: &str| {
        let chart =
            derate_reports::sections::roofline(&estimate(&Fixture::new(fixture).analysis()))
                .unwrap();
        chart.points.len()
    };
    assert_eq!((series("smolvla"), series("smolvla-bf16")), (3, 2));
}
