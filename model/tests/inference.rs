//! The whole inference: FLOP and bytes as `PyTorch`'s counter and the public traces have them, and the laws of fusion.
#![allow(clippy::float_cmp, reason = "counts below 2^53 are exact")]
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod fixture;

use std::collections::BTreeMap;

use derate_model::estimate::{Estimate, estimate};
use derate_model::scenario::ScenarioKind;
use derate_model::workload::{Matmul, Op};
use fixture::Fixture;

const TOTAL: f64 = 839_590_541_312.0;

/// FLOP of matrix products, of attention among them, and weight bytes as stored, per inference with 3 cameras.
const PARTS: [(&str, f64, f64); 5] = [
    ("vision", 641_426_522_112.0, 517_865_472.0),
    ("connector", 4_529_848_320.0, 70_778_880.0),
    ("embed/state_proj", 61_440.0, 215_040.0),
    ("text prefix", 79_380_541_440.0, 314_572_800.0),
    ("expert x10", 114_253_568_000.0, 2_061_260_800.0),
];

fn as_stored() -> Estimate {
    let fixture = Fixture::new("smolvla").with("derate.toml", "\"bf16\"", "\"as-stored\"");
    estimate(&fixture.analysis())
}

#[test]
fn parts_have_the_flop_and_the_weight_bytes_of_the_trace() {
    let estimate = as_stored();
    let scenario = estimate.scenario(ScenarioKind::Claimed).unwrap();
    for (name, flops, weights) in PARTS {
        let part = scenario.parts.iter().find(|p| p.name == name).unwrap();
        assert_eq!(part.totals.flops.0, flops, "{name}");
        assert_eq!(part.totals.weight_bytes.0, weights, "{name}");
    }
    assert_eq!(scenario.totals.flops.0, TOTAL);
}

#[test]
fn fewer_cameras_do_what_the_reference_says() {
    for (cameras, gflop) in [("1", 357.78), ("2", 598.43), ("3", 839.59)] {
        let fixture = Fixture::new("smolvla").with(
            "derate.toml",
            "cameras = 3",
            &format!("cameras = {cameras}"),
        );
        let estimate = estimate(&fixture.analysis());
        assert_eq!(
            format!("{:.2}", estimate.scenarios[0].totals.flops.0 / 1e9),
            format!("{gflop}")
        );
    }
}

/// Products by dimensions, with how often they are called: `batch, m, k, n, calls`.
fn products(name: &str) -> BTreeMap<Matmul, u64> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/validation/");
    let text = std::fs::read_to_string(format!("{path}{name}")).unwrap();
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .skip(1)
        .map(|line| {
            let n: Vec<u64> = line.split(',').map(|n| n.parse().unwrap()).collect();
            (Matmul { batch: n[0], m: n[1], k: n[2], n: n[3] }, n[4])
        })
        .collect()
}

#[test]
fn every_product_of_the_trace_is_called_as_often() {
    let analysis = Fixture::new("smolvla").analysis();
    let parts = analysis.workload.inference_parts(&analysis.workload.default_parameters(50, 1));
    let mut modelled: BTreeMap<Matmul, u64> = BTreeMap::new();
    for repeated in parts.iter().flat_map(|part| &part.blocks) {
        for kernel in &repeated.block.kernels {
            if let Op::Matmul(product) = kernel.op {
                *modelled.entry(product).or_default() +=
                    repeated.runs * repeated.block.layers.len() as u64;
            }
        }
    }
    assert_eq!(modelled, products("smolvla_products_3_cameras.csv"));
}

#[test]
fn what_could_be_left_out_is_told() {
    let estimate = as_stored();
    let saved = |key: &str| estimate.variants.iter().find(|v| v.key == key).unwrap().flops.0 / 1e9;
    assert_eq!(format!("{:.2}", saved("hoist_cross_kv")), "7.11");
    assert_eq!(format!("{:.2}", saved("drop_dead_work")), "4.67");
}

#[test]
fn fusing_never_adds_bytes_or_time() {
    let estimate = estimate(&Fixture::new("smolvla").analysis());
    for scenario in &ScenarioKind::LADDER[..5] {
        let totals: Vec<_> = estimate.schedules(*scenario).map(|s| s.totals.clone()).collect();
        assert_eq!(totals.len(), 4);
        for pair in totals.windows(2) {
            assert!(pair[1].bytes.0 <= pair[0].bytes.0);
            assert_eq!(pair[1].flops, pair[0].flops);
            assert_eq!(pair[1].elementwise_ops, pair[0].elementwise_ops);
            if let (Some(a), Some(b)) = (pair[0].throughput_seconds, pair[1].throughput_seconds) {
                assert!(b.0 <= a.0 * (1.0 + 1e-12));
            }
        }
    }
}

#[test]
fn work_for_nothing_is_a_finding_until_the_design_drops_it() {
    let codes = ["workload/dead-work", "workload/loop-invariant"];
    let found = |fixture: &Fixture| {
        let all = fixture.findings();
        codes.map(|code| all.iter().any(|finding| finding.code == code))
    };
    assert_eq!(found(&Fixture::new("smolvla")), [true, true]);
    let design = "[design]\ndrop_dead_work = true\n\n[derate]";
    assert_eq!(
        found(&Fixture::new("smolvla").with("derate.toml", "[derate]", design)),
        [false, true]
    );
}

/// Queries of the expert's first layer that no heads of 64 divide: the other parts stay, and the reason is reported.
#[test]
fn a_part_without_whole_heads_is_missing_with_its_reason() {
    let layer = "layers.0.self_attn.q_proj\n      │  │  │     |  ├─ children: ['weight']\n      │  │  │     │  └── weight: torch.Size";
    let (from, to) = (format!("{layer}([960, 720])"), format!("{layer}([990, 720])"));
    let estimate =
        estimate(&Fixture::new("smolvla").with("model_shape.txt", &from, &to).analysis());
    let scenario = estimate.scenario(ScenarioKind::Claimed).unwrap();
    assert!(scenario.parts.iter().all(|part| !part.name.starts_with("expert")));
    let [missing] = estimate.missing_parts.as_slice() else {
        panic!("{:?}", estimate.missing_parts)
    };
    assert_eq!(missing.part, "expert");
    assert!(missing.reason.contains("990 outputs"), "{}", missing.reason);
}
