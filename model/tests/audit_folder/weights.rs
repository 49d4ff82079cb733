//! What the tool, a region or another kernel decides of intervals and arrays.

use super::builds::{levels, script};
use super::found;

const CLOCK: &str = "create_clock -period 10";

/// Vivado HLS cuts a dimension with constant subscripts by itself.
#[test]
fn what_vivado_hls_cuts_by_itself_holds_no_interval() {
    let of = |[written, read]: [&str; 2]| {
        let code = format!(
            "void top(int n, int x[500], int y[500]) {{\n#pragma HLS interface s_axilite port=return\n    \
             int f[500][4];\n    for (int i = 0; i < 500; i++) {{\n#pragma HLS pipeline II=1\n        \
             f[i][0] = x[i]; f[i][1] = x[i] + 1; f[i][2] = x[i] + 2; f[i][{written}] = x[i] + 3;\n    }}\n    \
             for (int i = 0; i < 500; i++) {{\n#pragma HLS pipeline II=1\n        \
             y[i] = f[i][0] + f[i][1] + f[i][2] + f[i][{read}];\n    }}\n}}\n"
        );
        let run = script("top.cpp", "xc7z020clg400-1", CLOCK, "");
        let run = format!(
            "## This file is generated automatically by Vivado HLS.\n## Copyright (C) 1986-2018 Xilinx, Inc.\n{run}"
        );
        found("kernel/interval", &[("top.cpp", &code), ("run.tcl", &run)]).len()
    };
    assert_eq!(of(["3", "3"]), 0);
    assert_eq!(of(["n", "n"]), 2, "a subscript of a variable");
    assert_eq!(of(["3", "n"]), 2, "in one of the loops");
}

/// A stage of a dataflow that is a nest has the name of its first loop.
#[test]
fn a_nest_that_the_region_does_not_wait_for_is_a_note() {
    let of = |iterations: u32| {
        let code = format!(
            "#include <hls_stream.h>\nvoid top(int x[65536], int y[1024]) {{\n#pragma HLS interface s_axilite port=return\n\
             #pragma HLS dataflow\n    hls::stream<int> s;\n#pragma HLS stream variable=s depth=16384\n    \
             hls::stream<int> t;\n    \
             fill: for (int i = 0; i < 16384; i++) {{\n#pragma HLS pipeline II=1\n        s.write(x[i]);\n    }}\n    \
             pack_rows: for (int r = 0; r < 32; r++) {{\n        pack_cols: for (int c = 0; c < 32; c++) {{\n\
             #pragma HLS pipeline II=1\n            int all = 0;\n            \
             lanes: for (int k = 0; k < 16; k++) all ^= s.read();\n            t.write(all);\n        }}\n    }}\n    \
             last: for (int i = 0; i < 1024; i++) {{\n        int v = t.read();\n        \
             repeat: for (int k = 0; k < {iterations}; k++) {{\n#pragma HLS pipeline II=1\n            v = v * 3 + k;\n        }}\n        \
             y[i] = v;\n    }}\n}}\n"
        );
        let run = script("top.cpp", "xcu280-fsvh2892-2L-e", CLOCK, "");
        let all = found("kernel/interval", &[("top.cpp", &code), ("run.tcl", &run)]);
        let own: Vec<String> = all.into_iter().filter(|one| one.contains("pack_")).collect();
        levels(&own).join(" ")
    };
    assert_eq!(of(512), "note");
    assert_eq!(of(2), "warning");
}

/// Kernels that share their arrays are one finding; what the bits alone fill does not rest on banks.
#[test]
fn arrays_that_many_kernels_have_are_said_once() {
    let kernel = |name: &str, words: u32| {
        format!(
            "static int all[{words}];\nvoid {name}(int a[64]) {{\n#pragma HLS interface s_axilite port=return\n    \
             for (int i = 0; i < 64; i++) all[i * 3] += a[i];\n    for (int i = 0; i < 64; i++) a[i] = all[i * 5];\n}}\n"
        )
    };
    let of = |words: [u32; 2]| {
        let (one, other) = (kernel("one", words[0]), kernel("other", words[1]));
        let files = "{one.cpp other.cpp}";
        let first = script(files, "xc7z020clg400-1", CLOCK, "").replace("top top", "top one");
        let second = first.replace("top one", "top other").replace(" p\n", " q\n");
        found(
            "kernel/memory-blocks",
            &[
                ("one.cpp", &one),
                ("other.cpp", &other),
                ("one.tcl", &first),
                ("other.tcl", &second),
            ],
        )
    };
    let all = of([1 << 24, 1 << 24]);
    assert_eq!(all.len(), 1, "{all:?}");
    assert_eq!(of([1 << 24, 1 << 25]).len(), 2);
}

/// The report of this source has the interval, whatever is predicted, also under the name that the tool gives a nest.
#[test]
fn a_sum_whose_loop_a_report_has_is_said_once() {
    let code = "void fir(float x[4096], float y[4]) {\n#pragma HLS interface s_axilite port=return\n\
        OUT: for (int o = 0; o < 4; o++) {\n    float sum = x[o];\n\
        ADD: for (int i = 0; i < 4096; i++) {\n#pragma HLS pipeline II=1\n        sum += x[i];\n    }\n    y[o] = sum;\n}\n}\n";
    let report = include_str!("../../../fixtures/reports/module-2018/fir_csynth.rpt");
    let row = report.lines().find(|line| line.contains("Taps")).unwrap();
    let rest =
        report.lines().filter(|line| ["Out ", "Inner", "Deep"].iter().any(|it| line.contains(it)));
    let report = rest.fold(report.to_owned(), |text, line| text.replace(&format!("{line}\n"), ""));
    let run = "open_project p\nset_top fir\nadd_files fir.cpp\nopen_solution s\nset_part xc7z020clg400-1\ncreate_clock -period 8\n";
    let of = |label: &str, interval: u32| {
        let loops = format!(
            "        |- {label} | 98304|98304|        9|          {interval}|          1|   16384 |    yes   |"
        );
        let report = report.replace(row, &loops);
        let files =
            [("fir.cpp", code), ("run.tcl", run), ("p/s/syn/report/fir_csynth.rpt", &report)];
        let all = found("kernel/accumulation", &files);
        let [one] = &all[..] else { panic!("{all:#?}") };
        one.split(' ').next().unwrap_or_default().to_owned()
    };
    assert_eq!(of("OUT_ADD", 6), "note");
    assert_eq!(of("OUT_ADD", 9), "note");
    // A loop of the report that the source does not have: it is of another version.
    assert_eq!(of("ROW_ADD", 9), "warning");
}
