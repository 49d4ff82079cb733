//! Cycles that synthesis reports of public designs print, for kernels written anew in their manner.
//!
//! The figures are facts of two public sets: sjtu-zhao-lab/hierarchical-gnn-for-hls (Vitis HLS 2022.1, xczu9eg, 10 ns)
//! and zedong-peng/ForgeHLS-benchmark (xcu280, 10 ns).

use crate::read;
use derate_hls::read_tcl;
use derate_kernel::{Directives, KernelAnswer, Settings, estimate_kernel, find_part};

const ZYNQ: &str = "xczu9eg-ffvb1156-2-i";

fn estimate(text: &str, tcl: &str, part: &str, tool: (u16, u16)) -> KernelAnswer {
    let program = read(text);
    let directives = Directives { list: read_tcl(tcl).directives };
    let settings = Settings::new(find_part(part).unwrap(), 10.0, tool);
    estimate_kernel(&program, &directives, &settings)
}

/// A dot product of a row with a vector, kept in memory; unrolled as `factor` says.
fn dot_product(factor: u32) -> KernelAnswer {
    let text = "#define LEN 64
        void row(int r, float mat[LEN][LEN], float vec[LEN], float acc[LEN]) {
            int c;
            add: for (c = 0; c < LEN; c++) { acc[r] = acc[r] + mat[r][c] * vec[c]; }
        }
        void top(int r, float mat[LEN][LEN], float vec[LEN], float acc[LEN]) { row(r, mat, vec, acc); }";
    let tcl = format!(
        "set_directive_inline -off row\n\
         set_directive_interface -mode ap_memory -storage_type ram_s2p top mat\n\
         set_directive_interface -mode ap_memory -storage_type ram_s2p top vec\n\
         set_directive_interface -mode ap_memory -storage_type ram_s2p top acc\n\
         set_directive_array_partition -type cyclic -factor 8 -dim 2 top mat\n\
         set_directive_array_partition -type cyclic -factor {factor} -dim 1 top vec\n\
         set_directive_pipeline row/add\nset_directive_unroll -factor {factor} row/add\n"
    );
    estimate(text, &tcl, ZYNQ, (2022, 1))
}

#[test]
fn a_sum_is_held_by_its_adder() {
    let answer = dot_product(1);
    assert_eq!((answer.loops[0].ii, answer.loops[0].depth), (Some(3), 8.0));
    assert_eq!(answer.latency.reported, 203.0);
    assert_eq!(answer.resources.dsp.value, 5.0);
}

#[test]
fn an_unrolled_sum_is_a_chain_of_adders_that_share_one() {
    let answer = dot_product(8);
    assert_eq!((answer.loops[0].ii, answer.loops[0].depth), (Some(32), 36.0));
    assert_eq!(answer.latency.reported, 266.0);
    assert_eq!(answer.resources.dsp.value, 5.0);
}

#[test]
fn two_products_of_one_sum_take_turns_on_a_multiplier() {
    let text = "#define LEN 64
        void cell(int r, int c, float by, float left[LEN][LEN], float right[LEN][LEN], float out[LEN][LEN]) {
            int m;
            add: for (m = 0; m < LEN; ++m) { out[r][c] = out[r][c] + by * left[r][m] * right[m][c]; }
        }
        void top(int r, int c, float by, float left[LEN][LEN], float right[LEN][LEN], float out[LEN][LEN]) {
            cell(r, c, by, left, right, out);
        }";
    let tcl = "set_directive_inline -off cell\nset_directive_pipeline cell/add\n";
    let answer = estimate(text, tcl, ZYNQ, (2022, 1));
    assert_eq!((answer.loops[0].ii, answer.loops[0].depth), (Some(3), 12.0));
    assert_eq!(answer.latency.reported, 207.0);
    assert_eq!(answer.resources.dsp.value, 5.0);
}

#[test]
fn a_loop_alone_in_its_function_is_not_outlined() {
    let text = "typedef unsigned short word;
        void top(word from[1024], word to[1024]) {
            for (int n = 0; n < 1024; n++) { word one = from[n]; to[n] = (one * 2) + 10; }
        }";
    assert_eq!(estimate(text, "", "xcu280", (2023, 2)).latency.reported, 1026.0);
}

#[test]
fn loops_in_a_loop_are_modules_that_run_one_after_another() {
    let text = "void top(int from[1024], int to[1024]) {
            int kept[1024];
            for (int n = 0; n < 1024; n++) { to[n] = 0; }
            for (int turn = 0; turn < 1024; turn++) {
                for (int n = 0; n < 1024; n++) { kept[n] = from[n]; }
                for (int n = 0; n < 1024; n++) { to[n] += kept[n]; }
            }
        }";
    assert_eq!(estimate(text, "", "xcu280", (2023, 2)).latency.reported, 2_106_372.0);
}

#[test]
fn data_that_decide_leave_no_number() {
    let text = "int top(int values[64], int stop) { int n = 0; while (values[n] != stop) { n++; } return n; }";
    let answer = estimate(text, "", "xcu280", (2023, 2));
    assert!(answer.latency.is_open);
    assert!(answer.unknown.iter().any(|unknown| unknown.reason.contains("data decide")));
}

#[test]
fn hardware_counts_a_pyramid_and_a_report_the_middle_or_the_most() {
    let text = "void top(int out[100][100][100]) {
            for (int r = 0; r < 100; r++) {
                for (int c = 0; c < r; c++) {
                    for (int d = 0; d < c; d++) { out[r][c][d] = r; }
                }
            }
        }";
    let innermost =
        |answer: &KernelAnswer| answer.loops.iter().find_map(|one| one.ii.and(one.trip));
    let early = estimate(text, "", "xc7z020", (2023, 1));
    let (least, most, mean) = innermost(&early).unwrap();
    // 161,700 iterations in 4,950 runs.
    assert_eq!((least, most), (0.0, 98.0));
    assert!((mean - 161_700.0 / 4_950.0).abs() < 1e-9);
    assert!(early.latency.expected < early.latency.reported);
    assert!(early.latency.reported < early.latency.worst);
    let late = estimate(text, "", "xc7z020", (2023, 2));
    assert_eq!(late.latency.reported, late.latency.worst);
}

#[test]
fn huge_loops_and_recursion_answer() {
    let huge = "void top(int a[100]) { for (long i = 0; i < 1000000; i++) for (long j = 0; j < 1000000; j++) a[j % 100] += i; }";
    assert!(estimate(huge, "", "xcu280", (2023, 2)).latency.reported >= 1e12);
    let recursive = "int f(int n) { return n < 2 ? 1 : f(n - 1); } int top(int n) { return f(n); }";
    assert!(estimate(recursive, "", "xcu280", (2023, 2)).latency.is_open);
}
