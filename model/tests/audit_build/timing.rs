//! Timing that is not met, and clocks.

use std::collections::BTreeSet;

use derate_model::audit::Level;

use super::{fixture, found, found_in, with};

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
    let level = |estimated: &str| {
        let all = found_in("report/timing", "fir.rpt", with(&met, "6.712", estimated));
        all.iter().map(|one| one.level).collect::<Vec<_>>()
    };
    assert_eq!(level("8.003"), [Level::Warning], "the uncertainty is missed alone");
    assert_eq!(level("8.007"), [Level::Error]);
    // An estimate as wide as the target leaves no room for the uncertainty; no number is not a failure.
    assert_eq!(level("8.000"), [Level::Warning]);
    assert_eq!(level("    ?"), []);
}

/// Old reports print no slack: the estimate and the uncertainty have to fit the target together.
#[test]
fn an_estimate_that_leaves_no_room_for_the_uncertainty_is_a_warning() {
    let met = fixture("module-2018/fir_csynth.rpt");
    let of = |estimated: &str| {
        let all = found_in("report/timing", "fir.rpt", with(&met, "6.712", estimated));
        all.into_iter().map(|one| (one.level, one.message)).collect::<Vec<_>>()
    };
    let late = of("7.171");
    let [(Level::Warning, message)] = &late[..] else { panic!("{late:#?}") };
    assert!(
        message.ends_with("7.171 ns are expected and 1 ns are the uncertainty, 8 ns is the target"),
        "{message}"
    );
    // Together they are the target. Both it and the uncertainty have two decimals.
    assert_eq!(of("7.000"), []);
    assert_eq!(of("7.010"), []);
    assert_eq!(of("7.011").len(), 1);
    // Less than 2 % of the period are missing.
    for (estimated, level) in [("7.159", Level::Note), ("7.161", Level::Warning)] {
        assert_eq!(of(estimated)[0].0, level, "{estimated}");
    }
    // The uncertainty is not printed, and a slack beside has it.
    let row = met.lines().find(|line| line.contains("6.712")).unwrap();
    let unknown = row.replace("6.712", "7.121").replace("1.00", "   ?");
    assert!(found_in("report/timing", "fir.rpt", met.replace(row, &unknown)).is_empty());
    let tree = with(&fixture("tree-2022/csynth.rpt"), "-0.21", " 0.00");
    let module = with(&fixture("module-2022/relu_csynth.rpt"), "2.433", "2.533");
    let alone = found_in("report/timing", "relu.rpt", module.clone());
    assert_eq!(alone.len(), 1, "{alone:#?}");
    assert!(found("report/timing", "", &[("csynth.rpt", tree), ("relu.rpt", module)]).is_empty());
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
    // The tree prints no target: its times and cycles have it.
    let slight = found_in("report/timing", "csynth.rpt", with(&tree, "-0.21", "-0.05"));
    assert_eq!(slight[0].level, Level::Note, "less than 2 % are missing");
}

/// The report of the top itself prints the uncertainty that the tree leaves out.
#[test]
fn an_uncertainty_in_the_report_beside_is_known() {
    let tree = fixture("tree-2022/csynth.rpt");
    let note = |name: &str, uncertainty: &str| {
        let module = fixture("module-2022/relu_csynth.rpt").replace("relu", name);
        let module = with(&module, "0.90 ns", uncertainty);
        let all = found("report/timing", "", &[("csynth.rpt", tree.clone()), ("own.rpt", module)]);
        let [finding] = &all[..] else { panic!("{all:#?}") };
        (finding.level, finding.notes.join(" "))
    };
    let (level, text) = note("mlp", "0.90 ns");
    assert!(level == Level::Warning && text.contains("uncertainty of 0.9 ns"), "{text}");
    assert!(note("gelu", "0.90 ns").1.contains("does not print it"), "of another function");
    assert_eq!(note("mlp", "0.10 ns").0, Level::Error, "the slack is more than the uncertainty");
}

