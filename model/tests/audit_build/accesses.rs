//! Accesses to external memory and pragmas in reports.

use derate_model::audit::Level;

use super::{fixture, found_in, with};

#[test]
fn accesses_without_a_burst_are_found_with_their_reasons() {
    let tree = fixture("tree-2022/csynth.rpt");
    let findings = found_in("report/burst", "csynth.rpt", tree.clone());
    let [port, access] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(access.message, "in `mlp` the access to `w in rows` is not a burst");
    assert_eq!(access.evidence["reason"], "214-230");
    assert!(
        access.notes[0].starts_with("1 access of `m_axi_gmem0` could not be"),
        "{:?}",
        access.notes
    );
    assert_eq!(port.evidence["bits"], 16);
    let wide = with(&tree, "| 16 -> 16   |", "| 16 -> 512  |");
    let inferred = with(
        &wide,
        "Stride is incompatible                              ",
        "Could not widen since type i16 is as wide as allowed",
    );
    assert!(found_in("report/burst", "csynth.rpt", inferred).is_empty());
    // A width that is not a number is not narrow.
    let unknown = with(&tree, "| 16 -> 16   |", "| 16 -> ?    |");
    let findings = found_in("report/burst", "csynth.rpt", unknown);
    assert_eq!(findings.len(), 1, "{findings:#?}");
}

#[test]
fn a_pragma_that_was_not_taken_is_found_with_the_tools_message() {
    let summary = fixture("xml-2023-summary/csynth.xml");
    let findings = found_in("report/pragma-ignored", "csynth.xml", summary.clone());
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert!(finding.message.ends_with("has a warning of the tool"), "{}", finding.message);
    assert!(finding.message.contains("` at axpy.cpp:20 has a warning"), "{}", finding.message);
    assert!(finding.labels[0].text.contains("warning: a factor of 0"), "{:?}", finding.labels);
    assert_eq!(finding.level, Level::Warning);
    let old = with(&summary, "a factor of 0", "Resource pragma is deprecated; a factor of 0");
    let findings = found_in("report/pragma-ignored", "csynth.xml", old);
    assert_eq!(findings[0].level, Level::Note, "the tool took it");
    let derived =
        with(&summary, "a factor of 0", "Inferring pragma 'unroll' from this; a factor of 0");
    let findings = found_in("report/pragma-ignored", "csynth.xml", derived);
    assert_eq!(
        (findings[0].level, findings[0].help.as_str()),
        (Level::Note, ""),
        "it asks for nothing"
    );
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
    // `x` bursts in its inner loop.
    let accesses = findings.iter().filter_map(|one| one.evidence["access"].as_str());
    assert_eq!(accesses.collect::<Vec<_>>(), ["w in rows"]);
}

/// One table lists the burst of an inner loop, the other what keeps the tool from making it wider around that loop.
#[test]
fn an_inner_loop_that_bursts_is_enough() {
    let tree = fixture("tree-2022/csynth.rpt");
    let row = tree.lines().find(|line| line.contains("| copy | read ")).unwrap();
    let count = |inner: &str| {
        let text = with(&tree, row, &format!("{row}\n{inner}"));
        let found = found_in("report/burst", "csynth.rpt", text);
        found.iter().filter(|one| one.evidence["access"] == "w in rows").count()
    };
    let inner = "| m_axi_gmem0  | acc  | read      | 256      | 16    | mlp.cpp:22:9  |";
    assert_eq!(count(inner), 0);
    // Another file, another port, a loop beside it.
    assert_eq!(count(&inner.replace("mlp.cpp", "top.cpp")), 1);
    assert_eq!(count(&inner.replace("gmem0", "gmem1")), 1);
    assert_eq!(count(&inner.replace("acc ", "copy")), 1);
}

/// The table of the bursts of 2022.1 names no variable; the one of what was missed lists the calls around, too.
#[test]
fn a_burst_at_the_place_of_an_access_is_one() {
    let tree = fixture("tree-2022/csynth.rpt");
    let row = tree.lines().find(|line| line.contains("| w        | rows |")).unwrap();
    let count = |place: &str| {
        let other = row.replace("Stride is incompatible     ", "Access is clobbered by call");
        let text = with(&tree, row, &other.replace("mlp.cpp:21:7 ", place));
        found_in("report/burst", "csynth.rpt", text).len()
    };
    // The port is left narrow.
    assert_eq!(count("mlp.cpp:9:12 "), 1);
    assert_eq!(count("mlp.cpp:9:13 "), 2);
}

/// What could not be made wider is counted for its own port.
#[test]
fn an_access_of_another_port_is_not_counted() {
    let tree = fixture("tree-2022/csynth.rpt");
    let row = tree.lines().find(|line| line.contains("| x        | copy |")).unwrap();
    let text = with(&tree, row, &row.replace("m_axi_gmem0", "m_axi_gmem1"));
    let findings = found_in("report/burst", "csynth.rpt", text);
    assert!(findings.iter().all(|one| one.notes.is_empty()), "{findings:#?}");
}

/// Vitis lists a region whose accesses were not joined, without a variable; each of them has a row of its own.
#[test]
fn a_region_without_a_variable_is_no_access() {
    let tree = fixture("tree-2022/csynth.rpt");
    let count = |status: &str| {
        let rows = format!(
            "\
* All M_AXI Variable Accesses
+--------------+----------+-----------------+-----------+--------------+--------+------+---------------+------------+--------------------------------+
| HW Interface | Variable | Access Location | Direction | Burst Status | Length | Loop | Loop Location | Resolution | Problem                        |
+--------------+----------+-----------------+-----------+--------------+--------+------+---------------+------------+--------------------------------+
| m_axi_gmem1  |          | mlp.cpp:31:9    | read      | Fail         |        |      |               | 214-224    | Could not burst several reads  |
| m_axi_gmem1  | y        | mlp.cpp:32:9    | read      | {status} | 64     | tile | mlp.cpp:31:9  |            |                                |
+--------------+----------+-----------------+-----------+--------------+--------+------+---------------+------------+--------------------------------+

* Inferred Bursts and Widening Missed"
        );
        let text = with(&tree, "* Inferred Bursts and Widening Missed", &rows);
        let found = found_in("report/burst", "csynth.rpt", text);
        let own = |one: &&derate_model::audit::Finding| {
            one.evidence["access"].as_str().is_some_and(|name| name.starts_with("m_axi_gmem1 at"))
        };
        found.iter().filter(own).count()
    };
    assert_eq!(count("Inferred    "), 0);
    assert_eq!(count("Widen Fail  "), 1);
}
