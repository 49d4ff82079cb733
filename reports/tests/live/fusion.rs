//! Fusion and latency as formulas: they follow their inputs as derate does, and say where not.

use derate_model::estimate::{ScenarioEstimate, estimate_scenarios};
use derate_model::scenario::ladder_steps;
use derate_model::{Analysis, Precision, Storage};
use derate_reports::{Document, Edit, Value, Values};

use crate::fixture::Fixture;
use crate::support::{agrees_with_itself, close, edit, of_seed, report, report_on_paper, seed};

/// smolVLA with a `[design]`.
fn with(design: &str) -> Fixture {
    seed().with("derate.toml", "[derate]", &format!("[design]\n{design}\n\n[derate]"))
}

const BLOCK: &str = "rows = 24\ncolumns = 20\nunroll = 2\nprecision = \"int8\"\nschedule = \"block\"\nlanes = 8\naccumulation_ii = 2\nfill = 30\nclock = \"250 MHz\"\nlaunch = \"20 us\"";

/// One of a kind each: what is held, left out, wired, started.
const DESIGNS: [&str; 6] = [
    BLOCK,
    "rows = 8\ncolumns = 8",
    "rows = 8\ncolumns = 12\nprecision = \"as-stored\"\nschedule = \"epilogue\"\nlaunches = \"kernel\"",
    "rows = 16\ncolumns = 8\nprecision = \"int8\"\nhold = [\"connector\"]\nbuffer = \"30 MB\"\nschedule = \"attention\"\nlaunches = \"part\"",
    "rows = 8\ncolumns = 8\nhoist_cross_kv = true\ndrop_dead_work = true\nschedule = \"block\"\nlaunches = \"inference\"",
    "rows = 8\ncolumns = 8\nports = 32\nport_bits = 256\nschedule = \"block\"",
];

#[test]
fn every_formula_of_a_design_gives_what_derate_gives() {
    for design in DESIGNS {
        println!("{design}");
        agrees_with_itself(&with(design), 2000);
    }
}

/// A step of the ladder under every schedule, estimated for a project.
fn estimated(analysis: &Analysis, name: &str, storage: Option<Storage>) -> Vec<ScenarioEstimate> {
    let (steps, _) = ladder_steps(analysis);
    let mut step = steps.into_iter().find(|step| step.kind.name() == name).unwrap();
    if let Some(storage) = storage {
        step.storage = storage;
    }
    let (all, skipped) = estimate_scenarios(analysis, &[step]);
    assert!(skipped.is_empty(), "{skipped:#?}");
    all
}

fn guard<'a>(values: &'a Values<'_>, scenario: &str, schedule: &str) -> &'a str {
    let name = format!("follows_{}_{schedule}", scenario.replace('-', "_"));
    match values.named(&name) {
        Some(Value::Text(text)) => text,
        other => panic!("{name}: {other:?}"),
    }
}

/// The tables of fusion, and those of latency where there is a design, are what derate computes.
#[track_caller]
fn agrees(values: &Values<'_>, edits: &[Edit], changed: &ScenarioEstimate) {
    let (name, schedule) = (&changed.name, changed.schedule.name());
    let parts = changed.parts.iter().filter(|part| part.runs).map(|part| &part.totals);
    let running = parts.clone().count();
    for (row, totals) in parts.chain([&changed.totals]).enumerate() {
        let check = |table: &str, key: &str, derate: Option<f64>| {
            // The call that starts all stands before the whole.
            let calls = changed.latency.as_ref().is_some_and(|l| l.host_call.0 > 0.0);
            let below = usize::from(calls && table == "time" && row == running);
            let found = values.get(&format!("fusion-{name}-{table}"), row + below, key);
            let fits = match (found, derate) {
                (Some(Value::Number(own)), Some(derate)) => close(*own, derate),
                (Some(Value::Text(own)), None) => own == "unknown",
                _ => false,
            };
            assert!(fits, "{name} {key} {table} {row}: {found:?}, not {derate:?}, under {edits:?}");
        };
        check("traffic", schedule, Some(totals.bytes.0 / 1e6));
        check("oi", schedule, Some(totals.oi.0));
        check("time", schedule, totals.throughput_seconds.map(|time| time.0 * 1e3));
        if changed.latency.is_some() {
            let key = format!("{schedule}_latency");
            check("time", &key, totals.latency_seconds.map(|time| time.0 * 1e3));
        }
    }
    let Some(latency) = changed.latency.as_ref().filter(|_| changed.chosen) else { return };
    let all = latency.terms.named().map(|(_, term)| term.0 * 1e3);
    for (row, term) in all.into_iter().chain([latency.seconds.0 * 1e3]).enumerate() {
        let own = values.get("latency", row, "time").and_then(Value::number).unwrap();
        // What is nothing in one is less than a picosecond in the other.
        let nothing = own.abs() < 1e-9 && term.abs() < 1e-9;
        assert!(close(own, term) || nothing, "term {row}: {own}, not {term}, under {edits:?}");
    }
    let gap = values.get("gap", 0, "ratio").and_then(Value::number);
    assert!(close(gap.unwrap(), latency.gap.unwrap()), "{gap:?} under {edits:?}");
}

