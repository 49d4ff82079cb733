//! What the audit finds in reports and in a v++ configuration, and that it keeps silent where nothing is wrong.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::fs;
use std::path::PathBuf;

use derate_hls::Sources;
use derate_model::audit::{Finding, Level, audit};
use derate_model::{
    Analysis, Build, Code, ModelShape, Named, Platform, Project, Provenance, Recorded,
};

const PROJECT: &str = "[model]\nshapes = \"dump.txt\"\n\n[platform]\nname = \"u280\"\n\n[claims]\n";
const DUMP: &str = "fc.weight: torch.Size([64, 64]) torch.float32\n";

/// An analysis with claims, a v++ configuration (empty for none) and reports.
fn analysis(claims: &str, connectivity: &str, reports: &[(&str, String)]) -> Analysis {
    with_code(claims, connectivity, reports, "")
}

/// The same with a kernel's source; empty for none.
fn with_code(claims: &str, connectivity: &str, reports: &[(&str, String)], code: &str) -> Analysis {
    let mut sources = Sources::default();
    let file = sources.add("derate.toml", format!("{PROJECT}{claims}\n"));
    let project = Project::parse(&sources, file).unwrap();
    let dump = sources.add("dump.txt", DUMP);
    let shape = ModelShape::parse(&sources, dump, None).unwrap();
    let named = |file| Named { file, by: project.platform.clone(), by_pattern: false };
    let connectivity =
        (!connectivity.is_empty()).then(|| named(sources.add("u280.cfg", connectivity.to_owned())));
    let reports: Vec<_> =
        reports.iter().map(|(name, text)| named(sources.add(*name, text.clone()))).collect();
    let build = Build::read(&sources, &reports, connectivity).unwrap();
    let platform = Platform::named(&project.platform.value).unwrap();
    let headers: Vec<_> =
        (!code.is_empty()).then(|| sources.add("kernel.cpp", code)).into_iter().collect();
    let mut nowhere = Recorded::default();
    let code = Code::new(&mut sources, &headers, &[], &mut nowhere, Some(&shape));
    Analysis::new(sources, project, shape, code, platform, build).unwrap()
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
    let all = found_in(code, "csynth.rpt", with(&tree, "  12 (~0%)", "4032(100%)"));
    assert_eq!((all.len(), all[0].level), (1, Level::Note));
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

#[test]
fn a_latency_without_a_number_is_unknown() {
    let undef = fixture("xml-2020-undef/load_csynth.xml");
    let code = "report/unknown-latency";
    let findings = found_in(code, "load.xml", undef.clone());
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.message, "the latency of `load` is unknown: so is the trip count of 1 loop");
    assert_eq!(finding.evidence["loops"], serde_json::json!(["Fill"]), "a range is known");
    assert_eq!(finding.level, Level::Warning);
    let known = with(&with(&undef, "caseLatency>undef", "caseLatency>90"), "1 ~ ?", "1 ~ 40");
    assert!(found_in(code, "load.xml", known).is_empty());
}

#[test]
fn one_loop_without_bounds_is_enough() {
    let module = fixture("module-2018/fir_csynth.rpt");
    let findings = found_in("report/unknown-latency", "fir.rpt", module);
    assert_eq!(findings[0].evidence["loops"], serde_json::json!(["Out"]));
    let estimate = fixture("system-estimate/system_estimate_axpy.xtxt");
    let findings = found_in("report/unknown-latency", "a.xtxt", estimate);
    assert_eq!(findings[0].evidence["modules"], serde_json::json!(["axpy"]));
}

#[test]
fn accesses_without_a_burst_are_counted_with_their_reasons() {
    let tree = fixture("tree-2022/csynth.rpt");
    let findings = found_in("report/burst", "csynth.rpt", tree.clone());
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.message, "in `mlp` 1 access is no burst, and 1 port is left narrow");
    assert_eq!(finding.evidence["reasons"], serde_json::json!({"214-230": 1}));
    assert_eq!(finding.evidence["not_widened"], 1);
    let wide = with(&tree, "| 16 -> 16   |", "| 16 -> 512  |");
    let inferred = with(
        &wide,
        "Stride is incompatible                              ",
        "Could not widen since type i16 is as wide as allowed",
    );
    assert!(found_in("report/burst", "csynth.rpt", inferred).is_empty());
    // A width that is no number is not narrow.
    let unknown = with(&tree, "| 16 -> 16   |", "| 16 -> ?    |");
    let findings = found_in("report/burst", "csynth.rpt", unknown);
    assert_eq!(findings[0].message, "in `mlp` 1 access is no burst");
}

