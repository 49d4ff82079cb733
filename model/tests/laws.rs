//! Laws of the performance model, over random inferences and designs.
#![allow(clippy::float_cmp, reason = "bytes of whole and half elements are exact below 2^53")]
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod fixture;

use std::sync::LazyLock;
use std::sync::atomic::AtomicU64;

use derate_model::estimate::estimate;
use derate_model::scenario::{Assumptions, ScenarioKind, ladder_steps};
use derate_model::sweep::{Axis, Note, SweepPoint, sweep};
use derate_model::units::Bytes;
use derate_model::{Analysis, Schedule};
use fixture::Fixture;
use proptest::prelude::*;

/// The operators are cheap, so that every array of these tests fits.
const DESIGN: &str =
    "[design]\nrows = 16\ncolumns = 16\ndsp_per_mac = { bf16 = 0.125 }\n\n[derate]";

static ANALYSIS: LazyLock<Analysis> =
    LazyLock::new(|| Fixture::new("smolvla").with("derate.toml", "[derate]", DESIGN).analysis());

fn scenario(name: &str) -> Assumptions {
    ladder_steps(&ANALYSIS).0.into_iter().find(|s| s.kind.name() == name).unwrap()
}

/// The points of a sweep; each axis is `key=v1,v2..`.
fn points(name: &str, axes: &[String]) -> Vec<SweepPoint> {
    let axes: Vec<Axis> = axes.iter().map(|text| Axis::parse(text).unwrap()).collect();
    sweep(&ANALYSIS, &scenario(name), &axes, 1, &AtomicU64::new(0)).unwrap()
}

/// Parameters of an inference, as axes of one value each.
fn inference() -> impl Strategy<Value = Vec<String>> {
    (1..5_u32, 1..96_u32, 1..12_u32, 1..80_u32, 1..3_u32).prop_map(
        |(cameras, tokens, steps, chunk, batch)| {
            vec![
                format!("cameras={cameras}"),
                format!("language_tokens={tokens}"),
                format!("denoise_steps={steps}"),
                format!("chunk={chunk}"),
                format!("batch={batch}"),
            ]
        },
    )
}

fn with(mut axes: Vec<String>, more: &[String]) -> Vec<String> {
    axes.extend_from_slice(more);
    axes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn fusing_more_never_adds_bytes_or_time(axes in inference(), buffer in 1_u32..37_000) {
        let schedules = "schedule=unfused,epilogue,attention,block".to_owned();
        let all = points("derived-peak", &with(axes, &[format!("buffer={buffer} KiB"), schedules]));
        for pair in all.windows(2) {
            prop_assert!(pair[1].bytes.unwrap().0 <= pair[0].bytes.unwrap().0);
            prop_assert_eq!(pair[1].flops, pair[0].flops);
            let (fused, unfused) = (pair[1].throughput_seconds.unwrap(), pair[0].throughput_seconds.unwrap());
            prop_assert!(fused.0 <= unfused.0 * (1.0 + 1e-12));
        }
    }

    #[test]
    fn more_on_chip_memory_never_adds_bytes(axes in inference(), first in 1_u32..290, schedule in 0..4_usize) {
        let sizes: Vec<String> = (0..8).map(|n| format!("{} KiB", first << n)).collect();
        let more = [format!("schedule={}", Schedule::ALL[schedule].name()), format!("buffer={}", sizes.join(","))];
        for pair in points("derived-peak", &with(axes, &more)).windows(2) {
            prop_assert!(pair[1].bytes.unwrap().0 <= pair[0].bytes.unwrap().0, "{:?}", pair);
        }
    }

    #[test]
    fn half_as_many_bits_halve_the_bytes(axes in inference()) {
        let all = points("derived-peak", &with(axes, &["precision=fp32,bf16,int8,int4".to_owned()]));
        for pair in all.windows(2) {
            prop_assert_eq!(pair[0].bytes.unwrap().0, 2.0 * pair[1].bytes.unwrap().0);
            prop_assert_eq!(2.0 * pair[0].oi.unwrap().0, pair[1].oi.unwrap().0);
        }
    }

    #[test]
    fn latency_is_never_below_the_roofline(
        axes in inference(),
        (rows, columns, unroll) in (1..40_u32, 1..40_u32, 1..8_u32),
        (fill, wait, lanes) in (0..100_u32, 0..200_u32, 1..512_u32),
        schedule in 0..4_usize,
    ) {
        let more = [
            format!("rows={rows}"),
            format!("columns={columns}"),
            format!("unroll={unroll}"),
            format!("fill={fill}"),
            format!("memory_latency={wait}"),
            format!("lanes={lanes}"),
            format!("schedule={}", Schedule::ALL[schedule].name()),
            "launches=kernel,block,part,inference".to_owned(),
        ];
        let all = points("design", &with(axes, &more));
        for point in &all {
            let (latency, roofline) = (point.latency_seconds.unwrap(), point.throughput_seconds.unwrap());
            prop_assert!(latency.0 >= roofline.0, "{point:?}");
        }
        // Fewer calls of the host never take longer.
        for pair in all.windows(2) {
            prop_assert!(pair[1].latency_seconds.unwrap().0 <= pair[0].latency_seconds.unwrap().0);
        }
    }

    #[test]
    fn without_fill_launch_and_waiting_the_gap_is_one(axes in inference(), schedule in 0..4_usize) {
        // One element has no edges.
        let more = ["rows=1", "columns=1", "unroll=1", "fill=0", "memory_latency=0", "launch=0 s"];
        let more: Vec<String> = more.iter().map(|&text| text.to_owned())
            .chain([format!("schedule={}", Schedule::ALL[schedule].name())]).collect();
        let point = &points("design", &with(axes, &more))[0];
        let gap = point.latency_seconds.unwrap().0 / point.throughput_seconds.unwrap().0;
        prop_assert!((gap - 1.0).abs() < 1e-9, "{gap}");
    }

    #[test]
    fn more_bandwidth_and_clock_are_never_slower(axes in inference(), gbs in 10..400_u32, mhz in 50..350_u32) {
        let more = [format!("bandwidth={gbs} GB/s,{} GB/s", gbs + 50), format!("clock={mhz} MHz,{} MHz", mhz + 50)];
        let all = points("design", &with(axes, &more));
        let time = |at: usize| all[at].latency_seconds.unwrap().0;
        prop_assert!(time(1) <= time(0) && time(2) <= time(0) && time(3) <= time(1));
    }
}