/// Every schedule of a scenario follows the edits to what derate computes for `changed`.
#[track_caller]
fn follow(document: &Document, edits: &[Edit], scenario: &str, changed: &Analysis) {
    let values = Values::of(document, edits).unwrap();
    for estimate in estimated(changed, scenario, None) {
        assert_eq!(guard(&values, scenario, estimate.schedule.name()), "yes", "{edits:?}");
        agrees(&values, edits, &estimate);
    }
}

const CORRECTED: &str = "derived-peak";

#[test]
fn fused_groups_follow_rates() {
    let changed = |from: &str, to: &str| seed().with("derate.toml", from, to).analysis();
    let check = |edits: &[Edit], changed: &Analysis| follow(of_seed(), edits, CORRECTED, changed);
    check(&[edit("derated_bandwidth", 77.5)], &changed("\"300 GB/s\"", "\"77.5 GB/s\""));
    check(&[edit("kernel_clock", 187.3)], &changed("\"300 MHz\"", "\"187.3 MHz\""));
    check(&[edit("denoise_steps", 7.0)], &changed("denoise_steps = 10", "denoise_steps = 7"));
    check(&[edit("tokens", 300.0)], &changed("sequence_length = 50", "sequence_length = 300"));
    let mut other = seed().analysis();
    for shell in &mut other.platform.shells {
        shell.dsp.as_mut().unwrap().value = 5001.0;
    }
    check(&[edit("dsp_budget", 5001.0)], &other);
    let mut other = seed().analysis();
    let floats = |p: Precision| [Precision::FP32, Precision::BF16].contains(&p);
    for mac in other.platform.macs.iter_mut().filter(|mac| floats(mac.precision)) {
        mac.macs_per_dsp.value = 0.125;
    }
    check(&[edit("dsp_per_mac_fp32", 8.0)], &other);
}

/// The figures of a scenario under every precision and number of cameras: how many follow, and how many say that they do not.
#[track_caller]
fn tried(fixture: impl Fn() -> Fixture) -> (u32, u32) {
    let document = report(&fixture().analysis());
    let (mut followed, mut refused) = (0, 0);
    for cameras in [1_u8, 2, 3, 4] {
        let text = format!("cameras = {cameras}");
        let changed = fixture().with("derate.toml", "cameras = 3", &text).analysis();
        for key in ["as-built", "fp32", "bf16", "int8", "int4"] {
            let storage = Precision::parse(key).map(Storage::Uniform);
            let edits = [edit("cameras", f64::from(cameras)), edit("built_precision", key)];
            let values = Values::of(&document, &edits).unwrap();
            for estimate in estimated(&changed, CORRECTED, storage.clone()) {
                let told = guard(&values, CORRECTED, estimate.schedule.name());
                if told == "yes" {
                    agrees(&values, &edits, &estimate);
                    followed += 1;
                    continue;
                }
                refused += 1;
                assert!(told.contains("run derate estimate"), "{told}");
                if estimate.schedule.name() != "unfused" && key != "as-built" {
                    assert!(told.contains(&format!("--precision {key}")), "{told}");
                    let other = cameras != 3;
                    assert_eq!(told.contains(&format!("cameras = {cameras}")), other, "{told}");
                }
            }
        }
    }
    (followed, refused)
}

