//! What the tool does unasked with loops: which become pipelines, and which are unrolled or flattened for it.

use crate::read;
use derate_kernel::{Directives, KernelAnswer, Settings, estimate_kernel, find_part};

fn estimate(text: &str) -> KernelAnswer {
    estimate_with(text, (2025, 1))
}

fn estimate_with(text: &str, tool: (u16, u16)) -> KernelAnswer {
    let program = read(text);
    let mut settings = Settings::new(find_part("xcu200-fsgd2104-2-e").unwrap(), 4.0, tool);
    settings.unsafe_math = true;
    estimate_kernel(&program, &Directives::default(), &settings)
}

fn intervals(answer: &KernelAnswer) -> Vec<(&str, Option<u64>)> {
    answer.loops.iter().map(|item| (item.label.as_str(), item.ii)).collect()
}

#[test]
fn a_pipeline_that_cannot_be_made_keeps_the_loops_in_it_from_becoming_pipelines() {
    let triangle = |pragma: &str| {
        estimate(&format!(
            "void top(double in[90][90], double out[90]) {{
                rows: for (int r = 0; r < 90; r++) {{
                    {pragma}
                    out[r] = in[r][0] * 0.5;
                    cols: for (int c = 0; c < r; c++) {{ in[r][c] = in[r][c] * 0.5; }}
                }}
            }}"
        ))
    };
    assert_eq!(intervals(&triangle("")), [("rows", None), ("cols", Some(1))]);
    let asked = triangle("#pragma HLS pipeline");
    assert_eq!(intervals(&asked), [("rows", None), ("cols", None)]);
}

#[test]
fn a_nest_of_short_loops_is_unrolled_for_the_loop_around_it() {
    let window = |size: u32| {
        estimate(&format!(
            "void top(int in[4096], int out[4096], int taps[512]) {{
                scan: for (int c = 0; c < 2000; c++) {{
                    int sum = 0;
                    down: for (int a = 0; a < {size}; a++)
                        across: for (int b = 0; b < {size}; b++) sum += taps[a * {size} + b] * in[c + 64 * a + b];
                    out[c] = sum;
                }}
            }}"
        ))
    };
    assert_eq!(window(3).loops[0].label, "scan");
    assert_eq!(window(20).loops[0].label, "scan_down");
}

#[test]
fn what_a_loop_reads_between_two_stores_keeps_the_first_one() {
    let answer = estimate(
        "void top(double a[100], double b[100]) {
            steps: for (int t = 0; t < 10; t++) {
                #pragma HLS unroll factor=2
                b[0] = a[0] * 0.5;
                copy: for (int c = 0; c < 100; c++) { a[c] = a[c] * b[0]; }
            }
        }",
    );
    let [steps, copy, _] = answer.loops.as_slice() else { panic!("{:?}", intervals(&answer)) };
    // The second product waits for the first loop, and the second loop for the product.
    assert!(
        steps.depth > 2.0 * (copy.cycles.reported + 4.0),
        "{} {}",
        steps.depth,
        copy.cycles.reported
    );
}

fn row_sums(factor: u32, tool: (u16, u16)) -> KernelAnswer {
    let text = format!(
        "void top(double in[90][100], double out[90], double by) {{
            #pragma HLS array_partition variable=in cyclic factor=100 dim=2
            rows: for (int r = 0; r < 90; r++) {{
                out[r] = 0.0;
                cols: for (int c = 0; c < 100; c++) {{
                    #pragma HLS unroll factor={factor}
                    out[r] += in[r][c];
                }}
                out[r] /= by;
            }}
        }}"
    );
    estimate_with(&text, tool)
}

#[test]
fn what_is_around_a_loop_moves_into_it_from_2023_on() {
    let nest = row_sums(1, (2022, 2));
    assert_eq!(nest.loops.len(), 2);
    assert_eq!(row_sums(1, (2023, 1)).loops[0].label, "rows_cols");
    let flat = row_sums(1, (2025, 1));
    assert_eq!(intervals(&flat), [("rows_cols", Some(6))]);
    assert_eq!(flat.loops[0].trip, Some((9000.0, 9000.0, 9000.0)));
    // The division is in the depth, once.
    let cycles = flat.latency.reported - 8999.0 * 6.0;
    assert!((20.0..80.0).contains(&cycles), "{cycles}");
}

#[test]
fn copies_behind_the_end_of_a_flattened_loop_add_one_after_the_other() {
    assert_eq!(row_sums(25, (2025, 1)).loops[0].ii, Some(6));
    // 4 of 16 copies run in the last iteration: 12 additions wait for each other, and for the sum of the 4.
    let chain = row_sums(16, (2025, 1)).loops[0].ii.unwrap();
    assert!((13 * 6..=13 * 6 + 6).contains(&chain), "{chain}");
}

#[test]
fn elements_with_another_rest_are_not_waited_for() {
    let shifted = |by: u32| {
        let answer = estimate(&format!(
            "void top(double io[400], int at) {{
                #pragma HLS array_partition variable=io type=cyclic factor=4 dim=1
                io[4 * at] = io[4 * at + 1] * 0.5;
                io[8 * at + {by}] = io[8 * at + {by}] * 0.25;
            }}"
        ));
        answer.latency.reported
    };
    assert!(shifted(2) < shifted(4), "{} {}", shifted(2), shifted(4));
}

/// `off` takes a directive back; it is not the directive without a factor.
#[test]
fn a_loop_whose_unrolling_is_off_stays() {
    let cycles = |pragma: &str| {
        let answer = estimate(&format!(
            "void top(float in[256], float out[256]) {{
                all: for (int i = 0; i < 256; i++) {{
                    {pragma}
                    out[i] = in[i] * 0.5f;
                }}
            }}"
        ));
        answer.latency.reported
    };
    let plain = cycles("");
    assert_eq!(cycles("#pragma HLS unroll off=true"), plain);
    assert_eq!(cycles("#pragma HLS unroll off"), plain);
    assert_ne!(cycles("#pragma HLS unroll factor=4"), plain);
}
