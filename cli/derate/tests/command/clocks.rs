//! The clock and the top of a design, as scripts, configurations and reports around it say them.

use std::fs;

use crate::derate::derate_in;

/// What `derate audit` prints of a folder with these files.
fn audit(files: &[(&str, &str)]) -> String {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let run = derate_in(dir.path(), &["audit", "--detail"]);
    assert!(run.code < 2, "{}", run.stderr);
    run.on_one_line()
}

/// A sum whose interval the model says for a clock.
const SUM: &str = "void sum(float *x, float *y, int n) {\n#pragma HLS INTERFACE m_axi port=x\n  float s = 0;\n\
                   \x20 for (int i = 0; i < 1024; i++) {\n#pragma HLS PIPELINE II=1\n    s += x[i];\n  }\n  *y = s;\n}\n";

const PART: &str = "set_part xcu200-fsgd2104-2-e\n";

#[test]
fn a_script_above_the_sources_gives_the_clock_in_either_form() {
    for (period, clock) in [("300MHz", "at 300 MHz;"), ("3.33 -name default", "at 300.3 MHz;")] {
        // As a tool writes it, with the paths of the machine that it ran on.
        let script = format!(
            "open_project workload\nset_top sum\n\
             add_files \"/scratch/me/Benchmarks/sum/sum_6/src/sum.cpp\" -cflags \" -I /scratch/me/Benchmarks/sum/sum_6/src \"\n\
             open_solution solution\n{PART}create_clock -period {period}\n"
        );
        let text = audit(&[
            ("Benchmarks/sum/run.tcl", &script),
            ("Benchmarks/sum/sum_6/src/sum.cpp", SUM),
        ]);
        assert!(text.contains(clock), "{text}");
        assert!(!text.contains("assumed:"), "{text}");
    }
}

#[test]
fn a_project_script_that_kernels_share_is_read_where_they_source_it() {
    let common = format!("set period 4\nset top_name sum\n{PART}");
    let run = "source [file join .. common.tcl]\nopen_project p\nset_top $top_name\nadd_files sum.cpp\n\
               create_clock -period $period -name default\n";
    let files = [("common.tcl", common.as_str()), ("sum/run.tcl", run), ("sum/sum.cpp", SUM)];
    let text = audit(&files);
    assert!(text.contains("xcu200 at 250 MHz;"), "{text}");
    // Without it nothing is known.
    let text = audit(files.get(1..).unwrap());
    assert!(text.contains("not checked: ") && text.contains("kernel/interval"), "{text}");
}

#[test]
fn a_clock_that_no_file_names_is_said_to_be_assumed() {
    // The clock of a port is Vivado's.
    let script = format!(
        "open_project p\nset_top sum\nadd_files sum.cpp\nopen_solution s\n{PART}\
         create_clock -period 4 -name clk [get_ports clk]\n"
    );
    let text = audit(&[("sum.cpp", SUM), ("run.tcl", &script)]);
    assert!(text.contains("assumed: a clock of 100 MHz for ., the default of the tool"), "{text}");
    assert!(text.contains("(assumed: no file names a clock)"), "{text}");
}

#[test]
fn a_part_of_a_readme_or_of_a_family_is_said_with_what_rests_on_it() {
    let run = |part: &str, readme: &str| {
        let script = format!(
            "open_project p\nset_top sum\nadd_files sum.cpp\nopen_solution s\n{part}create_clock -period 5\n"
        );
        audit(&[("sum.cpp", SUM), ("run.tcl", &script), ("README.md", readme)])
    };
    let of_readme = run("", "It differs from the xcu200-fsgd2104-2-e design.\n");
    assert!(of_readme.contains("note[kernel/accumulation]"), "{of_readme}");
    assert!(
        of_readme.contains("xcu200 (assumed: only `README.md` names a part) at"),
        "{of_readme}"
    );
    let of_family = run("set_part xczu99zz-ffvb1156-2-e\n", "");
    assert!(of_family.contains("note[kernel/accumulation]"), "{of_family}");
    assert!(of_family.contains("xczu99zz (only its family is known) at"), "{of_family}");
    // A script names one that is known.
    let named = run(PART, "For the xc7z020clg400-1.\n");
    assert!(named.contains("warning[kernel/accumulation]"), "{named}");
    assert!(named.contains("xcu200 at 200 MHz;"), "{named}");
}

#[test]
fn tops_of_scripts_with_several_clocks_have_one_of_these() {
    let script = |top: &str, clocks: [&str; 2]| {
        let solution = |(name, ns): (&str, &str)| {
            format!("open_solution {name}\n{PART}create_clock -period {ns}\n")
        };
        let solutions: String = ["s1", "s2"].into_iter().zip(clocks).map(solution).collect();
        format!("open_project {top}_prj\nset_top {top}\nadd_files both.cpp\n{solutions}")
    };
    let both = SUM.to_owned() + &SUM.replace("sum", "product");
    let run = |first: [&str; 2], second: [&str; 2]| {
        let (one, other) = (script("sum", first), script("product", second));
        audit(&[("both.cpp", &both), ("a.tcl", &one), ("b.tcl", &other)])
    };
    let text = run(["10", "5"], ["4", "8"]);
    assert!(text.contains("; each top has one of those of its script"), "{text}");
    let text = run(["10", "10"], ["4", "4"]);
    assert!(text.contains("; each top has that of its script"), "{text}");
}

