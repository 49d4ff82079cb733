//! Accesses to external memory and pragmas in reports.

use super::{fixture, found_in, with};

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
