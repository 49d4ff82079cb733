//! Triangular loops, dependences through memory and fixed point, in the manner of `PolyBench`: what RTL of Vitis HLS 2023.1 for
//! xc7z020 at 10 ns has for such kernels (sharc-lab/HLSFactory exports it), and what follows from counting.

use crate::read;
use derate_kernel::{Directives, KernelAnswer, LoopAnswer, Settings, estimate_kernel, find_part};

fn estimate_by(text: &str, tool: (u16, u16)) -> KernelAnswer {
    let program = read(text);
    let part = find_part("xc7z020-clg484-1").unwrap();
    estimate_kernel(&program, &Directives::default(), &Settings::new(part, 10.0, tool))
}

fn estimate(text: &str) -> KernelAnswer {
    estimate_by(text, (2023, 1))
}

fn interval(answer: &KernelAnswer, label: &str) -> u64 {
    find_loop(answer, label).ii.unwrap()
}

fn find_loop<'a>(answer: &'a KernelAnswer, label: &str) -> &'a LoopAnswer {
    answer.loops.iter().find(|one| one.label == label).unwrap()
}

fn quotient(dividend: &str, divisor: &str) -> f64 {
    let text = format!("void top({dividend} a, {divisor} b, {dividend} *c) {{ *c = a / b; }}");
    estimate(&text).latency.reported
}

/// The dividend gets the bits behind the point of the divisor, and the divider has a stage a bit: `sdiv_48ns_32s_32_52` beside
/// a divider of 32 bits.
#[test]
fn a_fixed_point_quotient_divides_a_wider_number() {
    let fixed = quotient("ap_fixed<32, 16>", "ap_fixed<32, 16>");
    assert_eq!(fixed - quotient("ap_fixed<32, 16>", "ap_fixed<24, 16>"), 8.0);
    assert_eq!(fixed - quotient("ap_int<32>", "ap_int<32>"), 16.0);
}

/// `mul_52s_55ns_106_5_1` instead of a divider of 56 stages.
#[test]
fn a_constant_divisor_is_a_product() {
    let text = "typedef ap_fixed<32, 16> num;
        void top(num a, num *c) { *c = a / num(9.0); }";
    let latency = estimate(text).latency.reported;
    assert!((4.0..=6.0).contains(&latency), "{latency}");
    let by_four = text.replace("9.0", "4.0");
    assert_eq!(estimate(&by_four).latency.reported, 0.0);
}

/// `ddiv_64ns_64ns_64_59_no_dsp_1` and `dsqrt_64ns_64ns_64_57_no_dsp_1`: stages are one more than the latency.
#[test]
fn double_precision_of_zynq_has_long_dividers_and_roots() {
    // A product has six cycles.
    let product = estimate("void top(double a, double b, double *c) { *c = a * b; }");
    let root = estimate("void top(double a, double *c) { *c = sqrt(a); }");
    assert_eq!(quotient("double", "double") - product.latency.reported, 58.0 - 6.0);
    assert_eq!(root.latency.reported - product.latency.reported, 56.0 - 6.0);
}

/// `mul_32s_32s_48_2_1` has two stages, `mul_64s_32s_64_5_1` five.
#[test]
fn wide_products_of_zynq_have_stages() {
    let product = |left: &str| {
        let text =
            format!("void top(ap_int<{left}> a, ap_int<32> b, ap_int<96> *c) {{ *c = a * b; }}");
        estimate(&text).latency.reported
    };
    assert_eq!((product("32"), product("64")), (1.0, 4.0));
}

/// 3 loops deep, each up to the counter around: 20 * 19 * 18 / 6 iterations.
#[test]
fn the_expected_count_of_a_triangle_is_exact() {
    let text = "void top(float a[20], float b[20]) {
        outer: for (int i = 0; i < 20; i++) {
            middle: for (int j = 0; j < i; j++) {
                inner: for (int k = 0; k < j; k++) { a[k] = b[k] * b[j]; }
            }
        }
    }";
    let answer = estimate(text);
    let runs = |label: &str| find_loop(&answer, label).trip.unwrap().2;
    let all = runs("outer") * runs("middle") * runs("inner");
    assert!((all - 1140.0).abs() < 1e-6, "{all}");
}

/// A loop that runs more often where its bound is small: i * (30 - i) iterations, not the product of two means.
#[test]
fn a_run_counts_as_often_as_it_is_there() {
    let text = "void top(float a[30], float b[30]) {
        outer: for (int i = 0; i < 30; i++) {
            falls: for (int j = i; j < 30; j++) {
                rises: for (int k = 0; k < i; k++) { a[k] = b[k] * b[j]; }
            }
        }
    }";
    let answer = estimate(text);
    // The bounds of the nest vary with the loop outside of it only: it is flattened.
    let nest = find_loop(&answer, "falls_rises").trip.unwrap();
    let sum: u32 = (0..30).map(|i| i * (30 - i)).sum();
    assert!((nest.2 * 30.0 - f64::from(sum)).abs() < 1e-6, "{nest:?}");
}

