//! The first page: its headline follows from the figures, and what costs most comes first.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "../../model/tests/fixture/mod.rs"]
mod fixture;

use derate_model::audit::audit;
use derate_model::estimate::estimate;
use derate_reports::{Cell, Document, Table, sections};
use fixture::Fixture;

fn answer(fixture: &Fixture) -> Document {
    let analysis = fixture.analysis();
    sections::answer(&analysis, &audit(&analysis), &estimate(&analysis), &[])
}

fn report(fixture: &Fixture) -> Document {
    let analysis = fixture.analysis();
    sections::report(&analysis, &audit(&analysis), &estimate(&analysis))
}

fn find<'a>(document: &'a Document, name: &str) -> &'a Table {
    document.tables().find(|table| table.name == name).unwrap()
}

fn column(table: &Table, key: &str) -> Vec<String> {
    let at = table.column_index(key).unwrap();
    (0..table.rows.len()).map(|row| table.cell(row, at).display()).collect()
}

#[test]
fn the_headline_names_what_costs_most() {
    let smolvla = Fixture::new("smolvla");
    let said = answer(&smolvla).title;
    assert_eq!(said, "805.7 ms, not 165 ms: the peak is claimed 5 times too high.");
    let slow = smolvla
        .with("derate.toml", "fp32 = \"5.41 TFLOP/s\"", "fp32 = \"1.08 TFLOP/s\"")
        .with("derate.toml", "\"300 GB/s\"", "\"10 GB/s\"");
    let said = answer(&slow).title;
    assert!(said.ends_with("the bandwidth is claimed 46 times too high."), "{said}");
}

#[test]
fn findings_of_one_cause_are_one_row_and_what_costs_most_is_first() {
    let document = report(&Fixture::new("smolvla"));
    let causes = find(&document, "causes");
    assert_eq!(column(causes, "cause")[0], "the peak cannot be built");
    assert_eq!(column(causes, "cost")[..3], ["620", "10.4", "9.79"]);
    assert_eq!(column(causes, "findings")[2], "2 errors", "the alias and the bytes that it makes");
    let rule = causes.column_index("rule").unwrap();
    assert!(matches!(causes.cell(0, rule), Cell::Link { code, .. } if code == "peak/underivable"));
    // The same order in the list of all.
    let rules = column(find(&document, "findings"), "code");
    assert_eq!(rules[..2], ["peak/underivable", "bandwidth/theoretical-as-achieved"]);
    // A peak of arithmetic that is not in use moves no time.
    let unused = column(causes, "cause").iter().position(|cause| cause.contains("not in use"));
    assert!(unused.is_none_or(|at| column(causes, "cost")[at] == "0"));
}

#[test]
fn the_longest_kernels_are_those_of_the_table_of_kernels() {
    let document = report(&Fixture::new("smolvla"));
    let longest = find(&document, "longest-kernels");
    assert_eq!(column(longest, "kernel").len(), 5);
    assert_eq!(column(longest, "share")[0], "19.9");
    let kernels = find(&document, "kernels-derived-peak");
    let total = kernels.rows.iter().position(|row| row[0].display() == "vision, in all");
    let all: Vec<String> = kernels.rows.iter().map(|row| row[0].display()).collect();
    let total = total.or_else(|| all.iter().position(|name| name.starts_with("vision, "))).unwrap();
    assert!(kernels.is_total(total), "{all:?}");
}

#[test]
fn a_project_in_which_nothing_could_be_checked_says_so() {
    let toml = "[model]\nshapes = \"model_shape.txt\"\nworkload = \"linear\"\n\n[platform]\nname = \"u280\"\n\n[claims]\nbatch = 1\n";
    let bare = Fixture::new("smolvla")
        .only("derate.toml", toml)
        .only("model_shape.txt", "fc.weight: torch.Size([512, 512]) [torch.bfloat16]\n");
    let analysis = bare.analysis();
    let audit = audit(&analysis);
    let said = sections::counted(&analysis, &audit).join(" ");
    if audit.findings.is_empty() {
        assert!(said.starts_with("Nothing could be checked"), "{said}");
    }
    assert!(!said.contains("nothing to object"), "{said}");
}

#[test]
fn a_model_of_many_kernels_has_a_figure_that_is_no_taller_than_wide() {
    let toml = "[model]\nshapes = \"model_shape.txt\"\nworkload = \"linear\"\n\n[platform]\nname = \"u280\"\n\n[claims]\nprecision = \"bf16\"\nsequence_length = 128\nclock = \"300 MHz\"\nbandwidth = \"460 GB/s\"\npeak = { bf16 = \"5.4 TFLOP/s\" }\n";
    let dump: Vec<String> = (0..300)
        .map(|at| {
            format!("model.part_{at}.weight: torch.Size([{}, 512]) [torch.bfloat16]\n", 64 + 8 * at)
        })
        .collect();
    let many =
        Fixture::new("smolvla").only("derate.toml", toml).only("model_shape.txt", &dump.concat());
    let chart = sections::roofline(&estimate(&many.analysis())).unwrap();
    let svg = String::from_utf8(derate_reports::render_svg(&chart).unwrap()).unwrap();
    let size = |key: &str| -> f64 {
        let text = svg.split(&format!(" {key}=\"")).nth(1).unwrap().split('"').next().unwrap();
        text.parse().unwrap()
    };
    assert!(size("height") <= size("width"), "{} x {}", size("width"), size("height"));
    assert!(svg.contains("the 16 of 300 kernels that take most"), "{svg}");
}