#[test]
fn a_pragma_that_was_not_taken_is_told_with_the_tools_message() {
    let summary = fixture("xml-2023-summary/csynth.xml");
    let findings = found_in("report/pragma-ignored", "csynth.xml", summary.clone());
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.message, "in `axpy` 1 pragma was taken with a warning");
    assert!(finding.labels[0].text.contains("axpy.cpp:20: a factor of 0"), "{:?}", finding.labels);
    let invalid = with(&summary, "status=\"valid\"", "status=\"invalid\"");
    let findings = found_in("report/pragma-ignored", "csynth.xml", invalid);
    assert!(findings[0].labels[0].text.contains("the report does not say why"));
    let valid = with(&summary, "status=\"warning\"", "status=\"valid\"");
    assert!(found_in("report/pragma-ignored", "csynth.xml", valid).is_empty());
}

#[test]
fn a_co_simulation_must_pass_and_measure() {
    let code = "report/cosim";
    let empty = fixture("cosim-pass-without-figures/net_cosim.rpt");
    assert!(found_in(code, "a.rpt", empty)[0].message.contains("passed and measured nothing"));
    let failed = fixture("cosim-fail-with-latency/bad_cosim.rpt");
    let findings = found_in(code, "a.rpt", failed.clone());
    assert_eq!(findings[0].message, "the Verilog co-simulation did not pass: `Fail`");
    assert!(found_in(code, "a.rpt", with(&failed, "Fail", "Pass")).is_empty());
    assert!(found_in(code, "a.rpt", fixture("cosim-2018/fir_cosim.rpt")).is_empty());
}

#[test]
fn a_co_simulated_latency_lies_within_the_estimate_of_the_same_top() {
    let title = "== Vivado HLS Report";
    let module = with(&fixture("module-2018/fir_csynth.rpt"), title, title);
    let line = "=".repeat(64);
    let heading = format!("{line}\n== Co-simulation Report for 'fir'\n{line}\n");
    let cosim = format!("{heading}{}", fixture("cosim-2018/fir_cosim.rpt"));
    let of = |cosim: &str, module: &str| {
        let reports = [("fir_cosim.rpt", cosim.to_owned()), ("fir.rpt", module.to_owned())];
        found("report/cosim", "", &reports)
    };
    assert!(of(&cosim, &module).is_empty());
    let slow = with(&cosim, "            131|", "            264|");
    let findings = of(&slow, &module);
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(
        finding.message,
        "`fir` took 264 cycles in VHDL co-simulation, outside the synthesis report's 35 ~ 131"
    );
    assert_eq!(finding.labels.len(), 2);
    assert!(of(&slow, &with(&module, "'fir'", "'iir'")).is_empty(), "another top says nothing");
    assert!(
        of(&slow, &with(&module, "|   35|  131|   35|  131|", "|    ?|    ?|    ?|    ?|"))
            .is_empty()
    );
}

#[test]
fn an_interval_above_its_target_is_named_with_both() {
    let module = fixture("module-2018/fir_csynth.rpt");
    let findings = found_in("report/ii", "fir.rpt", module.clone());
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert!(finding.message.ends_with("`Taps` II 2 (target 1)"), "{}", finding.message);
    let met = with(&module, "|          2|          1|", "|          1|          1|");
    assert!(found_in("report/ii", "fir.rpt", met).is_empty());
    // The tree prints no target: the tool's own word counts, and that of timing is none of it.
    let tree = fixture("tree-2022/csynth.rpt");
    let findings = found_in("report/ii", "csynth.rpt", tree);
    assert_eq!(
        findings[0].evidence["loops"],
        serde_json::json!([{"name": "acc", "target": null, "achieved": 4}])
    );
}

/// A report in XML without a word about violations, as before 2023.2.
fn old_xml(name: &str, ii: &str) -> String {
    format!(
        "<profile><ReportVersion><Version>2019.2</Version></ReportVersion>\
         <UserAssignments><TopModelName>{name}</TopModelName></UserAssignments>\
         <PerformanceEstimates><SummaryOfLoopLatency><ACC><TripCount>64</TripCount>\
         <Latency>260</Latency><PipelineII>{ii}</PipelineII><PipelineDepth>8</PipelineDepth></ACC>\
         </SummaryOfLoopLatency></PerformanceEstimates></profile>"
    )
}

/// What the rule about intervals finds beside a kernel's source.
fn intervals(code: &str, report: String) -> Vec<Finding> {
    let findings = audit(&with_code("", "", &[("a.xml", report)], code)).findings;
    findings.into_iter().filter(|one| one.code == "report/ii").collect()
}

