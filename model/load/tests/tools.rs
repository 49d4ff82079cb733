//! The version of the tool that kernels are scheduled for: each case is a few files.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

#[path = "../../tests/fixture/files.rs"]
mod files;

use derate_load::{LoadedAudit, Preprocess, Selection, load_audit, load_folder};

const REPORT: &str = include_str!("../../../fixtures/reports/tree-2022/csynth.rpt");
const CODE: &str = "void k(int a[8]) {\n#pragma HLS pipeline\n}\n";
const RUN: &str = "open_project p\nset_top k\nadd_files k.cpp\nopen_solution s2\n";

/// What is said of the tool of each design that has a source.
fn describe(files: &[(&str, &str)]) -> Vec<String> {
    let dir = files::write_files(files);
    let folder = load_folder(dir.path(), &Preprocess::default()).unwrap();
    let kept = folder.designs.iter().filter(|one| !one.code.headers().is_empty());
    kept.map(|one| format!("{}: {}", one.name, one.tool.describe())).collect()
}

#[test]
fn a_design_has_the_version_of_its_own_reports() {
    let newer = REPORT.replace("2022.2", "2023.1");
    let own = ("p/s2/syn/report/csynth.rpt", REPORT);
    let other = ("p/s1/syn/report/csynth.rpt", newer.as_str());
    let (code, run) = (("k.cpp", CODE), ("run.tcl", RUN));
    assert_eq!(describe(&[code, run, own]), [".: Vitis HLS 2022.2 (version from its reports)"]);
    // Of several solutions, the one whose directives it has.
    assert_eq!(
        describe(&[code, run, own, other]),
        [".: Vitis HLS 2022.2 (version from the reports of p/s2)"]
    );
    // The script makes another solution, and those that are there differ.
    let third = RUN.replace("s2", "s3");
    assert_eq!(
        describe(&[code, ("run.tcl", &third), own, other]),
        [".: Vitis HLS 2023.2 (assumed)"]
    );
}

#[test]
fn a_design_without_reports_has_the_version_that_all_others_agree_on() {
    let newer = REPORT.replace("2022.2", "2023.1");
    let (code, other) = (("a/k.cpp", CODE), ("b/k.cpp", CODE));
    let report = ("b/s/syn/report/csynth.rpt", REPORT);
    assert_eq!(
        describe(&[code, other, report]),
        [
            "a: Vitis HLS 2022.2 (version from the reports of other designs)",
            "b: Vitis HLS 2022.2 (version from its reports)"
        ]
    );
    // Not where its own script is of another year.
    let heading = "## This file is generated automatically by Vivado HLS.\n## Copyright (C) 1986-2019 Xilinx, Inc.\n";
    let script = format!("{heading}{RUN}");
    assert_eq!(
        describe(&[code, other, report, ("a/run.tcl", &script)])[0],
        "a: Vivado HLS 2019.2 (assumed from the year in a/run.tcl)"
    );
    let differs = ("c/s/syn/report/csynth.rpt", newer.as_str());
    assert_eq!(describe(&[code, report, differs]), ["a: Vitis HLS 2023.2 (assumed)"]);
}

#[test]
fn logs_and_headings_name_a_version_where_no_report_does() {
    let code = ("k.cpp", CODE);
    let log = "****** Vitis HLS - High-Level Synthesis from C, C++ and OpenCL v2021.1 (64-bit)\n";
    let heading = "####\n## This file is generated automatically by Vivado HLS.\n## Copyright (C) 1986-2019 Xilinx, Inc.\n####\n";
    let script = format!("{heading}{RUN}");
    let run = ("run.tcl", script.as_str());
    assert_eq!(
        describe(&[code, run, ("vitis_hls.log", log)]),
        [".: Vitis HLS 2021.1 (version from vitis_hls.log)"]
    );
    assert_eq!(describe(&[code, run]), [".: Vivado HLS 2019.2 (assumed from the year in run.tcl)"]);
    // The script that the tool packs its result with.
    let packing = (
        "s/impl/ip/run_ippack.tcl",
        "# ====\n# Vitis HLS - High-Level Synthesis from C, C++ and OpenCL v2022.1 (64-bit)\n",
    );
    assert_eq!(
        describe(&[code, ("run.tcl", RUN), packing]),
        [".: Vitis HLS 2022.1 (version from s/impl/ip/run_ippack.tcl)"]
    );
    let library = ("third_party/x/vitis_hls.log", log);
    let near = [code, ("third_party/x/x.cpp", CODE), ("run.tcl", RUN), library];
    assert_eq!(describe(&near), [".: Vitis HLS 2023.2 (assumed)"]);
    let older = log.replace("2021.1", "2020.2");
    let near = [code, ("a.log", log), ("b.log", &older), ("run.tcl", RUN)];
    assert_eq!(describe(&near), [".: Vitis HLS 2023.2 (assumed)"]);
}