/// From 0 to 39: the header of RTL of 2023.1 counts with 19, reports before and after it with 39.
#[test]
fn a_report_has_the_middle_of_a_range_rounded_down() {
    let text = "void top(float a[40], float b[40][40]) {
        rows: for (int i = 0; i < 40; i++) {
            upto: for (int k = 0; k < i; k++) { b[i][k] = a[k]; }
        }
    }";
    let iterations = |tool| {
        let answer = estimate_by(text, tool);
        // A copy has an interval of one: each iteration more is a cycle more.
        let one = find_loop(&answer, "upto");
        one.cycles.reported - one.depth
    };
    assert_eq!(iterations((2023, 2)) - iterations((2023, 1)), 20.0);
    assert_eq!(iterations((2022, 2)), iterations((2023, 2)));
}

const SQUARES: &str = "void top(double m[40][40]) {
        rows: for (int i = 0; i < 40; i++) {
            squares: for (int k = 0; k < i; k++) { m[i][i] -= m[i][k] * m[i][k]; }
        }
    }";

/// What is stored is taken from a register in the next iteration: a choice and a subtraction of seven stages. What is read is
/// before the diagonal, and does not wait.
#[test]
fn a_sum_in_memory_goes_through_a_register() {
    assert_eq!(interval(&estimate(SQUARES), "squares"), 8);
    // Fixed point: the two reads and the write of an iteration share two ports.
    let fixed = SQUARES.replace("double", "ap_fixed<32, 16>");
    assert_eq!(interval(&estimate(&fixed), "squares"), 2);
}

/// The rows are values from before the loop, which the tool does not compare: what is read may be what was stored. A choice,
/// a product and a subtraction of seven stages each.
#[test]
fn rows_from_before_a_loop_may_be_the_same() {
    let text = "void top(double m[40][40]) {
        rows: for (int i = 0; i < 40; i++) {
            columns: for (int j = 0; j < i; j++) {
                products: for (int k = 0; k < j; k++) { m[i][j] -= m[i][k] * m[j][k]; }
                m[i][j] /= m[j][j];
            }
        }
    }";
    assert_eq!(interval(&estimate(text), "products"), 15);
    let fixed = text.replace("double", "ap_fixed<32, 16>");
    assert_eq!(interval(&estimate(&fixed), "products"), 3);
}

/// Near miss: another array has no register, and nothing to wait for.
#[test]
fn another_array_does_not_wait() {
    let text = SQUARES.replace("double m[40][40]", "double m[40][40], double s[40][40]");
    let text = text.replace("m[i][i] -=", "s[i][k] =");
    assert_eq!(interval(&estimate(&text), "squares"), 1);
}

/// The store before the loop and that of an iteration are one, at the start of an iteration. It comes before the reads of
/// the same array: 1 + 2 + 7 + 7 cycles.
#[test]
fn a_store_before_a_loop_joins_that_of_its_iterations() {
    let text = "void top(double l[40][40], double x[40], double b[40]) {
        rows: for (int i = 0; i < 40; i++) {
            x[i] = b[i];
            known: for (int j = 0; j < i; j++) { x[i] -= l[i][j] * x[j]; }
            x[i] = x[i] / l[i][i];
        }
    }";
    assert_eq!(interval(&estimate(text), "known"), 17);
    let fixed = text.replace("double", "ap_fixed<32, 16>");
    assert_eq!(interval(&estimate(&fixed), "known"), 5);
}

/// What an iteration stored is read by the next one: the first value is read before the loop, and the nest is not perfect.
#[test]
fn a_loop_that_takes_what_it_stored_is_not_flattened() {
    let text = "void top(double a[200][200]) {
        rows: for (int i = 1; i < 199; i++) {
            columns: for (int j = 1; j < 199; j++) { a[i][j] = (a[i][j - 1] + a[i][j]) * 0.5; }
        }
    }";
    assert_eq!(find_loop(&estimate(text), "columns").nest, 1);
    let apart = text.replace("a[i][j - 1]", "a[i - 1][j]");
    assert_eq!(find_loop(&estimate(&apart), "rows_columns").nest, 0);
}

/// The quotient of a sum waits for the loop that makes it.
#[test]
fn what_a_loop_leaves_in_memory_is_there_after_it() {
    let text = "void top(double a[100][100], double s[100], double by) {
        rows: for (int i = 0; i < 100; i++) {
            s[i] = 0.0;
            sum: for (int k = 0; k < 100; k++) { s[i] += a[i][k]; }
            s[i] /= by;
        }
    }";
    // In 2022.2 double precision divides in 30 cycles.
    let answer = estimate_by(text, (2022, 2));
    let (rows, sum) = (find_loop(&answer, "rows"), find_loop(&answer, "sum"));
    assert!(rows.depth > sum.cycles.worst + 30.0, "{} {:?}", rows.depth, sum.cycles);
}