/// A sweep runs again what its last point ran alike: each point is what it would be alone.
#[test]
fn a_point_of_a_sweep_owes_nothing_to_the_one_before() {
    let values: [(&str, &[&str]); 8] = [
        ("schedule", &["unfused", "block"]),
        ("buffer", &["1 MiB", "30 MiB"]),
        ("precision", &["bf16", "int8"]),
        ("hoist_cross_kv", &["false", "true"]),
        ("drop_dead_work", &["false", "true"]),
        ("cameras", &["2", "1", "2"]),
        ("denoise_steps", &["10", "3"]),
        ("chunk", &["50", "7"]),
    ];
    let axes = values.map(|(key, texts)| format!("{key}={}", texts.join(",")));
    let all = points("design", &axes);
    assert_eq!(all.len(), 384);
    for point in all.iter().step_by(7) {
        let own: Vec<String> = values
            .iter()
            .zip(&point.at)
            .map(|((key, texts), &at)| format!("{key}={}", texts[at as usize]))
            .collect();
        let alone = &points("design", &own)[0];
        assert_eq!(&SweepPoint { at: point.at.clone(), ..alone.clone() }, point, "{own:?}");
    }
}

#[test]
fn no_kernel_attains_more_than_its_roofs() {
    let estimate = estimate(&ANALYSIS);
    let mut seen = 0;
    for scenario in &estimate.scenarios {
        for kernel in scenario.parts.iter().flat_map(|part| &part.kernels) {
            let Some(rate) = kernel.totals.attainable else { continue };
            let slope = scenario.bandwidth.value * kernel.totals.oi;
            assert!(rate.0 <= slope.0 * (1.0 + 1e-12), "{} of {}", kernel.name, scenario.name);
            let roofs = scenario.ceilings.iter().map(|c| c.peak.rate.value.0).fold(0.0, f64::max);
            assert!(rate.0 <= roofs * (1.0 + 1e-12), "{} of {}", kernel.name, scenario.name);
            seen += 1;
        }
    }
    assert!(seen > 1000, "{seen}");
}