#[test]
fn a_target_that_no_report_prints_is_that_of_the_pragma_or_unknown() {
    let code = |pragma: &str| {
        format!(
            "void top(const float *a, float *c) {{\nfloat s = 0;\nACC: for (int i = 0; i < 64; i++) {{\n\
             {pragma}\ns += a[i];\n}}\nc[0] = s;\n}}\n"
        )
    };
    let findings = intervals("", old_xml("top", "4"));
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.level, Level::Note);
    assert_eq!(
        finding.message,
        "`ACC` starts a round every 4 cycles; what it was asked for is unknown"
    );
    for pragma in ["#pragma HLS pipeline II=1", "#pragma HLS pipeline"] {
        let findings = intervals(&code(pragma), old_xml("top", "4"));
        assert_eq!(findings[0].level, Level::Warning);
        assert!(findings[0].message.ends_with("`ACC` II 4 (target 1)"), "{}", findings[0].message);
    }
    assert!(intervals(&code("#pragma HLS pipeline II=4"), old_xml("top", "4")).is_empty());
    // Another function's loop of that name says nothing, nor does a loop without the pragma.
    let other = intervals(&code("#pragma HLS pipeline"), old_xml("topmost", "4"));
    assert_eq!(other[0].level, Level::Note);
    assert_eq!(intervals(&code(""), old_xml("top", "4"))[0].level, Level::Note);
    // What is no number is above nothing, and one round a cycle needs no target.
    for ii in ["undef", "?", "NA", "-", "1"] {
        assert!(intervals("", old_xml("top", ii)).is_empty(), "{ii}");
        assert!(intervals(&code("#pragma HLS pipeline"), old_xml("top", ii)).is_empty(), "{ii}");
    }
    // A later report would say so itself.
    assert!(intervals("", with(&old_xml("top", "4"), "2019.2", "2023.2")).is_empty());
}

#[test]
fn one_synthesis_in_two_forms_is_told_once() {
    let both =
        |one: String, other: String| found("report/ii", "", &[("a.xml", one), ("b/a.xml", other)]);
    let findings = both(old_xml("top", "4"), old_xml("top", "4"));
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert!(finding.notes.contains(&"`b/a.xml` says the same".to_owned()), "{:?}", finding.notes);
    assert_eq!(both(old_xml("top", "4"), old_xml("top", "3")).len(), 2, "two syntheses");
    assert_eq!(both(old_xml("top", "4"), old_xml("pot", "4")).len(), 2, "two functions");
    // The tree says it too, without a target; the module's own report knows it and is kept.
    let module = fixture("module-2018/fir_csynth.rpt");
    let tree = fixture("tree-2022/csynth.rpt");
    let tree = with(&tree, "o acc ", "o Taps");
    let tree = with(&tree, "|         8|        4|", "|         8|        2|");
    let tree = with(&tree, "+ layer_Pipeline_acc |", "+ fir                |");
    let reports = [("csynth.rpt", tree), ("fir.rpt", module)];
    let findings = found("report/ii", "", &reports);
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.subject, "fir.rpt");
    assert!(finding.message.ends_with("`Taps` II 2 (target 1)"), "{}", finding.message);
    for code in ["report/burst", "report/timing", "report/pragma-ignored"] {
        let tree = || fixture("tree-2022/csynth.rpt");
        let twice = [("a.rpt", tree()), ("b.rpt", tree())];
        assert_eq!(found(code, "", &twice).len(), 1, "{code}");
    }
}

#[test]
fn an_access_that_two_tables_list_is_one() {
    let tree = fixture("tree-2022/csynth.rpt");
    let all = "\
* All M_AXI Variable Accesses
+--------------+----------+-----------------+-----------+--------------+--------+------+---------------+------------+------------------------+
| HW Interface | Variable | Access Location | Direction | Burst Status | Length | Loop | Loop Location | Resolution | Problem                |
+--------------+----------+-----------------+-----------+--------------+--------+------+---------------+------------+------------------------+
| m_axi_gmem0  | w        | mlp.cpp:22:9    | read      | Fail         |        | rows | mlp.cpp:21:7  | 214-230    | Stride is incompatible |
| m_axi_gmem0  | x        | mlp.cpp:10:9    | read      | Fail         |        | all  | mlp.cpp:8:3   | 214-230    | Stride is incompatible |
| m_axi_gmem0  | x        | mlp.cpp:10:9    | read      | Inferred     | 64     | copy | mlp.cpp:9:12  |            |                        |
+--------------+----------+-----------------+-----------+--------------+--------+------+---------------+------------+------------------------+

* Inferred Bursts and Widening Missed";
    let twice = with(&tree, "* Inferred Bursts and Widening Missed", all);
    let findings = found_in("report/burst", "csynth.rpt", twice);
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    // `x` bursts in its inner loop: it is no access without a burst.
    assert_eq!(finding.message, "in `mlp` 1 access is no burst, and 1 port is left narrow");
    assert_eq!(finding.evidence["accesses"], serde_json::json!(["w in rows"]));
}

