//! Variables that keep the number that they are set to first count loops as literals do.

use crate::read;
use derate_kernel::{Directives, KernelAnswer, Settings, estimate_kernel, find_part};

fn estimate(text: &str) -> KernelAnswer {
    let settings = Settings::new(find_part("xcu280").unwrap(), 1e3 / 300.0, (2023, 2));
    estimate_kernel(&read(text), &Directives::default(), &settings)
}

/// A loop over 1,024 elements whose step is declared, and may be changed.
fn strided(global: &str, before: &str, inside: &str) -> String {
    format!(
        "#include <ap_int.h>
        #include <hls_stream.h>
        {global}
        void change(int &one) {{ one = 3; }}
        int copy(int one) {{ return one; }}
        void top(float x[1024], float y[1024], hls::stream<int> &in, int n) {{
            int i;
            {before}
            each: for (i = 0; i < 1024; i += step) {{
#pragma HLS pipeline
                {inside}
                y[i] = x[i] * 2.0f;
            }}
        }}"
    )
}

fn trips(text: &str) -> Option<f64> {
    estimate(text).loops[0].trip.filter(|trip| trip.0 == trip.1).map(|trip| trip.1)
}

#[test]
fn a_step_that_nothing_changes_is_a_number() {
    let declared = [
        ("", "int step = 2;"),
        ("", "ap_int<3> step = 2;"),
        ("", "static unsigned step = 2;"),
        ("", "int step(2);"),
        ("", "int one = 1; int step = one + one;"),
        ("", "ap_int<8> one = 1; int step = one.to_int() * 2;"),
        ("", "int step; step = 2;"),
        ("", "int step = 2; y[0] = copy(step);"),
        ("int step = 2;", ""),
        ("static short step = 2;", ""),
        ("int step = 2;", "step + n;"),
    ];
    for (global, before) in declared {
        assert_eq!(trips(&strided(global, before, "")), Some(512.0), "{global} {before}");
    }
    let literal = estimate(&strided("const int step = 2;", "", ""));
    let variable = estimate(&strided("", "int step = 2;", ""));
    assert_eq!(literal.latency, variable.latency);
    assert_eq!(literal.resources, variable.resources);
}

#[test]
fn a_step_that_something_may_change_is_not() {
    let changed = [
        ("", "int step = 2; step = n;", ""),
        ("", "int step = 2;", "step = step + n;"),
        ("", "int step = 2;", "if (x[i] > 1.0f) step = 4;"),
        ("", "int step = 2; int *other = &step; *other = n;", ""),
        ("", "int step = 2; int &other = step; other = n;", ""),
        ("", "int step = 2; change(step);", ""),
        ("", "int step = 2; in >> step;", ""),
        ("", "int step = 2; step += n;", ""),
        ("", "ap_int<8> step = 2; step(3, 0) = n;", ""),
        ("", "ap_int<8> step = 2; step[1] = n;", ""),
        ("", "int step; if (n > 4) step = 2; else step = n;", ""),
        ("", "int step; if (n > 4) { step = 2; }", ""),
        ("", "int step; if (n > 4) step = 2;", ""),
        ("", "int step = 4; n > 4 ? (step = 2) : 0;", ""),
        ("", "int step = 4; (n > 4) && (step = 2);", ""),
        ("", "int step = 4; switch (n) { case 4: step = 2; break; default: break; }", ""),
        ("", "int step = 4; while (n > 4) step = 2;", ""),
        ("int step = 2; void other(int n) { step = n; }", "other(n);", ""),
        ("int step = 2;", "change(step);", ""),
        ("int step = 2; int *other = &step;", "*other = n;", ""),
        ("int step = 2; int &other = step;", "other = n;", ""),
        ("int step = 2; int *others[1] = {&step};", "*others[0] = n;", ""),
        ("extern int step;", "", ""),
    ];
    for (global, before, inside) in changed {
        assert_eq!(trips(&strided(global, before, inside)), None, "{global} {before} {inside}");
    }
}