/// On 38 MB the same kernels are fused at every precision.
#[test]
fn precisions_and_cameras_follow_where_what_is_fused_stays() {
    assert_eq!(tried(seed), (80, 0));
}

/// Where the guard says yes, derate agrees; on a small chip it says no to many.
#[test]
fn on_a_small_chip_precisions_and_cameras_change_what_is_fused() {
    let (followed, refused) = tried(|| with("buffer = \"1500 kB\""));
    assert!(followed >= 8 && refused >= 20, "{followed} followed, {refused} refused");
}

#[test]
fn what_may_change_what_is_fused_is_told() {
    for (input, value) in
        [("on_chip", 1.0), ("language_tokens", 500.0), ("chunk", 5.0), ("cameras", 9.0)]
    {
        let values = Values::of(of_seed(), &[edit(input, value)]).unwrap();
        for schedule in ["epilogue", "attention", "block"] {
            let told = guard(&values, CORRECTED, schedule);
            assert!(told.starts_with("no: ") && told.contains("--schedule"), "{input}: {told}");
        }
    }
}

#[test]
fn the_schedule_to_try_follows() {
    let all = estimated(&seed().analysis(), CORRECTED, None);
    for estimate in all {
        let edits = [edit("schedule", estimate.schedule.name())];
        let values = Values::of(of_seed(), &edits).unwrap();
        let parts = estimate.parts.iter().filter(|part| part.runs).map(|part| &part.totals);
        for (row, totals) in parts.chain([&estimate.totals]).enumerate() {
            let number = |key: &str| values.get("what-if", row, key).and_then(Value::number);
            assert!(close(number("traffic").unwrap(), totals.bytes.0 / 1e6));
            assert!(close(number("oi").unwrap(), totals.oi.0));
            assert!(close(number("time").unwrap(), totals.throughput_seconds.unwrap().0 * 1e3));
            let bound = totals.bound.unwrap().as_str();
            assert_eq!(values.get("what-if", row, "bound"), Some(&Value::from(bound)));
        }
        let told = |key: &str| values.get("what-if-follows", 0, key).cloned();
        assert_eq!(told("schedule"), Some(Value::from(estimate.schedule.name())));
        assert_eq!(told("follows"), Some(Value::from("yes")));
        assert_eq!(values.named("inputs_changed"), Some(&Value::Number(0.0)));
    }
    assert!(of_seed().controls.iter().any(|control| control.input == "schedule"));
}

#[test]
fn a_design_follows_its_array_and_its_rates() {
    let document = report(&with(BLOCK).analysis());
    let check = |edits: &[Edit], from: &str, to: &str| {
        assert!(BLOCK.contains(from));
        follow(&document, edits, "design", &with(&BLOCK.replace(from, to)).analysis());
    };
    check(&[edit("array_rows", 25.0)], "rows = 24", "rows = 25");
    check(&[edit("array_columns", 7.0)], "columns = 20", "columns = 7");
    check(&[edit("array_unroll", 3.0)], "unroll = 2", "unroll = 3");
    check(&[edit("array_interval", 1.0)], "accumulation_ii = 2", "accumulation_ii = 1");
    check(&[edit("array_fill", 77.0)], "fill = 30", "fill = 77");
    check(&[edit("array_lanes", 1.0)], "lanes = 8", "lanes = 1");
    check(&[edit("launch", 1.5)], "\"20 us\"", "\"1500 us\"");
    check(&[edit("design_clock", 111.0)], "\"250 MHz\"", "\"111 MHz\"");
    let own = |from: &str, to: &str| with(BLOCK).with("derate.toml", from, to).analysis();
    let check = |edits: &[Edit], changed: &Analysis| follow(&document, edits, "design", changed);
    check(&[edit("derated_bandwidth", 12.0)], &own("\"300 GB/s\"", "\"12 GB/s\""));
    // Slower than the clock that was reached.
    check(&[edit("kernel_clock", 200.0)], &own("\"300 MHz\"", "\"200 MHz\""));
    check(&[edit("denoise_steps", 3.0)], &own("denoise_steps = 10", "denoise_steps = 3"));
    check(
        &[edit("array_rows", 40.0), edit("derated_bandwidth", 40.0), edit("array_fill", 0.0)],
        &with(&BLOCK.replace("rows = 24", "rows = 40").replace("fill = 30", "fill = 0"))
            .with("derate.toml", "\"300 GB/s\"", "\"40 GB/s\"")
            .analysis(),
    );
    // The fill that stands in follows the sides.
    let plain = "rows = 8\ncolumns = 8";
    let document = report(&with(plain).analysis());
    let changed = with(&plain.replace("rows = 8", "rows = 19")).analysis();
    follow(&document, &[edit("array_rows", 19.0)], "design", &changed);
}