/// What the configuration's rule finds.
fn shared(pins: &str) -> Vec<Finding> {
    let text = format!("[connectivity]\nnk=vadd:2\n{pins}\n");
    let findings = audit(&analysis("", &text, &[])).findings;
    findings.into_iter().filter(|one| one.code == "connectivity/shared-bank").collect()
}

#[test]
fn arguments_on_one_bank_share_it() {
    let findings = shared("sp=vadd_1.a:HBM[0:3]\nsp=vadd_1.b:HBM[0:3]\nsp=vadd_1.c:HBM[0:3]");
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.message, "3 arguments share HBM[0:3]");
    assert_eq!((finding.level, finding.labels.len()), (Level::Warning, 3));
    let findings = shared("sp=vadd_1.a:DDR[1]\nsp=vadd_2.a:DDR[1]\nsp=vadd_1.b:DDR[0]");
    assert_eq!(findings[0].message, "2 arguments share DDR[1]");
    // Ranges that overlap share where they do.
    let findings = shared("sp=vadd_1.a:HBM[0:3]\nsp=vadd_1.b:HBM[3:5]");
    assert_eq!(findings[0].message, "2 arguments share HBM[3]");
}

#[test]
fn arguments_on_banks_of_their_own_share_nothing() {
    assert!(shared("sp=vadd_1.a:HBM[0]\nsp=vadd_1.b:HBM[1]\nsp=vadd_2.a:DDR[0]").is_empty());
    assert!(shared("sp=vadd_1.a:HBM[0]\nsp=vadd_1.a:HBM[0]").is_empty(), "the same argument");
    assert!(shared("sp=vadd_1.a:DDR\nsp=vadd_1.b:DDR").is_empty(), "which bank is unknown");
    assert!(shared("sp=vadd_1.a:HBM[0:18446744073709551615]\nsp=vadd_1.b:HBM[0]").is_empty());
}

/// What a rule finds in a configuration, with claims.
fn wired(code: &str, claims: &str, text: &str) -> Vec<Finding> {
    let findings = audit(&analysis(claims, &format!("[connectivity]\n{text}\n"), &[])).findings;
    findings.into_iter().filter(|one| one.code == code).collect()
}

#[test]
fn a_bank_beyond_the_last_is_not_on_the_card() {
    let found = |text: &str| wired("connectivity/not-on-card", "", text);
    let findings = found("sp=k_1.a:HBM[40]\nsp=k_1.b:HBM[0:35]\nslr=k_1:SLR3");
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.level, Level::Error);
    assert_eq!(
        finding.message,
        "3 pins name what u280 does not have: `HBM[40]`, `HBM[0:35]`, `SLR3`"
    );
    assert_eq!(found("sp=k_1.a:DDR[2]").len(), 1);
    assert_eq!(found("sp=k_1.a:PLRAM[6]").len(), 1);
    assert_eq!(found("slr=k_1:SLRX").len(), 1);
    let there = "sp=k_1.a:HBM[31]\nsp=k_1.b:HBM[0:31]\nsp=k_1.c:DDR[1]\nsp=k_1.d:PLRAM[5]\n\
                 sp=k_1.e:HOST[0]\nsp=k_1.f:DDR\nsp=k_1.g:bank9\nslr=k_1:SLR2";
    assert!(found(there).is_empty());
}

#[test]
fn a_memory_that_the_platform_file_leaves_out_is_not_judged() {
    let found = |text: &str| {
        let text = format!("[connectivity]\n{text}\n");
        let mut analysis = analysis("", &text, &[]);
        analysis.platform = Platform::named("u200").unwrap();
        let findings = audit(&analysis).findings;
        findings.iter().filter(|one| one.code == "connectivity/not-on-card").count()
    };
    // The shells of the U200 have PLRAM; its file says nothing of it.
    assert_eq!(found("sp=gemm_1.a:PLRAM[0]"), 0);
    assert_eq!(found("sp=gemm_1.a:HBM[0]"), 0);
    assert_eq!(found("sp=gemm_1.a:DDR[3]"), 0);
    assert_eq!(found("sp=gemm_1.a:DDR[4]"), 1);
}

