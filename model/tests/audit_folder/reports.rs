//! Reports beside the sources that they are of.

use super::found;

const TREE: &str = include_str!("../../../fixtures/reports/tree-2022/csynth.rpt");

#[test]
fn a_pragma_of_a_function_that_nothing_is_built_of_is_a_note() {
    let line = "+---------+---------+----------------------------+-------------+\n";
    let table = format!(
        "\n================================================================\n== Pragma Report\n\
         ================================================================\n* Ignored Pragmas\n{line}\
         | Type    | Options | Location                   | Messages    |\n{line}\
         | INLINE  | all     | mlp.cpp:2 in helper, left  | no such one |\n{line}"
    );
    let report = format!("{TREE}{table}");
    let of = |call: &str| {
        let code = format!(
            "template <int N> void helper(int a[8]) {{\n#pragma HLS inline all\n    a[0] = N;\n}}\n\
             void between(int a[8]) {{ {call} }}\nvoid mlp(int a[8]) {{ between(a); }}\n"
        );
        let all = found("report/pragma-ignored", &[("mlp.cpp", &code), ("csynth.rpt", &report)]);
        all.into_iter().filter(|one| one.contains("`inline all`")).collect::<Vec<_>>()
    };
    let used = of("ns::helper<3>(a);");
    assert_eq!(used.len(), 1, "{used:?}");
    assert!(used[0].contains("pragma `inline all` at mlp.cpp:2 is invalid"), "{used:?}");
    assert!(used[0].starts_with("warning "), "{used:?}");
    assert!(of("")[0].starts_with("note "));
}

#[test]
fn what_copies_of_a_report_say_is_found_once() {
    let count = |second: &str| {
        let files = [("a/p/s1/csynth.rpt", TREE), ("b/p/s1/csynth.rpt", second)];
        found("report/burst", &files).len()
    };
    let once = found("report/burst", &[("a/p/s1/csynth.rpt", TREE)]).len();
    assert!(once > 0);
    assert_eq!(count(TREE), once);
    assert_eq!(count(&format!("{TREE}\n")), 2 * once, "not a copy");
    let notes = super::notes("report/burst", &[("a/csynth.rpt", TREE), ("b/csynth.rpt", TREE)]);
    assert!(notes.iter().any(|note| note == "copies of this report say the same: `b/csynth.rpt`"));
}
