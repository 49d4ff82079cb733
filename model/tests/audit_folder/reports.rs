//! Reports beside the sources that they are of.

use derate_model::audit::Level;

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
    let is_unused = |one: &str| one.contains("does not call the function around it");
    assert!(!is_unused(&used[0]), "{used:?}");
    assert!(is_unused(&of("")[0]));
    // A member, a task and a macro call it, too; a file that was not found may.
    for call in ["unit.helper(a);", "unit->helper(a);", "hls::task run(helper<3>, a);"] {
        assert!(!is_unused(&of(call)[0]), "{call}");
    }
    assert!(!is_unused(&of("}\n#define CALL(x) helper<3>(x)\nvoid other(int a[8]) { CALL(a);")[0]));
    assert!(!is_unused(&of("}\n#include \"calls.h\"\nvoid other(int a[8]) {")[0]));
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
    // One that was edited a little is alike; another design's is not.
    assert_eq!(count(&TREE.replace("Date:", "Day:")), once);
    let others = (0..400).map(|at| format!("line {at}\n")).collect::<Vec<String>>().concat();
    assert_eq!(count(&format!("{TREE}{others}")), 2 * once, "most lines are others");
    let notes = super::notes("report/burst", &[("a/csynth.rpt", TREE), ("b/csynth.rpt", TREE)]);
    assert!(
        notes.iter().any(
            |note| note == "copies of this report, or alike ones, say the same: `b/csynth.rpt`"
        )
    );
}

/// The newest run counts, and what the older ones say is one note.
#[test]
fn of_several_runs_of_a_top_the_newest_counts() {
    let date = TREE.lines().find(|line| line.contains("* Date:")).unwrap();
    let on = |day: u32| TREE.replace(date, &format!("    * Date:  Sun May {day:2} 10:08:22 2026"));
    let of = |old: &str, new: &str| {
        let files = [("p/one/syn/report/csynth.rpt", old), ("p/two/syn/report/csynth.rpt", new)];
        found("report/burst", &files)
    };
    let alone = found("report/burst", &[("p/two/syn/report/csynth.rpt", &on(12))]);
    let both = of(&on(3), &on(12));
    let (notes, others): (Vec<_>, Vec<_>) =
        both.iter().partition(|one| one.contains("an older run of `mlp` gave "));
    assert_eq!(others.into_iter().cloned().collect::<Vec<_>>(), alone);
    assert_eq!(notes.len(), 1, "{both:#?}");
    assert!(notes[0].starts_with("note p/one/syn/report/csynth.rpt:"), "{notes:?}");
    assert!(
        notes[0].ends_with("; the newest run is `p/two`, by the dates of the reports"),
        "{notes:?}"
    );
    // Without a date, or in projects that have nothing in common, no run is older: what both say is said once.
    assert_eq!(of(&on(3), &TREE.replace(date, "")).len(), alone.len());
    let apart =
        [("a/p/one/syn/report/csynth.rpt", on(3)), ("b/p/one/syn/report/csynth.rpt", on(12))];
    let apart = apart.each_ref().map(|(name, text)| (*name, text.as_str()));
    let apart = found("report/burst", &apart);
    assert!(apart.len() == alone.len() && !apart.iter().any(|one| one.contains("an older run")));
}

/// A copy of a source has one finding with the original; a configuration also needs the same kernel.
#[test]
fn what_copies_of_a_design_have_is_found_once() {
    let code =
        "void top(int a[8]) {\n#pragma HLS array_partition variable=b complete\n    a[0] = 1;\n}\n";
    let of = |second: &str| {
        let files = [("k/top.cpp", code), ("k copy/top.cpp", second)];
        super::find("kernel/unknown-variable", &files, |sources, one| {
            let name = one.place().map(|place| sources.name(place.file));
            format!("{}; {}", name.unwrap_or_default(), one.notes.join("; "))
        })
    };
    let once = of(code);
    assert_eq!(once.len(), 1, "{once:?}");
    assert!(once[0].starts_with("k/top.cpp; "), "{once:?}");
    assert!(
        once[0].ends_with("copies of this file, or alike ones, say the same: `k copy/top.cpp`"),
        "{once:?}"
    );
    assert_eq!(of(&format!("{code}// edited\n")).len(), 1, "an edited copy");
    let more = (0..9).map(|at| format!("    a[{at}] = 2;\n")).collect::<Vec<String>>().concat();
    assert_eq!(of(&code.replace("    a[0] = 1;\n", &more)).len(), 2, "not a copy");
    let link = "[connectivity]\nsp=top_1.a:DDR[0]\nsp=top_1.b:DDR[0]\nsp=top_1.c:DDR[0]\n";
    let shared = |second: &str| {
        let own = "extern \"C\" void top(int *a, int *b, int *c) {\n    for (int i = 0; i < 999; i++) c[i] = a[i] + b[i];\n}\n";
        let other = own.replace("999", second);
        let files = [
            ("x/k.cpp", own),
            ("x/link.cfg", link),
            ("y/k.cpp", other.as_str()),
            ("y/link.cfg", link),
        ];
        found("connectivity/shared-bank", &files).len()
    };
    assert_eq!([shared("999"), shared("998")], [1, 2]);
}