#[test]
fn a_unit_that_no_nk_makes() {
    let found = |text: &str| wired("connectivity/compute-unit", "", text);
    let findings = found("nk=gemm:2\nsp=gemm_3.a:HBM[0]\nsp=gemm.b:HBM[1]\nsp=gemm_2.a:HBM[2]");
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.message, "2 compute units that no `nk` makes: `gemm_3`, `gemm`");
    assert_eq!((finding.level, finding.labels.len()), (Level::Error, 2));
    assert_eq!(finding.labels[0].text, "`nk=gemm` makes `gemm_1` to `gemm_2`");
    let findings = found("nk=gemm:3:left.right\nslr=left:SLR0");
    assert_eq!(findings[0].evidence["misnamed"], serde_json::json!(["gemm"]));
    assert_eq!(findings[0].labels[0].text, "3 units and 2 names");
    assert_eq!(found("nk=gemm:2:left.left").len(), 1);
    // Named units replace the default names.
    assert_eq!(found("nk=gemm:1:left\nsp=gemm_1.a:HBM[0]").len(), 1);
    assert_eq!(found("nk=gemm:1\nstream_connect=gemm_1.o:gemm_2.i").len(), 1);
    // Its `nk` may stand on the command line.
    assert_eq!(found("sp=left.a:HBM[0]")[0].level, Level::Warning);
    for good in [
        "sp=gemm_1.a:HBM[0]",
        "nk=gemm:2:left.right\nsp=left.a:HBM[0]\nstream_connect=left.o:right.i",
        "nk=gemm:1\nsp=gemm_1.a:HBM[0]\nsp=copy_1.a:HBM[1]\nslr=copy_1:SLR1",
        "nk=gemm:1\nstream_connect=cmac_0.out:gemm_1.in",
        "nk=gemm:1\nnk=gemm_b:1\nsp=gemm_b_1.a:HBM[0]",
        "nk=${KERNEL}:4\nsp=left.a:HBM[0]",
    ] {
        assert!(found(good).is_empty(), "{good}");
    }
}

#[test]
fn a_unit_away_from_its_memory_crosses() {
    let found = |text: &str| wired("connectivity/slr-crossing", "", text);
    let findings = found(
        "slr=a_1:SLR2\nslr=b_1:SLR0\nsp=a_1.x:HBM[0:3]\nsp=b_1.x:HBM[4]\nstream_connect=a_1.o:b_1.i",
    );
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(
        finding.message,
        "1 argument crosses between SLRs on the way to memory, and 1 stream"
    );
    assert_eq!((finding.level, finding.labels.len()), (Level::Warning, 2));
    assert_eq!(found("slr=a_1:SLR0\nsp=a_1.x:DDR[1]").len(), 1);
    let streams = found("slr=a_1:SLR0\nslr=b_1:SLR1\nstream_connect=a_1.o:b_1.i");
    assert_eq!(streams[0].level, Level::Note);
    for good in [
        "slr=a_1:SLR0\nsp=a_1.x:HBM[0]",
        "slr=a_1:SLR1\nsp=a_1.x:DDR[1]",
        "sp=a_1.x:HBM[0]\nstream_connect=a_1.o:b_1.i",
        // One bank on each: what is not of one place is not judged.
        "slr=a_1:SLR2\nsp=a_1.x:DDR[0:1]",
        "slr=a_1:SLR2\nsp=a_1.x:PLRAM[0]\nsp=a_1.y:HBM",
        "slr=a_1:SLR1\nslr=b_1:SLR1\nstream_connect=a_1.o:b_1.i",
    ] {
        assert!(found(good).is_empty(), "{good}");
    }
}

#[test]
fn a_crossing_to_a_bank_whose_slr_is_assumed_is_a_note() {
    let text = "[connectivity]\nslr=a_1:SLR0\nsp=a_1.x:DDR[3]\n";
    let mut analysis = analysis("", text, &[]);
    let found = |analysis: &Analysis| {
        let mut findings = audit(analysis).findings;
        findings.retain(|one| one.code == "connectivity/slr-crossing");
        findings
    };
    analysis.platform = Platform::named("u200").unwrap();
    let [finding] = &found(&analysis)[..] else { panic!("{:#?}", found(&analysis)) };
    assert_eq!(finding.level, Level::Note);
    assert!(
        finding.notes.iter().any(|note| note.starts_with("the SLR of DDR is assumed: ")),
        "{:?}",
        finding.notes
    );
    for bank in &mut analysis.platform.banks {
        if let Some(slr) = &mut bank.slr {
            slr.provenance = Provenance::Datasheet;
        }
    }
    assert_eq!(found(&analysis)[0].level, Level::Warning);
}

