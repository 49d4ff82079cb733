//! Intervals of one loop of the source in the copies that the tool makes of its function.

use derate_model::audit::{Finding, Level, audit};

use super::{fixture, with, with_code};

/// `add`, whose loop is in line 3, after an edit.
fn code(edit: (&str, &str)) -> String {
    let code = "void add(const float *a, float *c) {\nfloat s = 0;\nfor (int i = 0; i < 64; i++) {\n\
                s += a[i];\n}\nc[0] = s;\n}\n";
    with(code, edit.0, edit.1)
}

/// The report of a module whose loop has this name.
fn report(module: &str, name: &str) -> (String, String) {
    let text = with(&fixture("module-2018/fir_csynth.rpt"), "'fir'", &format!("'{module}'"));
    (format!("{module}_csynth.rpt"), with(&text, "Taps", name))
}

fn intervals(code: &str, reports: &[(String, String)]) -> Vec<Finding> {
    let reports: Vec<(&str, String)> =
        reports.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
    let findings = audit(&with_code("", "", &reports, code)).findings;
    findings.into_iter().filter(|one| one.code == "report/ii").collect()
}

#[test]
fn a_loop_in_the_copies_of_a_function_is_one_finding() {
    let name = "VITIS_LOOP_3_1";
    let reports = [report("add_1", name), report("add_2_clone", name)];
    let plain = code(("", ""));
    let all = intervals(&plain, &reports);
    let [one] = &all[..] else { panic!("{all:#?}") };
    assert_eq!(
        one.message,
        "II 2 is reached in loop `VITIS_LOOP_3_1`, which the tool pipelines by itself for II 1"
    );
    assert_eq!(one.level, Level::Warning);
    assert_eq!(one.notes, ["2 modules have it: `add_1`, `add_2_clone`"]);
    let asked = intervals(&code(("s += a[i];", "#pragma HLS pipeline\ns += a[i];")), &reports);
    assert!(asked[0].message.ends_with("is reached and 1 is asked in loop `VITIS_LOOP_3_1`"));
    // Two loops, and two functions that no source shows to be copies.
    assert_eq!(
        intervals(&plain, &[report("add_1", name), report("add_2", "VITIS_LOOP_9_1")]).len(),
        2
    );
    assert_eq!(intervals(&plain, &[report("row_1", "L"), report("row_2", "L")]).len(), 2);
    let two = plain.replace("add", "add_2") + &plain.replace("add", "add_1");
    assert_eq!(intervals(&two, &[report("add_1", "L"), report("add_2", "L")]).len(), 2);
}