/// What `latency/batch-1` calls impossible is below whatever fusion, memory and leaving work out give.
#[test]
fn no_pass_of_any_sweep_undercuts_the_floor() {
    for (precision, bandwidth) in [("bf16", "460 GB/s"), ("fp32", "20 GB/s")] {
        let fixture = Fixture::new("smolvla")
            .with("derate.toml", "batch = 1\n", "batch = 1\nlatency = \"1 us\"\n")
            .with("derate.toml", "460 GB/s", bandwidth)
            .with("derate.toml", "\"bf16\"", &format!("\"{precision}\""));
        let findings = fixture.findings();
        let floor = fixture::of(&findings, "latency/batch-1")[0].evidence["least_seconds"].as_f64();
        let analysis = fixture.analysis();
        let axes = [
            "schedule=unfused,block",
            "buffer=1 MiB,38 MB",
            "hoist_cross_kv=false,true",
            "drop_dead_work=false,true",
        ];
        let axes = axes.map(|axis| Axis::parse(axis).unwrap());
        let claimed = Assumptions::claimed(&analysis);
        let points = sweep(&analysis, &claimed, &axes, 1, &AtomicU64::new(0)).unwrap();
        let times = points.iter().map(|point| point.throughput_seconds.unwrap().0);
        let best = times.fold(f64::INFINITY, f64::min);
        assert!(floor.unwrap() <= best * (1.0 + 1e-12), "{floor:?} {best}");
        assert!(floor.unwrap() > 0.3 * best, "a floor that says something: {floor:?} {best}");
    }
}

/// smolVLA's parts are started 3 (cameras) + 3 + 1 + 1 + 10 (steps) times in an inference.
const PART_CALLS: f64 = 18.0;

#[test]
fn kernels_and_launches_sum_up_to_parts_the_whole_and_the_sweeps_point() {
    let near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-12;
    for launches in ["kernel", "block", "part", "inference"] {
        let design = DESIGN.replace(
            "[design]",
            &format!("[design]\nlaunches = \"{launches}\"\nlaunch = \"1 ms\""),
        );
        let analysis = Fixture::new("smolvla").with("derate.toml", "[derate]", &design).analysis();
        let estimate = estimate(&analysis);
        let scenario = ladder_steps(&analysis).0.pop().unwrap();
        let schedules = [Axis::parse("schedule=unfused,epilogue,attention,block").unwrap()];
        let points = sweep(&analysis, &scenario, &schedules, 1, &AtomicU64::new(0)).unwrap();
        let mut seen = 0;
        for (scenario, point) in estimate.schedules(ScenarioKind::Design).zip(&points) {
            let whole = scenario.totals.latency_seconds.unwrap().0;
            let latency = scenario.latency.as_ref().unwrap();
            let parts = || scenario.parts.iter().filter(|part| part.runs);
            let kernels: f64 = parts()
                .flat_map(|part| &part.kernels)
                .map(|k| k.totals.latency_seconds.unwrap().0 * k.calls as f64)
                .sum();
            let (of_parts, of_host) = match launches {
                "part" => (PART_CALLS * 1e-3, 0.0),
                "inference" => (0.0, 1e-3),
                // A kernel's own.
                _ => (0.0, 0.0),
            };
            assert!(
                near(kernels + of_parts + of_host, whole),
                "{launches}, {:?}",
                scenario.schedule
            );
            let of_all: f64 = parts().map(|part| part.totals.latency_seconds.unwrap().0).sum();
            assert_eq!(latency.host_call.0, of_host);
            assert!(near(of_all + of_host, whole), "{launches}, {:?}", scenario.schedule);
            assert!(
                near(point.latency_seconds.unwrap().0, whole),
                "{launches}, {}",
                scenario.schedule.name()
            );
            let terms: f64 = latency.terms.named().iter().map(|(_, term)| term.0).sum();
            assert!(near(terms, whole) && latency.seconds.0 == whole);
            seen += 1;
        }
        assert_eq!(seen, 4);
    }
}

