//! What the audit finds in reports and in a v++ configuration, and that it keeps silent where nothing is wrong.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::fs;
use std::path::PathBuf;

use derate_hls::Sources;
use derate_model::audit::{Finding, Level, audit};
use derate_model::{Analysis, Build, ModelShape, Platform, Project};

const PROJECT: &str = "[model]\nshapes = \"dump.txt\"\n\n[platform]\nname = \"u280\"\n\n[claims]\n";
const DUMP: &str = "fc.weight: torch.Size([64, 64]) torch.float32\n";

/// An analysis with claims, a v++ configuration (empty for none) and reports.
fn analysis(claims: &str, connectivity: &str, reports: &[(&str, String)]) -> Analysis {
    let mut sources = Sources::default();
    let file = sources.add("derate.toml", format!("{PROJECT}{claims}\n"));
    let project = Project::parse(&sources, file).unwrap();
    let dump = sources.add("dump.txt", DUMP);
    let shape = ModelShape::parse(&sources, dump, None).unwrap();
    let connectivity =
        (!connectivity.is_empty()).then(|| sources.add("u280.cfg", connectivity.to_owned()));
    let reports: Vec<_> =
        reports.iter().map(|(name, text)| sources.add(*name, text.clone())).collect();
    let build = Build::read(&sources, &reports, connectivity).unwrap();
    let platform = Platform::named(&project.platform.value).unwrap();
    Analysis::new(sources, project, shape, &[], platform, build).unwrap()
}

/// What one rule finds.
fn found(code: &str, claims: &str, reports: &[(&str, String)]) -> Vec<Finding> {
    let findings = audit(&analysis(claims, "", reports)).findings;
    findings.into_iter().filter(|finding| finding.code == code).collect()
}

/// What one rule finds in one report, without claims.
fn found_in(code: &str, name: &str, text: impl Into<String>) -> Vec<Finding> {
    found(code, "", &[(name, text.into())])
}

/// A report of `fixtures/reports`.
fn fixture(path: &str) -> String {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../fixtures/reports");
    fs::read_to_string(dir.join(path)).unwrap()
}

/// The text with `from`, which must occur, replaced.
fn with(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "no `{from}`");
    text.replace(from, to)
}

#[test]
fn an_estimate_above_the_target_is_told_with_its_uncertainty() {
    let met = fixture("module-2018/fir_csynth.rpt");
    assert!(found_in("report/timing", "fir.rpt", met.clone()).is_empty());
    let late = with(&met, "6.712", "8.731");
    let findings = found_in("report/timing", "fir.rpt", late.clone());
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.level, Level::Error);
    assert_eq!(finding.message, "timing is not met: 8.731 ns are expected, 8 ns is the target");
    assert_eq!(&late[finding.labels[0].span.start..finding.labels[0].span.end], "8.731");
    assert!(finding.notes[1].contains("uncertainty of 1 ns"), "{:?}", finding.notes);
    // As wide as the target is met, and no number is no failure.
    assert!(found_in("report/timing", "fir.rpt", with(&met, "6.712", "8.000")).is_empty());
    assert!(found_in("report/timing", "fir.rpt", with(&met, "6.712", "    ?")).is_empty());
}

#[test]
fn negative_slack_is_no_met_timing() {
    let tree = fixture("tree-2022/csynth.rpt");
    let findings = found_in("report/timing", "csynth.rpt", tree.clone());
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.evidence["missed"], serde_json::json!(["mlp"]));
    assert!(finding.message.contains("-0.21"), "{}", finding.message);
    assert!(found_in("report/timing", "csynth.rpt", with(&tree, "-0.21", " 0.00")).is_empty());
}

#[test]
fn the_estimated_frequency_is_held_against_the_modules_own_target() {
    let estimate = fixture("system-estimate/system_estimate_axpy.xtxt");
    // 250 MHz are less than the platform's default of 300 MHz, and more than the module's own target.
    assert!(found_in("report/timing", "a.xtxt", estimate.clone()).is_empty());
    let slow = with(&estimate, "281.5", "170.0");
    assert_eq!(found_in("report/timing", "a.xtxt", slow).len(), 1);
}

#[test]
fn the_clock_that_was_reached_is_held_against_the_claim() {
    let info = fixture("xclbin-info/axpy.xclbin.info");
    let of =
        |claims: &str, text: &str| found("report/timing", claims, &[("a.info", text.to_owned())]);
    let findings = of("clock = \"300 MHz\"", &info);
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.message, "the clock that was reached is 271 MHz, 300 MHz is claimed");
    assert_eq!((finding.level, finding.labels.len()), (Level::Error, 2));
    assert!(of("clock = \"271 MHz\"", &info).is_empty());
    assert!(of("", &info).is_empty());
    let unknown = of("clock = \"300 MHz\"", &with(&info, "271 MHz", "N/A"));
    assert_eq!(unknown[0].level, Level::Note);
    assert!(unknown[0].message.contains("unknown"), "{}", unknown[0].message);
}

#[test]
fn more_than_there_is_does_not_fit() {
    let tree = fixture("tree-2022/csynth.rpt");
    let code = "report/utilisation";
    assert!(found_in(code, "csynth.rpt", tree.clone()).is_empty());
    assert!(found_in(code, "csynth.rpt", with(&tree, "  12 (~0%)", "4032(100%)")).is_empty());
    let findings = found_in(code, "csynth.rpt", with(&tree, "  12 (~0%)", "9934(246%)"));
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.message, "`mlp` does not fit: BRAM_18K 246 %");
    assert_eq!(finding.level, Level::Error);
}

#[test]
fn the_share_is_derived_where_the_part_is_known() {
    let module = fixture("module-2018/fir_csynth.rpt");
    let code = "report/utilisation";
    assert!(found_in(code, "fir.rpt", module.clone()).is_empty());
    let full = with(
        &module,
        "|Total            |        0|      4|",
        "|Total            |      342|    221|",
    );
    let findings = found_in(code, "fir.rpt", full);
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.message, "`fir` does not fit: BRAM_18K 122.1 %, DSP 100.5 %");
    assert_eq!(finding.evidence["resources"][0]["available"], 280);
    let unknown = with(&module, "|Total            |        0|", "|Total            |        ?|");
    assert!(found_in(code, "fir.rpt", unknown).is_empty());
}

#[test]
fn a_placed_design_has_a_budget() {
    let placed = fixture("kernel-util/kernel_util_routed.rpt");
    let code = "report/utilisation";
    assert!(found_in(code, "kernel_util.rpt", placed.clone()).is_empty());
    let over = with(&placed, "  30 [  1.79%]", "1700 [101.37%]");
    assert_eq!(found_in(code, "kernel_util.rpt", over).len(), 1);
}