#[test]
fn a_report_of_a_solution_is_held_against_the_source_of_its_script() {
    let run = |solution: &str| {
        format!(
            "open_project p\nset_top mlp\nadd_files mlp.cpp\nopen_solution {solution}\nset_part xczu9eg-ffvb1156-2-e\n"
        )
    };
    let (one, two) = (run("one"), run("two"));
    // The report has the loops `copy`, `rows` and `acc`.
    let of = |code: &str, second: &str| {
        found(
            "report/stale",
            &[
                ("mlp.cpp", code),
                ("one.tcl", one.as_str()),
                ("two.tcl", two.as_str()),
                ("p/one/syn/report/csynth.rpt", TREE),
                ("p/two/syn/report/csynth.rpt", second),
            ],
        )
    };
    let other = TREE.replace("66048", "66049");
    let all = of(
        "void mlp(short *x) {\n#pragma HLS interface s_axilite port=return\n    x[0] = 1;\n}\n",
        &other,
    );
    assert_eq!(all.len(), 1, "{all:#?}");
    assert!(
        all[0].starts_with("warning p/one/syn/report/csynth.rpt:1 the report of `mlp`"),
        "{all:#?}"
    );
}

/// A summary of an old release and of a project's own script, of a design whose top is not from HLS.
#[test]
fn a_routed_design_beside_the_kernels_that_misses_its_clock_is_a_warning() {
    let code = "void fir(int x[8]) {\n#pragma HLS pipeline\n    x[0] = 1;\n}\n";
    let of = |slack: &str, nets: &str| {
        let summary = format!(
            "| Date : Sun Dec 31 10:00:00 2017\n| Command : report_timing_summary -file post_route.rpt\n\
             | Design : board_top\n\n| Clock Summary\nclk  {{0.000 2.500}}  5.000  200.000\n\
             | Intra Clock Table\nClock  WNS(ns)\n-----  -------\nclk    {slack:>7}\n\
             | Timing Details\nSource: uut/phase_reg/C\n  net (fo=1, {nets})  0.5  1.0  uut/phase_n\n"
        );
        let files =
            [("hls/fir.cpp", code), ("fpga/results/post_route_timing.rpt", summary.as_str())];
        found("report/timing", &files)
    };
    let late = of("-0.832", "routed");
    assert_eq!(late.len(), 1, "{late:?}");
    let place =
        "warning fpga/results/post_route_timing.rpt:10 timing is not met once routed: `clk`";
    assert!(late[0].starts_with(place), "{late:?}");
    assert!(late[0].contains("a slack of -0.832 ns, 171.5 MHz of 200 MHz are reached"), "{late:?}");
    assert!(of("0.832", "routed").is_empty());
    assert!(of("-0.832", "estimated").is_empty(), "placed, and not routed");
}

/// A try that is older than the summary beside it, which names its kernel, says nothing; a newer one may be of anything.
#[test]
fn an_older_try_beside_a_routed_kernel_says_nothing() {
    let code = "void fir(int x[8]) {\n#pragma HLS pipeline\n    x[0] = 1;\n}\n";
    let run = "open_project p\nset_top fir\nadd_files fir.cpp\n";
    let summary = |day: u32, slack: &str, cell: &str| {
        format!(
            "| Date : Sun Dec {day} 10:00:00 2017\n| Command : report_timing_summary -file t.rpt\n\
             | Design : board_top\n\n| Clock Summary\nclk  {{0.000 2.500}}  5.000  200.000\n\
             | Intra Clock Table\nClock  WNS(ns)\n-----  -------\nclk    {slack:>7}\n\
             | Timing Details\nSource: bd/{cell}/inst/a_reg/C\n  net (fo=1, routed)  0.5  1.0  bd/{cell}/n\n"
        )
    };
    let named = summary(12, "0.250", "fir_0");
    let of = |day: u32| {
        let other = summary(day, "-0.832", "gpio");
        let files = [
            ("fir.cpp", code),
            ("run.tcl", run),
            ("r/fir_timing.rpt", named.as_str()),
            ("r/try_timing.rpt", other.as_str()),
        ];
        found("report/timing", &files).iter().filter(|one| one.starts_with("warning")).count()
    };
    assert_eq!(of(11), 0);
    assert_eq!(of(13), 1);
}

