//! What does not fit the chip.

use derate_model::audit::Level;

use super::{fixture, found, found_in, with};

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
    // All of one report are one finding.
    let [blocks] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(blocks.message, "`fir` does not fit: BRAM_18K 122.1 %, DSP 100.5 %");
    assert_eq!((blocks.labels.len(), &blocks.evidence["available"]), (2, &280.into()));
    let unknown = with(&module, "|Total            |        0|", "|Total            |        ?|");
    assert!(found_in(code, "fir.rpt", unknown).is_empty());
}

/// Two forms of one synthesis differ in a few units; two syntheses differ by more.
#[test]
fn a_share_that_two_reports_give_is_one_finding() {
    let module = fixture("module-2018/fir_csynth.rpt");
    let blocks = |count: &str| {
        let total = "|Total            |        0|";
        with(&module, total, &format!("|Total            |      {count}|"))
    };
    let find = |other: &str| {
        let reports = [("fir.rpt", blocks("342")), ("fir_csynth.rpt", blocks(other))];
        found("report/utilisation", "", &reports).len()
    };
    // Of 280: 122.1 and 122.5 %, and 125 %.
    assert_eq!((find("343"), find("350")), (1, 2));
}

#[test]
fn a_placed_design_has_a_budget() {
    let placed = fixture("kernel-util/kernel_util_routed.rpt");
    let code = "report/utilisation";
    assert!(found_in(code, "kernel_util.rpt", placed.clone()).is_empty());
    let over = with(&placed, "  30 [  1.79%]", "1700 [101.37%]");
    assert_eq!(found_in(code, "kernel_util.rpt", over).len(), 1);
}

/// An HLS report of `mix` with so many LUT of 4,000 and this estimated period.
fn estimated(lut: &str, period: &str) -> String {
    format!(
        "<profile><ReportVersion><Version>2025.1</Version></ReportVersion>\
         <UserAssignments><TopModelName>mix</TopModelName><TargetClockPeriod>8.00</TargetClockPeriod></UserAssignments>\
         <PerformanceEstimates><SummaryOfTimingAnalysis><EstimatedClockPeriod>{period}</EstimatedClockPeriod>\
         </SummaryOfTimingAnalysis></PerformanceEstimates>\
         <AreaEstimates><Resources><BRAM_18K>4</BRAM_18K><LUT>{lut}</LUT><FF>100</FF></Resources>\
         <AvailableResources><BRAM_18K>10</BRAM_18K><LUT>4000</LUT><FF>8000</FF></AvailableResources></AreaEstimates></profile>"
    )
}

/// Placed designs take 1.6 to 2.8 times fewer LUT than HLS estimates, and a part is not filled beyond 70 %.
#[test]
fn an_estimate_of_luts_is_not_what_is_placed() {
    let code = "report/utilisation";
    for (lut, level) in [("4100", Level::Warning), ("7800", Level::Warning), ("7900", Level::Error)]
    {
        let findings = found_in(code, "hls/syn/report/csynth.xml", estimated(lut, "7.0"));
        let [finding] = &findings[..] else { panic!("{lut}: {findings:#?}") };
        assert_eq!(finding.level, level, "{lut}");
    }
}

/// What a module takes is in what the one takes that calls it.
#[test]
fn a_module_that_is_too_large_is_in_the_one_that_calls_it() {
    let top = with(&fixture("tree-2022/csynth.rpt"), "7905 (~0%)", "7905 (300%)");
    let subjects = |module: &str| {
        let inner = estimated("11300", "7.0").replace("mix", module);
        let reports = [("csynth.rpt", top.clone()), ("inner_csynth.xml", inner)];
        let found = found("report/utilisation", "", &reports).into_iter();
        found.map(|one| format!("{} {}", one.subject, one.notes.join("; "))).collect::<Vec<_>>()
    };
    assert_eq!(subjects("layer"), ["mlp: LUT `layer` in it takes 282.5 %"]);
    // What the tree lists is named.
    assert_eq!(subjects("other"), ["mlp: LUT `layer` takes 1,300 LUT", "other: LUT "]);
}

