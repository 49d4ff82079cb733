//! States of loops and calls, held against the reports of a public set (Vitis HLS 2022.1, xczu9eg, 10 ns) for kernels
//! written anew in its manner: sjtu-zhao-lab/hierarchical-gnn-for-hls.

use crate::read;
use derate_hls::read_tcl;
use derate_kernel::{Directives, KernelAnswer, Settings, estimate_kernel, find_part};

fn estimate(text: &str, tcl: &str, tool: (u16, u16)) -> KernelAnswer {
    let program = read(text);
    let directives = Directives { list: read_tcl(tcl).directives };
    let part = find_part("xczu9eg-ffvb1156-2-i").unwrap();
    estimate_kernel(&program, &directives, &Settings::new(part, 10.0, tool))
}

fn reported(text: &str, tcl: &str) -> f64 {
    estimate(text, tcl, (2022, 1)).latency.reported
}

const BLEND: &str = "void part(float p, float q, float a[64], float b[64]) {
        int n;
        each: for (n = 0; n < 64; n++) { b[n] = p * a[n] + q * b[n]; }
    }
    void top(float p, float q, float a[64], float b[64]) { part(p, q, a, b); }";

const SUMS: &str = "void part(float m[64][64], float v[64], float s[64]) {
        int r, c;
        rows: for (r = 0; r < 64; r++) {
            cols: for (c = 0; c < 64; c++) { s[r] = s[r] + m[r][c] * v[c]; }
        }
    }
    void top(float m[64][64], float v[64], float s[64]) { part(m, v, s); }";

const PORTS: &str = "set_directive_interface -mode ap_memory -storage_type ram_s2p top m\n\
    set_directive_interface -mode ap_memory -storage_type ram_s2p top v\n\
    set_directive_interface -mode ap_memory -storage_type ram_s2p top s\n\
    set_directive_interface -mode ap_memory -storage_type ram_s2p top a\n\
    set_directive_interface -mode ap_memory -storage_type ram_s2p top b\n\
    set_directive_inline -off part\n";

/// Ten states an iteration: two of the reads, one product after them, a sum, the write. One state before the loop, one
/// after it, and the call has one more.
#[test]
fn a_plain_loop_of_floating_point_waits_for_its_memory() {
    let tcl = format!("{PORTS}set_directive_pipeline -off part/each\n");
    assert_eq!(reported(BLEND, &tcl), 642.0);
}

/// The sum of a row is read before the inner loop and written after it: 2 + 64 * 9 + 1 states a row.
#[test]
fn an_element_in_a_register_is_read_before_the_loop_and_written_after() {
    let tcl = format!(
        "{PORTS}set_directive_pipeline -off part/rows\nset_directive_pipeline -off part/cols\n"
    );
    assert_eq!(reported(SUMS, &tcl), 64.0 * 579.0 + 2.0);
}

/// The same with a pipeline inside is not a perfect nest any more, and is not flattened, but later tools do it.
#[test]
fn an_element_in_a_register_keeps_a_nest_from_being_flattened() {
    let tcl = format!(
        "{PORTS}set_directive_pipeline -off part/rows\nset_directive_pipeline part/cols\n\
         set_directive_unroll -factor 4 part/cols\n\
         set_directive_array_partition -type cyclic -factor 4 -dim 1 top v\n"
    );
    assert_eq!(reported(SUMS, &tcl), 64.0 * 266.0 + 2.0);
    let late = estimate(SUMS, &tcl, (2023, 2));
    assert_eq!(late.loops.len(), 1);
}

const PRODUCT: &str = "void part(float by, float l[64][64], float o[64][64]) {
        int r, c, k;
        rows: for (r = 0; r < 64; r++) {
            cols: for (c = 0; c < 64; c++) {
                sum: for (k = 0; k < 64; k++) { o[r][c] += by * l[r][k] * l[c][k]; }
            }
        }
    }
    void top(float by, float l[64][64], float o[64][64]) { part(by, l, o); }";

/// 269 states for each of 4,096 elements, and no more for the 64 rows.
#[test]
fn a_nest_around_a_loop_that_holds_a_pipeline_is_flattened() {
    let tcl = "set_directive_inline -off part\n\
        set_directive_interface -mode ap_memory -storage_type ram_s2p top l\n\
        set_directive_interface -mode ap_memory -storage_type ram_s2p top o\n\
        set_directive_pipeline -off part/rows\nset_directive_pipeline -off part/cols\n\
        set_directive_pipeline part/sum\nset_directive_unroll -factor 16 part/sum\n\
        set_directive_array_partition -type cyclic -factor 16 -dim 2 top l\n";
    let answer = estimate(PRODUCT, tcl, (2022, 1));
    assert_eq!(answer.latency.reported, 4096.0 * 269.0 + 2.0);
    assert_eq!(answer.loops[0].label, "rows_cols");
    assert_eq!(answer.loops[0].trip.unwrap().1, 4096.0);
    let kept = format!("{tcl}set_directive_loop_flatten -off part/rows\n");
    assert_eq!(reported(PRODUCT, &kept), 4096.0 * 269.0 + 2.0 + 64.0 * 2.0);
}

const CELL: &str =
    "void part(int r, int c, float by, float l[64][64], float m[64][64], float o[64][64]) {
        int k;
        sum: for (k = 0; k < 64; ++k) { o[r][c] = o[r][c] + by * l[r][k] * m[k][c]; }
    }
    void top(int r, int c, float by, float l[64][64], float m[64][64], float o[64][64]) {
        part(r, c, by, l, m, o);
    }";

#[test]
fn a_write_to_one_of_eight_banks_is_a_switch() {
    let with = |banks: u32| {
        let tcl = format!(
            "set_directive_inline -off part\nset_directive_pipeline -off part/sum\n\
             set_directive_array_partition -type cyclic -factor {banks} -dim 2 top o\n"
        );
        reported(CELL, &tcl)
    };
    assert_eq!((with(1), with(4), with(8)), (771.0, 771.0, 772.0));
}

/// The product goes into the register of the sum: it is not read again, and the module starts after it.
#[test]
fn a_value_that_is_written_before_a_pipeline_is_not_read_again() {
    let text =
        "void part(int r, int c, float by, float l[64][64], float m[64][64], float o[64][64]) {
            int k;
            o[r][c] *= by;
            sum: for (k = 0; k < 64; k++) { o[r][c] = o[r][c] + l[r][k] * m[k][c]; }
        }
        void top(int r, int c, float by, float l[64][64], float m[64][64], float o[64][64]) {
            part(r, c, by, l, m, o);
        }";
    let tcl = "set_directive_inline -off part\nset_directive_pipeline part/sum\n";
    assert_eq!(reported(text, tcl), 207.0);
}

/// Reads of a row that the loop does not change are done before it: they take no port in it.
#[test]
fn reads_that_a_pipeline_does_not_change_are_done_before_it() {
    let text = "void part(int r, float l[64][4], float o[64]) {
            rows: for (int c = 0; c < 64; c++) {
                float sum = 0;
                for (int k = 0; k < 4; k++) { sum += l[r][k] * l[c][k]; }
                o[c] = sum;
            }
        }
        void top(int r, float l[64][4], float o[64]) { part(r, l, o); }";
    let tcl = "set_directive_inline -off part\nset_directive_pipeline part/rows\n\
        set_directive_array_partition -dim 2 top l\n\
        set_directive_interface -mode ap_memory -storage_type ram_s2p top l\n";
    assert_eq!(estimate(text, tcl, (2022, 1)).loops[0].ii, Some(1));
}
