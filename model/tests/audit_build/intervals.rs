//! Initiation intervals in reports, beside the pragmas of a source.

use derate_model::audit::{Finding, Level, audit};

use super::{fixture, found_in, old_xml, with, with_code};

#[test]
fn an_interval_above_its_target_is_named_with_both() {
    let module = fixture("module-2018/fir_csynth.rpt");
    let findings = found_in("report/ii", "fir.rpt", module.clone());
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.message, "II 2 is reached and 1 is asked in loop `Taps`");
    let met = with(&module, "|          2|          1|", "|          1|          1|");
    assert!(found_in("report/ii", "fir.rpt", met).is_empty());
    // The tree prints no target: the tool's own word counts, and that of timing is none of it.
    let tree = fixture("tree-2022/csynth.rpt");
    let findings = found_in("report/ii", "csynth.rpt", tree);
    let expected = serde_json::json!({"loop": "acc", "target": null, "achieved": 4});
    assert_eq!(findings[0].evidence, expected);
}

/// What the rule about intervals finds beside a kernel's source.
fn intervals(code: &str, report: String) -> Vec<Finding> {
    let findings = audit(&with_code("", "", &[("a.xml", report)], code)).findings;
    findings.into_iter().filter(|one| one.code == "report/ii").collect()
}

#[test]
fn a_target_that_no_report_prints_is_that_of_the_pragma_or_unknown() {
    let code = |pragma: &str| {
        format!(
            "void top(const float *a, float *c) {{\nfloat s = 0;\nACC: for (int i = 0; i < 64; i++) {{\n\
             {pragma}\ns += a[i];\n}}\nc[0] = s;\n}}\n"
        )
    };
    let findings = intervals("", old_xml("top", "4"));
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.level, Level::Note);
    assert_eq!(finding.message, "`ACC` starts an iteration every 4 cycles; its target is unknown");
    for pragma in ["#pragma HLS pipeline II=1", "#pragma HLS pipeline"] {
        let findings = intervals(&code(pragma), old_xml("top", "4"));
        assert_eq!(findings[0].level, Level::Warning);
        assert_eq!(findings[0].message, "II 4 is reached and 1 is asked in loop `ACC`");
    }
    assert!(intervals(&code("#pragma HLS pipeline II=4"), old_xml("top", "4")).is_empty());
    // Another function's loop of that name says nothing, nor does a loop without the pragma.
    let other = intervals(&code("#pragma HLS pipeline"), old_xml("topmost", "4"));
    assert_eq!(other[0].level, Level::Note);
    assert_eq!(intervals(&code(""), old_xml("top", "4"))[0].level, Level::Note);
    // What is not a number is above nothing, and one round a cycle needs no target.
    for ii in ["undef", "?", "NA", "-", "1"] {
        assert!(intervals("", old_xml("top", ii)).is_empty(), "{ii}");
        assert!(intervals(&code("#pragma HLS pipeline"), old_xml("top", ii)).is_empty(), "{ii}");
    }
    // A later report would say so itself.
    assert!(intervals("", with(&old_xml("top", "4"), "2019.2", "2023.2")).is_empty());
}

/// What `kernel/interval` shows of the source leaves the report's finding where it is.
#[test]
fn an_interval_that_the_source_explains_is_reported_too() {
    let code = "extern \"C\" void top(const float v[512], float out[4]) {
#pragma HLS interface m_axi port=v bundle=gmem0
#pragma HLS interface m_axi port=out bundle=gmem1
    float local[128][4], part[4];
#pragma HLS array_partition variable=local complete dim=2
#pragma HLS array_partition variable=part complete
    for (int i = 0; i < 512; i++) local[i / 4][i % 4] = v[i];
    for (int s = 0; s < 4; s++) part[s] = 0;
ACC: for (int r = 0; r < 128; r++) {
#pragma HLS pipeline II=1
        for (int s = 0; s < 4; s++) part[s] += local[r][s];
    }
    for (int s = 0; s < 4; s++) out[s] = part[s];
}
";
    let mut explained = 0;
    for ii in 2..12 {
        let reports = [("a.xml", old_xml("top", &ii.to_string()))];
        let findings = audit(&with_code("", "", &reports, code)).findings;
        let of = |code: &str| findings.iter().filter(|one| one.code == code).collect::<Vec<_>>();
        assert_eq!(of("report/ii").len(), 1, "{ii}");
        let shown = format!("the tool reached II={ii}");
        let has = |one: &&&Finding| one.labels.iter().any(|label| label.text == shown);
        explained += of("kernel/interval").iter().filter(has).count();
    }
    assert_eq!(explained, 1);
}

/// In the manner of reports of 2022.2: a function without a target that starts every cycle, or runs on, is marked, too.
#[test]
fn a_function_that_starts_every_cycle_misses_nothing() {
    let tree = fixture("tree-2022/csynth.rpt");
    let row = tree.lines().find(|line| line.contains("| + load ")).unwrap();
    let marked = row.replace("|       -|   0.00|", "|      II|   0.00|").replace("load", "gelu");
    let find = |row_of_gelu: &str| {
        let text = with(&tree, row, &format!("{row}\n{row_of_gelu}"));
        let found = found_in("report/ii", "csynth.rpt", text);
        found.into_iter().filter(|one| one.subject == "gelu").count()
    };
    assert_eq!(find(&marked), 0, "it rewinds");
    assert_eq!(
        find(&marked.replace("      512|     -|    rewind", "        1|     -|       yes")),
        0
    );
    assert_eq!(
        find(&marked.replace("      512|     -|    rewind", "        4|     -|       yes")),
        1
    );
}

