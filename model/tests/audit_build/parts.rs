//! The parts of reports, of build files and of the platform.

use derate_model::Named;
use derate_model::audit::{Finding, audit};

use super::analysis;

/// A report in XML that names its part.
fn report(part: &str) -> String {
    format!(
        "<profile><ReportVersion><Version>2022.1</Version></ReportVersion>\
         <UserAssignments><Part>{part}</Part><TopModelName>gemm</TopModelName></UserAssignments></profile>"
    )
}

/// What `report/part` finds on a U280 with these reports and these build files.
fn found(reports: &[&str], scripts: &[(&str, &str)], connectivity: &str) -> Vec<Finding> {
    let named = |(at, part): (usize, &&str)| (format!("r{at}_csynth.xml"), report(part));
    let reports: Vec<(String, String)> = reports.iter().enumerate().map(named).collect();
    let reports: Vec<(&str, String)> =
        reports.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
    let mut analysis = analysis("", connectivity, &reports);
    let by = analysis.project.platform.clone();
    let named: Vec<Named> = scripts
        .iter()
        .map(|(name, text)| {
            let file = analysis.sources.add(*name, *text);
            Named { file, by: by.clone(), by_pattern: false }
        })
        .collect();
    analysis.build = analysis.build.clone().with_scripts(&analysis.sources, &named);
    let findings = audit(&analysis).findings;
    findings.into_iter().filter(|finding| finding.code == "report/part").collect()
}

#[test]
fn a_report_of_another_device_is_found_and_of_another_grade_is_not() {
    let other = found(&["xc7z020-clg400-1"], &[], "");
    assert_eq!(other.len(), 1);
    assert!(other[0].message.contains("this report is for xc7z020"), "{}", other[0].message);
    assert!(found(&["xcu280-fsvh2892-2L-e"], &[], "").is_empty());
    assert!(found(&["XCU280-FSVH2892-2-E"], &[], "").is_empty());
    // A part of another vendor is not compared.
    assert!(found(&["5CSEMA5F31C6"], &[], "").is_empty());
}

#[test]
fn a_script_for_another_part_than_the_report_is_found() {
    let report = ["xcu280-fsvh2892-2L-e"];
    let other =
        found(&report, &[("run_hls.tcl", "open_project p\nset_part {xczu9eg-ffvb1156-2-e}\n")], "");
    assert_eq!(other.len(), 1);
    assert_eq!(other[0].evidence["part"], "xczu9eg-ffvb1156-2-e");
    assert_eq!(other[0].evidence["other"], "xcu280-fsvh2892-2L-e");
    for near in [
        "set_part {xcu280-fsvh2892-2-e}\n",
        "# set_part {xczu9eg-ffvb1156-2-e}\nset_part $part\n",
        "if {$board} { set_part xczu9eg-ffvb1156-2-e } else { set_part xcu280-fsvh2892-2L-e }\n",
    ] {
        assert!(found(&report, &[("run_hls.tcl", near)], "").is_empty(), "{near}");
    }
}

#[test]
fn a_script_that_agrees_with_the_reports_is_not_found_beside_them() {
    let script = [("Makefile", "XPART := xc7z020clg400-1\n")];
    let findings = found(&["xc7z020-clg400-1"], &script, "");
    let kinds: Vec<&str> =
        findings.iter().filter_map(|one| one.evidence["kind"].as_str()).collect();
    assert_eq!(kinds, ["report"]);
}

#[test]
fn reports_and_scripts_of_several_boards_are_not_found() {
    assert!(found(&["xc7z020-clg400-1", "xcu280-fsvh2892-2L-e"], &[], "").is_empty());
    let boards = [
        ("pynq/run.tcl", "set_part {xc7z020clg400-1}\n"),
        ("alveo/run.tcl", "set_part {xcu280-fsvh2892-2L-e}\n"),
    ];
    assert!(found(&[], &boards, "").is_empty());
    // One device in all files, and the platform is another.
    assert_eq!(found(&[], &boards[..1], "").len(), 1);
}

#[test]
fn a_platform_of_the_linker_is_compared_too() {
    let other = found(&[], &[], "platform=xilinx_u50_gen3x16_xdma_5_202210_1\n");
    assert_eq!(other.len(), 1);
    assert!(other[0].message.contains("xcu50"), "{}", other[0].message);
    assert!(found(&[], &[], "platform=xilinx_u280_xdma_201920_3\n").is_empty());
    assert!(found(&[], &[], "platform=our_own_card_1\n").is_empty());
}