#[test]
fn a_readme_a_path_or_a_command_near_the_design_names_the_version() {
    let code = ("hls/net/k.cpp", CODE);
    let readme = ("README.md", "# Net\n+ Xilinx Vitis 2021.2\n");
    assert_eq!(describe(&[code, readme]), ["hls/net: Vitis HLS 2021.2 (version from README.md)"]);
    // What is nearer goes first.
    let make = ("hls/net/Makefile", "ROOT := /tools/Xilinx/Vitis_HLS/2022.1/\n");
    assert_eq!(
        describe(&[code, readme, make]),
        ["hls/net: Vitis HLS 2022.1 (version from hls/net/Makefile)"]
    );
    // Two versions in one place are none.
    let both = ("README.md", "Vitis 2021.2 or Vivado 2020.1\n");
    assert_eq!(describe(&[code, both]), ["hls/net: Vitis HLS 2023.2 (assumed)"]);
    let run = ("hls/net/run.sh", "vivado_hls -f run.tcl\n");
    assert_eq!(
        describe(&[code, both, run]),
        ["hls/net: Vivado HLS 2019.2 (assumed: hls/net/run.sh asks for Vivado HLS)"]
    );
    // Vivado's version is the last that is asked.
    let design = ("hls/net/bd.tcl", "set scripts_vivado_version 2018.2\n");
    assert_eq!(
        describe(&[code, design]),
        ["hls/net: Vivado HLS 2018.2 (assumed: hls/net/bd.tcl is for this version of Vivado)"]
    );
    assert_eq!(
        describe(&[code, readme, design]),
        ["hls/net: Vitis HLS 2021.2 (version from README.md)"]
    );
    // The heading that the tool wrote is of another year.
    let heading = "## This file is generated automatically by Vivado HLS.\n## Copyright (C) 1986-2019 Xilinx, Inc.\n";
    let script = format!("{heading}{RUN}");
    assert_eq!(
        describe(&[code, readme, ("hls/net/run.tcl", &script)]),
        ["hls/net: Vivado HLS 2019.2 (assumed from the year in hls/net/run.tcl)"]
    );
}

#[test]
fn a_design_has_the_version_that_is_named_beside_it() {
    let (code, other) = (("set/paths/k.cpp", CODE), ("set/random/r.cpp", "void r(int a[8]) {}\n"));
    let make = ("set/random/Makefile", "AUTOPILOT_ROOT := /tools/xilinx/Vitis_HLS/2022.1\n");
    let far = ("far/Makefile", "AUTOPILOT_ROOT := /tools/xilinx/Vitis_HLS/2021.2\n");
    let own = "set/paths: Vitis HLS 2022.1 (assumed from set/random/Makefile)";
    assert_eq!(describe(&[code, other, make, far])[0], own);
    // They differ.
    let differs = ("set/more/Makefile", far.1);
    assert_eq!(describe(&[code, other, make, differs])[0], "set/paths: Vitis HLS 2023.2 (assumed)");
    // Vitis HLS has no such version.
    let old = ("set/random/Makefile", "XILINX := /opt/Xilinx/Vivado/2018.3\n");
    let run = ("set/paths/Makefile", "all:\n\tvitis_hls run.tcl\n");
    assert_eq!(describe(&[code, other, old, run])[0], "set/paths: Vitis HLS 2023.2 (assumed)");
}

#[test]
fn a_project_that_names_its_sources_has_the_version_of_its_files() {
    let dir = files::write_files(&[
        ("k.cpp", CODE),
        ("README.md", "Tested with Vitis HLS 2022.1.\n"),
        ("derate.toml", "[hls]\nsources = [\"k.cpp\"]\n[platform]\nname = \"u280\"\n"),
    ]);
    let audit = load_audit(dir.path(), &Preprocess::default(), &Selection::default()).unwrap();
    let LoadedAudit::Folder(folder) = audit else { panic!("a project with a model") };
    let [design] = folder.designs.as_slice() else { panic!("{} designs", folder.designs.len()) };
    assert_eq!(design.tool.describe(), "Vitis HLS 2022.1 (version from README.md)");
}