#[test]
fn a_clock_that_is_asked_for_is_held_against_the_claim() {
    let found = |claims: &str, text: &str| wired("connectivity/asked-clock", claims, text);
    let claim = "clock = \"300 MHz\"";
    let findings = found(claim, "[clock]\ndefaultFreqHz=200000000");
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.message, "v++ is asked for 200 MHz, 300 MHz is claimed");
    assert_eq!((finding.level, finding.labels.len()), (Level::Error, 2));
    assert_eq!(found(claim, "kernel_frequency=0:250|1:500").len(), 1);
    let units = found(claim, "[clock]\nfreqHz=150000000:k_1.ap_clk");
    assert_eq!(units[0].level, Level::Warning);
    assert_eq!(units[0].message, "v++ is asked for 150 MHz for some units, 300 MHz is claimed");
    for good in ["kernel_frequency=300", "kernel_frequency=0:300|1:100", "kernel_frequency=350"] {
        assert!(found(claim, good).is_empty(), "{good}");
    }
    assert!(found("", "kernel_frequency=100").is_empty());
    assert!(found(claim, "kernel_frequency=${CLOCK}").is_empty());
}

#[test]
fn a_default_clock_is_for_the_units_that_nothing_else_names() {
    let found = |text: &str| wired("connectivity/asked-clock", "clock = \"300 MHz\"", text);
    let all = "nk=gemm:1\nsp=gemm_1.a:HBM[0]\n[clock]\ndefaultFreqHz=100000000\n";
    for own in ["gemm_1", "gemm_1.ap_clk", "gemm"] {
        assert!(found(&format!("{all}freqHz=300000000:{own}")).is_empty(), "{own}");
    }
    assert!(found("[clock]\ndefaultFreqHz=100000000\nfreqHz=300000000:gemm_1").is_empty());
    // Of another clock, or of another unit: the default still holds for a first clock.
    for other in ["gemm_1.ap_clk_2", "copy_1"] {
        let findings = found(&format!("{all}freqHz=300000000:{other}"));
        let [finding] = &findings[..] else { panic!("{other}: {findings:#?}") };
        assert!(finding.message.starts_with("v++ is asked for 100 MHz"), "{}", finding.message);
    }
    let left = found(&format!("nk=copy:1\n{all}freqHz=300000000:gemm_1"));
    assert_eq!(left[0].level, Level::Warning);
}

#[test]
fn a_clock_of_single_units_is_no_claim_to_write() {
    let edits = |text: &str| {
        let mut findings = wired("connectivity/asked-clock", "clock = \"300 MHz\"", text);
        findings.swap_remove(0).fixes.swap_remove(0).edits
    };
    assert!(edits("[clock]\nfreqHz=150000000:dma_1").unwrap_err().contains("`freqHz`"));
    assert!(edits("kernel_frequency=200\n[clock]\nfreqHz=150000000:dma_1").is_err());
    assert_eq!(edits("kernel_frequency=200").unwrap()[0].replacement, "\"200 MHz\"");
}

#[test]
fn a_comment_in_the_configuration_allows() {
    let allowed = |comment: &str| {
        let text = format!("[connectivity]\nsp=k_1.a:HBM[32] {comment}\n");
        let audit = audit(&analysis("", &text, &[]));
        (audit.findings.iter().map(|one| one.code).collect::<Vec<_>>(), audit.allowed.len())
    };
    for mark in ['#', ';'] {
        let comment = format!("{mark} derate: allow(connectivity/not-on-card): another shell");
        let (left, allowed) = allowed(&comment);
        assert!(!left.contains(&"connectivity/not-on-card"), "{left:?}");
        assert_eq!(allowed, 1);
    }
    let (left, _) = allowed("# derate: allow(connectivity/shared-bank): another shell");
    assert!(left.contains(&"connectivity/not-on-card") && left.contains(&"audit/unused-allow"));
    let above = "[connectivity]\n; derate: allow(connectivity/not-on-card): another shell\nsp=k_1.a:HBM[32]\n";
    assert_eq!(audit(&analysis("", above, &[])).allowed.len(), 1);
}

/// What is left of one rule, as its message, and how many findings are allowed.
fn left(analysis: &Analysis, code: &str) -> (Vec<String>, usize) {
    let audit = audit(analysis);
    let unused = audit.findings.iter().filter(|one| one.code == "audit/unused-allow").count();
    assert_eq!(unused, 0, "{:#?}", audit.findings);
    let left = audit.findings.into_iter().filter(|one| one.code == code).map(|one| one.message);
    (left.collect(), audit.allowed.len())
}

