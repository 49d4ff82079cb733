//! What stands behind the figures of a design: clocks, provenance, and what is not known.
#![allow(clippy::float_cmp, reason = "whole numbers, and quotients of them")]
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod fixture;

use std::fs;
use std::path::PathBuf;

use derate_model::audit::audit;
use derate_model::estimate::estimate;
use derate_model::{Analysis, Build, Named, Provenance};
use fixture::{Fixture, of};

/// smolVLA with a `[design]`.
fn smolvla(design: &str) -> Fixture {
    Fixture::new("smolvla").with(
        "derate.toml",
        "[derate]",
        &format!("[design]\n{design}\n\n[derate]"),
    )
}

/// The same with what the tools printed.
fn with_reports(fixture: &Fixture, reports: &[(&str, String)]) -> Analysis {
    let mut analysis = fixture.analysis();
    let by = analysis.project.platform.clone();
    let named: Vec<Named> = reports
        .iter()
        .map(|(name, text)| Named {
            file: analysis.sources.add(*name, text.clone()),
            by: by.clone(),
            by_pattern: false,
        })
        .collect();
    analysis.build = Build::read(&analysis.sources, &named, None).unwrap();
    analysis
}

fn report(name: &str) -> String {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../fixtures/reports");
    fs::read_to_string(dir.join(name)).unwrap()
}

const CSYNTH: &str = "module-2018/fir_csynth.rpt";

/// The report was made for 8 ns; `derate.toml` claims 300 MHz, which is no word about it.
#[test]
fn reported_cycles_are_timed_at_the_reports_own_clock() {
    let csynth = ("fir.rpt", report(CSYNTH));
    let analysis = with_reports(&Fixture::new("smolvla"), &[csynth.clone()]);
    let rows = estimate(&analysis).synthesised;
    let [row] = &rows[..] else { panic!("{rows:#?}") };
    let (clock, seconds) = (row.clock.as_ref().unwrap(), row.seconds.as_ref().unwrap());
    assert_eq!((clock.value.0, clock.provenance), (125e6, Provenance::Synthesised));
    assert_eq!(
        (seconds.value.0, seconds.provenance),
        (row.worst.value.0 / 125e6, Provenance::Derived)
    );
    assert!(clock.source.contains("8 ns") && seconds.source.contains("8 ns"));
}

#[test]
fn reported_cycles_are_timed_at_the_clock_that_was_reached() {
    let reports =
        [("fir.rpt", report(CSYNTH)), ("axpy.xclbin.info", report("xclbin-info/axpy.xclbin.info"))];
    let time = |fixture: &Fixture| {
        let row = estimate(&with_reports(fixture, &reports)).synthesised.remove(0);
        let seconds = row.seconds.unwrap();
        (row.worst.value.0 / seconds.value.0, seconds.provenance)
    };
    let (clock, provenance) = time(&Fixture::new("smolvla"));
    assert!((clock - 271e6).abs() < 1.0 && provenance == Provenance::Derived);
    let (clock, provenance) = time(&smolvla("clock = \"250 MHz\""));
    assert!((clock - 250e6).abs() < 1.0 && provenance == Provenance::Assumed);
}

#[test]
fn reported_cycles_without_a_clock_have_no_time() {
    let text = report(CSYNTH).replace("8.00|", "   ?|");
    let row = estimate(&with_reports(&Fixture::new("smolvla"), &[("fir.rpt", text)]))
        .synthesised
        .remove(0);
    assert_eq!((row.clock, row.seconds), (None, None));
    assert!(row.unknown.unwrap().contains("names no target clock"));
    assert!(row.worst.value.0 > 0.0);
}

/// DSP48E2 bear 775 MHz on this card; the design is built for the claimed 300 MHz.
#[test]
fn a_clock_that_no_slice_bears_is_counted_nowhere() {
    let fixture = smolvla("rows = 8\ncolumns = 8\nports = 32\nport_bits = 256\nclock = \"2 GHz\"");
    let analysis = fixture.analysis();
    let findings = audit(&analysis).findings;
    let [finding] = &of(&findings, "clock/above-fmax")[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.subject, "design.clock");
    let clock = analysis.achieved_clock();
    assert_eq!(clock.value.0, 300e6);
    assert!(clock.source.contains("2 GHz") && clock.source.contains("300 MHz"), "{}", clock.source);
    assert_eq!(analysis.reached_clock().unwrap().value, analysis.platform.fastest_clock.value);
    let slower = smolvla("rows = 8\ncolumns = 8\nports = 32\nport_bits = 256\nclock = \"300 MHz\"");
    let (fast, usual) = (estimate(&analysis), estimate(&slower.analysis()));
    let (fast, usual) = (fast.scenario("design").unwrap(), usual.scenario("design").unwrap());
    assert_eq!(fast.bandwidth.value, usual.bandwidth.value);
    assert_eq!(fast.totals.latency_seconds, usual.totals.latency_seconds);
    let rule = &fast.latency.as_ref().unwrap().rules[5];
    assert!(
        rule.inputs.starts_with("300 MHz achieved") && rule.inputs.contains("2 GHz"),
        "{}",
        rule.inputs
    );
    // A clock that is borne is nobody's error.
    let findings = slower.findings();
    assert!(of(&findings, "clock/above-fmax").is_empty());
}
