//! What costs little where data or arguments decide how long a kernel takes.

use super::builds::{levels, script};
use super::found;

const RUN: &str = "open_project p\nset_top top\nadd_files k.cpp\nopen_solution s\nset_part xczu9eg-ffvb1156-2-e\n\
                   create_clock -period 5\n";

fn level(code: &str, text: &str) -> Vec<String> {
    let all = found(code, &[("k.cpp", text), ("run.tcl", RUN)]);
    levels(&all).into_iter().map(str::to_owned).collect()
}

/// Layers of one network: a mode decides what each of them does, and so the least of their cycles says nothing.
#[test]
fn a_stage_behind_one_that_takes_longer_by_the_counts_is_a_note() {
    let layer = |name: &str, words: u32, reads: &str| {
        format!(
            "void {name}(hls::stream<int>& in, hls::stream<int>& out) {{\n    int mode = in.read(), images = in.read();\n    \
             out.write(mode);\n    out.write(images);\n    if (mode == 0) {{\n        \
             for (int n = 0; n < images; n++) {{\n#pragma HLS loop_tripcount min=1 max=127\n            \
             {name}_l: for (int i = 0; i < {words}; i++) {{\n#pragma HLS pipeline II=1\n                \
             out.write({reads});\n            }}\n        }}\n    }}\n}}\n"
        )
    };
    let text = |first: u32, second: u32| {
        format!(
            "#include <hls_stream.h>\n{}{}void top(hls::stream<int>& in, hls::stream<int>& out) {{\n\
             #pragma HLS interface axis port=in\n#pragma HLS interface axis port=out\n#pragma HLS dataflow\n    \
             hls::stream<int> mid;\n    large(in, mid);\n    small(mid, out);\n}}\n",
            layer("large", first, "in.read()"),
            layer("small", second, "in.read() + in.read()")
        )
    };
    assert_eq!(level("kernel/interval", &text(4000, 500)), ["note"]);
    assert_eq!(level("kernel/interval", &text(1500, 500)), ["warning"], "nearly as long");
}

