//! Reports that say the same, and those that are cut off.

use super::{fixture, found, found_in, old_xml, with};

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

#[test]
fn a_report_that_is_cut_off_is_no_clean_one() {
    for (name, lines) in [("module-2018/fir_csynth.rpt", 20), ("tree-2022/csynth.rpt", 14)] {
        let text: String = fixture(name).split_inclusive('\n').take(lines).collect();
        let findings = found_in("source/unread", "cut_csynth.rpt", text);
        assert!(!findings.is_empty(), "{name}");
        assert!(findings.iter().all(|one| one.help.contains("whole")), "{findings:#?}");
    }
}