/// Where the guard says yes, derate agrees; a design that cannot be built is reported.
#[test]
fn a_design_follows_other_formats_or_says_why_not() {
    for (design, own) in [(BLOCK, "int8"), (DESIGNS[2], "as-stored"), (DESIGNS[3], "int8")] {
        let document = report(&with(design).analysis());
        let mut followed = 0;
        for key in ["fp32", "bf16", "int8", "int4"] {
            let edits = [edit("design_precision", key)];
            let values = Values::of(&document, &edits).unwrap();
            let changed = with(&design.replace(own, key)).analysis();
            let (steps, _) = ladder_steps(&changed);
            let built = steps.iter().any(|step| step.kind.name() == "design");
            for schedule in ["unfused", "epilogue", "attention", "block"] {
                if guard(&values, "design", schedule) != "yes" {
                    continue;
                }
                assert!(built, "{design} with {key}");
                let all = estimated(&changed, "design", None);
                agrees(
                    &values,
                    &edits,
                    all.iter().find(|s| s.schedule.name() == schedule).unwrap(),
                );
                followed += 1;
            }
        }
        assert!(followed >= 4, "{design}: {followed}");
    }
}

#[test]
fn held_weights_and_work_left_out_follow() {
    for design in &DESIGNS[2..5] {
        let document = report(&with(design).analysis());
        for (input, from, value) in [
            ("denoise_steps", "denoise_steps = 10", 4.0),
            ("denoise_steps", "denoise_steps = 10", 1.0),
            ("cameras", "cameras = 3", 2.0),
        ] {
            let key = from.split(" = ").next().unwrap();
            let changed = with(design).with("derate.toml", from, &format!("{key} = {value}"));
            let edits = [edit(input, value)];
            let values = Values::of(&document, &edits).unwrap();
            for estimate in estimated(&changed.analysis(), "design", None) {
                let told = guard(&values, "design", estimate.schedule.name());
                assert!(told == "yes" || input == "cameras", "{design}: {told}");
                if told == "yes" {
                    agrees(&values, &edits, &estimate);
                }
            }
        }
    }
}

#[test]
fn a_reader_of_paper_is_spared_what_formulas_read() {
    let analysis = with(BLOCK).analysis();
    let (document, paper) = (report(&analysis), report_on_paper(&analysis));
    let has = |document: &Document| document.sections.iter().any(|s| s.name == "Groups");
    assert!(has(&document) && !has(&paper));
    assert_eq!(paper.sections.len() + 1, document.sections.len());
}

#[test]
fn a_design_says_where_it_does_not_follow() {
    let document = report(&with(BLOCK).analysis());
    let told = |document: &Document, input: &str, value: f64| {
        let values = Values::of(document, &[edit(input, value)]).unwrap();
        guard(&values, "design", "block").to_owned()
    };
    assert!(told(&document, "array_rows", 1000.0).contains("more DSP slices"));
    assert!(told(&document, "on_chip", 5.0).starts_with("no: "));
    assert!(told(&document, "chunk", 5.0).starts_with("no: "));
    assert_eq!(told(&document, "memory_latency", 5.0), "yes");
    let ports = report(&with(DESIGNS[5]).analysis());
    assert!(told(&ports, "kernel_clock", 100.0).contains("ports follows the clock"));
    assert_eq!(told(&ports, "design_bandwidth", 100.0), "yes");
}