/// A folder where reports are kept may have those of other kernels.
#[test]
fn a_stale_tree_weakens_the_reports_of_its_own_run() {
    let code =
        "void mlp(short *x) {\n#pragma HLS interface s_axilite port=return\n    x[0] = 1;\n}\n";
    let module = include_str!("../../../fixtures/reports/module-2022/relu_csynth.rpt");
    let module = module.replace("2.433", "3.541").replace("xcu280", "xcu55c");
    let level = |name: &str| {
        let (late, own) = (module.replace("relu", name), format!("kept/{name}_csynth.rpt"));
        let files =
            [("kept/mlp.cpp", code), ("kept/csynth.rpt", TREE), (own.as_str(), late.as_str())];
        assert_eq!(found("report/stale", &files).len(), 1);
        let all = super::find("report/timing", &files, |_, one| (one.subject.clone(), one.level));
        all.into_iter().find(|(subject, _)| subject == name).unwrap().1
    };
    assert_eq!(level("layer"), Level::Note);
    assert_eq!(level("gelu"), Level::Error, "of another kernel");
}

#[test]
fn a_report_with_loops_is_not_of_a_function_that_is_pipelined_as_a_whole() {
    let own = |pragma: &str| {
        let code = format!(
            "void load(int x[8], int y[8]) {{\n#pragma HLS inline off\n{pragma}\n\
             copy: for (int i = 0; i < 8; i++) y[i] = x[i];\n}}\n\
             void mlp(int x[8], int y[8]) {{\n#pragma HLS interface s_axilite port=return\n    load(x, y);\n}}\n"
        );
        let files = [("mlp.cpp", code.as_str()), ("csynth.rpt", TREE)];
        let all = super::find("report/stale", &files, |_, one| one.evidence.to_string());
        all.iter().any(|one| one.contains("pipelines `load` as a whole"))
    };
    assert!(own("#pragma HLS pipeline II=1"));
    assert!(!own(""));
    assert!(!own("#pragma HLS pipeline off"));
}

/// A type that was not read is no difference.
#[test]
fn a_type_that_is_not_known_is_not_another_one() {
    let report = include_str!("../../../fixtures/synthesis/mean/solution1/syn/report/csynth.rpt");
    let report = report
        .replace("| rows     | in        | float*   |", "| rows     | in        | double*  |");
    let source = include_str!("../../../fixtures/synthesis/mean/mean.cpp");
    let of = |kind: &str| {
        let code = source.replace("const float rows", &format!("const {kind} rows"));
        let files = [("mean.cpp", code.as_str()), ("csynth.rpt", report.as_str())];
        let all = super::find("report/stale", &files, |_, one| one.evidence.to_string());
        all.iter().any(|one| one.contains("of 64 bits in the reports"))
    };
    assert!(of("float"));
    assert!(!of("TYPE"));
}

