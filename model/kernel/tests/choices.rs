//! What the tool does unasked with loops: which become pipelines, and which are unrolled or flattened for it.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]
#![allow(clippy::float_cmp, reason = "cycles are whole numbers")]

use derate_kernel::{Directives, KernelAnswer, Settings, estimate_kernel, find_part, read_program};
use derate_syntax::{SourceFile, read_unit};

fn estimate(text: &str) -> KernelAnswer {
    let source = SourceFile { path: "kernel.c".into(), text: text.into() };
    let unit = read_unit(&[source], &mut |_, _, _| None, &[]);
    let program = read_program(&unit, "top").unwrap();
    let mut settings = Settings::new(find_part("xcu200-fsgd2104-2-e").unwrap(), 4.0, (2025, 1));
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
    assert_eq!(intervals(&window(3)).len(), 1);
    assert!(intervals(&window(20)).len() > 1);
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
