//! What a log beside a report says of its findings.

use derate_model::audit::{Finding, Level, audit};

use super::small::with_code;
use super::{fixture, found, with};

/// A log of `fir` with this text before the result of the loop `Taps`.
fn log(text: &str, result: &str) -> String {
    format!(
        "****** Vivado(TM) HLS - High-Level Synthesis from C, C++ and SystemC v2018.2 (64-bit)\n\
         INFO: [HLS 200-10] Synthesizing 'fir' ...\nINFO: [HLS 200-10] -- Implementing module 'fir' \n\
         INFO: [SCHED 204-61] Pipelining loop 'Taps'.\n{text}\n\
         INFO: [SCHED 204-61] Pipelining result : Target II = 1, {result}, Depth = 5.\n"
    )
}

/// What is found in the report of `fir`, after an edit, beside this log.
fn beside(code: &str, edit: (&str, &str), log: &str) -> Finding {
    let report = with(&fixture("module-2018/fir_csynth.rpt"), edit.0, edit.1);
    let reports = [("p/s/fir_csynth.rpt", report), ("p/solution.log", log.to_owned())];
    let mut all = found(code, "", &reports);
    assert!(!all.is_empty(), "nothing of {code}");
    all.remove(0)
}

const PORTS: &str = "WARNING: [SCHED 204-69] Unable to schedule 'load' operation ('l', ../fir.cpp:35) on array 'taps' due to \
                     limited memory ports. Please consider using a memory core with more ports or partitioning the array 'taps'.";

#[test]
fn a_missed_interval_names_the_array_that_holds_it() {
    let one = beside("report/ii", ("Taps", "Taps"), &log(PORTS, "Final II = 2"));
    let cause = "`taps` has too few ports for the accesses of an iteration";
    assert_eq!(one.message, format!("II 2 is reached and 1 is asked in loop `Taps`: {cause}"));
    assert!(one.help.starts_with("partition or reshape `taps`"), "{}", one.help);
    assert!(
        one.notes.contains(&"the log names `load` of `fir.cpp:35`".to_owned()),
        "{:?}",
        one.notes
    );
    // A log of another run has another interval.
    let one = beside("report/ii", ("Taps", "Taps"), &log(PORTS, "Final II = 3"));
    assert_eq!(one.message, "II 2 is reached and 1 is asked in loop `Taps`");
}

#[test]
fn words_of_one_stream_in_an_iteration_are_a_note() {
    let of = |other: &str| {
        let text = format!(
            "WARNING: [SCHED 204-68] Unable to enforce a carried dependence constraint (II = 1, distance = 1, offset = 1)\n   \
             between fifo write on port 'out_r' (f.cpp:5) and fifo write on port '{other}' (f.cpp:6)."
        );
        beside("report/ii", ("Taps", "Taps"), &log(&text, "Final II = 2")).level
    };
    assert_eq!((of("out_r"), of("b")), (Level::Note, Level::Warning));
}

#[test]
fn a_path_that_is_too_long_names_its_operation() {
    let text = "WARNING: [SCHED 204-21] The critical path in module 'fir' consists of the following:\n\
                \t'mul' operation ('m', ../fir.cpp:35) [258]  (8.51 ns)";
    let of =
        |estimate: &str| beside("report/timing", ("6.712", estimate), &log(text, "Final II = 2"));
    let one = of("8.510");
    assert!(one.help.starts_with("give the `mul` of `fir.cpp:35` more stages"), "{}", one.help);
    assert!(one.notes[0].contains("8.51 of the 8.51 ns"), "{:?}", one.notes);
    let other = of("9.510");
    assert!(other.help.contains("shorten the path: "), "{}", other.help);
}

#[test]
fn a_pipeline_that_the_log_refuses_is_named() {
    let with_source = |rest: &str, code: &str| {
        let said = format!("WARNING: [SCHED 204-65] Unable to satisfy pipeline directive{rest}");
        let report = fixture("module-2018/fir_csynth.rpt");
        let log = log(&said, "Final II = 2");
        let reports = [("p/fir_csynth.rpt", report), ("p/s.log", log)];
        let findings = audit(&with_code("", "", &reports, code)).findings;
        let own = findings.into_iter().filter(|one| one.code == "report/refused-pipeline");
        own.collect::<Vec<_>>()
    };
    let of = |rest: &str| with_source(rest, "");
    let named = " for loop 'Out': contains subloop(s) that are not unrolled or flattened.";
    for rest in [named, ": Loop contains subloop(s) not being unrolled or flattened."] {
        let found = of(rest);
        let [one] = &found[..] else { panic!("{rest}: {found:#?}") };
        assert_eq!((one.level, one.subject.as_str()), (Level::Warning, "Out"), "{rest}");
    }
    let callee = of(&named.replace("subloop(s) that are", "subfunction 'dot' which is"));
    assert_eq!(callee[0].help, "pipeline or inline `dot`");
    // The tool tries functions that nobody asks it for.
    let whole = |pragma: &str| {
        let code = format!("void fir(int a[64]) {{\n{pragma}\n    a[0] = 1;\n}}\n");
        with_source(": Function contains subloop(s) not being unrolled.", &code)
    };
    assert_eq!(whole("#pragma HLS pipeline")[0].subject, "fir");
    assert_eq!((whole(""), whole("#pragma HLS pipeline off")), (vec![], vec![]));
    // The report has this loop as pipelined, and no loop of that name: a log of another run.
    for other in ["Taps", "Rows"] {
        assert_eq!(of(&named.replace("Out", other)), [], "{other}");
    }
}