/// Lines that were put in above all that the report names are no other version.
#[test]
fn lines_that_have_all_moved_are_no_other_version() {
    let line = "+----------+---------+------------------+\n";
    let row = |kind: &str, at: u32| format!("| {kind} | all     | mlp.cpp:{at} in mlp  |\n");
    let table = format!(
        "\n================================================================\n== Pragma Report\n\
         ================================================================\n* Valid Pragma Syntax\n{line}\
         | Type     | Options | Location         |\n{line}{}{}{}{line}",
        row("inline  ", 2),
        row("pipeline", 3),
        row("allocation", 4)
    );
    // The rows of its own table are of another file.
    let tree = TREE.replace("mlp.cpp:30", "x.cpp:30").replace("mlp.cpp:12 in", "x.cpp:12 in");
    let report = format!("{tree}{table}");
    let top = "void mlp(short *x) {\n";
    let of = |body: &str| {
        let code =
            format!("{top}{body}#pragma HLS interface s_axilite port=return\n    x[0] = 1;\n}}\n");
        let files = [("mlp.cpp", code.as_str()), ("csynth.rpt", &report)];
        let all = super::find("report/stale", &files, |_, one| one.evidence.to_string());
        all.iter().any(|one| one.contains("has no `pragma HLS"))
    };
    let [first, second, third] =
        ["inline off", "pipeline off", "allocation all"].map(|one| format!("#pragma HLS {one}\n"));
    assert!(!of(&format!("{first}{second}{third}")));
    assert!(!of(&format!("// one\n\n{first}{second}{third}")), "all by two lines");
    assert!(!of(&format!("// one\n{first}{second}\n{third}")), "a line was put in between");
    assert!(of(&format!("// one\n{first}{third}{second}")), "in another order");
    assert!(of(&format!("{first}{second}\n\n\n\n{third}")), "far from where it was");
    assert!(of(&format!("{first}{second}// none\n")), "one is gone");
}

/// What costs nothing by the report itself is a note.
#[test]
fn a_pragma_that_costs_nothing_is_a_note() {
    let line = "+---------+---------+---------+---------+\n";
    let of = |kind: &str, options: &str, [one, other]: [&str; 2]| {
        let report = format!(
            "{TREE}\n* Ignored Pragmas\n{line}| Type    | Options | Location       | Messages    |\n{line}\
             | {kind} | {options} | mlp.cpp:9 in mlp | not supported |\n{line}\n\
             ================================================================\n== SW I/O Information\n\
             ================================================================\n* Top Function Arguments\n{line}\
             | Argument | Direction | Datatype |\n{line}| alpha | in | {one} |\n| x | in | {other} |\n{line}"
        );
        let files = [("csynth.rpt", report.as_str())];
        let all = found("report/pragma-ignored", &files);
        let own = all.into_iter().find(|one| one.contains(&format!("pragma `{kind}"))).unwrap();
        own.split(' ').next().unwrap().to_owned()
    };
    let vectors = ["float", "vector<float, 16>*"];
    assert_eq!(of("data_pack", "VARIABLE", vectors), "note");
    assert_eq!(of("data_pack", "VARIABLE", ["pixel*", "vector<float, 16>*"]), "warning");
    assert_eq!(of("data_pack", "VARIABLE", ["float", "float*"]), "warning", "none is a vector");
    assert_eq!(of("interface", "m_axi port = alpha bundle = b", vectors), "note");
    assert_eq!(of("interface", "m_axi port = x bundle = b", vectors), "warning", "a pointer");
}

/// A pragma that does what the tool does without it, or of an array that its own pragma cuts.
#[test]
fn a_pragma_without_an_effect_of_its_own_is_a_note() {
    let line = "+---------+---------+---------+---------+\n";
    let of = |[kind, options, place, why]: [&str; 4], valid: &str| {
        let report = format!(
            "{TREE}\n================================================================\n== Pragma Report\n\
             ================================================================\n* Pragmas with Warnings\n{line}\
             | Type    | Options | Location       | Messages    |\n{line}\
             | {kind} | {options} | mlp.cpp:9 in {place} | {why} |\n{line}\n* Valid Pragma Syntax\n{line}\
             | Type    | Options | Location       |\n{line}| array_partition | {valid} | mlp.cpp:4 in mlp, h |\n{line}"
        );
        let all = found("report/pragma-ignored", &[("csynth.rpt", &report)]);
        let own = all.into_iter().find(|one| one.contains(&format!("pragma `{kind}"))).unwrap();
        own.split(' ').next().unwrap().to_owned()
    };
    let cut = "variable=h complete dim=1";
    let partition = [
        "array_partition",
        "variable=x complete dim=1",
        "layer, x",
        "Ignored pragma on variable 'h'.",
    ];
    assert_eq!(of(partition, cut), "note");
    assert_eq!(of(partition, "variable=h cyclic factor=2"), "warning");
    // The array of a function that does not call this one, and another dimension.
    let [kind, options, _, why] = partition;
    assert_eq!(of([kind, options, "mlp, x", why], cut), "warning");
    assert_eq!(of(partition, "variable=h complete dim=0"), "note");
    assert_eq!(of(partition, "variable=h complete"), "note", "the first dimension");
    assert_eq!(of(partition, "variable=h complete dim=2"), "warning");
    let all = [kind, "variable=x complete dim=0", "layer, x", why];
    assert_eq!(of(all, cut), "warning");
    assert_eq!(of(all, "variable=h dim = 0 complete"), "note");
    let mode = ["interface", "ap_memory port=h depth=32", "mlp, h", "Unsuported scalar variable"];
    assert_eq!(of(mode, cut), "note");
    assert_eq!(of(mode, "variable=other complete"), "warning");
    assert_eq!(of(mode, "variable=h complete dim=2"), "warning");
    let [kind, options, _, why] = mode;
    assert_eq!(of([kind, options, "layer, h", why], cut), "warning", "of another function");
    let flatten =
        |options| ["loop_flatten", options, "mlp", "can only be applied inside loop body"];
    assert_eq!(of(flatten(""), cut), "note");
    assert_eq!(of(flatten("off"), cut), "warning");
    let dependence = |why| ["dependence", "variable=h inter false", "mlp, h", why];
    let unrolled = "Dependence pragma is removed because the loop is unrolled completely";
    assert_eq!(of(dependence(unrolled), cut), "note");
    assert_eq!(of(dependence("Dependence pragma is removed"), cut), "warning");
    let stream =
        |place| ["stream", "variable=s depth=9", place, "on function argument is unsupported"];
    assert_eq!(of(stream("mlp"), cut), "note");
    assert_eq!(of(stream("inner"), cut), "warning");
}