/// XML does not say what a module calls: what is beside `csynth.xml` is in its top.
#[test]
fn a_module_beside_its_top_is_one_fact_with_it() {
    let (top, module) =
        (estimated("11300", "9.0"), estimated("11300", "9.0").replace("mix", "inner"));
    let subjects = |folder: &str| {
        let own = format!("{folder}/inner_csynth.xml");
        let reports = [("a/syn/report/csynth.xml", top.clone()), (own.as_str(), module.clone())];
        ["report/utilisation", "report/timing"].map(|code| {
            let found = found(code, "", &reports).into_iter();
            found.map(|one| one.subject).collect::<Vec<_>>()
        })
    };
    // The top takes too much; the path that is too long is in the module.
    assert_eq!(subjects("a/syn/report"), [vec!["mix: LUT"], vec!["inner"]]);
    assert_eq!(subjects("b/syn/report").map(|all| all.len()), [2, 2]);
    // The text of the top lists what it calls: in the manner of a tool that puts reports of several kernels into one folder.
    let text = with(&fixture("module-2018/fir_csynth.rpt"), "fir", "mix");
    let reports = [
        ("a/csynth.xml", top.clone()),
        ("a/inner_csynth.xml", module.clone()),
        ("a/mix_csynth.rpt", text.replace("fir", "mix")),
    ];
    assert_eq!(found("report/utilisation", "", &reports).len(), 2);
    // A kernel of another clock beside it, and what is placed.
    let other = module.replace("<TargetClockPeriod>8.00<", "<TargetClockPeriod>7.00<");
    let reports = [("a/csynth.xml", top.clone()), ("a/inner_csynth.xml", other)];
    assert_eq!(found("report/utilisation", "", &reports).len(), 2);
    let placed =
        with(&fixture("kernel-util/kernel_util_routed.rpt"), "  30 [  1.79%]", "1700 [101.37%]");
    let blocks = top.replace("<BRAM_18K>4<", "<BRAM_18K>40<");
    let reports = [("a/csynth.xml", blocks), ("a/kernel_util_routed.rpt", placed)];
    let all = found("report/utilisation", "", &reports);
    assert!(all.iter().any(|one| !one.subject.starts_with("mix")), "{all:#?}");
}

/// What Vivado made of a kernel decides over what HLS expected in the same solution.
#[test]
fn a_placed_kernel_decides() {
    let placed = fixture("xml-2025-placed/export_impl.xml");
    let hls = estimated("11300", "9.0");
    let levels = |code: &str, path: &str, placed: &str| -> Vec<Level> {
        let reports = [("a/hls/syn/report/csynth.xml", hls.clone()), (path, placed.to_owned())];
        found(code, "", &reports).iter().map(|one| one.level).collect()
    };
    let count = |code: &str, path: &str, placed: &str| levels(code, path, placed).len();
    let own = "a/hls/impl/report/verilog/export_impl.xml";
    // The estimate that routing refutes is a note.
    let other = "b/hls/impl/report/verilog/export_impl.xml";
    assert_eq!(levels("report/utilisation", own, &placed), []);
    assert_eq!(levels("report/timing", own, &placed), [Level::Note]);
    for code in ["report/utilisation", "report/timing"] {
        assert_eq!(levels(code, other, &placed), [Level::Error], "{code}");
    }
    // Its own copy names no module.
    let (from, to) = (placed.find("  <RtlModules>").unwrap(), placed.find("</profile>").unwrap());
    let unnamed = format!("{}{}", &placed[..from], &placed[to..]);
    assert_eq!(count("report/utilisation", own, &unnamed), 0);
    // Vivado's synthesis counts, and says little of the clock.
    let synthesised = with(&placed, "<RUN_TYPE>impl<", "<RUN_TYPE>synth<");
    assert_eq!(count("report/utilisation", own, &synthesised), 0);
    assert_eq!(count("report/timing", own, &synthesised), 1);
    let full = with(&placed, "<LUT>3911<", "<LUT>4011<");
    let findings = found_in("report/utilisation", own, full);
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(
        (finding.level, finding.message.as_str()),
        (Level::Error, "`mix` does not fit: LUT 100.3 %")
    );
    let slow = with(&placed, "Period>6.412<", "Period>8.412<");
    let findings = found_in("report/timing", own, slow);
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert!(finding.message.contains("8.412 ns are reached"), "{finding:#?}");
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
