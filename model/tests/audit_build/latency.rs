//! Latencies that are not known, rooflines, and short loops.

use derate_model::audit::{Level, audit};

use super::{analysis, fixture, found, found_in, with};

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

/// The tree, the report of a module and that of its caller report one loop.
#[test]
fn what_follows_from_a_loop_is_reported_with_the_loop() {
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
    // Another module's loop is of the same kernel: one finding with both.
    let findings = find(undef.replace("load", "store"));
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert!(finding.message.ends_with("; and 1 more like it"), "{finding:#?}");
    assert_eq!(finding.labels.len(), 2, "{finding:#?}");
}

/// A module whose loops all depend on data is one finding.
#[test]
fn the_open_loops_of_one_module_are_one_finding() {
    let tree = fixture("tree-2022/csynth.rpt");
    let open = |tree: &str, loop_name: &str, trips: &str| {
        let row = tree.lines().find(|line| line.contains(&format!("o {loop_name} "))).unwrap();
        with(tree, row, &row.replace(&format!("|{trips:>6}|"), "|     ?|"))
    };
    let one = open(&tree, "rows", "256");
    let two = open(&one, "acc", "63");
    let count = |text: &str| {
        let all = found_in("report/unknown-latency", "csynth.rpt", text);
        all.iter().filter(|one| one.message.contains("`layer`")).cloned().collect::<Vec<_>>()
    };
    assert_eq!(count(&one).len(), 1);
    let both = count(&two);
    let [finding] = &both[..] else { panic!("{both:#?}") };
    assert!(finding.message.ends_with("of loops `rows`, `acc` are unknown"), "{finding:#?}");
    // Another module has another cause: the kernel has one finding with both.
    let third = open(&two, "copy", "512");
    let findings = found_in("report/unknown-latency", "csynth.rpt", third);
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert!(finding.message.ends_with("; and 1 more like it"), "{finding:#?}");
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
    let two = find(&["load_a", "load_b"]);
    assert_eq!(two.len(), 1, "two functions");
    assert!(two[0].message.ends_with("; and 1 more like it"), "two functions");
    assert_eq!(find(&["one/load_a", "two/load_b"]).len(), 2, "two folders");
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

#[test]
fn the_range_of_a_type_is_not_a_trip_count() {
    let tree = fixture("tree-2022/csynth.rpt");
    let row = tree.lines().find(|line| line.contains("o copy")).unwrap();
    let of = |trips: &str| {
        let cells: Vec<&str> = row.split('|').collect();
        let text = with(&tree, row, &row.replace(cells[8], trips));
        let found = found_in("report/unknown-latency", "csynth.rpt", text).into_iter();
        found.map(|one| one.message).filter(|one| one.contains("`copy`")).collect::<Vec<_>>()
    };
    for trips in ["536870911", "2147483647", "268435456", "858993459", "1431655765", "4294967295"] {
        assert_eq!(
            of(trips),
            ["in `load` the trip count of loop `copy` is the range of a type and not a count"]
        );
    }
    for trips in ["536870912000", "1048575", "536870000", "858993460", "1000000000", "252645135"] {
        assert!(of(trips).is_empty(), "{trips}");
    }
}

/// A top that nothing starts has no latency, and neither has what is in it.
#[test]
fn a_top_that_starts_by_itself_is_one_note() {
    let tree = fixture("tree-2022/csynth.rpt");
    let tree = with(&tree, "|   256|        no|", "|     -|        no|");
    let of = |text: String| {
        let found = found_in("report/unknown-latency", "csynth.rpt", text).into_iter();
        found.map(|one| (one.level, one.message)).collect::<Vec<_>>()
    };
    let warning =
        (Level::Warning, "in `layer` the trip count of loop `rows` is unknown".to_owned());
    assert_eq!(of(tree.clone()), [warning]);
    let row = "| ap_clk    | clock      | ap_clk |\n";
    let free = with(&tree, row, &format!("{row}| ap_ctrl   | ap_ctrl_none |        |\n"));
    let note = (Level::Note, "`mlp` starts and ends by itself: it has no latency".to_owned());
    assert_eq!(of(free), [note]);
}

/// A simulation in the same solution measured what the synthesis does not know.
#[test]
fn a_latency_that_was_simulated_is_named() {
    let undef = fixture("xml-2020-undef/load_csynth.xml");
    let cosim = "Simulation tool   : xsim.\n\
        +----------+----------+-----------------------------------------------+\n\
        |          |          |             Latency(Clock Cycles)             |\n\
        +   RTL    +  Status  +-----------------------------------------------+\n\
        |          |          |      min      |      avg      |      max      |\n\
        +----------+----------+-----------------------------------------------+\n\
        |   Verilog|      Pass|           1006|           1006|           1006|\n\
        +----------+----------+-----------------------------------------------+\n";
    let of = |name: &str, cosim: String| {
        let reports = [("k/hls/syn/report/load_csynth.xml", undef.clone()), (name, cosim)];
        let all = found("report/unknown-latency", "", &reports);
        let [finding] = &all[..] else { panic!("{all:#?}") };
        (finding.level, finding.notes.iter().any(|note| note.contains("measured 1,006 cycles")))
    };
    for name in ["k/hls/sim/report/load_cosim.rpt", "k/reports/hls_cosim.rpt"] {
        assert_eq!(of(name, cosim.to_owned()), (Level::Note, true), "{name}");
        assert_eq!(of(name, cosim.replace("Pass", "Fail")), (Level::Warning, false));
        // The synthesis has no date, so that the order is not known.
        let dated = format!("Report time       : Sun May  3 10:08:22 CEST 2015.\n{cosim}");
        assert_eq!(of(name, dated), (Level::Note, true));
    }
    // The text beside it has one.
    let module = fixture("module-2022/relu_csynth.rpt").replace("relu", "load");
    for (year, level) in [("2015", Level::Warning), ("2025", Level::Note)] {
        let dated = format!("Report time       : Sun May  3 10:08:22 CEST {year}.\n{cosim}");
        let reports = [
            ("k/hls/syn/report/load_csynth.xml", undef.clone()),
            ("k/hls/syn/report/load_csynth.rpt", module.clone()),
            ("k/hls/sim/report/load_cosim.rpt", dated),
        ];
        let all = found("report/unknown-latency", "", &reports);
        assert_eq!(all[0].level, level, "{all:#?}");
    }
    for name in ["k/hls/sim/report/store_cosim.rpt", "other/reports/hls_cosim.rpt"] {
        assert_eq!(of(name, cosim.to_owned()), (Level::Warning, false), "{name}");
    }
}
