//! Which assumption moves the latency: all that the array is made of is tried, and gives what a design with it gives.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod fixture;

use derate_model::estimate::{SensitivityRow, estimate};
use fixture::Fixture;

const DESIGN: &str =
    "[design]\nrows = 32\ncolumns = 8\nprecision = \"bf16\"\ndsp_per_mac = { bf16 = 2.0 }";

/// smolVLA with that design.
fn rows(design: &str) -> Vec<SensitivityRow> {
    let design = format!("{design}\n\n[derate]");
    let fixture = Fixture::new("smolvla").with("derate.toml", "[derate]", &design);
    estimate(&fixture.analysis()).sensitivity
}

fn row<'a>(rows: &'a [SensitivityRow], name: &str) -> &'a SensitivityRow {
    rows.iter().find(|row| row.name == name).unwrap_or_else(|| panic!("no {name}: {rows:#?}"))
}

#[test]
fn every_input_of_the_array_is_tried() {
    let all = rows(DESIGN);
    for (name, to, design) in [
        ("array rows", "16", DESIGN.replace("rows = 32", "rows = 16")),
        ("array columns", "4", DESIGN.replace("columns = 8", "columns = 4")),
        ("unroll", "2", format!("{DESIGN}\nunroll = 2")),
        ("accumulation II", "6 cycles", format!("{DESIGN}\naccumulation_ii = 6")),
        ("memory latency", "128 cycles", format!("{DESIGN}\nmemory_latency = 128")),
        ("clock", "270 MHz", format!("{DESIGN}\nclock = \"270 MHz\"")),
    ] {
        let tried = row(&all, name);
        assert_eq!(tried.to, to, "{name}");
        // A design with that figure has that answer before anything is changed. Fill follows the larger side of the array.
        let own = rows(&design).first().unwrap().before;
        let near = if name == "array rows" { 0.06 } else { 1e-9 };
        assert!((tried.after / own - 1.0).abs() < near, "{name}: {:?} {own:?}", tried.after);
    }
    assert_eq!(all.first().unwrap().name, "accumulation II");
}

/// One port of 64 bit bounds all: its bytes come at its clock.
#[test]
fn ports_of_the_design_follow_its_clock() {
    let narrow = format!("{DESIGN}\nports = 1\nport_bits = 64");
    let (clock, bandwidth) = (rows(&narrow), rows(&narrow));
    let (clock, bandwidth) = (row(&clock, "clock"), row(&bandwidth, "bandwidth"));
    assert!(clock.change > bandwidth.change && bandwidth.change > 0.0, "{clock:?} {bandwidth:?}");
    let own = rows(&format!("{narrow}\nclock = \"270 MHz\"")).first().unwrap().before;
    assert!((clock.after / own - 1.0).abs() < 1e-9, "{clock:?} {own:?}");
}

/// Sums of integers have no adder to wait for.
#[test]
fn an_integer_sum_is_tried_with_no_other_interval() {
    let integers = "[design]\nrows = 32\ncolumns = 8\nprecision = \"int8\"";
    assert!(rows(integers).iter().all(|row| row.name != "accumulation II"));
}
