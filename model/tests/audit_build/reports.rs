//! Timing, resources, latency and co-simulation that reports print.

use derate_model::audit::{Level, audit};

use super::{analysis, fixture, found, found_in, old_xml, with};

#[test]
fn an_estimate_above_the_target_is_found_with_its_uncertainty() {
    let met = fixture("module-2018/fir_csynth.rpt");
    assert!(found_in("report/timing", "fir.rpt", met.clone()).is_empty());
    let late = with(&met, "6.712", "8.731");
    let findings = found_in("report/timing", "fir.rpt", late.clone());
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.level, Level::Error);
    assert!(finding.message.ends_with("8.731 ns are expected, 8 ns is the target"));
    assert_eq!(&late[finding.labels[0].span.start..finding.labels[0].span.end], "8.731");
    assert!(finding.notes[0].contains("uncertainty of 1 ns"), "{:?}", finding.notes);
    // A target is printed with two decimals: 300 MHz is 3.33 ns beside an estimate of 3.333.
    assert!(found_in("report/timing", "fir.rpt", with(&met, "6.712", "8.003")).is_empty());
    assert_eq!(found_in("report/timing", "fir.rpt", with(&met, "6.712", "8.007")).len(), 1);
    // As wide as the target is met, and no number is not a failure.
    assert!(found_in("report/timing", "fir.rpt", with(&met, "6.712", "8.000")).is_empty());
    assert!(found_in("report/timing", "fir.rpt", with(&met, "6.712", "    ?")).is_empty());
}

#[test]
fn negative_slack_is_no_met_timing() {
    let tree = fixture("tree-2022/csynth.rpt");
    let findings = found_in("report/timing", "csynth.rpt", tree.clone());
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.evidence["missed"], "mlp");
    assert!(finding.message.contains("-0.21"), "{}", finding.message);
    assert_eq!(finding.level, Level::Warning, "the uncertainty is not known");
    assert!(found_in("report/timing", "csynth.rpt", with(&tree, "-0.21", " 0.00")).is_empty());
}

/// The tree of 2020.2 prints a slack with the other sign, and that of each loop is the target less the uncertainty.
#[test]
fn what_is_left_has_a_minus_in_the_first_tree() {
    let tree = with(&fixture("tree-2022/csynth.rpt"), "2022.2.2", "2020.2");
    let tree = tree.replace("|   2.43|", "|  -2.43|").replace("|   0.31|", "|  -0.31|");
    assert!(found_in("report/timing", "csynth.rpt", tree.clone()).is_empty());
    let row = tree.lines().find(|line| line.contains("-0.21")).unwrap();
    let late = with(&tree, row, &row.replace("-0.21", " 0.21"));
    let findings = found_in("report/timing", "csynth.rpt", late);
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert!(finding.message.contains("-0.21"), "{}", finding.message);
}

#[test]
fn one_path_that_is_too_long_is_one_finding_in_whatever_report() {
    let tree = fixture("tree-2022/csynth.rpt");
    let module = with(&fixture("module-2022/relu_csynth.rpt"), "2.433", "3.541");
    let of = |name: &str, estimated: &str| module.replace("relu", name).replace("3.541", estimated);
    let find = |reports: &[(&str, String)]| {
        let all = [&[("csynth.rpt", tree.clone())], reports].concat();
        let found = found("report/timing", "", &all).into_iter();
        found
            .map(|one| (one.evidence["missed"].as_str().unwrap().to_owned(), one))
            .collect::<Vec<_>>()
    };
    // The tree's slack is that of the period which the top's own report has.
    let [(name, one)] = &find(&[("mlp.rpt", of("mlp", "3.541"))])[..] else { panic!() };
    assert_eq!((name.as_str(), one.level), ("mlp", Level::Error));
    assert!(one.notes.iter().any(|note| note.contains("csynth.rpt")), "{:?}", one.notes);
    // The top has its period from the module that it calls.
    let both = [("mlp.rpt", of("mlp", "3.541")), ("layer.rpt", of("layer", "3.541"))];
    let [(name, one)] = &find(&both)[..] else { panic!() };
    assert_eq!(name, "layer");
    assert!(one.notes.iter().any(|note| note.contains("`mlp` has the same")), "{:?}", one.notes);
    // Two figures are two paths, and two modules that do not call each other have one each.
    assert_eq!(
        find(&[("mlp.rpt", of("mlp", "3.6")), ("layer.rpt", of("layer", "3.541"))]).len(),
        2
    );
    let beside = [("layer.rpt", of("layer", "3.541")), ("load.rpt", of("load", "3.541"))];
    assert_eq!(find(&beside).iter().filter(|(_, one)| one.level == Level::Error).count(), 2);
}