/// A simulation that runs a loop more often than its `loop_tripcount` says, and one with arrays behind `s_axilite`.
#[test]
fn a_simulation_of_other_iterations_than_the_estimate_assumes_is_a_note() {
    let module = include_str!("../../../fixtures/reports/module-2018/fir_csynth.rpt");
    let cosim = include_str!("../../../fixtures/reports/cosim-2018/fir_cosim.rpt");
    let slow = cosim.replace("            131|", "            264|");
    let of = |code: &str| {
        let files = [
            ("fir.cpp", code),
            ("one/sim/report/fir_cosim.rpt", &slow),
            ("one/syn/report/fir_csynth.rpt", module),
        ];
        found("report/cosim", &files)
    };
    let kernel = |interface: &str, bound: &str, count: &str| {
        format!(
            "void fir(int n, int x[64], int *y) {{\n#pragma HLS interface {interface} port=x\n    int s = 0;\n\
             \x20   for (int i = 0; i < {bound}; i++) {{\n{count}        s += x[i];\n    }}\n    *y = s;\n}}\n"
        )
    };
    let count = "#pragma HLS loop_tripcount min=1 max=9\n";
    let assumed = of(&kernel("ap_memory", "n", count));
    assert!(assumed[0].starts_with("note "), "{assumed:?}");
    assert!(assumed[0].contains("from `loop_tripcount`, as at fir.cpp:4"), "{assumed:?}");
    let lite = of(&kernel("s_axilite", "64", ""));
    assert!(lite[0].contains("arrays are on `s_axilite` (`x`)"), "{lite:?}");
    for plain in [kernel("ap_memory", "64", count), kernel("ap_memory", "n", "")] {
        assert!(of(&plain)[0].starts_with("warning "), "{plain}");
    }
}

/// What the tool says in the same words of pragmas of a kind is one finding; a trip count changes no hardware.
#[test]
fn pragmas_of_a_kind_are_one_finding_with_their_places() {
    let line = "+---------+---------+----------------+-------------+\n";
    let of = |rows: &[(&str, &str)]| {
        let rows: Vec<String> = rows
            .iter()
            .enumerate()
            .map(|(at, (kind, why))| format!("| {kind} | x{at} | mlp.cpp:{at} in mlp | {why} |\n"))
            .collect();
        let rows = rows.concat();
        let report = format!(
            "{TREE}\n================================================================\n== Pragma Report\n\
             ================================================================\n* Ignored Pragmas\n{line}\
             | Type    | Options | Location       | Messages    |\n{line}{rows}{line}"
        );
        let all = found("report/pragma-ignored", &[("csynth.rpt", &report)]);
        all.into_iter().filter(|one| one.contains(" is invalid")).collect::<Vec<_>>()
    };
    let all = of(&[("array_map", "not supported"), ("array_map", "not supported")]);
    assert_eq!(all.len(), 1, "{all:?}");
    assert!(all[0].contains("; 2 places have it"), "{all:?}");
    assert_eq!(of(&[("array_map", "not supported"), ("array_map", "no array")]).len(), 2);
    assert_eq!(of(&[("array_map", "not supported"), ("unroll", "not supported")]).len(), 2);
    assert!(of(&[("loop_tripcount", "no loop")])[0].starts_with("note "));
    assert!(of(&[("unroll", "no loop")])[0].starts_with("warning "));
}

