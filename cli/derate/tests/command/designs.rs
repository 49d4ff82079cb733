//! The designs of a folder stay apart where `derate init` wrote a `derate.toml`, and each keeps its own part.

#[path = "../../../../model/tests/fixture/files.rs"]
mod files;

use std::fs;

use crate::derate::{derate_in, root};
use files::write_files;
use serde_json::Value;

/// What `derate audit` says of it.
fn audit(dir: &tempfile::TempDir) -> Value {
    let run = derate_in(dir.path(), &["audit", "--format", "json"]);
    assert!(run.code < 2, "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

/// The levels of the findings of a rule.
fn levels(audit: &Value, code: &str) -> Vec<String> {
    let found = audit["findings"].as_array().unwrap().iter();
    let found = found.filter(|one| one["code"] == code);
    found.map(|one| one["level"].as_str().unwrap().to_owned()).collect()
}

const KERNEL: &str = "#include \"types.h\"\n#include \"../../common/words.h\"\n\
                      void top(data_t *x) {\n#pragma HLS INTERFACE m_axi port=x bundle=gmem\n}\n";

const MODELS: [(&str, &str); 5] = [
    ("common/words.h", "typedef unsigned int word_t;\n"),
    ("gcn/src/types.h", "typedef float data_t;\n"),
    ("gcn/src/top.cpp", KERNEL),
    ("gat/src/types.h", "typedef int data_t;\n"),
    ("gat/src/top.cpp", KERNEL),
];

#[test]
fn models_with_a_header_in_common_are_designs_of_their_own_with_a_project_as_without() {
    let dir = write_files(&MODELS);
    assert!(levels(&audit(&dir), "precision/alias-conflict").is_empty());
    let init = derate_in(dir.path(), &["init"]);
    assert_eq!(init.code, 0, "{}", init.stderr);
    assert!(levels(&audit(&dir), "precision/alias-conflict").is_empty());
    let text = derate_in(dir.path(), &["audit"]).on_one_line();
    assert!(text.contains("gat, gcn"), "{text}");
}

#[test]
fn a_configuration_that_links_both_makes_them_one_design() {
    let dir = write_files(&MODELS);
    for (name, kernel) in [("gcn", "gcn_top"), ("gat", "gat_top")] {
        fs::write(
            dir.path().join(name).join("src/top.cpp"),
            KERNEL.replace("top(", &format!("{kernel}(")),
        )
        .unwrap();
    }
    fs::write(dir.path().join("both.cfg"), "[connectivity]\nnk=gcn_top:1\nnk=gat_top:1\n").unwrap();
    assert_eq!(derate_in(dir.path(), &["init"]).code, 0);
    assert_eq!(levels(&audit(&dir), "precision/alias-conflict"), ["error"]);
}

/// Arrays that fill a tenth of a U280 and more than a whole Zynq.
const LARGE: &str = "float top(int n) {\n#pragma HLS INTERFACE s_axilite port=n\n  static float w[524288];\n\
                     \x20 for (int i = 0; i < 524288; i++) w[i] = i * n;\n  return w[n];\n}\n";

#[test]
fn a_folder_keeps_the_part_of_its_own_script() {
    let tcl =
        |part: &str| format!("open_project p\nset_top top\nadd_files top.cpp\nset_part {part}\n");
    let files = |own: &str| {
        write_files(&[
            ("a/top.cpp", LARGE),
            ("a/run.tcl", &tcl(own)),
            ("b/top.cpp", "void top(int *x) {\n#pragma HLS INTERFACE m_axi port=x\n}\n"),
            ("b/run.tcl", &tcl("xc7z020clg400-1")),
            ("derate.toml", "[hls]\nsources = [\"*/*.cpp\"]\n[platform]\nname = \"pynq-z1\"\n"),
        ])
    };
    let card = audit(&files("xcu280-fsvh2892-2L-e"));
    assert!(levels(&card, "kernel/memory-blocks").is_empty(), "{card}");
    let zynq = audit(&files("xc7z020clg400-1"));
    assert_eq!(levels(&zynq, "kernel/memory-blocks"), ["warning"]);
}

/// The clock of `[claims]` is that of the card of `derate.toml`.
#[test]
fn a_design_for_another_chip_has_its_own_clock() {
    let script = "open_project p\nset_top top\nadd_files top.cpp\nset_part xc7z020clg400-1\n\
                  create_clock -period 10\n";
    for (card, clock) in [("u280", "xc7z020 at 100 MHz"), ("pynq-z1", "xc7z020 at 125 MHz")] {
        let toml = format!("[platform]\nname = \"{card}\"\n[claims]\nclock = \"125 MHz\"\n");
        let dir = write_files(&[("top.cpp", LARGE), ("run.tcl", script), ("derate.toml", &toml)]);
        let found = audit(&dir).to_string();
        assert!(found.contains(clock), "{card}: {found}");
    }
}

#[test]
fn init_and_audit_read_the_card_from_the_same_files() {
    for (name, text) in [
        ("Makefile", "DEVICE := xilinx_u50_gen3x16_xdma_201920_3\n"),
        ("CMakeLists.txt", "set(MY_PLATFORM \"xilinx_u50_gen3x16_xdma_201920_3\")\n"),
        ("run.sh", "tapac --part-num xcu50-fsvh2104-2-e\n"),
    ] {
        let dir = write_files(&[("src/top.cpp", KERNEL), (name, text)]);
        let needs = |audit: &Value| {
            let lacking = audit["not_checked"].as_array().unwrap().iter();
            lacking.map(|one| one["needs"].as_str().unwrap().to_owned()).collect::<Vec<String>>()
        };
        assert_eq!(needs(&audit(&dir)), ["claims", "model"], "{name}");
        assert_eq!(derate_in(dir.path(), &["init"]).code, 0);
        let toml = fs::read_to_string(dir.path().join("derate.toml")).unwrap();
        assert!(toml.contains("\nname = \"u50\""), "{name}: {toml}");
    }
}

#[test]
fn where_nothing_names_a_card_none_is_chosen() {
    let dir = write_files(&[("src/top.cpp", KERNEL)]);
    assert_eq!(derate_in(dir.path(), &["init"]).code, 0);
    let toml = fs::read_to_string(dir.path().join("derate.toml")).unwrap();
    assert!(toml.contains("# name = \"u280\"") && !toml.contains("\nname = "), "{toml}");
    let text = derate_in(dir.path(), &["audit"]).on_one_line();
    assert!(text.contains("no script, configuration or report names a part"), "{text}");
}

#[test]
fn what_rests_on_a_card_that_is_assumed_is_a_note() {
    let claims = "[model]\nshapes = \"m.txt\"\n[platform]\nNAME[claims]\nclock = \"1200 MHz\"\n";
    let with = |name: &str| {
        write_files(&[
            ("m.txt", "fc.weight: torch.Size([8, 4]) [torch.float32]\n"),
            ("derate.toml", &claims.replace("NAME", name)),
        ])
    };
    assert_eq!(levels(&audit(&with("name = \"u280\"\n")), "clock/above-fmax"), ["error"]);
    let assumed = audit(&with("# name = \"u280\"\n"));
    assert_eq!(levels(&assumed, "clock/above-fmax"), ["note"]);
    assert!(assumed.to_string().contains("the u280 is assumed"), "{assumed}");
}

#[test]
fn a_folder_in_which_no_kernel_is_known_is_no_pass() {
    let library = [
        ("run.tcl", "set_part xc7z020clg400-1\n"),
        ("gemm.h", "template <int N>\nvoid gemm(int *x) { x[0] = N; }\n"),
    ];
    let run = derate_in(write_files(&library).path(), &["audit"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let text = run.on_one_line();
    assert!(text.contains("no function is known to be a kernel"), "{text}");
    let kernel = [library[0], ("top.cpp", KERNEL)];
    let text = derate_in(write_files(&kernel).path(), &["audit"]).on_one_line();
    assert!(text.contains("scheduled by the model: 1 kernel (top)"), "{text}");
    assert!(!text.contains("is known to be a kernel"), "{text}");
}

/// What is written for the tool of another vendor is named as such.
#[test]
fn a_design_for_another_tool_is_named() {
    let of = |text: &str| {
        derate_in(write_files(&[("k/fir.cpp", text)]).path(), &["audit"]).on_one_line()
    };
    let catapult =
        "#include <ac_int.h>\n#pragma hls_design top\nvoid fir(ac_int<8> x[8]) { x[0] = 0; }\n";
    let text = of(catapult);
    assert!(text.contains("written for Catapult: k (`#pragma hls_design`)"), "{text}");
    let smart = "#include <hls/ap_int.hpp>\nvoid fir(int x[8]) {\n#pragma HLS function top\n    x[0] = 0;\n}\n";
    assert!(of(smart).contains("written for SmartHLS: k"), "{}", of(smart));
    let legup = "#include <legup/types.h>\nvoid k(int a) {\n#pragma LEGUP function top\n}\n";
    assert!(of(legup).contains("written for LegUp: k"), "{}", of(legup));
    let stratus = "#include \"cynw_p2p.h\"\nSC_MODULE(k) { cynw_p2p<int>::in a; };\n";
    assert!(of(stratus).contains("written for Cadence Stratus: k"), "{}", of(stratus));
    // Vitis HLS takes types of Catapult, too.
    let both =
        format!("{catapult}void add(int x[8]) {{\n#pragma HLS pipeline\n    x[0] = 0;\n}}\n");
    assert!(!of(&both).contains("written for"), "{}", of(&both));
}

#[test]
fn what_a_top_calls_in_another_source_is_read_with_it() {
    let top = "int scale(int v);\nvoid top(const int a[64], int b[64]) {\n#pragma HLS interface m_axi port=a\n\
               int s = scale(a[0]);\nb[0] = s;\n}\n";
    let scale =
        "int scale(int v) { int s = 0; for (int i = 0; i < 9; i++) s += v >> i; return s; }\n";
    let script = "set_part xc7z020clg400-1\nset_top top\nadd_files top.cpp\nadd_files scale.cpp\ncreate_clock -period 10\n";
    let files = [("run.tcl", script), ("top.cpp", top), ("scale.cpp", scale)];
    let text = derate_in(write_files(&files).path(), &["audit"]).on_one_line();
    let line =
        "scheduled by the model: 1 kernel (top) for xc7z020 at 100 MHz, Vitis HLS 2023.2 (assumed)";
    assert!(text.contains(line), "{text}");
    // Of two in its folder it is the one in the file of the top's name; those of other folders do not count.
    let own = [
        ("run.tcl", "set_part xc7z020clg400-1\ncreate_clock -period 10\n"),
        ("k/entry.cpp", top),
        ("k/top.cpp", scale),
        ("k/top_fast.cpp", scale),
        ("other/top.cpp", scale),
    ];
    let text = derate_in(write_files(&own).path(), &["audit"]).on_one_line();
    assert!(text.contains("scheduled by the model: 1 kernel (top)"), "{text}");
    // Which of two it is, nobody knows.
    let twice = [files[0], files[1], files[2], ("scale_2.cpp", scale)];
    let text = derate_in(write_files(&twice).path(), &["audit"]).on_one_line();
    assert!(text.contains("not scheduled: 1 kernel (top)"), "{text}");
}

#[test]
fn a_kernel_of_which_nothing_is_read_is_not_scheduled() {
    let pipe = "#include \"pipe.h\"\nvoid top(Line_t const *in, Line_t *out) {\n#pragma HLS interface m_axi port=in\n\
                lib::Stream<Pack_t> first;\nLoad(in, first);\nSave(first, out);\n}\n";
    let files = [("run.tcl", "set_part xc7z020clg400-1\nset_top top\n"), ("top.cpp", pipe)];
    let text = derate_in(write_files(&files).path(), &["audit"]).on_one_line();
    assert!(!text.contains("scheduled by the model"), "{text}");
    assert!(text.contains("not scheduled: 1 kernel (top): `pipe.h` is not found"), "{text}");
    let text =
        derate_in(write_files(&files).path(), &["kernel", "top.cpp", "--part", "xc7z020"]).stdout;
    assert!(!text.contains("It has no loops") && !text.contains("0 multiplications"), "{text}");
    assert!(text.contains("width unknown") && text.contains("is not scheduled"), "{text}");
}

/// Without a dump there are no bytes to compare, but the types of arguments are there.
#[test]
fn floats_among_arguments_break_a_claim_of_sixteen_bits_without_a_model() {
    let claims = |precision: &str| {
        format!("[platform]\nname = \"u280\"\n[claims]\nprecision = \"{precision}\"\n")
    };
    let found = |precision: &str, files: &[(&str, &str)]| {
        let claims = claims(precision);
        let mut all = vec![("derate.toml", claims.as_str())];
        all.extend(files);
        audit(&write_files(&all))
    };
    let gemm = "void gemm(float A[50][960], float B[960][960], float C[50][960]) { C[0][0] = A[0][0] * B[0][0]; }\n";
    let bench = "void gemm(float A[50][960], float B[960][960], float C[50][960]);\n\
                 int main() { static float a[50][960], b[960][960], c[50][960]; gemm(a, b, c); return 0; }\n";
    let wide = found("bf16", &[("gemm.cpp", gemm), ("bench.cpp", bench)]);
    assert_eq!(levels(&wide, "precision/assumed-bytes"), ["error"], "{wide}");
    let text = wide.to_string();
    assert!(text.contains("3 arguments of `gemm` have elements of 32 bits"), "{text}");
    assert!(text.contains("no dump of the model is named"), "{text}");
    // As wide as claimed; scalars, integers, what only a test bench has, and what another kernel calls.
    let half = "void gemm(half A[50][960], const int *B, float alpha) { A[0][0] = alpha; }\n";
    let host = "void prepare(float *x) { x[0] = 1; }\nint main() { return 0; }\n";
    let inner = "static void inner(float *a) { a[0] = 1; }\n\
                 void top(half *A) {\n#pragma HLS INTERFACE m_axi port=A\n float a[4]; inner(a); }\n";
    for (precision, files) in [
        ("fp32", vec![("gemm.cpp", gemm)]),
        ("int8", vec![("gemm.cpp", gemm)]),
        ("bf16", vec![("gemm.cpp", half), ("host.cpp", host)]),
        ("bf16", vec![("top.cpp", inner)]),
    ] {
        let near = found(precision, &files);
        assert!(
            levels(&near, "precision/assumed-bytes").is_empty(),
            "{precision} {files:?}: {near}"
        );
    }
}

/// A folder of variants of one kernel: the report is of one of them.
#[test]
fn a_report_is_of_the_source_that_it_fits() {
    let mean = root().join("fixtures/synthesis/mean");
    let text = fs::read_to_string(mean.join("mean.cpp")).unwrap();
    let report = fs::read_to_string(mean.join("solution1/syn/report/csynth.rpt")).unwrap();
    let old = text.replace("ROWS 128", "ROWS 96");
    let stale = |sources: &[(&str, &str)]| {
        let files: Vec<(&str, &str)> =
            sources.iter().copied().chain([("csynth.rpt", report.as_str())]).collect();
        levels(&audit(&write_files(&files)), "report/stale").len()
    };
    assert_eq!(stale(&[("mean_slow.cpp", &old)]), 1);
    assert_eq!(stale(&[("mean_slow.cpp", &old), ("mean_human.cpp", &text)]), 0);
}

/// Loops that a directive unrolls are one cycle shorter than those that it leaves.
const SHARED: &str = "void mul(int x[64]) {\n  L: for (int i = 0; i < 64; i++) x[i] = x[i] * 3;\n}\n\
                      void first(int x[64]) {\n  mul(x);\n}\nvoid second(int x[64]) {\n  mul(x);\n}\n";

#[test]
fn directives_are_of_the_top_whose_script_gives_them() {
    let run = |top: &str, directive: &str| {
        format!(
            "open_project {top}\nset_top {top}\nadd_files all.cpp\nopen_solution s\n\
             set_part xcu280-fsvh2892-2L-e\ncreate_clock -period 4\n{directive}"
        )
    };
    let (first, second) =
        (run("first", "set_directive_unroll -factor 8 mul/L\n"), run("second", ""));
    let dir = write_files(&[("all.cpp", SHARED), ("first.tcl", &first), ("second.tcl", &second)]);
    let text = derate_in(dir.path(), &["audit"]).on_one_line();
    assert!(text.contains("scheduled by the model: 2 kernels (first, second)"), "{text}");
    assert!(!text.contains("several solutions"), "{text}");
    // Both are of one top: one of them is taken.
    let both = run("first", "").replace("open_solution s", "open_solution plain");
    fs::write(dir.path().join("second.tcl"), both).unwrap();
    let text = derate_in(dir.path(), &["audit"]).on_one_line();
    assert!(text.contains("the directives of first.tcl, solution s are taken"), "{text}");
}

#[test]
fn a_directive_of_a_loop_that_is_dropped_says_so() {
    let source = "void top(int in[64], int out[64]) {\n  int kept[64];\n\
                  FILL: for (int i = 0; i < 64; i++) kept[i] = in[i];\n\
                  COPY: for (int i = 0; i < 64; i++) out[i] = in[i] + 1;\n}\n";
    let directives = "set_directive_pipeline top/FILL\nset_directive_pipeline top/NONE\n";
    let dir = write_files(&[("top.cpp", source), ("all.tcl", directives)]);
    let text = derate_in(dir.path(), &["kernel", "top.cpp", "--directives", "all.tcl"]).stderr;
    assert!(text.contains("nothing reads what `FILL` stores: the loop is dropped"), "{text}");
    assert!(text.contains("`NONE` in `top`, and no loop there has this label"), "{text}");
    assert!(!text.contains("`FILL` in `top`, and no loop"), "{text}");
}

#[test]
fn a_condition_that_only_a_run_decides_is_named() {
    let run = |condition: &str| {
        format!(
            "open_project p\nset_top first\nadd_files all.cpp\nopen_solution s\n\
             set_part xcu280-fsvh2892-2L-e\ncreate_clock -period 4\n\
             if {{{condition}}} {{\n  set_directive_pipeline mul/L\n}}\n"
        )
    };
    for (condition, is_named) in [("$argc > 2", true), ("1 == 2", false), ("1", false)] {
        let dir = write_files(&[("all.cpp", SHARED), ("run.tcl", &run(condition))]);
        let text = derate_in(dir.path(), &["audit"]).on_one_line();
        assert_eq!(text.contains("not decided: `$argc > 2` in run.tcl"), is_named, "{text}");
    }
}

#[test]
fn what_is_left_out_is_left_out_of_scripts_and_what_is_not_there_is_named_once() {
    let script = "open_project p\nset_top top\nadd_files \"src/top.cpp gone.cpp lost.cpp\"\n";
    let other = "open_project q\nset_top second\nadd_files more/second.cpp\n";
    let old = "// derate: allow(precision/alias-width): an old name\ntypedef float bfloat16_t;\nvoid second(bfloat16_t *x) {\n#pragma HLS INTERFACE m_axi port=x\n}\n";
    let dir = write_files(&[
        ("run.tcl", script),
        ("other.tcl", other),
        ("src/top.cpp", "void top(int *x) {\n#pragma HLS INTERFACE m_axi port=x\n}\n"),
        ("more/second.cpp", old),
    ]);
    let all = derate_in(dir.path(), &["audit", "--format", "json"]).json();
    let count = |audit: &Value| audit["allowed"].as_array().map(Vec::len);
    assert_eq!(count(&all), Some(1), "{all}");
    let some = derate_in(dir.path(), &["audit", "--exclude", "more", "--format", "json"]).json();
    assert_eq!(count(&some), Some(0), "{some}");
    let text = derate_in(dir.path(), &["audit"]).on_one_line();
    assert!(text.contains("it names gone.cpp and 1 more file that is not there"), "{text}");
}

#[test]
fn a_script_decides_what_init_takes() {
    let script = "open_project p\nset_top test\nadd_files test.cpp\nadd_files -tb main.cpp\n";
    let top = "void test(int *x) {\n#pragma HLS INTERFACE m_axi port=x\n}\n";
    let dir = write_files(&[
        ("test.cpp", top),
        ("main.cpp", "int main() { return 0; }\n"),
        ("run.tcl", script),
    ]);
    let init = derate_in(dir.path(), &["init"]);
    assert!(init.stdout.contains("passed over 1 file, first main.cpp"), "{}", init.stdout);
    let text = fs::read_to_string(dir.path().join("derate.toml")).unwrap();
    assert!(text.contains("test.cpp") && !text.contains("main.cpp"), "{text}");
}

#[test]
fn of_several_solutions_the_command_line_chooses_one() {
    let script = "open_project p\nset_top first\nadd_files all.cpp\nopen_solution slow\nset_part xcu280-fsvh2892-2L-e\n\
                  create_clock -period 10\nopen_solution fast\ncreate_clock -period 4\nset_directive_unroll mul/L\n";
    let dir = write_files(&[
        ("all.cpp", SHARED),
        ("run.tcl", script),
        ("more.tcl", "set_directive_inline mul\n"),
    ]);
    let run = |words: &[&str]| {
        let run = derate_in(dir.path(), &[&["kernel", "--directives", "run.tcl"], words].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        (run.stderr, run.stdout)
    };
    let (said, _) = run(&[]);
    assert!(
        said.contains("of the solutions of run.tcl, `p/slow` is taken, not `p/fast`"),
        "{said}"
    );
    let (said, _) = run(&["--clock", "250 MHz"]);
    assert!(said.contains("`p/fast` is taken, not `p/slow`"), "{said}");
    let (said, shown) = run(&["--directives", "more.tcl", "--format", "json"]);
    assert!(said.contains("`p/slow` is taken") && shown.contains("\"first\""), "{said}{shown}");
}