#[test]
fn the_top_of_a_script_goes_before_functions_that_test_it() {
    let test = "void test_sum(float *x, float *y) {\n#pragma HLS INTERFACE m_axi port=y\n  sum(x, y, 4);\n}\n";
    let source = format!("{SUM}{test}");
    let script = format!(
        "open_project p\nset_top sum\nadd_files sum.cpp\nopen_solution s\n{PART}create_clock -period 5\n"
    );
    let text = audit(&[("sum.cpp", &source), ("run.tcl", &script)]);
    assert!(text.contains("scheduled by the model: 1 kernel (sum)"), "{text}");
    // A script that names a top which nobody defines leaves the choice to the directives.
    let other = script.replace("set_top sum", "set_top product");
    let text = audit(&[("sum.cpp", &source), ("run.tcl", &other)]);
    assert!(text.contains("scheduled by the model: 1 kernel (test_sum)"), "{text}");
}

#[test]
fn of_two_solutions_with_two_clocks_both_are_said_and_which_is_taken() {
    let solution = |name: &str, period: &str| {
        format!(
            "open_project p\nset_top sum\nadd_files p/sum.cpp\nopen_solution \"{name}\"\n{PART}\
             create_clock -period {period} -name default\n"
        )
    };
    let (slow, fast) = (solution("slow", "10"), solution("fast", "4"));
    let files =
        [("sum.cpp", SUM), ("slow/script.tcl", slow.as_str()), ("fast/script.tcl", fast.as_str())];
    let text = audit(&files);
    let both = "several clocks in .: 250 MHz (fast/script.tcl, solution fast), 100 MHz (slow/script.tcl, solution slow); \
                the first is taken";
    assert!(text.contains(both), "{text}");
    assert!(text.contains("at 250 MHz;"), "{text}");
    // The same period in other words is one clock, and another top has its own.
    let same = solution("fast", "100MHz");
    let product = solution("other", "2").replace("sum", "product");
    let text = audit(&[
        ("sum.cpp", SUM),
        ("slow/script.tcl", &slow),
        ("fast/script.tcl", &same),
        ("other/script.tcl", &product),
    ]);
    assert!(!text.contains("several clocks"), "{text}");
    assert!(text.contains("at 100 MHz;"), "{text}");
}

#[test]
fn a_source_that_a_script_names_is_not_a_program() {
    let plain =
        "void swap(unsigned w[80]) {\n  for (int i = 0; i < 80; i++) w[i] = w[i] << 1;\n}\n";
    let script = "open_project sha\nset_top swap\nadd_files sha/sha.c\nopen_solution base\n\
                  set_part xc7z020clg484-1\ncreate_clock -period 10 -name default\n";
    let kernel = ("filter/top.cpp", "#include <ap_int.h>\nvoid top(ap_int<8> a) {}\n");
    let text = audit(&[("sha.c", plain), ("sha.h", ""), ("base/script.tcl", script), kernel]);
    assert!(text.contains("audited: 2 designs (., filter)"), "{text}");
    assert!(!text.contains("a program"), "{text}");
    let config = "part=xc7z020clg484-1\n[hls]\nclock=10ns\nsyn.file=sha.c\nsyn.top=swap\n";
    let text = audit(&[("sha.c", plain), ("sha.h", ""), ("hls_config.cfg", config), kernel]);
    assert!(text.contains("audited: 2 designs (., filter)"), "{text}");
    // Of a file that it does not name, nothing is known.
    let text = audit(&[("md5/md5.cpp", plain), ("base/script.tcl", script), kernel]);
    assert!(
        text.contains("not audited: md5, base/script.tcl: the reason of the first: a program"),
        "{text}"
    );
}

#[test]
fn a_card_of_v_plus_plus_that_cmake_names_sets_the_clock() {
    let cmake = "set(MY_PLATFORM xilinx_u250_gen3x16_xdma_3_1_202020_1 CACHE STRING \"\")\n";
    let sum = "void sum(const int *a, int *b) {\n#pragma HLS interface m_axi port=a\n\
               for (int i = 0; i < 8; i++) b[0] += a[i];\n}\n";
    let text = audit(&[("sum.cpp", sum), ("CMakeLists.txt", cmake)]);
    assert!(text.contains("for xcu250 at 300 MHz"), "{text}");
    assert!(!text.contains("assumed: a clock"), "{text}");
    // A part alone has the clock that the tool takes.
    let part = "set(MY_PART xcu250-figd2104-2L-e)\n";
    let text = audit(&[("sum.cpp", sum), ("CMakeLists.txt", part)]);
    assert!(text.contains("for xcu250 at 100 MHz"), "{text}");
}

/// A tree of modules prints no target: 530 cycles of 1.765 us are 3.33 ns each.
#[test]
fn the_times_of_a_report_have_its_clock() {
    let report =
        include_str!("../../../../fixtures/reports/tree-2022/csynth.rpt").replace("mlp", "sum");
    let text = audit(&[("sum.cpp", SUM), ("solution1/syn/report/csynth.rpt", &report)]);
    assert!(text.contains("xcu55c at 300.3 MHz;"), "{text}");
    assert!(!text.contains("assumed:"), "{text}");
}