/// A report of another version of its source says what the source may say no more.
/// Reports of two parts lie beside each other: the one of the configuration's part is new and fits, the other one is old.
#[test]
fn an_older_report_beside_one_that_fits_is_a_note() {
    let code =
        "void mlp(short *x) {\n#pragma HLS interface s_axilite port=return\n    x[0] = 1;\n}\n";
    let config = "part=xck26-sfvc784-2LV-c\n[hls]\nsyn.top=mlp\nsyn.file=D:/old/mlp.cpp\n";
    let new = "================\n== Vitis HLS Report for 'mlp'\n================\n\
               * Version:        2022.2 (Build 1)\n* Target device:  xck26-sfvc784-2LVI-i\n\n\
               ================\n== Performance Estimates\n================\n";
    let files = |second: &'static str| {
        let all =
            [("src/mlp.cpp", code), ("src/hls_config.cfg", config), ("report/csynth.rpt", TREE)];
        let second = (!second.is_empty()).then_some(("report/mlp_csynth_16000.rpt", second));
        all.into_iter().chain(second).collect::<Vec<_>>()
    };
    let both = found("report/stale", &files(new));
    assert_eq!(both.len(), 1, "{both:#?}");
    assert!(both[0].starts_with("note report/csynth.rpt:1 the report of `mlp`"), "{both:#?}");
    assert!(found("report/timing", &files(new))[0].starts_with("note "));
    // Alone it is all that there is.
    let alone = found("report/stale", &files(""));
    assert!(!alone.iter().any(|one| one.starts_with("note ")), "{alone:#?}");
}

#[test]
fn what_a_stale_report_says_is_a_note() {
    let of = |code: &str| {
        let files = [("mlp.cpp", code), ("csynth.rpt", TREE)];
        assert_eq!(found("report/stale", &files).len(), usize::from(!code.is_empty()));
        found("report/timing", &files)
    };
    let code =
        "void mlp(short *x) {\n#pragma HLS interface s_axilite port=return\n    x[0] = 1;\n}\n";
    assert!(of(code)[0].starts_with("note "), "{:?}", of(code));
    assert!(of("")[0].starts_with("warning "));
}

/// How often a loop runs is the caller's choice where its bound is an argument, and the data's where it is a value that was read.
#[test]
fn a_bound_that_is_an_argument_is_a_note() {
    let tree = TREE.replace("o copy ", "o Fill ");
    let tree = tree.replace("|        1|   512|       yes|", "|        1|     ?|       yes|");
    let level = |load: &str, top: &str| -> &str {
        let code =
            format!("{load}\nvoid mlp(int *a, int rows, int columns) {{\nint x[64];\n{top}\n}}\n");
        let all = found("report/unknown-latency", &[("mlp.cpp", &code), ("csynth.rpt", &tree)]);
        let own: Vec<&String> = all.iter().filter(|one| one.contains("`Fill`")).collect();
        let [one] = own[..] else { panic!("{all:#?}") };
        // The report is of another source, which makes a note of what is none.
        assert!(one.starts_with("note"), "{one}");
        match one {
            _ if one.contains("an argument of the kernel decides") => "argument",
            _ if one.contains("until a packet ends") => "packet",
            _ => "unknown",
        }
    };
    let load = |bound: &str| {
        format!(
            "void load(int *x, int *a, int n) {{\nFill: for (int i = 0; i < {bound}; i++) x[i % 64] = a[i];\n}}"
        )
    };
    let by = |given: &str| format!("load(x, a, {given});");
    assert_eq!(level(&load("n"), &by("rows")), "argument");
    assert_eq!(level(&load("(n + 15) / 16"), &by("rows * columns")), "argument");
    assert_eq!(level(&load("n"), "const int all = rows * columns;\nload(x, a, all);"), "argument");
    // A value of the data, one that the kernel computes of it, and a source that is not there.
    for near in ["a[0]", "rows + a[0]"] {
        assert_eq!(level(&load("n"), &by(near)), "unknown", "{near}");
    }
    assert_eq!(level(&load("a[0]"), &by("rows")), "unknown");
    assert_eq!(level(&load("n"), &format!("rows = a[0];\n{}", by("rows"))), "unknown");
    let until = |end: &str| {
        format!(
            "void load(stream &s, int *x) {{\nFill: for (bool last = false; !last;) {{\nword w = s.read();\nlast = {end};\n}}\n}}"
        )
    };
    assert_eq!(level(&until("w.last != 0"), "load(s, x);"), "packet");
    assert_eq!(level(&until("w.data == x[0]"), "load(s, x);"), "unknown");
    // It writes where a packet ends.
    assert_eq!(level(&until("x[0]; w.last = (x[0] == 3)"), "load(s, x);"), "unknown");
    // The loop has a bound, and reads where a packet ends.
    let reads = load("a[0]").replace("= a[i]", "= w[i].last");
    assert_eq!(level(&reads, &by("rows")), "unknown");
    let bare = found("report/unknown-latency", &[("csynth.rpt", &tree)]);
    assert!(bare[0].starts_with("warning"), "{bare:?}");
}

