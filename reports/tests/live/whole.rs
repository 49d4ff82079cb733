//! The whole report follows its inputs, and can be written.

use derate_reports::{Document, Edit, Value, Values};

use crate::fixture::Fixture;
use crate::support::{edit, linear, of_seed, report, report_on_paper, same, seed, shown};

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
    // Other products may be fused over another prefix: that is reported.
    same_report(&edits, &changed, &["epilogue", "attention", "block"]);
}

/// Where something can be changed, no claimed point is left out because a corrected one lies there now.
#[test]
fn points_that_coincide_by_chance_are_kept_apart() {
    let all = |document: &Document| -> Vec<(String, usize)> {
        let chart = document.charts().next().unwrap();
        chart.points.iter().map(|series| (series.name.clone(), series.points.len())).collect()
    };
    let live = all(of_seed());
    let paper = report_on_paper(&seed().analysis());
    let still = all(&paper);
    assert!(live.iter().any(|(name, _)| name.starts_with("what if")));
    assert!(!still.iter().any(|(name, _)| name.starts_with("what if")));
    assert_eq!(live[0].1, live[1].1, "as many claimed points as corrected ones: {live:?}");
    assert!(!paper.tables().any(|table| ["changes", "own-values"].contains(&table.name.as_str())));
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
