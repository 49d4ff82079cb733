//! What a report says of its formulas: whether they hold, and what was changed.

use derate_model::estimate::PartEstimate;
use derate_reports::{Block, Cell, Document, Edit, Value, Values};

use crate::ladder::{estimated, like};
use crate::support::{edit, linear, of_seed, report, same, seed, shown};

/// What a scenario says of its formulas under `edits`.
fn guard(document: &Document, edits: &[Edit], scenario: &str) -> String {
    let table = document.tables().find(|table| table.name == "follows").unwrap();
    let row = table.rows.iter().position(|row| row[0] == Cell::text(scenario)).unwrap();
    match Values::of(document, edits).unwrap().get("follows", row, "follows") {
        Some(Value::Text(text)) => text.clone(),
        other => panic!("{scenario}: {other:?}"),
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
    assert_eq!(said(&[]), [(); 5].map(|()| Value::from("yes")));
    let many = said(&[edit("tokens", 1e6)]);
    assert!(many.iter().any(|said| *said == Value::from("no: see Assumptions")), "{many:?}");
    // The sentences of the verdict are about derate's own values, which stands right below them.
    let ladder = of_seed().sections.iter().find(|section| section.name == "Ladder").unwrap();
    let mut blocks = ladder.blocks.iter();
    assert!(matches!(blocks.next(), Some(Block::Prose(_))));
    let Some(Block::Table(first)) = blocks.find(|block| !matches!(block, Block::Prose(_))) else {
        panic!()
    };
    assert_eq!(first.cell(0, 0).name(), Some("inputs_changed"));
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
