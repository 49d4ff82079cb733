//! The scenarios of the ladder follow their inputs as derate does.

use derate_model::estimate::{PartEstimate, ScenarioEstimate, estimate_one};
use derate_model::scenario::{Assumptions, ScenarioKind, ladder_steps};
use derate_model::{Analysis, Precision, Storage};
use derate_reports::{Cell, Document, Edit, Value, Values};
use proptest::prelude::*;

use crate::fixture::Fixture;
use crate::support::{close, edit, linear, of_seed, report, seed};

/// A scenario of the ladder, estimated for a project.
pub(crate) fn estimated(analysis: &Analysis, name: &str) -> ScenarioEstimate {
    let (steps, _) = ladder_steps(analysis);
    let step = steps.iter().find(|step| step.kind.name() == name).unwrap();
    estimate_one(analysis, step).unwrap()
}

/// The rows of a table of kernels that hold the parts' sums, by the names in their first cells.
fn part_row(document: &Document, table: &str, part: &PartEstimate) -> (usize, bool) {
    let table = document.tables().find(|t| t.name == table).unwrap();
    let name = |row: &Vec<Cell>| match &row[0] {
        Cell::Text(name) | Cell::Total(name) => name.clone(),
        _ => String::new(),
    };
    let bare = part.name.split(" x").next().unwrap();
    let is_sum = |text: &str| {
        let text = text.trim_end_matches(" (never runs)");
        text.starts_with(bare)
            && (text.contains(", all ")
                || text.ends_with(", in all")
                || text.split(" x").next() == Some(bare))
    };
    if let Some(row) = table.rows.iter().rposition(|row| is_sum(&name(row))) {
        return (row, true);
    }
    let kernel = part.kernels[0].name.as_ref();
    let is_kernel = |row: &Vec<Cell>| name(row).trim_end_matches(" (never runs)").ends_with(kernel);
    (table.rows.iter().position(is_kernel).unwrap(), false)
}

/// Every part of a scenario under `edits` is what derate estimates for `changed`.
#[track_caller]
fn follows(document: &Document, edits: &[Edit], scenario: &str, changed: &ScenarioEstimate) {
    let values = Values::of(document, edits).unwrap();
    let table = format!("kernels-{scenario}");
    for part in &changed.parts {
        let (row, summed) = part_row(document, &table, part);
        let get = |key: &str| values.get(&table, row, key).cloned();
        let number = |key: &str| {
            let one = get(key).and_then(|value| value.number());
            let calls = if summed { Some(1.0) } else { get("calls").and_then(|v| v.number()) };
            one.zip(calls).map(|(one, calls)| one * calls)
        };
        let check = |key: &str, own: Option<f64>, derate: Option<f64>| {
            let fits = match (own, derate) {
                (Some(own), Some(derate)) => close(own, derate),
                (own, derate) => own == derate,
            };
            assert!(
                fits,
                "{scenario}, {}, {key} under {edits:?}: {own:?}, not {derate:?}",
                part.name
            );
        };
        let totals = &part.totals;
        check("flops", number("flops"), Some(totals.flops.0));
        check("bytes", number("bytes"), Some(totals.bytes.0));
        check("weights", number("weight_mb"), Some(totals.weight_bytes.0 / 1e6));
        check("oi", get("oi").and_then(|v| v.number()), Some(totals.oi.0));
        check("time", number("time"), totals.throughput_seconds.map(|t| t.0 * 1e6));
        let bound = totals.bound.map_or("unknown", |bound| bound.as_str());
        assert_eq!(get("bound"), Some(Value::from(bound)), "{scenario}, {}", part.name);
    }
    let table = document.tables().find(|table| table.name == "follows").unwrap();
    let at = table.rows.iter().position(|row| row[0] == Cell::text(scenario)).unwrap();
    assert_eq!(values.get("follows", at, "follows"), Some(&Value::from("yes")), "{edits:?}");
}

/// The scenarios of `document` under `edits` are those of the project `changed`.
#[track_caller]
pub(crate) fn like(document: &Document, edits: &[Edit], changed: &Analysis) {
    // Tokens that are claimed as they are need no step.
    for step in ladder_steps(changed).0.iter().filter(|step| step.array().is_none()) {
        follows(document, edits, step.kind.name(), &estimated(changed, step.kind.name()));
    }
}

#[test]
fn bandwidth_and_clock_follow() {
    let changed = seed().with("derate.toml", "\"460 GB/s\"", "\"100 GB/s\"").analysis();
    like(of_seed(), &[edit("claimed_bandwidth", 100.0)], &changed);
    let changed = seed().with("derate.toml", "\"300 GB/s\"", "\"77.5 GB/s\"").analysis();
    like(of_seed(), &[edit("derated_bandwidth", 77.5)], &changed);
    let changed = seed().with("derate.toml", "\"300 MHz\"", "\"187.3 MHz\"").analysis();
    like(of_seed(), &[edit("kernel_clock", 187.3)], &changed);
}