/// One report prints the target that another one leaves out.
#[test]
fn a_target_in_the_report_beside_is_known() {
    let module = fixture("module-2018/fir_csynth.rpt");
    let met = with(&module, "|          2|          1|", "|          2|          2|");
    let xml = old_xml("fir", "2").replace("ACC", "Taps");
    let find = |reports: &[(&str, String)]| super::found("report/ii", "", reports);
    assert_eq!(find(&[("fir.xml", xml.clone())]).len(), 1);
    assert!(find(&[("fir.xml", xml), ("fir.rpt", met)]).is_empty());
}

/// `acc` loses 3 cycles in each of 62 iterations, 256 times.
#[test]
fn an_interval_that_costs_little_of_the_whole_is_a_note() {
    let tree = fixture("tree-2022/csynth.rpt");
    let row = tree.lines().find(|line| line.contains("|+ mlp*")).unwrap();
    let of = |latency: &str| {
        let cells: Vec<&str> = row.split('|').collect();
        let text = with(&tree, row, &row.replacen(cells[4], latency, 1));
        let found = found_in("report/ii", "csynth.rpt", text).into_iter();
        found.map(|one| (one.level, one.notes)).collect::<Vec<_>>()
    };
    assert_eq!(of("    66100")[0].0, Level::Warning);
    let [(level, notes)] = &of(" 99999999")[..] else { panic!() };
    assert_eq!(*level, Level::Note);
    assert!(
        notes.contains(&"it costs 47,616 of the 99,999,999 cycles of a run".to_owned()),
        "{notes:?}"
    );
    // The range of an int is not a latency.
    assert_eq!(of("2147483647")[0].0, Level::Warning);
}

/// Where the cycles of a run are not known, the longest row that is known and always runs is the least that they are.
#[test]
fn an_interval_that_costs_little_of_what_is_known_is_a_note() {
    let tree = fixture("tree-2022/csynth.rpt");
    let row = tree.lines().find(|line| line.contains("| + load ")).unwrap();
    let of = |latency: &str| {
        let text = with(&tree, row, &row.replacen("      530", latency, 1));
        let found = found_in("report/ii", "csynth.rpt", text).into_iter();
        found.map(|one| (one.level, one.notes)).collect::<Vec<_>>()
    };
    let [(level, notes)] = &of(" 99999999")[..] else { panic!() };
    assert_eq!(*level, Level::Note);
    assert!(
        notes.contains(&"it costs 47,616 of the 99,999,999 or more cycles of a run".to_owned()),
        "{notes:?}"
    );
    assert_eq!(of("      530")[0].0, Level::Warning, "the longest row is its own");
    assert_eq!(of("2147483647")[0].0, Level::Warning, "the range of an int is no latency");
    assert_eq!(of("        -")[0].0, Level::Warning);
}

/// A dataflow starts as often as its slowest stage at best; `Taps` takes 131 cycles at most.
#[test]
fn an_interval_in_a_stage_behind_a_slower_one_is_a_note() {
    let stage = fixture("module-2018/fir_csynth.rpt");
    let rows =
        |min: u64, max: u64, kind: &str| format!("|   {min}|  {max}|   {min}|  {max}|   {kind}  |");
    let own = "|   35|  131|   35|  131|   none  |";
    let table = |min: u64, max: u64| {
        let line = "        +--------+------+-----+-----+-----+-----+---------+\n";
        let slow = rows(min, max, "none");
        format!(
            "* Instance: \n{line}        |        |      |  Latency  |  Interval | Pipeline|\n        \
             |Instance|Module| min | max | min | max |   Type  |\n{line}        |fir_U0  |fir   {own}\n        \
             |slow_U0 |slow  {slow}\n{line}"
        )
    };
    let top = |min: u64, max: u64, kind: &str| {
        let text = with(&stage, "HLS Report for 'fir'", "HLS Report for 'top'");
        let text = with(&text, own, &rows(min, max, kind));
        with(&text, "* Instance: \n        N/A\n", &table(min, max)).replace("Taps", "Other")
    };
    let level = |min: u64, max: u64, kind: &str| {
        let reports = [("top_csynth.rpt", top(min, max, kind)), ("fir_csynth.rpt", stage.clone())];
        let found = super::found("report/ii", "", &reports).into_iter();
        found.filter(|one| one.subject == "Taps").map(|one| one.level).collect::<Vec<_>>()
    };
    assert_eq!(level(4000, 9000, "dataflow"), [Level::Note]);
    assert_eq!(level(131, 131, "dataflow"), [Level::Warning], "it is the slowest");
    assert_eq!(level(35, 9000, "dataflow"), [Level::Warning], "data decide what the other takes");
    assert_eq!(level(4000, 9000, "none"), [Level::Warning], "one after another");
}

/// A tree shows a function again in each module that calls it.
#[test]
fn a_loop_of_two_instances_in_a_tree_is_one_finding() {
    let tree = fixture("tree-2022/csynth.rpt");
    let row = |name: &str| tree.lines().find(|line| line.contains(name)).unwrap();
    let (module, acc) = (row("+ layer_Pipeline_acc "), row("o acc "));
    let number = |again: String| {
        let text = with(&tree, &format!("{module}\n{acc}"), &format!("{module}\n{acc}\n{again}"));
        let found = found_in("report/ii", "csynth.rpt", text).into_iter();
        let notes = found.map(|one| one.notes.iter().any(|note| note == "2 instances have it"));
        notes.collect::<Vec<_>>()
    };
    assert_eq!(number(format!("{module}\n{acc}")), [true]);
    // Another function, and another interval.
    assert_eq!(
        number(format!("{}\n{acc}", module.replace("layer_Pipeline", "other_Pipeline"))).len(),
        2
    );
    assert_eq!(number(format!("{module}\n{}", acc.replace("|        4|", "|        5|"))).len(), 2);
}
