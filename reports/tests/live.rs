//! The formulas of a report: they give what derate gives, and follow their inputs as derate does.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "../../model/tests/fixture/mod.rs"]
mod fixture;

use std::sync::OnceLock;

use derate_model::audit::audit;
use derate_model::estimate::{PartEstimate, ScenarioEstimate, estimate, estimate_one};
use derate_model::scenario::{Assumptions, ScenarioKind, ladder_steps};
use derate_model::{Analysis, Precision, Storage};
use derate_reports::sections;
use derate_reports::{Block, Cell, Column, Document, Edit, NumberFormat, Table, Value, Values};
use fixture::Fixture;
use proptest::prelude::*;

fn report(analysis: &Analysis) -> Document {
    sections::report(analysis, &audit(analysis), &estimate(analysis))
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => close(*a, *b),
        (a, b) => a == b,
    }
}

/// A project whose workload is `linear`.
fn linear() -> Fixture {
    Fixture::new("smolvla").with("derate.toml", "workload = \"smolvla\"", "workload = \"linear\"")
}

/// The formulas of a chart as a table, which alone are evaluated.
fn of_charts(document: &Document) -> Table {
    let charts = || document.charts();
    let corners = charts().flat_map(|chart| &chart.lines).flat_map(|line| &line.corners);
    let points = charts().flat_map(|chart| &chart.points).flat_map(|series| &series.points);
    let places = corners.chain(points.map(|point| &point.at));
    let rows = places.filter_map(|place| {
        let [x, y] = place.live.as_deref()?.clone();
        let cell = |value, formula| Cell::formula(value, formula, NumberFormat::Integer);
        Some(vec![cell(place.x, x), cell(place.y, y)])
    });
    let columns = ["x", "y"].map(|key| Column::number(key, key, "")).into();
    let rows: Vec<Vec<Cell>> = rows.collect();
    Table { name: "of-charts".to_owned(), caption: String::new(), columns, rows }
}

#[test]
fn every_formula_gives_what_derate_gives() {
    let project = |from: &str, to: &str| seed().with("derate.toml", from, to);
    let design = "[design]\nrows = 16\ncolumns = 16\nschedule = \"block\"\nprecision = \"int8\"\ndsp_per_mac = { bf16 = 3, int8 = 0.5 }\n\n[derate]";
    let fixtures = [
        seed(),
        Fixture::new("smolvla-bf16"),
        linear(),
        project("[derate]", design),
        project("batch = 1", "batch = 4"),
        project("precision = \"bf16\"", "precision = \"ap_fixed<18,8>\""),
        project("precision = \"bf16\"", "# precision"),
        project("bandwidth = \"460 GB/s\"", "# bandwidth"),
        project("bandwidth = \"300 GB/s\"", "# bandwidth"),
        project("sequence_length = 50", "# sequence_length"),
        project("peak = {", "# peak = {"),
        project("\"u280\"", "\"u50\""),
        linear().with("derate.toml", "sequence_length = 50", "# sequence_length"),
    ];
    for fixture in fixtures {
        let mut document = report(&fixture.analysis());
        let charts = Block::Table(of_charts(&document));
        document.sections[0].blocks.push(charts);
        let values = Values::of(&document, &[]).unwrap();
        let wrong: Vec<String> = values
            .formulas()
            .filter(|(.., cached, value)| !value.is_some_and(|value| same(cached, value)))
            .map(|(table, row, column, cached, value)| {
                let key = &table.columns[column].key;
                format!("{} {row} {key}: {cached:?} is {value:?}", table.name)
            })
            .collect();
        let project = fixture.text("derate.toml");
        assert!(wrong.is_empty(), "{}\nof {project}", wrong.join("\n"));
        assert!(values.formulas().count() > 300, "{project}");
    }
}

/// A scenario of the ladder, estimated for a project.
fn estimated(analysis: &Analysis, name: &str) -> ScenarioEstimate {
    let (steps, _) = ladder_steps(analysis);
    let step = steps.iter().find(|step| step.kind.name() == name).unwrap();
    estimate_one(analysis, step).unwrap()
}

fn edit(input: &str, value: impl Into<Value>) -> Edit {
    Edit { input: input.to_owned(), value: value.into() }
}

