//! What functions of mathematics compute in.

use crate::read;
use derate_kernel::{Directives, Settings, estimate_kernel, find_part};

/// DSP slices and the interval of a sum over a function.
fn slices(head: &str, function: &str) -> (f64, Option<u64>) {
    let text = format!(
        "{head}\nvoid top(float v[64], float *r) {{ float s = 0;
            for (int i = 0; i < 64; i++) s += v[i] * {function}(v[i]); *r = s; }}"
    );
    let settings = Settings::new(find_part("xcu280").unwrap(), 10.0, (2023, 2));
    let answer = estimate_kernel(&read(&text), &Directives::default(), &settings);
    assert!(answer.unknown.is_empty(), "{:?}", answer.unknown);
    (answer.resources.dsp.value, answer.loops[0].ii)
}

#[test]
fn a_using_in_a_function_brings_them() {
    let of = |using: &str| {
        let text = format!(
            "#include <cmath>\nvoid top(float v[64]) {{ {using}
                for (int i = 0; i < 64; i++) v[i] = exp(v[i]); }}"
        );
        let settings = Settings::new(find_part("xcu280").unwrap(), 10.0, (2023, 2));
        estimate_kernel(&read(&text), &Directives::default(), &settings).resources.dsp.value
    };
    let single = of("using std::exp;");
    assert_eq!(single.to_bits(), of("using namespace std;").to_bits());
    assert!(of("") > single + 10.0 && of("using std::log;") > single + 10.0);
}

const PLAIN: &str = "#include <cmath>";

#[test]
fn without_a_prefix_cmath_has_the_functions_of_c() {
    let single = slices(PLAIN, "std::exp");
    let double = slices(PLAIN, "exp");
    assert_eq!(single, slices(PLAIN, "expf"));
    assert!(double.0 > single.0 + 10.0, "{double:?} {single:?}");
    // The sum is one of doubles, between two conversions.
    assert_eq!(double.1, Some(6));
    assert!(single.1 < double.1, "{single:?}");
}

#[test]
fn the_others_are_found_where_a_header_or_a_directive_brings_them() {
    let single = slices(PLAIN, "std::exp");
    assert_eq!(slices("#include <cmath>\nusing namespace std;", "exp"), single);
    assert_eq!(slices("#include <cmath>\n#include <math.h>", "exp"), single);
    assert_eq!(slices("#include <cmath>\n#include \"unknown.h\"", "exp"), single);
    assert_eq!(slices("#include <cmath>\nusing std::exp;", "exp"), single);
    assert!(slices("#include <cmath>\nusing std::log;", "exp").0 > single.0 + 10.0);
    // Headers of the vendor's of which no report is known.
    for header in ["ap_fixed.h", "hls_math.h", "hls_stream.h"] {
        assert_eq!(slices(&format!("#include <cmath>\n#include <{header}>"), "exp"), single);
        assert_eq!(slices(&format!("#include <cmath>\n#include \"{header}\""), "exp"), single);
    }
    assert!(slices("#include <cmath>\n#include <ap_int.h>", "exp").0 > single.0 + 10.0);
    // The result is the same for a float.
    assert_eq!(slices(PLAIN, "sqrt"), slices(PLAIN, "std::sqrt"));
}