/// Arguments are the bounds of all loops: a nest of six loops takes longer than one of two.
#[test]
fn a_loop_beside_a_far_deeper_nest_is_a_note() {
    let text = |around: &str| {
        format!(
            "#include <hls_stream.h>\nvoid pool(hls::stream<int>& in, hls::stream<int>& out, int n) {{\n    \
             L: for (int i = 0; i < n; i++) {{\n#pragma HLS pipeline II=1\n        out.write(in.read() + in.read());\n    }}\n}}\n\
             void layer(hls::stream<int>& in, hls::stream<int>& out, int n, int m) {{\n    {around}\n        \
             for (int k = 0; k < n; k++) {{\n#pragma HLS pipeline II=1\n            out.write(in.read());\n        }}\n}}\n\
             void top(hls::stream<int>& in, hls::stream<int>& out, int n, int m) {{\n#pragma HLS interface axis port=in\n\
             #pragma HLS interface axis port=out\n    layer(in, out, n, m);\n    pool(in, out, n);\n}}\n"
        )
    };
    let around = |loops: &[&str]| {
        let all = loops.iter().map(|name| format!("for (int {name} = 0; {name} < m; {name}++)"));
        all.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(level("kernel/interval", &text(&around(&["y", "x"]))), ["note"]);
    assert_eq!(level("kernel/interval", &text(&around(&["y"]))), ["warning"], "one loop more");
    // Loops of a few iterations each are no deeper nest.
    let few = "for (int y = 0; y < 2; y++)\nfor (int x = 0; x < 2; x++)";
    assert_eq!(level("kernel/interval", &text(few)), ["warning"]);
    // Nor are loops that other data bound, and one that a mode or another argument decides.
    let deep = text(&around(&["y", "x"]));
    for other in [
        deep.replace("y < m", "y < in.read()"),
        deep.replace("k < n", "k < m"),
        deep.replace("layer(in, out, n, m);", "if (m > 3) layer(in, out, n, m);"),
        deep.replace("layer(in, out, n, m);", "layer(in, out, m, m);"),
    ] {
        assert_eq!(level("kernel/interval", &other), ["warning"], "{other}");
    }
}

/// A pragma without HLS, or with a wrong word, costs what its loop takes.
#[test]
fn a_pragma_that_nothing_reads_in_a_short_loop_is_a_note() {
    let text = |words: u32, pragma: &str| {
        format!(
            "void top(int a[65536], int b[65536]) {{\n#pragma HLS interface ap_memory port=a\n\
             for (int i = 0; i < {words}; i++) {{\n#pragma {pragma}\n    b[i] = a[i];\n}}\n\
             for (int i = 0; i < 65536; i++) {{\n#pragma HLS pipeline II=1\n    b[i] = a[i] + 1;\n}}\n}}\n"
        )
    };
    let unmarked = |words: u32| level("kernel/unmarked-directive", &text(words, "unroll factor=4"));
    assert_eq!((unmarked(16), unmarked(4096)), (vec!["note".into()], vec!["warning".into()]));
    let lost = |words: u32| level("kernel/lost-directive", &text(words, "HLS pipelien"));
    assert_eq!((lost(16), lost(4096)), (vec!["note".into()], vec!["warning".into()]));
}

/// Vitis HLS pipelines innermost loops by itself, where it is known that the design is for it.
#[test]
fn a_pipeline_that_the_tool_makes_anyway_is_a_note() {
    let of = |heading: &str, loops: &str| {
        let text = format!(
            "void top(int a[4096], int b[4096]) {{\n#pragma HLS interface ap_memory port=a\n{loops}\n}}\n"
        );
        let files = [("k.cpp", text.as_str()), ("run.tcl", RUN), ("README.md", heading)];
        let all = found("kernel/unmarked-directive", &files);
        levels(&all).join(" ")
    };
    let innermost = "for (int i = 0; i < 4096; i++) {\n#pragma pipeline II=1\n    b[i] = a[i];\n}";
    let outer = "for (int i = 0; i < 64; i++) {\n#pragma pipeline II=1\n    for (int k = 0; k < 64; k++) b[i] += a[64 * i + k];\n}";
    let vitis = "Built with Vitis HLS 2022.1.\n";
    let vivado = "Built with Vivado HLS 2018.3.\n";
    assert_eq!(of(vitis, innermost), "note");
    assert_eq!(of(vitis, outer), "warning", "it unrolls the loop in it");
    assert_eq!(of(vitis, &innermost.replace("II=1", "II=2")), "warning");
    assert_eq!(of(vivado, innermost), "warning");
    assert_eq!(of("", innermost), "warning", "no file names the tool");
    for (least, expected) in [(0, "warning"), (8192, "warning"), (128, "note")] {
        let text = format!(
            "void top(int a[4096], int b[4096]) {{\n#pragma HLS interface ap_memory port=a\n{innermost}\n}}\n"
        );
        let script = format!("{RUN}config_compile -pipeline_loops {least}\n");
        let files = [("k.cpp", text.as_str()), ("run.tcl", &script), ("README.md", vitis)];
        assert_eq!(levels(&found("kernel/unmarked-directive", &files)), [expected], "{least}");
    }
}

/// A log alone beside its source says that the pipeline was not made: the source's finding is the same fact.
#[test]
fn a_pipeline_that_a_log_refuses_is_said_once() {
    let of = |rule: &str, refused: &str| {
        let top = "void top(const int a[64], int n, int *out) {\n#pragma HLS interface s_axilite port=n\n    int sum = 0;\n    \
                   rows: for (int i = 0; i < 64; i++) {\n#pragma HLS pipeline\n        \
                   cols: for (int k = 0; k < n; k++) sum += a[i] * k;\n    }\n    *out = sum;\n}\n";
        let log = format!(
            "****** Vitis HLS - High-Level Synthesis from C, C++ and OpenCL v2023.2 (64-bit)\n\
             INFO: [HLS 200-10] Synthesizing 'top' ...\nINFO: [HLS 200-42] -- Implementing module 'top' \n\
             WARNING: [SCHED 204-65] Unable to satisfy pipeline directive for loop '{refused}': contains subloop(s) that are not unrolled or flattened.\n\
             INFO: [HLS 200-1470] Pipelining result : Target II = NA, Final II = 1, Depth = 4, loop 'cols'\n"
        );
        let run = script("top.cpp", "xczu9eg-ffvb1156-2-e", "create_clock -period 5", "");
        let files = [("top.cpp", top), ("run.tcl", &run), ("vitis_hls.log", &log)];
        levels(&found(rule, &files)).join(" ")
    };
    assert_eq!(of("report/refused-pipeline", "rows"), "warning");
    assert_eq!(of("kernel/unpipelined", "rows"), "note");
    // Another loop's refusal says nothing of this one.
    assert_eq!(of("kernel/unpipelined", "others"), "warning");
}
