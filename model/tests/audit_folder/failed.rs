//! Logs that end with a synthesis which failed.

use super::found;

const TEXT: &str =
    "void fir(int* a) {\n    for (int i = 0; i < 8; i++) {\n        a[i] = taps[i];\n    }\n}\n";
const ERROR: &str =
    "ERROR: [HLS 207-3776] use of undeclared identifier 'taps' (../src/fir.cpp:3:16)\n";

/// A log of a day in May, where it has a date.
fn log(day: Option<u32>, rest: &str) -> String {
    let date = day.map_or(String::new(), |day| {
        format!("INFO: [HLS 200-10] For user 'a' on host 'b' on Mon May {day} 10:00:00 CST 2024\n")
    });
    format!(
        "{date}INFO: [HLS 200-1510] Running: csynth_design \nINFO: [HLS 200-10] Analyzing design file '../src/fir.cpp' ... \n\
         {rest}INFO: [HLS 200-111] Finished Command csynth_design CPU user time: 1 seconds.\n"
    )
}

fn failed(files: &[(&str, &str)]) -> Vec<String> {
    found("report/failed-synthesis", files)
}

const SAID: &str = "src/fir.cpp:3 the last synthesis of the design ended in an error: use of undeclared identifier 'taps'";

#[test]
fn the_line_of_the_error_is_shown_once() {
    let (own, solution) = (log(Some(13), ERROR), log(None, ERROR));
    let text = ("src/fir.cpp", TEXT);
    let expected = [format!("warning {SAID}; no report is of it")];
    assert_eq!(failed(&[text, ("run/vitis_hls.log", &own)]), expected);
    let both = [text, ("run/vitis_hls.log", own.as_str()), ("run/p/s/s.log", solution.as_str())];
    assert_eq!(failed(&both), expected);
    assert_eq!(failed(&[text, ("run/p/s/s.log", &solution)]), expected, "paths begin where p is");
    assert_eq!(failed(&[text, ("run/nohup.out", &own)]), expected);
    assert_eq!(failed(&[text, ("run/vitis_hls_7.backup.log", &own)]), [""; 0], "put aside");
}

#[test]
fn a_later_synthesis_leaves_nothing_to_say() {
    let (own, done) =
        (log(Some(13), ERROR), "INFO: [HLS 200-789] **** Estimated Fmax: 200.00 MHz\n");
    let beside = |name: &str, other: &str| {
        failed(&[("src/fir.cpp", TEXT), ("run/vitis_hls.log", &own), (name, other)])
    };
    let report = |day: u32| {
        format!("== Vitis HLS Report for 'fir'\n* Date:           Mon May {day} 10:00:00 2024\n")
    };
    let name = "src/p/s/syn/report/fir_csynth.rpt";
    assert_eq!(beside(name, &report(20)), [""; 0]);
    let older = "the reports are older: they are of a run before";
    assert_eq!(beside(name, &report(10)), [format!("warning {SAID}; {older}")]);
    assert_eq!(beside("run/p/s/s.log", &log(None, done)), [""; 0]);
    assert_eq!(beside("run/p/s/s.log", &log(Some(20), done)), [""; 0]);
    assert_eq!(beside("run/p/s/s.log", &log(Some(10), done)).len(), 1);
    // Of the two the log of the solution has no date.
    let undated =
        [("src/fir.cpp", TEXT), ("src/p/s/s.log", &log(None, ERROR)), (name, &report(10))];
    let one = failed(&undated);
    assert!(one[0].starts_with("note ") && one.len() == 1, "{one:?}");
}

#[test]
fn a_source_that_has_changed_is_not_judged() {
    let own = log(Some(13), ERROR);
    let with = |text: &str| failed(&[("src/fir.cpp", text), ("run/vitis_hls.log", &own)]);
    assert_eq!(with(&TEXT.replace("taps", "rows")), [""; 0]);
    let moved = with(&format!("static int taps[8];\n{TEXT}"));
    assert!(moved[0].starts_with("note run/vitis_hls.log:") && moved.len() == 1, "{moved:?}");
    // The source of the error is not there.
    assert_eq!(failed(&[("src/iir.cpp", TEXT), ("run/vitis_hls.log", &own)]), [""; 0]);
}

#[test]
fn other_commands_and_machines_do_not_count() {
    let of =
        |rest: &str| failed(&[("src/fir.cpp", TEXT), ("run/vitis_hls.log", &log(Some(13), rest))]);
    for rest in [
        "INFO: [HLS 200-1510] Running: csim_design\nERROR: [SIM 211-100] 'csim_design' failed: compilation error(s).\n",
        "INFO: [HLS 200-789] **** Estimated Fmax: 9.00 MHz\nERROR: [COSIM 212-4] *** C/RTL co-simulation finished: FAIL ***\n",
        "ERROR: [HLS 200-101] A valid license was not found for feature 'HLS' (../src/fir.cpp:3:16)\n",
    ] {
        assert_eq!(of(rest), [""; 0], "{rest}");
    }
    // No line is named: the log is of the design that defines the top.
    let no_place =
        "INFO: [HLS 200-10] Synthesizing 'fir' ...\nERROR: [HLS 200-70] Pre-synthesis failed.\n";
    let one = failed(&[("fir.cpp", TEXT), ("vitis_hls.log", &log(Some(13), no_place))]);
    assert_eq!(
        one,
        [
            "note vitis_hls.log:5 the last synthesis of `fir` ended in an error: Pre-synthesis failed; no report is of it"
        ]
    );
}