#[test]
fn every_term_has_its_rule_and_the_first_is_the_roofline() {
    let estimate = estimate(&ANALYSIS);
    let mut seen = 0;
    for scenario in estimate.schedules(ScenarioKind::Design) {
        let latency = scenario.latency.as_ref().unwrap();
        assert_eq!(latency.rules.len(), latency.terms.named().len());
        for ((name, term), rule) in latency.terms.named().iter().zip(&latency.rules) {
            assert_eq!(*name, rule.term);
            assert!(term.0 >= 0.0 && !rule.inputs.is_empty());
        }
        assert!(latency.rules[0].inputs.contains("300 GB/s"), "{}", latency.rules[0].inputs);
        for kernel in scenario.parts.iter().filter(|p| p.runs).flat_map(|p| &p.kernels) {
            let terms = kernel.latency.unwrap();
            assert!(
                (terms.roofline.0 - kernel.totals.throughput_seconds.unwrap().0).abs()
                    <= 1e-9 * terms.roofline.0
            );
            seen += 1;
        }
    }
    assert!(seen > 200, "{seen}");
}

#[test]
fn a_group_that_does_not_fit_says_by_how_much() {
    let design = "[design]\nbuffer = \"1 MiB\"\n\n[derate]";
    let analysis = Fixture::new("smolvla").with("derate.toml", "[derate]", design).analysis();
    let estimate = estimate(&analysis);
    let block = estimate.schedules(ScenarioKind::DerivedPeak).last().unwrap();
    let vision =
        block.refused.iter().find(|r| r.block == "vision layer" && r.kernels.len() > 10).unwrap();
    assert_eq!(vision.exceeds.0, vision.footprint.0 - 1_048_576.0);
    // The residual stream of 1,024 patches x 768 at four bytes is held, and more.
    assert!(vision.footprint.0 > 1024.0 * 768.0 * 4.0);
    // Attention alone streams its scores: keys and values of one head are 512 KiB.
    assert!(
        block.parts[0].kernels.iter().any(|k| k.name.contains("softmax") && k.members.len() == 3)
    );
}

#[test]
fn an_array_that_does_not_fit_has_no_times() {
    let design = "[design]\nrows = 16\ncolumns = 16\n\n[derate]";
    let analysis = Fixture::new("smolvla").with("derate.toml", "[derate]", design).analysis();
    let (mut ladder, _) = ladder_steps(&analysis);
    let rows = [Axis::parse("rows=16,1000").unwrap()];
    let points = sweep(&analysis, &ladder.pop().unwrap(), &rows, 1, &AtomicU64::new(0)).unwrap();
    // 1,000 x 16 multiply-adds at five DSP are 80,000 slices.
    let known = |p: &SweepPoint| (p.latency_seconds.is_some(), p.throughput_seconds.is_some());
    assert_eq!((known(&points[0]), known(&points[1])), ((true, true), (false, false)));
    assert_eq!(points[0].note, None);
    assert!(matches!(points[1].note, Some(Note::Array(over)) if over > 70_000.0));
}

#[test]
fn held_weights_that_do_not_fit_have_no_traffic() {
    let design = "[design]\nrows = 16\ncolumns = 16\nhold = [\"connector\"]\n\n[derate]";
    let analysis = Fixture::new("smolvla").with("derate.toml", "[derate]", design).analysis();
    let (mut ladder, _) = ladder_steps(&analysis);
    let buffers = [Axis::parse("buffer=1 MiB,30 MiB").unwrap()];
    let points = sweep(&analysis, &ladder.pop().unwrap(), &buffers, 1, &AtomicU64::new(0)).unwrap();
    // The connector's 11,796,480 weights at two bytes, less 1 MiB.
    assert_eq!(points[0].note, Some(Note::Held(Bytes(22_544_384.0))));
    assert_eq!((points[0].bytes, points[0].latency_seconds), (None, None));
    assert!(points[1].note.is_none() && points[1].latency_seconds.is_some());
}

#[test]
fn what_would_change_nothing_or_too_little_cannot_be_varied() {
    let refused = |name: &str, axis: &str| {
        let axis = [Axis::parse(axis).unwrap()];
        sweep(&ANALYSIS, &scenario(name), &axis, 1, &AtomicU64::new(0)).unwrap_err()
    };
    for (name, axis, reason) in [
        ("derived-peak", "rows=8", "it has no array"),
        ("design", "peak=1 TFLOP/s", "vary rows"),
        ("claimed", "clock=200 MHz", "claimed or given"),
        ("derived-peak", "clock=900 MHz", "do not bear"),
        ("derived-peak", "tokens=50", "does not depend on it"),
        ("derived-peak", "buffer=40 MB", "less on-chip memory"),
    ] {
        let error = refused(name, axis);
        assert!(error.to_string().contains(reason), "{error}");
    }
}