#[test]
fn instances_of_one_function_without_figures_are_one_finding() {
    let tree = fixture("tree-2022/csynth.rpt");
    let row = tree.lines().find(|line| line.contains("| + load ")).unwrap();
    let missed = row.replace("|       -|   0.00|", "|      II|   0.00|").replace("load", "fmax");
    let bare = missed.replace("      512|     -|    rewind", "        -|     -|       yes");
    let many = with(&tree, row, &format!("{row}\n{bare}\n{bare}\n{bare}"));
    let found = found_in("report/ii", "csynth.rpt", many);
    let own: Vec<_> = found.iter().filter(|one| one.subject == "fmax").collect();
    let [one] = &own[..] else { panic!("{found:#?}") };
    assert!(one.message.starts_with("`fmax` misses its"), "{}", one.message);
    assert!(one.notes.contains(&"3 instances have it".to_owned()), "{:?}", one.notes);
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
    let [blocks, slices] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(blocks.message, "`fir` does not fit: BRAM_18K 122.1 %");
    assert_eq!(slices.message, "`fir` does not fit: DSP 100.5 %");
    assert_eq!(blocks.evidence["available"], 280);
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

/// Placed designs take 1.6 to 2.8 times fewer LUT than HLS estimates.
#[test]
fn an_estimate_of_luts_is_not_what_is_placed() {
    let code = "report/utilisation";
    for (lut, level) in
        [("4100", Level::Warning), ("11100", Level::Warning), ("11300", Level::Error)]
    {
        let findings = found_in(code, "hls/syn/report/csynth.xml", estimated(lut, "7.0"));
        let [finding] = &findings[..] else { panic!("{lut}: {findings:#?}") };
        assert_eq!(finding.level, level, "{lut}");
    }
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
    let count = |code: &str, path: &str, placed: &str| {
        let reports = [("a/hls/syn/report/csynth.xml", hls.clone()), (path, placed.to_owned())];
        found(code, "", &reports).len()
    };
    let own = "a/hls/impl/report/verilog/export_impl.xml";
    for code in ["report/utilisation", "report/timing"] {
        assert_eq!(count(code, own, &placed), 0, "{code}");
        assert_eq!(count(code, "b/hls/impl/report/verilog/export_impl.xml", &placed), 1, "{code}");
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

#[test]
fn a_latency_without_a_number_is_unknown() {
    let undef = fixture("xml-2020-undef/load_csynth.xml");
    let code = "report/unknown-latency";
    let findings = found_in(code, "load.xml", undef.clone());
    let [trips] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!((trips.subject.as_str(), trips.level), ("Fill", Level::Warning), "a range is known");
    // A loop whose trips are known and whose latency is not says why.
    let bare = undef.replace("1 ~ ?", "1 ~ 40");
    let findings = found_in(code, "load.xml", bare.clone());
    let [latency] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!((latency.subject.as_str(), latency.level), ("Fill", Level::Warning));
    assert!(latency.message.ends_with("though its trip count is known"), "{}", latency.message);
    let timed = with(&bare, "<Latency>undef", "<Latency>90");
    let findings = found_in(code, "load.xml", timed);
    let [latency] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!((latency.subject.as_str(), latency.level), ("load", Level::Warning));
    // A loop without end is meant: a note.
    let endless = found_in(code, "load.xml", undef.replace("1 ~ ?", "inf"));
    let [finding] = &endless[..] else { panic!("{endless:#?}") };
    assert_eq!((finding.subject.as_str(), finding.level), ("Fill", Level::Note));
    let known = with(&with(&undef, "caseLatency>undef", "caseLatency>90"), "1 ~ ?", "1 ~ 40");
    assert!(found_in(code, "load.xml", known).is_empty());
}

/// The tree, the report of a module and that of its caller tell of one loop.
#[test]
fn what_follows_from_a_loop_is_told_with_the_loop() {
    let undef = fixture("xml-2020-undef/load_csynth.xml");
    let tree = with(&fixture("tree-2022/csynth.rpt"), "o copy ", "o Fill ");
    let tree = with(&tree, "|        1|   512|       yes|", "|        1|     ?|       yes|");
    let tree = with(&tree, "|      530|  1.765e+03|", "|        ?|          -|");
    let find = |other: String| {
        let reports = [("csynth.rpt", tree.clone()), ("load_csynth.xml", other)];
        found("report/unknown-latency", "", &reports)
    };
    let findings = find(undef.clone());
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.evidence["module"], "load");
    assert!(finding.notes.iter().any(|note| note.contains("of `mlp` follows")), "{finding:#?}");
    assert_eq!(find(undef.replace("load", "store")).len(), 2, "another module's loop");
}

/// Instances of one function have reports of their own, which differ in the number in their names.
#[test]
fn a_loop_of_many_instances_is_one_finding() {
    let undef = fixture("xml-2020-undef/load_csynth.xml");
    let find = |names: &[&str]| {
        let one = |name: &&str| (format!("{name}_csynth.xml"), undef.replace("load", name));
        let all: Vec<_> = names.iter().map(one).collect();
        let all: Vec<_> = all.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
        found("report/unknown-latency", "", &all)
    };
    let findings = find(&["load_1", "load_2", "load_3"]);
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    let note = "3 modules have it: `load_1`, `load_2`, `load_3`";
    assert!(finding.notes.iter().any(|one| one == note), "{finding:#?}");
    assert_eq!(find(&["load_a", "load_b"]).len(), 2, "two functions");
}

#[test]
fn what_another_report_knows_is_not_unknown() {
    let undef = fixture("xml-2020-undef/load_csynth.xml");
    let known = with(&with(&undef, "caseLatency>undef", "caseLatency>90"), "1 ~ ?", "1 ~ 40");
    let find = |other: String| {
        let reports = [("csynth.xml", undef.clone()), ("load_csynth.xml", other)];
        found("report/unknown-latency", "", &reports)
    };
    assert!(find(known.clone()).is_empty());
    assert_eq!(find(known.replace("load", "store")).len(), 1);
}

#[test]
fn one_loop_without_bounds_is_enough() {
    let module = fixture("module-2018/fir_csynth.rpt");
    let findings = found_in("report/unknown-latency", "fir.rpt", module);
    assert_eq!(findings[0].evidence["loop"], "Out");
    let estimate = fixture("system-estimate/system_estimate_axpy.xtxt");
    let findings = found_in("report/unknown-latency", "a.xtxt", estimate);
    assert_eq!(findings[0].evidence["module"], "axpy");
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

/// A project whose top was named after its first simulation keeps the report of that.
#[test]
fn a_report_without_a_top_is_an_earlier_try_where_one_with_a_top_is_beside_it() {
    let failed = || fixture("cosim-fail-with-latency/bad_cosim.rpt");
    let passed = || fixture("cosim-2018/fir_cosim.rpt");
    let of = |one: &str, other: (&str, String)| {
        let reports = [(one, failed()), other];
        found("report/cosim", "", &reports).len()
    };
    assert_eq!(of("sim/report/_cosim.rpt", ("sim/report/fir_cosim.rpt", passed())), 0);
    assert_eq!(of("sim/report/_cosim.rpt", ("other/report/fir_cosim.rpt", passed())), 1);
    assert_eq!(of("sim/report/_cosim.rpt", ("sim/report/fir_cosim.rpt", failed())), 1);
    assert_eq!(of("sim/report/iir_cosim.rpt", ("sim/report/fir_cosim.rpt", passed())), 1);
}

#[test]
fn a_co_simulated_latency_lies_within_the_estimate_of_the_same_top() {
    let title = "== Vivado HLS Report";
    let module = with(&fixture("module-2018/fir_csynth.rpt"), title, title);
    let cosim = fixture("cosim-2018/fir_cosim.rpt");
    let of = |cosim: &str, module: &str| {
        let reports = [
            ("one/sim/report/fir_cosim.rpt", cosim.to_owned()),
            ("one/syn/report/fir_csynth.rpt", module.to_owned()),
        ];
        found("report/cosim", "", &reports)
    };
    assert!(of(&cosim, &module).is_empty());
    // A cycle more than 131 is what starting takes.
    assert!(of(&with(&cosim, "            131|", "            132|"), &module).is_empty());
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
    let other = [
        ("one/sim/report/fir_cosim.rpt", cosim),
        ("one/syn/report/fir_csynth.rpt", module.clone()),
        (
            "two/syn/report/fir_csynth.rpt",
            with(&module, "|   35|  131|   35|  131|", "|   35|   99|   35|   99|"),
        ),
    ];
    assert!(found("report/cosim", "", &other).is_empty(), "another solution may be other code");
}

/// Each loop with a module of its own starts and ends: its report counts that, and the hardware may save it.
#[test]
fn a_co_simulation_may_differ_by_the_starts_of_loop_modules() {
    let table = |loops: &[&str]| {
        let line = "        +----------+--------------+-----+-----+-----+-----+---------+\n";
        let heading = "        |          |              |  Latency  |  Interval | Pipeline|\n";
        let names = "        | Instance |    Module    | min | max | min | max |   Type  |\n";
        let row = |name: &&str| {
            format!("        |grp_{name}_fu_9 |{name} |   10|   10|   10|   10|   none  |\n")
        };
        let rows: String = loops.iter().map(row).collect();
        format!("* Instance: \n{line}{heading}{names}{line}{rows}{line}")
    };
    let of = |simulated: &str, loops: &[&str]| {
        let module = fixture("module-2018/fir_csynth.rpt");
        let module = with(&module, "* Instance: \n        N/A\n", &table(loops));
        let cosim = with(&fixture("cosim-2018/fir_cosim.rpt"), "            131|", simulated);
        let reports = [("a/fir_cosim.rpt", cosim), ("a/fir_csynth.rpt", module)];
        found("report/cosim", "", &reports).len()
    };
    let loops = ["fir_Pipeline_Taps", "fir_Pipeline_Out"];
    assert_eq!(of("            135|", &loops), 0, "2 cycles for each");
    assert_eq!(of("            136|", &loops), 1);
    assert_eq!(of("            135|", &["fir_taps", "fir_out"]), 1, "functions");
}

#[test]
fn one_synthesis_in_two_forms_is_reported_once() {
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
    assert_eq!(finding.message, "II 2 is reached and 1 is asked in loop `Taps`");
    assert!(finding.notes.contains(&"`csynth.rpt` says the same".to_owned()), "{finding:#?}");
    for code in ["report/burst", "report/timing", "report/pragma-ignored"] {
        let tree = || fixture("tree-2022/csynth.rpt");
        let once = found_in(code, "a.rpt", tree()).len();
        assert_eq!(found(code, "", &[("a.rpt", tree()), ("b.rpt", tree())]).len(), once, "{code}");
    }
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
        assert!(!findings.is_empty(), "{name}");
        assert!(findings.iter().all(|one| one.help.contains("whole")), "{findings:#?}");
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
fn short_loops_are_mostly_fill() {
    let module = fixture("module-2018/fir_csynth.rpt");
    let code = "latency/fill-share";
    // `Deep`: T = 2, II = 1, D = 1 has no fill, and the trip count of `Taps` is a range.
    assert!(found_in(code, "fir.rpt", module.clone()).is_empty());
    // The last iteration begins II before the work ends: a depth of 5 at II = 2 fills 3 of 34 cycles.
    let near = with(&module, " 16 ~ 64 |", "      16 |");
    assert!(found_in(code, "fir.rpt", near).is_empty());
    let short = with(
        &module,
        "|         5|          2|          1| 16 ~ 64 |",
        "|         7|          2|          1|      16 |",
    );
    let of = |claims: &str, text: &str| found(code, claims, &[("fir.rpt", text.to_owned())]);
    let findings = of("", &short);
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    // 5 of 15 * 2 + 6 cycles.
    assert_eq!(finding.message, "filling the pipeline is 13.9 % of the time of `Taps`");
    assert_eq!((finding.level, finding.labels.len()), (Level::Note, 1));
    let findings = of("batch = 1", &short);
    assert_eq!((findings[0].level, findings[0].labels.len()), (Level::Warning, 2));
    assert!(of("batch = 1", &with(&short, "      16 |", "      24 |")).is_empty());
}