/// What HLS expects is a note where the log beside the report says that routing met the clock.
#[test]
fn a_clock_that_routing_meets_is_met() {
    let late = with(&fixture("module-2018/fir_csynth.rpt"), "6.712", "8.731");
    let level = |top: &str, required: &str, reached: &str| {
        let log = format!(
            "INFO: [SYN 201-201] Setting up clock 'default' with a period of {required}ns.\n\
             INFO: [HLS 200-10] Synthesizing '{top}' ...\n\
             CP achieved post-synthesis:      6.302\nCP achieved post-implementation: {reached}\nTiming met\n"
        );
        let all = found("report/timing", "", &[("fir.rpt", late.clone()), ("vitis_hls.log", log)]);
        let [finding] = &all[..] else { panic!("{all:#?}") };
        (finding.level, finding.message.ends_with("once routed it takes 7.522 ns"))
    };
    assert_eq!(level("fir", "8", "7.522"), (Level::Note, true));
    assert_eq!(level("fir", "8", "8.522"), (Level::Error, false), "it is not met");
    assert_eq!(level("iir", "8", "7.522"), (Level::Error, false), "another top");
    assert_eq!(level("fir", "10", "7.522"), (Level::Error, false), "another clock");
}

/// A timing summary of Vivado, of a design with one kernel.
fn summary(cell: &str, period: &str, slack: &str) -> String {
    format!(
        "| Date : Mon May  4 10:00:00 2026\n| Command : report_timing_summary -file a_routed.rpt\n\
         | Design : design_1_wrapper\n| Design State : Routed\n\n\
         | Clock Summary\nclk  {{{{0.000 4.000}}}}  {period}  125.000\n\
         | Intra Clock Table\nClock  WNS(ns)\n-----  -------\nclk    {slack:>7}\n\
         | Timing Details\nSource: design_1_i/{cell}/inst/a_reg/C\n"
    )
    .replace("{{", "{")
    .replace("}}", "}")
}

/// A summary of the routed design refutes an estimate, and what it misses is missed.
#[test]
fn a_routed_design_has_the_clock_that_is_reached() {
    let late = with(&fixture("module-2018/fir_csynth.rpt"), "6.712", "8.731");
    let routed = "v/v.runs/impl_1/d_timing_summary_routed.rpt";
    let of = |name: &str, text: String| {
        let all = found("report/timing", "", &[("fir.rpt", late.clone()), (name, text)]);
        let shown = all.into_iter().map(|one| (one.level, one.subject, one.message));
        shown.collect::<Vec<_>>()
    };
    let met = of(routed, summary("fir_0", "8.000", "0.250"));
    let [(level, _, message)] = &met[..] else { panic!("{met:#?}") };
    assert!(*level == Level::Note && message.ends_with("once routed it takes 7.75 ns"), "{met:#?}");
    for (cell, period) in [("iir_0", "8.000"), ("fir_0", "9.000")] {
        let open = of(routed, summary(cell, period, "0.250"));
        assert_eq!((open.len(), open[0].0), (1, Level::Error), "another kernel or clock");
    }
    let missed = of(routed, summary("fir_0", "8.000", "-2.000"));
    let clock = missed.iter().find(|one| one.1 == "clk").unwrap();
    assert_eq!(clock.0, Level::Error);
    assert!(clock.2.ends_with("a slack of -2 ns, 100 MHz of 125 MHz are reached"), "{clock:?}");
    // What was routed before the synthesis may be of other code; without a date it is of this.
    let dated =
        |date: &str| summary("fir_0", "8.000", "0.250").replace("Mon May  4 10:00:00 2026", date);
    let [(level, _, message)] = &of(routed, dated("Thu Jan  3 09:00:00 2019"))[..] else {
        panic!()
    };
    assert!(*level == Level::Warning && message.ends_with("8 ns is the target"), "{message}");
    for date in ["Thu Jan  3 10:00:00 2019", "unknown"] {
        assert_eq!(of(routed, dated(date))[0].0, Level::Note, "{date}");
    }
    // v++ lowers the clock by itself.
    let linked =
        of("_x/link/vivado/vpl/prj/prj.runs/impl_1/d.rpt", summary("fir_1", "8.000", "-2.000"));
    assert_eq!(linked.iter().find(|one| one.1 == "clk").unwrap().0, Level::Warning);
}

