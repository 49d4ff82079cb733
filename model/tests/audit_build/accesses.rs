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
    assert!(
        finding.message.contains("has a warning of the tool: a factor of 0"),
        "{}",
        finding.message
    );
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

/// While none of its accesses is a burst, a wider port brings nothing.
#[test]
fn a_port_without_any_burst_is_not_found_as_narrow() {
    let tree = fixture("tree-2022/csynth.rpt");
    let row = |start: &str| tree.lines().find(|line| line.contains(start)).unwrap();
    let bursts = [row("| copy | read "), row("| x        | copy |")];
    let none = bursts.iter().fold(tree.clone(), |text, row| text.replace(&format!("{row}\n"), ""));
    let findings = found_in("report/burst", "csynth.rpt", none);
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.evidence["access"], "w in rows");
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
    let count = |number: &str, status: &str| {
        let rows = format!(
            "\
* All M_AXI Variable Accesses
+--------------+----------+-----------------+-----------+--------------+--------+------+---------------+------------+--------------------------------+
| HW Interface | Variable | Access Location | Direction | Burst Status | Length | Loop | Loop Location | Resolution | Problem                        |
+--------------+----------+-----------------+-----------+--------------+--------+------+---------------+------------+--------------------------------+
| m_axi_gmem1  |          | mlp.cpp:31:9    | read      | Fail         |        |      |               | {number}    | Could not burst several reads  |
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
    assert_eq!(count("214-229", "Inferred    "), 0);
    assert_eq!(count("214-229", "Widen Fail  "), 1);
    // Several accesses to one bundle are why the loop is slow.
    assert_eq!(count("214-224", "Inferred    "), 1);
}

/// The table of all accesses with these rows, in the tree's place of another table.
fn with_accesses(rows: &[&str]) -> String {
    let line = "+--------------+----------+-----------------+-----------+--------------+--------+------+---------------+------------+------------------------+\n";
    let rows = rows.join("\n") + "\n";
    let all = format!(
        "* All M_AXI Variable Accesses\n{line}| HW Interface | Variable | Access Location | Direction | Burst Status | Length | Loop | Loop Location | Resolution | Problem                |\n\
         {line}{rows}{line}\n* Inferred Bursts and Widening Missed"
    );
    with(&fixture("tree-2022/csynth.rpt"), "* Inferred Bursts and Widening Missed", &all)
}

/// One cause is one finding, which counts all accesses that have it.
#[test]
fn accesses_with_one_cause_are_one_finding() {
    let of = |last: &str| {
        let text = with_accesses(&[
            "| m_axi_gmem1  | y        | mlp.cpp:40:9    | read      | Fail         |        | tile | mlp.cpp:39:7  | 214-232    | Access y1 is in a branch |",
            "| m_axi_gmem2  | z        | mlp.cpp:41:9    | read      | Fail         |        | tile | mlp.cpp:39:7  | 214-232    | Access z1 is in a branch |",
            last,
        ]);
        let found = found_in("report/burst", "csynth.rpt", text);
        found.into_iter().map(|one| (one.message, one.help)).collect::<Vec<_>>()
    };
    let last = "| m_axi_gmem2  | z        | mlp.cpp:45:9    | read      | Fail         |        | tile | mlp.cpp:39:7  | 214-232    | Access z1 is in a branch |";
    let all = of(last);
    let (message, help) = &all.iter().find(|(message, _)| message.contains("accesses")).unwrap();
    assert_eq!(message, "in `mlp` 3 accesses are not bursts: `y in tile`, `z in tile`");
    assert!(help.starts_with("access in every iteration"), "{help}");
    assert_eq!(of(&last.replace("214-232", "214-231")).len(), all.len() + 1, "two causes");
}

/// The place of an access may be that of another one of its function.
#[test]
fn an_inner_loop_that_bursts_is_enough_whatever_the_place() {
    let of = |variable: &str| {
        let inner = format!(
            "| m_axi_gmem1  | {variable}        | mlp.cpp:40:9    | read      | Inferred     | 16     | acc  | mlp.cpp:22:7  |            |                          |"
        );
        let text = with_accesses(&[
            "| m_axi_gmem1  | y        | top.cpp:90:9    | read      | Fail         |        | rows | mlp.cpp:21:7  | 214-229    | Could not analyze pattern |",
            &inner,
        ]);
        let found = found_in("report/burst", "csynth.rpt", text);
        found.iter().filter(|one| one.evidence["access"] == "y in rows").count()
    };
    assert_eq!([of("y"), of("z")], [0, 1]);
}

#[test]
fn a_kernel_without_cycles_or_without_any_burst_is_one_finding() {
    let tree = fixture("tree-2022/csynth.rpt");
    let of = |code: &str, text: String| {
        let found = found_in(code, "csynth.rpt", text);
        found.into_iter().map(|one| one.message).collect::<Vec<_>>()
    };
    let messages = |text: String| of("report/burst", text);
    let latency = tree.lines().find(|line| line.trim_start().starts_with("|+ mlp")).unwrap();
    let cells: Vec<&str> = latency.split('|').collect();
    let idle =
        with(&tree, latency, &latency.replacen(cells[4], &format!("{:>1$}", 0, cells[4].len()), 1));
    assert_eq!(messages(idle.clone()), [""; 0]);
    assert_eq!(
        of("report/empty", idle),
        ["`mlp` takes 0 cycles and has `m_axi` ports: it computes nothing"]
    );
    assert_eq!(of("report/empty", tree.clone()), [""; 0]);
    let (before, rest) = tree.split_once("* Inferred Burst Summary").unwrap();
    let (_, behind) = rest.split_once("\n==").unwrap();
    let none = format!("{before}  No burst in design\n\n=={behind}");
    assert_eq!(messages(none), ["in `mlp` no access of 1 port is a burst: `m_axi_gmem0`"]);
}

#[test]
fn a_kernel_without_logic_and_input_computes_nothing() {
    let report = fixture("module-2022/relu_csynth.rpt");
    let total = "|Total                |        4|     0|     1310|     1742|    0|";
    let of = |total_now: &str, rows: &str| {
        let text = with(&report, "|     1096|     1096|", "|        0|        0|");
        let text = with(&text, total, total_now);
        let ports = format!(
            "\n== Interface\n* Summary: \n| RTL Ports| Dir | Bits|  Protocol  | Source   |  C Type  |\n\
             |ap_start  |   in|    1|  ap_ctrl_hs|      relu|  return value|\n{rows}"
        );
        let found = found_in("report/empty", "relu_csynth.rpt", text + &ports);
        found.into_iter().map(|one| one.message).collect::<Vec<_>>()
    };
    let none = "|Total                |        0|     0|        0|        0|    0|";
    assert_eq!(
        of(none, ""),
        ["`relu` takes 0 cycles, uses no logic and has no input: it computes nothing"]
    );
    let wire = "|x         |   in|   32|     ap_none|         x|        scalar|\n";
    assert_eq!(of(none, wire), [""; 0], "wires from its input");
    let few = "|Total                |        0|     0|        0|       39|    0|";
    assert_eq!(of(few, ""), [""; 0], "combinational");
}

/// What a loop of few iterations moves costs next to nothing.
#[test]
fn an_access_of_few_bytes_is_a_note() {
    let levels = |trips: &str| {
        let tree = fixture("tree-2022/csynth.rpt");
        let row = tree.lines().find(|line| line.contains("o rows")).unwrap();
        let cells: Vec<&str> = row.split('|').collect();
        let other = row.replace(cells[8], trips);
        let found = found_in("report/burst", "csynth.rpt", with(&tree, row, &other));
        let own = found.into_iter().filter(|one| one.evidence["access"] == "w in rows");
        own.map(|one| one.level).collect::<Vec<_>>()
    };
    assert_eq!(levels("    16"), [Level::Note]);
    assert_eq!(levels("  4096"), [Level::Warning]);
    assert_eq!(levels("     -"), [Level::Warning], "unknown");
}

/// What takes less than 1 % of the top's cycles is a note: the tree of `mlp` with a latency.
#[test]
fn a_port_whose_loops_take_little_of_the_top_is_a_note() {
    let tree = fixture("tree-2022/csynth.rpt");
    let tree = with(
        &tree,
        "Stride is incompatible                              ",
        "Could not widen since type i16 is as wide as allowed",
    );
    let waiting =
        with(&tree, "| m_axi_gmem0  | w        | rows |", "| m_axi_gmem0  | w        | copy |");
    let alone = waiting.replace("|    66048|", "|      530|");
    let level_of = |tree: &str, top: &str| {
        let row = tree.lines().find(|line| line.contains("|+ mlp*")).unwrap();
        let (before, _) = row.split_at(row.find("-0.21|").unwrap() + 6);
        let rest = &row[before.len() + 9..];
        let text = with(tree, row, &format!("{before}{top}{rest}"));
        let found = found_in("report/burst", "csynth.rpt", text);
        let [one] = &found[..] else { panic!("{found:#?}") };
        assert!(one.message.ends_with("16 bits, and widening is off"), "{}", one.message);
        one.level
    };
    let level = |top: &str| level_of(&alone, top);
    assert_eq!(level("   120000"), Level::Note, "1,024 words of 120,000 cycles");
    assert_eq!(level("    40000"), Level::Warning);
    assert_eq!(level("        -"), Level::Warning, "unknown");
    // Another process takes far longer.
    assert_eq!(level_of(&waiting, "    40000"), Level::Note);
}

/// A loop that is unrolled in part moves several words in an iteration.
#[test]
fn a_loop_that_is_unrolled_moves_more() {
    let tree = fixture("tree-2022/csynth.rpt");
    let row = tree.lines().find(|line| line.contains("o rows")).unwrap();
    let cells: Vec<&str> = row.split('|').collect();
    let few = with(&tree, row, &row.replace(cells[8], "    16"));
    let level = |pragma: &str| {
        let code = format!(
            "void mlp(const short *w, short *out) {{\nrows: for (int i = 0; i < 256; i++) {{\n{pragma}\nout[i] = w[i * 3];\n}}\n}}\n"
        );
        let mut analysis = super::with_code("", "", &[("csynth.rpt", few.clone())], &code);
        analysis.project.claims = derate_project::Claims::default();
        let found = derate_model::audit::audit(&analysis).findings.into_iter();
        let mut own = found.filter(|one| one.evidence["access"] == "w in rows");
        own.next().map(|one| one.level)
    };
    assert_eq!(level(""), Some(Level::Note));
    assert_eq!(level("#pragma HLS unroll factor=64"), Some(Level::Warning));
    assert_eq!(level("#pragma HLS unroll factor=2"), Some(Level::Note));
}

/// A Zynq reaches its memory through ports of 64 bits.
#[test]
fn a_port_as_wide_as_those_of_the_chip_is_not_narrow() {
    let tree = with(&fixture("tree-2022/csynth.rpt"), "xcu55c-fsvh2892-2L-e", "xc7z020-clg400-1");
    let of = |width: &str| {
        let text = with(&tree, "| 16 -> 16   |", width);
        let found = found_in("report/burst", "csynth.rpt", text).into_iter();
        found.filter(|one| one.evidence["narrow_port"].is_string()).collect::<Vec<_>>()
    };
    assert!(of("| 64 -> 64   |").is_empty());
    let narrow = of("| 32 -> 32   |");
    let [one] = &narrow[..] else { panic!("{narrow:#?}") };
    assert!(one.help.contains("64") && !one.help.contains("512"), "{}", one.help);
}

/// The single access to a value is never a burst: in no loop, and without an interface of its own where the source is not here.
#[test]
fn an_access_to_a_lone_value_is_a_note() {
    let of = |name: &str, of_loop: &str| {
        let text = with_accesses(&[&format!(
            "| m_axi_gmem1  | done     | mlp.cpp:40:9    | write     | Fail         |        | {of_loop} | mlp.cpp:39:7  | 214-227    | Volatile access |"
        )]);
        let arguments = "== SW I/O Information\n* Top Function Arguments\n\
             +----------+-----------+----------+\n| Argument | Direction | Datatype |\n\
             +----------+-----------+----------+\n| done     | inout     | pointer  |\n\
             +----------+-----------+----------+\n\n== Pragma Report\n* Valid Pragma Syntax\n\
             +-----------+----------------+------------------+\n| Type      | Options        | Location         |\n\
             +-----------+----------------+------------------+\n| interface | m_axi port=NAME | mlp.cpp:20 in mlp |\n\
             +-----------+----------------+------------------+\n";
        let text = format!("{text}\n{}", arguments.replace("NAME", name));
        let found = found_in("report/burst", "csynth.rpt", text).into_iter();
        let own = found.filter(|one| one.evidence["reason"] == "214-227");
        own.map(|one| (one.level, one.help.contains("s_axilite"))).collect::<Vec<_>>()
    };
    assert_eq!(of("w", "    "), [(Level::Note, true)]);
    assert_eq!(of("w", "rows"), [(Level::Warning, false)], "in a loop");
    assert_eq!(of("done", "    "), [(Level::Warning, false)], "it may be an array");
}

/// A pragma that asks for what the tool does anyway costs nothing.
#[test]
fn an_unroll_that_is_off_costs_nothing() {
    let of = |row: &str, options: &str| {
        let table = format!(
            "\n== Pragma Report\n* Ignored Pragmas\n\
             +--------+----------+---------------------+-------------------------+\n| Type   | Options  | Location            | Messages                |\n\
             +--------+----------+---------------------+-------------------------+\n| unroll | {options} | {row} | unexpected parameter 'off' |\n\
             +--------+----------+---------------------+-------------------------+\n"
        );
        let tree = fixture("tree-2022/csynth.rpt").replace("o copy ", "o VITIS_LOOP_20_1 ");
        let found = found_in("report/pragma-ignored", "csynth.rpt", tree + &table);
        let own = found
            .into_iter()
            .filter(|one| one.evidence["kind"] == "unroll" && one.evidence["status"] == "invalid");
        own.map(|one| one.level).collect::<Vec<_>>()
    };
    assert_eq!(of("mlp.cpp:21 in load", "off=true"), [Level::Note], "the loop is there");
    assert_eq!(of("mlp.cpp:21 in load", "off ="), [Level::Note]);
    assert_eq!(of("mlp.cpp:61 in load", "off=true"), [Level::Warning], "that one is not");
    assert_eq!(of("mlp.cpp:21 in load", "factor=2"), [Level::Warning]);
}