/// The rows of a table of kernels that hold the parts' sums, by the names in their first cells.
fn part_row(document: &Document, table: &str, part: &PartEstimate) -> (usize, bool) {
    let table = document.tables().find(|t| t.name == table).unwrap();
    let name = |row: &Vec<Cell>| match &row[0] {
        Cell::Text(name) => name.clone(),
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
    let ladder = ["claimed", "as-built", "derated", "derived-peak"];
    let at = ladder.iter().position(|name| *name == scenario).unwrap();
    assert_eq!(values.get("follows", at, "follows"), Some(&Value::from("yes")), "{edits:?}");
}

const LADDER: [&str; 4] = ["claimed", "as-built", "derated", "derived-peak"];

/// The scenarios of `document` under `edits` are those of the project `changed`.
#[track_caller]
fn like(document: &Document, edits: &[Edit], changed: &Analysis) {
    for scenario in LADDER {
        follows(document, edits, scenario, &estimated(changed, scenario));
    }
}

/// The report of the seed, made once.
fn of_seed() -> &'static Document {
    static DOCUMENT: OnceLock<Document> = OnceLock::new();
    DOCUMENT.get_or_init(|| report(&seed().analysis()))
}

fn seed() -> Fixture {
    Fixture::new("smolvla")
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

/// What is said of a peak holds while nothing is changed that it stands on.
#[test]
fn what_is_said_of_a_peak_stands_while_its_inputs_do() {
    let peaks = of_seed().tables().find(|table| table.name == "peaks").unwrap();
    let told =
        |edits: &[Edit], basis: &str| {
            let values = Values::of(of_seed(), edits).unwrap();
            let rows = peaks.rows.iter().enumerate().filter(|(_, row)| row[1] == Cell::text(basis));
            let mut all = Vec::new();
            for (row, _) in rows {
                for key in ["variant", "provenance", "source"] {
                    let text = values.get("peaks", row, key).cloned();
                    all.push(text.unwrap_or_else(|| {
                        shown(peaks.cell(row, peaks.column_index(key).unwrap()))
                    }));
                }
            }
            assert!(!all.is_empty(), "{basis}");
            all
        };
    let changes = |edits: &[Edit]| ["claimed", "derived"].map(|b| told(edits, b) != told(&[], b));
    for other in [edit("tokens", 7.0), edit("cameras", 1.0), edit("derated_bandwidth", 77.5)] {
        assert_eq!(changes(&[other]), [false, false]);
    }
    assert_eq!(changes(&[edit("claimed_peak_fp32", 0.73)]), [true, false]);
    for own in
        [edit("kernel_clock", 250.0), edit("dsp_budget", 7001.0), edit("dsp_per_mac_fp32", 8.0)]
    {
        assert_eq!(changes(&[own]), [false, true]);
    }
}

/// A design whose products are not fused follows the tokens, and says so, until an operand no longer fits.
#[test]
fn an_unfused_design_follows_the_tokens() {
    let with = |tokens: f64| {
        let design = "[design]\nrows = 16\ncolumns = 16\nports = 16\nport_bits = 256\n\n[derate]";
        linear()
            .with("derate.toml", "sequence_length = 50", &format!("sequence_length = {tokens}"))
            .with("derate.toml", "[derate]", design)
            .analysis()
    };
    let document = report(&with(50.0));
    let says = |tokens: f64| guard(&document, &[edit("tokens", tokens)], "design (unfused)");
    for tokens in [1.0, 7.0, 241.0] {
        let edits = [edit("tokens", tokens)];
        assert_eq!(says(tokens), "yes", "{tokens} tokens");
        let changed = report(&with(tokens));
        let key_figures = changed.all_tables();
        let key_figures = key_figures.iter().find(|table| table.name == "key-figures").unwrap();
        let values = Values::of(&document, &edits).unwrap();
        let mut compared = 0;
        for row in 0..key_figures.rows.len() {
            let told = Value::from("as the changed inputs have it");
            let value = values.get("key-figures", row, "design").filter(|value| **value != told);
            if let Some(value) = value {
                let at = key_figures.column_index("design").unwrap();
                let expected = shown(key_figures.cell(row, at));
                assert!(same(value, &expected), "{tokens}, {row}: {value:?}, not {expected:?}");
                compared += 1;
            }
        }
        assert!(compared > 5, "{compared}");
    }
    assert!(says(1e6).starts_with("no: an operand of a product no longer fits"), "{}", says(1e6));
}

/// What a scenario says of its formulas under `edits`.
fn guard(document: &Document, edits: &[Edit], scenario: &str) -> String {
    let table = document.tables().find(|table| table.name == "follows").unwrap();
    let row = table.rows.iter().position(|row| row[0] == Cell::text(scenario)).unwrap();
    match Values::of(document, edits).unwrap().get("follows", row, "follows") {
        Some(Value::Text(text)) => text.clone(),
        other => panic!("{scenario}: {other:?}"),
    }
}

#[test]
fn what_no_longer_fits_on_the_chip_is_said() {
    let edits = [edit("tokens", 1e6)];
    let changed = seed().with("derate.toml", "sequence_length = 50", "sequence_length = 1000000");
    let changed = estimated(&changed.analysis(), "as-built");
    let reads = |part: &PartEstimate| {
        part.kernels.iter().flat_map(|k| &k.operands).any(|o| o.crossings > 1.0)
    };
    // A million tokens times 960 in FP32 do not fit, but the weights do; of the scores nothing does.
    assert!(changed.parts.iter().any(reads));
    for scenario in ["as-built", "each precision, and the grid"] {
        let said = guard(of_seed(), &edits, scenario);
        assert!(said.starts_with("no: ") && said.contains("derate estimate"), "{said}");
        assert_eq!(guard(of_seed(), &[], scenario), "yes");
    }
    // The least that any product of the seed holds is far below the chip's memory; a small chip is not enough.
    assert!(guard(of_seed(), &[edit("on_chip", 0.01)], "derived-peak").starts_with("no: "));
}

#[test]
fn a_project_that_reads_operands_twice_says_so_once_it_is_changed() {
    let tokens = "sequence_length = 1000000";
    let large = seed().with("derate.toml", "sequence_length = 50", tokens).analysis();
    let document = report(&large);
    let wrong = |edits: &[Edit]| guard(&document, edits, "as-built").starts_with("no: ");
    assert!(!wrong(&[]) && !wrong(&[edit("derated_bandwidth", 200.0)]));
    assert!(wrong(&[edit("tokens", 500_000.0)]) && wrong(&[edit("built_precision", "int8")]));
    // What does not depend on tiles still follows.
    let changed = seed().with("derate.toml", "sequence_length = 50", tokens);
    let changed = changed.with("derate.toml", "\"300 GB/s\"", "\"200 GB/s\"").analysis();
    like(&document, &[edit("derated_bandwidth", 200.0)], &changed);
}

#[test]
fn an_input_outside_its_bounds_is_told() {
    let outside = [
        edit("derated_bandwidth", -5.0),
        edit("claimed_bandwidth", 0.0),
        edit("cameras", 2.5),
        edit("tokens", 1e9),
        edit("kernel_clock", "fast"),
        edit("built_precision", "fp33"),
        edit("schedule", "blok"),
    ];
    for wrong in outside {
        let edits = std::slice::from_ref(&wrong);
        for scenario in ["claimed", "derived-peak", "each precision, and the grid"] {
            let said = guard(of_seed(), edits, scenario);
            assert!(
                said.starts_with("no: ") && said.contains("outside its bounds"),
                "{wrong:?}: {said}"
            );
        }
        let values = Values::of(of_seed(), edits).unwrap();
        let told = values.formulas().filter(|(table, _, column, _, value)| {
            table.columns[*column].key == "outside" && *value != Some(&Value::Number(0.0))
        });
        let told: Vec<&Cell> = told.map(|(table, row, ..)| table.cell(row, 0)).collect();
        assert_eq!(told, [&Cell::text(&wrong.input)]);
    }
    let own = guard(of_seed(), &[edit("built_precision", "int8"), edit("cameras", 4.0)], "claimed");
    assert_eq!(own, "yes");
}

#[test]
fn an_error_is_no_figure() {
    let values = Values::of(of_seed(), &[edit("tokens", "many")]).unwrap();
    for (table, key) in [("kernels-claimed", "oi"), ("kernels-claimed", "bytes")] {
        assert_eq!(values.get(table, 0, key), None, "{table} {key}");
    }
}

#[test]
fn a_changed_input_is_assumed() {
    let table = of_seed().tables().find(|table| table.name == "inputs").unwrap();
    let is = |row: &Vec<Cell>| row[1].name() == Some("claimed_bandwidth");
    let row = table.rows.iter().position(is).unwrap();
    let told = |edits: &[Edit], key: &str| {
        let values = Values::of(of_seed(), edits).unwrap();
        values.get("inputs", row, key).cloned().unwrap()
    };
    assert_eq!(told(&[], "provenance"), shown(&table.rows[row][3]));
    assert_eq!(told(&[], "source"), shown(&table.rows[row][4]));
    let edits = [edit("claimed_bandwidth", 100.0)];
    assert_eq!(told(&edits, "provenance"), Value::from("Assumed: changed here"));
    assert!(matches!(told(&edits, "source"), Value::Text(text) if text.contains("changed here")));
}

#[test]
fn the_ladder_says_where_nothing_follows() {
    let figures = of_seed().all_tables();
    let figures = figures.iter().find(|table| table.name == "key-figures").unwrap();
    let is = |row: &Vec<Cell>| row[0] == Cell::text("Formulas follow");
    let row = figures.rows.iter().position(is).unwrap();
    let said = |edits: &[Edit]| -> Vec<Value> {
        let values = Values::of(of_seed(), edits).unwrap();
        let scenarios = &figures.columns[1..];
        scenarios.iter().map(|c| values.get("key-figures", row, &c.key).unwrap().clone()).collect()
    };
    assert_eq!(said(&[]), [(); 4].map(|()| Value::from("yes")));
    let many = said(&[edit("tokens", 1e6)]);
    assert!(many.iter().any(|said| *said == Value::from("no: see Assumptions")), "{many:?}");
    // The sentences of the verdict are about derate's own values, which stands right below them.
    let mut blocks = of_seed().sections[0].blocks.iter();
    assert!(matches!(blocks.next(), Some(Block::Prose(_))));
    let Some(Block::Table(first)) = blocks.find(|block| !matches!(block, Block::Prose(_))) else {
        panic!()
    };
    assert_eq!(first.cell(0, 0).name(), Some("inputs_changed"));
}

/// Spreadsheets take no formula of more than 8,192 characters, however many inputs there are.
#[test]
fn a_project_of_many_precisions_is_written() {
    let peaks: Vec<String> = (2..=64)
        .flat_map(|bits| {
            [1, 2, 3, 4].map(|whole| format!("\"ap_fixed<{},{whole}>\" = \"1 TOP/s\"", bits + 4))
        })
        .collect();
    let peaks = format!("peak = {{ {}, ", peaks.join(", "));
    let many = linear().with("derate.toml", "peak = {", &peaks);
    let document = report(&many.analysis());
    derate_reports::render_xlsx(&document).unwrap();
    let values = Values::of(&document, &[edit("tokens", 2.0)]).unwrap();
    assert_eq!(values.named("inputs_changed"), Some(&Value::Number(1.0)));
}

/// Where something can be changed, no claimed point is left out because a corrected one lies there now.
#[test]
fn points_that_coincide_by_chance_are_kept_apart() {
    let all = |document: &Document| -> Vec<(String, usize)> {
        let chart = document.charts().next().unwrap();
        chart.points.iter().map(|series| (series.name.clone(), series.points.len())).collect()
    };
    let live = all(of_seed());
    let analysis = seed().analysis();
    let (findings, figures) = (audit(&analysis), estimate(&analysis));
    let paper = sections::make_report(&analysis, &findings, &figures, sections::Reader::Paper);
    let still = all(&paper);
    assert!(live.iter().any(|(name, _)| name.starts_with("what if")));
    assert!(!still.iter().any(|(name, _)| name.starts_with("what if")));
    assert_eq!(live[0].1, live[1].1, "as many claimed points as corrected ones: {live:?}");
    assert!(!paper.tables().any(|table| ["changes", "own-values"].contains(&table.name.as_str())));
}

#[test]
fn the_document_says_whether_inputs_were_changed() {
    let changed = |edits: &[Edit]| {
        let values = Values::of(of_seed(), edits).unwrap();
        values.named("inputs_changed").and_then(Value::number)
    };
    assert_eq!(changed(&[]), Some(0.0));
    assert_eq!(changed(&[edit("cameras", 3.0)]), Some(0.0), "derate's own value");
    assert_eq!(changed(&[edit("cameras", 2.0), edit("built_precision", "fp32")]), Some(2.0));
    let inputs: Vec<&str> = of_seed().controls.iter().map(|c| c.input.as_str()).collect();
    let expected = ["built_precision", "derated_bandwidth", "cameras", "tokens", "schedule"];
    assert_eq!(inputs, expected);
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

/// What a cell shows: its number, or its word.
fn shown(cell: &Cell) -> Value {
    match cell {
        Cell::Formula { value, .. } => value.clone(),
        Cell::Unknown(_) => Value::from("unknown"),
        cell => cell.as_number().map_or_else(|| Value::from(cell.display()), Value::from),
    }
}

/// The name of the guard that stands for a figure of fusion; for one of the ladder that of the unfused kernels.
fn guard_of(table: &str, column: &str) -> Option<String> {
    const CORRECTED: &str = "derived-peak";
    let schedule = match table {
        "what-if" | "what-if-follows" => "block",
        table if table.starts_with(&format!("fusion-{CORRECTED}-")) => column,
        table => table.strip_prefix(&format!("groups-{CORRECTED}-"))?,
    };
    Some(format!("follows_derived_peak_{schedule}"))
}

/// Every formula of the seed's report under `edits` gives what the report of the changed project shows there, but for what
/// the guards of the schedules in `disclaimed` say no to.
#[track_caller]
fn same_report(edits: &[Edit], changed: &Fixture, disclaimed: &[&str]) {
    let changed = report(&changed.analysis());
    let (tables, others) = (of_seed().all_tables(), changed.all_tables());
    let values = Values::of(of_seed(), edits).unwrap();
    let says_no = |guard: &str| {
        let Some(Value::Text(said)) = values.named(guard) else { panic!("no {guard}") };
        assert!(said == "yes" || said.starts_with("no: "), "{guard}: {said}");
        said != "yes"
    };
    let schedules = ["unfused", "epilogue", "attention", "block"];
    let no = |s: &&str| says_no(&format!("follows_derived_peak_{s}"));
    let refused: Vec<&str> = schedules.into_iter().filter(no).collect();
    assert_eq!(refused, disclaimed, "{edits:?}");
    let mut compared = 0;
    for (table, row, column, _, value) in values.formulas() {
        let key = &table.columns[column].key;
        // What is about the changes themselves.
        let told = ["provenance", "source", "why", "variant", "inputs"].contains(&key.as_str());
        if told || ["changes", "own-values"].contains(&table.name.as_str()) {
            continue;
        }
        let own = table.cell(row, column).name().filter(|name| name.starts_with("follows_"));
        let guard = own.map(str::to_owned).or_else(|| guard_of(&table.name, key));
        if guard.is_some_and(|guard| says_no(&guard)) {
            continue;
        }
        let at = tables.iter().position(|other| other.name == table.name).unwrap();
        let expected = shown(others[at].cell(row, column));
        let value = value.unwrap_or_else(|| panic!("{} {row} {key}: no value", table.name));
        assert!(same(value, &expected), "{} {row} {key}: {value:?}, not {expected:?}", table.name);
        compared += 1;
    }
    assert!(compared > 1000, "{compared}");
}

#[test]
fn the_whole_report_follows() {
    let with = |from: &str, to: &str| seed().with("derate.toml", from, to);
    same_report(&[edit("claimed_bandwidth", 333.0)], &with("\"460 GB/s\"", "\"333 GB/s\""), &[]);
    let changed = with("\"300 GB/s\"", "\"201.5 GB/s\"");
    same_report(&[edit("derated_bandwidth", 201.5)], &changed, &[]);
    same_report(&[edit("kernel_clock", 250.0)], &with("\"300 MHz\"", "\"250 MHz\""), &[]);
    let edits = [edit("language_tokens", 13.0), edit("tokens", 77.0), edit("denoise_steps", 3.0)];
    let changed = with("language_tokens = 48", "language_tokens = 13")
        .with("derate.toml", "sequence_length = 50", "sequence_length = 77")
        .with("derate.toml", "denoise_steps = 10", "denoise_steps = 3");
    // Other products may be fused over another prefix: that is told.
    same_report(&edits, &changed, &["epilogue", "attention", "block"]);
}

#[test]
fn a_model_of_too_many_kernels_says_that_nothing_follows() {
    let tensor = |at: usize| format!("layer{at}x.weight [8, 8] torch.float32\n");
    let dump: String = (0..3000).map(tensor).collect();
    let large = linear().only("model_shape.txt", &dump);
    let document = report(&large.analysis());
    assert!(guard(&document, &[], "derived-peak").starts_with("no: "));
    assert!(Values::of(&document, &[edit("tokens", 2.0)]).is_ok());
}