#[test]
fn the_parameters_of_an_inference_follow() {
    for (input, from, value) in [
        ("cameras", "cameras = 3", 1.0),
        ("cameras", "cameras = 3", 11.0),
        ("language_tokens", "language_tokens = 48", 1.0),
        ("language_tokens", "language_tokens = 48", 777.0),
        ("denoise_steps", "denoise_steps = 10", 1.0),
        ("denoise_steps", "denoise_steps = 10", 37.0),
        ("tokens", "sequence_length = 50", 1.0),
        ("tokens", "sequence_length = 50", 241.0),
    ] {
        let key = from.split(" = ").next().unwrap();
        let changed = seed().with("derate.toml", from, &format!("{key} = {value}")).analysis();
        like(of_seed(), &[edit(input, value)], &changed);
    }
    let changed = seed().with("derate.toml", "cameras = 3", "cameras = 3\nchunk = 5").analysis();
    like(of_seed(), &[edit("chunk", 5.0)], &changed);
    let changed = linear().with("derate.toml", "sequence_length = 50", "sequence_length = 99");
    like(&report(&linear().analysis()), &[edit("tokens", 99.0)], &changed.analysis());
}

#[test]
fn a_uniform_precision_follows_with_its_peak_or_without_one() {
    for fixture in [seed(), Fixture::new("smolvla-bf16"), linear()] {
        let analysis = fixture.analysis();
        let document = report(&analysis);
        let (steps, _) = ladder_steps(&analysis);
        for key in ["fp32", "bf16", "int8", "int4"] {
            for step in &steps {
                let input = match step.kind {
                    ScenarioKind::Claimed => "claimed_precision",
                    _ => "built_precision",
                };
                let storage = Storage::Uniform(Precision::parse(key).unwrap());
                let changed = Assumptions { storage, ..step.clone() };
                let estimate = estimate_one(&analysis, &changed).unwrap();
                follows(&document, &[edit(input, key)], step.kind.name(), &estimate);
            }
        }
    }
}

#[test]
fn a_claimed_peak_and_the_cost_of_a_multiply_add_follow() {
    let changed = seed().with("derate.toml", "5.41 TFLOP/s", "0.73 TFLOP/s").analysis();
    like(of_seed(), &[edit("claimed_peak_fp32", 0.73)], &changed);
    let mut changed = seed().analysis();
    // BF16 is built with the operators of FP32.
    let floats = |p: Precision| [Precision::FP32, Precision::BF16].contains(&p);
    for mac in changed.platform.macs.iter_mut().filter(|mac| floats(mac.precision)) {
        mac.macs_per_dsp.value = 0.125;
    }
    let edits = [edit("dsp_per_mac_fp32", 8.0)];
    like(of_seed(), &edits, &changed);
    let values = Values::of(of_seed(), &edits).unwrap();
    let precisions = of_seed().tables().find(|table| table.name == "precisions").unwrap();
    for key in ["fp32", "bf16"] {
        let row = precisions.rows.iter().position(|row| row[0] == Cell::text(key)).unwrap();
        assert_eq!(
            values.get("precisions", row, "dsp_per_mac"),
            Some(&Value::Number(8.0)),
            "{key}"
        );
    }
    let mut changed = seed().analysis();
    for shell in &mut changed.platform.shells {
        shell.dsp.as_mut().unwrap().value = 7001.0;
    }
    like(of_seed(), &[edit("dsp_budget", 7001.0)], &changed);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn two_edits_follow_together(
        precision in 0_usize..5, gbs in 1_u32..=419, cameras in 1_u32..9, words in 1_u32..400,
        steps in 1_u32..60, tokens in 1_u32..2000, clock in 50_u32..700,
    ) {
        let key = ["fp32", "bf16", "int8", "int4", "as-built"][precision];
        let changed = seed()
            .with("derate.toml", "cameras = 3", &format!("cameras = {cameras}"))
            .with("derate.toml", "language_tokens = 48", &format!("language_tokens = {words}"))
            .with("derate.toml", "denoise_steps = 10", &format!("denoise_steps = {steps}"))
            .with("derate.toml", "sequence_length = 50", &format!("sequence_length = {tokens}"))
            .with("derate.toml", "\"300 MHz\"", &format!("\"{clock} MHz\""))
            .with("derate.toml", "\"300 GB/s\"", &format!("\"{gbs} GB/s\""))
            .analysis();
        let edits = [
            edit("built_precision", key),
            edit("derated_bandwidth", f64::from(gbs)),
            edit("cameras", f64::from(cameras)),
            edit("language_tokens", f64::from(words)),
            edit("denoise_steps", f64::from(steps)),
            edit("tokens", f64::from(tokens)),
            edit("kernel_clock", f64::from(clock)),
        ];
        let (steps, _) = ladder_steps(&changed);
        for step in steps.iter().filter(|step| step.kind != ScenarioKind::Claimed) {
            let storage = match Precision::parse(key) {
                Some(precision) => Storage::Uniform(precision),
                None => step.storage.clone(),
            };
            let estimate = estimate_one(&changed, &Assumptions { storage, ..step.clone() }).unwrap();
            follows(of_seed(), &edits, step.kind.name(), &estimate);
        }
    }
}
