//! Co-simulations beside the estimates of their tops.

use derate_model::audit::Level;

use super::{fixture, found, found_in, with};

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
fn a_simulation_of_a_kernel_without_cycles_is_a_note() {
    let failed = with(&fixture("cosim-2018/fir_cosim.rpt"), "Pass", "Fail");
    let module = fixture("module-2018/fir_csynth.rpt");
    let of = |module: &str| {
        let reports = [
            ("one/sim/report/fir_cosim.rpt", failed.clone()),
            ("one/syn/report/fir_csynth.rpt", module.to_owned()),
        ];
        let all = found("report/cosim", "", &reports);
        all.into_iter().map(|one| one.level).collect::<Vec<_>>()
    };
    assert_eq!(of(&module), [Level::Warning]);
    let empty = with(&module, "|   35|  131|   35|  131|", "|    0|    0|    0|    0|");
    assert_eq!(of(&empty), [Level::Warning], "it has logic that takes no cycle");
    let nothing = with(
        &empty,
        "|        0|      4|     210|    340|",
        "|        0|      0|       0|      0|",
    );
    assert_eq!(of(&nothing), [Level::Note]);
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

/// The hardware leaves a pipelined loop up to two cycles before the report says: `Taps` runs once, and `Deep` three times.
#[test]
fn a_co_simulation_may_take_two_cycles_less_for_each_pipelined_loop() {
    let of = |least: &str, pipelined: &str| {
        let module = fixture("module-2018/fir_csynth.rpt").replace("|    yes   |", pipelined);
        let cosim = with(&fixture("cosim-2018/fir_cosim.rpt"), "             35|", least);
        let reports = [("a/fir_cosim.rpt", cosim), ("a/fir_csynth.rpt", module)];
        found("report/cosim", "", &reports).len()
    };
    assert_eq!(of("             27|", "|    yes   |"), 0);
    assert_eq!(of("             26|", "|    yes   |"), 1);
    assert_eq!(of("             27|", "|    no    |"), 1);
}

/// A simulation of an older run is not one of what was synthesised.
#[test]
fn what_is_older_than_the_synthesis_is_a_note() {
    let of = |time: &str, folder: &str| {
        let failed = fixture("cosim-fail-with-latency/bad_cosim.rpt");
        let dated = format!("Report time       : {time}.\n{failed}");
        let module = format!(
            "* Date:           Mon May  4 10:08:22 2026\n{}",
            fixture("module-2022/relu_csynth.rpt")
        );
        let syn = format!("{folder}/syn/report/bad_csynth.rpt");
        let reports = [("p/s/sim/report/bad_cosim.rpt", dated), (syn.as_str(), module)];
        let all = found("report/cosim", "", &reports);
        all.into_iter().map(|one| one.level).collect::<Vec<_>>()
    };
    assert_eq!(of("Sun May  3 10:08:22 CEST 2026", "p/s"), [Level::Note]);
    assert_eq!(of("Tue May  5 10:08:22 CEST 2026", "p/s"), [Level::Warning]);
    assert_eq!(of("Sun May  3 10:08:22 CEST 2026", "p/t"), [Level::Warning], "another solution");
}

/// A transaction that waits for those before it takes longer, and the throughput holds.
#[test]
fn the_latency_of_transactions_that_overlap_is_a_note() {
    let of = |interval: &str| {
        let module = with(
            &fixture("module-2018/fir_csynth.rpt"),
            "|   35|  131|   35|  131|",
            "|  131|  131|  100|  100|",
        );
        let row = "             35|             80|            131|             NA|             NA|             NA|";
        let simulated = format!(
            "            134|            170|            198|            {interval}|            {interval}|            {interval}|"
        );
        let cosim = with(&fixture("cosim-2018/fir_cosim.rpt"), row, &simulated);
        let reports = [("a/fir_cosim.rpt", cosim), ("a/fir_csynth.rpt", module)];
        let all = found("report/cosim", "", &reports);
        let [finding] = &all[..] else { panic!("{all:#?}") };
        (finding.level, finding.notes.join(" "))
    };
    let (level, notes) = of("101");
    assert_eq!(level, Level::Note);
    assert!(notes.contains("a transaction starts every 101 cycles"), "{notes}");
    assert!(notes.contains("134 cycles, that of a transaction that nothing follows"), "{notes}");
    assert_eq!(of("112").0, Level::Warning, "the interval is another one");
    assert_eq!(of(" NA").0, Level::Warning, "one transaction");
}