/// `SDSoC` has all steps of a build in one folder, and people keep the steps beside each other.
#[test]
fn what_sdsoc_routes_counts_for_its_build_and_for_copies_of_it() {
    let late = with(&fixture("module-2018/fir_csynth.rpt"), "6.712", "8.731");
    let levels = |other: &str, routed: &str| {
        let place =
            |build: &str| format!("{build}/_sds/vhls/fir/solution/syn/report/fir_csynth.rpt");
        let (own, copy) = (place("Impl"), place("Synth"));
        let routed = format!("{routed}/_sds/p0/w.runs/impl_1/w_timing_summary_routed.rpt");
        let files = [
            (own.as_str(), late.clone()),
            (copy.as_str(), late.replace("8.731", other)),
            (routed.as_str(), summary("cpu_0", "8.000", "0.250")),
        ];
        found("report/timing", "", &files).iter().map(|one| one.level).collect::<BTreeSet<_>>()
    };
    assert_eq!(levels("8.731", "Impl"), BTreeSet::from([Level::Note]));
    assert!(levels("8.902", "Impl").contains(&Level::Error), "another figure");
    assert!(levels("8.731", "Other").contains(&Level::Error), "another build");
}

/// What HLS expected of a solution that was routed is worth a note where it is beyond the clock.
#[test]
fn an_estimate_that_an_export_refutes_is_a_note() {
    let level = |estimate: &str, reached: &str| {
        let module = with(&fixture("module-2018/fir_csynth.rpt"), "6.712", estimate);
        let export = format!(
            "<profile><AreaReport><Resources><SLICE>90</SLICE></Resources></AreaReport><TimingReport>\
             <TargetClockPeriod>8.000</TargetClockPeriod><AchievedClockPeriod>{reached}</AchievedClockPeriod>\
             </TimingReport></profile>"
        );
        let reports = [
            ("p/s/syn/report/fir_csynth.rpt", module),
            ("p/s/impl/report/verilog/fir_export.xml", export),
        ];
        let all = found("report/timing", "", &reports);
        all.iter().map(|one| one.level).collect::<Vec<_>>()
    };
    assert_eq!(level("8.731", "7.522"), [Level::Note]);
    assert_eq!(level("6.712", "7.522"), []);
    assert_eq!(level("8.731", "8.522"), [Level::Error], "what was reached is the finding");
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

/// The modules of one run that take the same have one path; so have all that miss with the uncertainty alone.
#[test]
fn modules_of_one_run_with_one_figure_are_one_finding() {
    let module = fixture("module-2022/relu_csynth.rpt");
    let count = |folder: &str, estimates: [&str; 2]| {
        let named: Vec<(String, String)> = ["left", "right"]
            .iter()
            .zip(estimates)
            .map(|(name, estimate)| {
                let text = with(&module, "2.433", estimate).replace("relu", name);
                (format!("{folder}{name}_csynth.rpt"), text)
            })
            .collect();
        let reports: Vec<(&str, String)> =
            named.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
        found("report/timing", "", &reports).len()
    };
    assert_eq!(count("p/s/syn/report/", ["3.541", "3.541"]), 1);
    assert_eq!(count("p/s/syn/report/", ["3.541", "3.6"]), 2);
    assert_eq!(count("kept/", ["3.541", "3.541"]), 2, "reports of several runs");
    assert_eq!(count("p/s/syn/report/", ["2.7", "2.8"]), 1, "with the uncertainty");
}

/// The slack of a loop in XML is the target less the uncertainty: it says nothing of the module.
#[test]
fn the_slack_of_a_loop_is_not_that_of_its_module() {
    let module = with(&fixture("module-2022/relu_csynth.rpt"), "2.433", "2.8");
    let loops = "<profile><UserAssignments><TopModelName>relu</TopModelName></UserAssignments>\
        <PerformanceEstimates><SummaryOfLoopLatency><rows><Slack>2.43</Slack><TripCount>8</TripCount>\
        <Latency>80</Latency></rows></SummaryOfLoopLatency></PerformanceEstimates></profile>";
    let reports = [("relu_csynth.rpt", module), ("relu_csynth.xml", loops.to_owned())];
    let all = found("report/timing", "", &reports);
    assert_eq!(all.iter().map(|one| one.level).collect::<Vec<_>>(), [Level::Warning]);
}

/// The instances of a template miss their clock for one reason.
#[test]
fn the_instances_of_a_template_are_one_finding() {
    let module = with(&fixture("module-2022/relu_csynth.rpt"), "2.433", "3.541");
    let of = |name: &str, estimated: &str| {
        let text = module.replace("relu", name).replace("3.541", estimated);
        (format!("{name}.rpt"), text)
    };
    let find = |all: &[(String, String)]| {
        let reports: Vec<(&str, String)> =
            all.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
        found("report/timing", "", &reports)
    };
    let three = [
        of("conv_16_config2_s", "3.541"),
        of("conv_16_config4_s", "4.1"),
        of("conv_8_config6_s", "3.7"),
    ];
    let all = find(&three);
    let [finding] = &all[..] else { panic!("{all:#?}") };
    assert_eq!(finding.evidence["missed"], "conv_16_config4_s");
    assert!(finding.message.ends_with("and 2 more like it"), "{}", finding.message);
    assert!(finding.notes.iter().any(|note| note.contains("`conv_8_config6_s` (3.7 ns)")));
    // Other templates, and functions that only have numbers in their names.
    assert_eq!(find(&[of("conv_16_config2_s", "3.541"), of("pool_16_config2_s", "3.6")]).len(), 2);
    assert_eq!(find(&[of("stage_1", "3.541"), of("stage_2", "3.6")]).len(), 2);
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
fn without_a_claim_the_clock_is_held_against_the_command_that_linked_it() {
    let info = fixture("xclbin-info/axpy.xclbin.info");
    let linked = |option: &str| {
        let command = format!("   Command Line:  v++ --config a.ini {option} --link");
        let text = with(
            &info,
            "   Version:       2022.1 -",
            &format!("{command}\n   Version:       2022.1 -"),
        );
        found_in("report/timing", "a.info", text)
    };
    let late = linked("--kernel_frequency 300");
    let [finding] = &late[..] else { panic!("{late:#?}") };
    assert_eq!(finding.message, "the clock that was reached is 271 MHz, 300 MHz is asked for");
    assert_eq!((finding.level, finding.labels.len()), (Level::Warning, 1));
    assert_eq!(linked("--kernel_frequency 273")[0].level, Level::Note, "less than 2 % are missing");
    // `DATA_CLK` has no decimals, and the same clock of the system has. Another clock is not it.
    let exact = |achieved: &str| {
        let clocks = format!(
            "System Clocks\n------\n   Name:           ulp_ucs_aclk_kernel_00 \n   Type:           SCALABLE \n   \
             Achieved Freq:  {achieved} MHz\n\nMemory Configuration\n"
        );
        let text = with(&info, "Memory Configuration\n", &clocks);
        let command = "   Command Line:  v++ --config a.ini --kernel_frequency 300 --link\n   Version:       2022.1 -";
        let text = with(&text, "   Version:       2022.1 -", command);
        found_in("report/timing", "a.info", text)[0].message.clone()
    };
    assert!(exact("271.4").contains("reached is 271.4 MHz"), "{}", exact("271.4"));
    assert!(exact("281.4").contains("reached is 271 MHz"), "{}", exact("281.4"));
    assert_eq!(finding.evidence["asked_hertz"], 300e6);
    assert_eq!(linked("--kernel_frequency=0:300|1:500").len(), 1);
    for met in ["--kernel_frequency 271", "--kernel_frequency 0", "--kernel_frequency", "-O3"] {
        assert!(linked(met).is_empty(), "{met}");
    }
}

/// XML may not say what a module calls: a loop that is a module of its own has the name of its function.
#[test]
fn a_loop_of_its_own_has_the_period_of_its_function() {
    let module = with(&fixture("module-2022/relu_csynth.rpt"), "2.433", "3.541");
    let of = |names: [&str; 2]| {
        let [one, other] = names.map(|name| (format!("{name}.rpt"), module.replace("relu", name)));
        found("report/timing", "", &[(&one.0, one.1), (&other.0, other.1)]).len()
    };
    assert_eq!(of(["sort", "sort_Pipeline_rows"]), 1);
    assert_eq!(of(["sort", "sorted_Pipeline_rows"]), 2, "another function");
}

#[test]
fn no_uncertainty_has_no_sentence() {
    let late = with(&fixture("module-2018/fir_csynth.rpt"), "6.712", "8.731");
    let count = |text: &str| {
        let findings = found_in("report/timing", "fir.rpt", text);
        findings.iter().flat_map(|one| &one.notes).filter(|one| one.contains("uncertainty")).count()
    };
    assert_eq!(count(&late), 1);
    let row = late.lines().find(|line| line.contains("8.731")).unwrap();
    assert!(row.contains("1.00"), "{row}");
    assert_eq!(count(&late.replace(row, &row.replace("1.00", "0.00"))), 0);
}