#[test]
fn an_allow_takes_its_own_case_out_of_several() {
    let allow = "# derate: allow(connectivity/not-on-card): the U55C only";
    let of = |text: &str| left(&analysis("", text, &[]), "connectivity/not-on-card");
    let cfg = |marks: [&str; 3]| {
        let [a, b, c] = marks;
        format!("[connectivity]\nsp=k_1.a:HBM[40] {a}\nsp=k_1.b:HBM[77] {b}\nslr=k_1:SLR9 {c}\n")
    };
    let both = "2 pins name what u280 does not have: ";
    assert_eq!(of(&cfg([allow, "", ""])), (vec![format!("{both}`HBM[77]`, `SLR9`")], 1));
    assert_eq!(of(&cfg(["", allow, ""])), (vec![format!("{both}`HBM[40]`, `SLR9`")], 1));
    assert_eq!(of(&cfg(["", "", allow])), (vec![format!("{both}`HBM[40]`, `HBM[77]`")], 1));
    assert_eq!(of(&cfg([allow, allow, allow])), (vec![], 3));

    let allow = "# derate: allow(connectivity/slr-crossing): registered";
    let text = format!(
        "[connectivity]\nslr=k_1:SLR1\nsp=k_1.a:HBM[0]\nsp=k_1.b:HBM[1] {allow}\nsp=k_1.c:HBM[2]\n"
    );
    let (found, allowed) = left(&analysis("", &text, &[]), "connectivity/slr-crossing");
    assert_eq!(found, ["2 arguments cross between SLRs on the way to memory"]);
    assert_eq!(allowed, 1);

    let allow = "# derate: allow(connectivity/compute-unit): renamed by a script";
    let text = format!("[connectivity]\nnk=k:1\nslr=k_2:SLR0\nslr=k_3:SLR0 {allow}\n");
    let (found, allowed) = left(&analysis("", &text, &[]), "connectivity/compute-unit");
    assert_eq!((found, allowed), (vec!["1 compute unit that no `nk` makes: `k_2`".to_owned()], 1));

    let allow = "# derate: allow(connectivity/shared-bank): never at once";
    let text = format!(
        "[connectivity]\nsp=k_1.a:HBM[0] {allow}\nsp=k_1.b:HBM[0]\nsp=k_1.c:HBM[1]\nsp=k_1.d:HBM[1]\n"
    );
    let (found, allowed) = left(&analysis("", &text, &[]), "connectivity/shared-bank");
    assert_eq!((found, allowed), (vec!["2 arguments share HBM[1]".to_owned()], 1));
}

#[test]
fn an_allow_takes_one_sum_out_of_a_function() {
    let code = |first: &str, second: &str| {
        let sum = |name: &str, mark: &str| {
            format!(
                "  float {name} = 0;\n  for (int i = 0; i < 64; i++) {{\n#pragma HLS PIPELINE II=1\n    {name} += a[i]; {mark}\n  }}\n"
            )
        };
        let (one, two) = (sum("s", first), sum("t", second));
        format!("void f(float a[64], float *out) {{\n{one}{two}  *out = s + t;\n}}\n")
    };
    let allow = "// derate: allow(kernel/accumulation): the report's II is counted";
    let of = |first: &str, second: &str| {
        left(&with_code("", "", &[], &code(first, second)), "kernel/accumulation")
    };
    let one =
        "1 floating-point sum of `f` cannot reach II=1: the adder's latency bounds the interval";
    assert_eq!(of("", "").0, [one.replace("1 floating-point sum", "2 floating-point sums")]);
    assert_eq!(of(allow, ""), (vec![one.to_owned()], 1));
    assert_eq!(of("", allow), (vec![one.to_owned()], 1));
    assert_eq!(of(allow, allow), (vec![], 2));
}

/// A share is rounded: what the platform's chip has decides, and elsewhere all of it is worth a word.
#[test]
fn a_count_is_held_against_the_platforms_chip() {
    let code = "report/utilisation";
    let tree = with(&fixture("tree-2022/csynth.rpt"), "  5 (~0%)|", "9100 (100%)|");
    let of = |part: &str| found_in(code, "csynth.rpt", with(&tree, "xcu55c-fsvh2892-2L-e", part));
    let findings = of("xcu280-fsvh2892-2L-e");
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.level, Level::Error);
    assert!(finding.labels[0].text.starts_with("9,100 of 9,024 DSP"), "{:?}", finding.labels);
    let findings = of("xcvu13p-fhga2104-2-i");
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.level, Level::Note);
    assert!(
        finding.message.ends_with("is at the limit of what there is: DSP 100 %"),
        "{findings:#?}"
    );
    let under = with(&tree, "9100 (100%)|", "9000 (99%)|");
    assert!(found_in(code, "csynth.rpt", under).is_empty());
}

#[test]
fn a_report_that_is_cut_off_is_no_clean_one() {
    for (name, lines) in [("module-2018/fir_csynth.rpt", 20), ("tree-2022/csynth.rpt", 14)] {
        let text: String = fixture(name).split_inclusive('\n').take(lines).collect();
        let findings = found_in("source/unread", "cut_csynth.rpt", text);
        assert_eq!(findings.len(), 1, "{name}: {findings:#?}");
        assert!(findings[0].help.contains("whole"), "{}", findings[0].help);
    }
}