/// Two kernels may have their reports in one folder.
#[test]
fn what_is_unknown_of_two_tops_is_two_findings() {
    let tree = TREE.replace("o copy ", "o Fill ");
    let tree = tree.replace("|        1|   512|       yes|", "|        1|     ?|       yes|");
    let other = tree.replace("mlp", "cnn").replace("load", "fetch").replace("layer", "conv");
    let of = |files: &[(&str, &str)]| {
        let all = found("report/unknown-latency", files);
        all.iter().filter(|one| one.contains("`Fill`")).count()
    };
    assert_eq!(of(&[("r/csynth.rpt", &tree)]), 1);
    assert_eq!(of(&[("r/mlp_csynth.rpt", &tree), ("r/cnn_csynth.rpt", &other)]), 2);
}

/// The reports of one run lie beside each other, in a folder that was kept, too.
#[test]
fn what_lies_beside_a_stale_report_is_a_note() {
    let code =
        "void mlp(short *x) {\n#pragma HLS interface s_axilite port=return\n    x[0] = 1;\n}\n";
    let module = "================\n== Vitis HLS Report for 'layer'\n================\n\
        * Version:        2022.2 (Build 1)\n\n================\n== Performance Estimates\n================\n\
        + Timing: \n    * Summary: \n    +--------+---------+----------+------------+\n\
        \x20   |  Clock |  Target | Estimated| Uncertainty|\n    +--------+---------+----------+------------+\n\
        \x20   |ap_clk  |  4.00 ns|  4.931 ns|     1.08 ns|\n    +--------+---------+----------+------------+\n";
    let of = |folder: &str| {
        let beside = format!("{folder}/layer_csynth.rpt");
        let files = [("mlp.cpp", code), ("old/csynth.rpt", TREE), (beside.as_str(), module)];
        let all = super::find("report/timing", &files, |sources, one| {
            (sources.name(one.place().unwrap().file).to_owned(), one.level)
        });
        all.into_iter().find(|(name, _)| *name == beside).unwrap().1
    };
    assert_eq!(of("old"), Level::Note);
    assert_eq!(of("other"), Level::Error, "of another folder");
}

/// A loop that the tool finds no end of hangs where the source has one.
#[test]
fn a_loop_that_never_ends_hangs_where_the_source_ends_it() {
    let module = include_str!("../../../fixtures/reports/module-2018/fir_csynth.rpt");
    let of = |condition: &str| {
        let code = format!(
            "void fir(int n, int x[64], int *y) {{\n    int s = 0;\nTaps: while ({condition}) {{\n        s += x[n];\n\
             \x20       n -= 4;\n    }}\n    *y = s;\n}}\n"
        );
        let others = "        |- Out ";
        let end = module.find(others).unwrap();
        let rest = module[end..].find("        +--").unwrap();
        let module = format!("{}{}", &module[..end], &module[end + rest..]);
        let report = module.replace("16 ~ 64", "   inf ");
        let all =
            found("report/unknown-latency", &[("fir.cpp", &code), ("fir_csynth.rpt", &report)]);
        let own = all.into_iter().find(|one| one.contains("`Taps` never ends")).unwrap();
        own.split(' ').next().unwrap().to_owned()
    };
    assert_eq!(of("n >= 4"), "warning");
    assert_eq!(of("1"), "note");
    assert_eq!(of("true"), "note");
}
