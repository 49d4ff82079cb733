//! LUT and FF of control, counters and dividers, for kernels written anew in the manner of public designs.
//!
//! The figures are facts of zedong-peng/ForgeHLS-benchmark (xcu280, 10 ns) and of reports of 2019.2 to 2023.2.

use crate::read;
use derate_hls::read_tcl;
use derate_kernel::{Directives, Resources, Settings, estimate_kernel, find_part};

fn resources(text: &str, tcl: &str) -> Resources {
    let directives = Directives { list: read_tcl(tcl).directives };
    let part = find_part("xcu280-fsvh2892-2L-e").unwrap();
    estimate_kernel(&read(text), &directives, &Settings::new(part, 10.0, (2023, 2))).resources
}

/// A loop over 1024 elements with this body.
fn each(body: &str) -> Resources {
    each_with(body, "")
}

fn each_with(body: &str, tcl: &str) -> Resources {
    let text = format!(
        "void top(unsigned a[1024], unsigned b[1024], unsigned c[1024]) {{
            one: for (int i = 0; i < 1024; i++) {{ {body} }}
        }}"
    );
    resources(&text, tcl)
}

fn is_near(value: f64, report: f64, percent: f64) -> bool {
    (value - report).abs() <= report * percent / 100.0
}

#[test]
fn a_loop_has_its_counter_and_its_control() {
    let copied = each("c[i] = a[i];");
    assert!(is_near(copied.lut.value, 77.0, 5.0), "{:?}", copied.lut);
    assert!(is_near(copied.ff.value, 25.0, 20.0), "{:?}", copied.ff);
    let summed = each("c[i] = a[i] + b[i];");
    assert!(is_near(summed.lut.value - copied.lut.value, 39.0, 1.0), "{:?}", summed.lut);
}

/// A nest has a counter of all iterations beside those of its loops.
#[test]
fn a_nest_has_one_counter_more() {
    let nest = resources(
        "void top(unsigned a[32][32], unsigned c[32][32]) {
            for (int i = 0; i < 32; i++) for (int j = 0; j < 32; j++) c[i][j] = a[i][j];
        }",
        "",
    );
    let flat = each("c[i] = a[i];");
    assert!(nest.lut.value > 1.5 * flat.lut.value, "{:?} {:?}", nest.lut, flat.lut);
}

#[test]
fn a_divider_in_a_pipeline_has_a_stage_for_each_bit() {
    let copied = each("c[i] = a[i];").lut.value;
    let staged = each("c[i] = a[i] / b[i];");
    assert!(is_near(staged.lut.value - copied, 1738.0, 10.0), "{:?}", staged.lut);
    assert!(is_near(staged.ff.value, 2283.0, 15.0), "{:?}", staged.ff);
    let off = "set_directive_pipeline -off top/one\n";
    let alone =
        each_with("c[i] = a[i] / b[i];", off).lut.value - each_with("c[i] = a[i];", off).lut.value;
    assert!(alone < 900.0, "{alone}");
}

#[test]
fn a_division_by_a_number_needs_no_divider() {
    let copied = each("c[i] = a[i];").lut.value;
    assert!(each("c[i] = a[i] / 4;").lut.value - copied < 5.0);
    assert!(each("c[i] = a[i] % 4;").lut.value - copied < 5.0);
    let twelfth = each("c[i] = a[i] / 12;");
    assert!((1.0..60.0).contains(&(twelfth.lut.value - copied)), "{:?}", twelfth.lut);
    assert!(twelfth.dsp.value > 0.0);
    // A remainder is divided.
    assert!(each("c[i] = a[i] % 12;").lut.value - copied > 1000.0);
}

/// Quotient and remainder of a counter by one number find the element that the counter counts.
#[test]
fn a_flat_copy_divides_nothing() {
    let split = |index: &str| {
        let text = format!(
            "void top(unsigned a[1050], unsigned c[15][70]) {{
                for (int i = 0; i < 1050; i++) c{index} = a[i];
            }}"
        );
        resources(&text, "")
    };
    assert_eq!(split("[i / 70][i % 70]").dsp.value, 0.0);
    assert!(split("[i / 70][i % 70]").lut.value < 150.0);
    assert!(split("[i % 15][i % 70]").lut.value > 250.0);
}

/// Each comparison looks at exponents and mantissas, although all of them share an operator.
#[test]
fn comparisons_of_doubles_test_for_numbers() {
    let least = |count: u32| {
        let text = format!(
            "void top(double a[{count}], double *r) {{
                double s = a[0];
                for (int i = 1; i < {count}; i++) {{
                    #pragma HLS unroll
                    if (a[i] < s) s = a[i];
                }}
                *r = s;
            }}"
        );
        resources(&text, "").lut.value
    };
    let more = (least(16) - least(8)) / 8.0;
    // 18 and 59 LUT with two gates for each side, and a choice of 64 bits.
    assert!(more > 2.0 * 79.0 + 64.0, "{more}");
}