/// The roofline's floor holds at any batch; a missing latency is worth a word at batch 1 alone.
#[test]
fn no_pass_is_faster_than_its_roofline_at_any_batch() {
    let of = |batch: &str, latency: &str| {
        let claims = format!(
            "precision = \"fp32\"\nbandwidth = \"300 GB/s\"\npeak = {{ fp32 = \"1 TFLOP/s\" }}\n{batch}\n{latency}"
        );
        let findings = audit(&analysis(&claims, "", &[])).findings;
        findings.into_iter().filter(|one| one.code == "latency/batch-1").collect::<Vec<_>>()
    };
    // 64 x 64 weights of 4 bytes at 300 GB/s take 54.6 ns at least.
    for batch in ["batch = 1", "batch = 8", ""] {
        let findings = of(batch, "latency = \"10 ns\"");
        let [finding] = &findings[..] else { panic!("{batch}: {findings:#?}") };
        assert_eq!(finding.level, Level::Error);
        assert_eq!(finding.labels.len(), if batch.is_empty() { 1 } else { 2 });
        assert!(of(batch, "latency = \"1 ms\"").is_empty(), "{batch}");
    }
    assert_eq!(of("batch = 1", "").len(), 1);
    assert!(of("batch = 8", "").is_empty());
}

#[test]
fn a_die_that_is_not_there_is_crossed_by_nothing() {
    let text = "[connectivity]\nslr=k_1:SLR3\nsp=k_1.a:HBM[0]\n";
    let findings = audit(&analysis("", text, &[])).findings;
    let codes: Vec<&str> = findings.iter().map(|finding| finding.code).collect();
    assert!(codes.contains(&"connectivity/not-on-card"), "{codes:?}");
    assert!(!codes.contains(&"connectivity/slr-crossing"), "{codes:?}");
}

#[test]
fn a_comment_beside_the_entry_of_a_report_allows_what_is_found_in_it() {
    let of = |entries: &str| {
        let mut sources = Sources::default();
        let toml = format!(
            "[model]\nshapes = \"dump.txt\"\n\n[platform]\nname = \"u280\"\n\n[hls]\n{entries}\n"
        );
        let file = sources.add("derate.toml", toml);
        let project = Project::parse(&sources, file).unwrap();
        let dump = sources.add("dump.txt", DUMP);
        let shape = ModelShape::parse(&sources, dump, None).unwrap();
        let report = sources.add("csynth/mlp.rpt", fixture("tree-2022/csynth.rpt"));
        let named = Named { file: report, by: project.platform.clone(), by_pattern: false };
        let build = Build::read(&sources, &[named], None).unwrap();
        let platform = Platform::named("u280").unwrap();
        let code = Code::default();
        let audit = audit(&Analysis::new(sources, project, shape, code, platform, build).unwrap());
        audit.allowed.iter().map(|one| one.finding.code).collect::<Vec<_>>()
    };
    let allow = "# derate: allow(report/burst): the old design";
    assert_eq!(of(&format!("reports = [\"csynth/*.rpt\"] {allow}")), ["report/burst"]);
    assert_eq!(of(&format!("reports = [\n{allow}\n\"csynth/mlp.rpt\",\n]")), ["report/burst"]);
    assert!(of(&format!("reports = [\n\"csynth/mlp.rpt\",\n\"*.rpt\", {allow}\n]")).is_empty());
    assert!(of("reports = [\"csynth/*.rpt\"]").is_empty());
}

#[test]
fn short_loops_are_mostly_fill() {
    let module = fixture("module-2018/fir_csynth.rpt");
    let code = "latency/fill-share";
    // `Deep`: T = 2, II = 1, D = 1 has no fill, and the trip count of `Taps` is a range.
    assert!(found_in(code, "fir.rpt", module.clone()).is_empty());
    let short = with(&module, " 16 ~ 64 |", "      16 |");
    let of = |claims: &str, text: &str| found(code, claims, &[("fir.rpt", text.to_owned())]);
    let findings = of("", &short);
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    // 4 of 15 * 2 + 4 cycles.
    assert_eq!(finding.message, "filling the pipeline is 11.8 % of the time of `Taps`");
    assert_eq!((finding.level, finding.labels.len()), (Level::Note, 1));
    let findings = of("batch = 1", &short);
    assert_eq!((findings[0].level, findings[0].labels.len()), (Level::Warning, 2));
    assert!(of("batch = 1", &with(&short, "      16 |", "      20 |")).is_empty());
}
