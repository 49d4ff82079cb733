//! Accesses of one memory in the two ways of a condition: an iteration does one of them, and neither waits for the other.

use crate::read;
use derate_kernel::{Directives, Settings, estimate_kernel, find_part};

/// The cycles of an iteration of a filter that shifts its values on, by what it does where the condition holds, and where not.
fn depth(test: &str, then: &str, otherwise: &str) -> f64 {
    let text = format!(
        "int top(int x, int w[128], int flags[128]) {{
            static int line[128];
            int sum = 0;
            taps: for (int i = 127; i >= 0; i--) {{
#pragma HLS pipeline off
                bool holds = {test};
                if (holds) {{ {then} }} else {{ {otherwise} }}
            }}
            return sum;
        }}"
    );
    let settings = Settings::new(find_part("xc7z020").unwrap(), 10.0, (2019, 1));
    estimate_kernel(&read(&text), &Directives::default(), &settings).loops[0].depth
}

/// Reports of 2019.1 have four states for the filter with a store in each way.
#[test]
fn what_one_way_stores_does_not_hold_up_the_other() {
    let shift = "line[i] = line[i - 1]; sum += line[i] * w[i];";
    for test in ["i == 0", "flags[i] != 0"] {
        let alone = depth(test, "", shift);
        assert_eq!(depth(test, "line[0] = x; sum += x * w[0];", shift), alone, "{test}");
        assert_eq!(depth(test, shift, "line[0] = x; sum += x * w[0];"), alone, "{test}");
    }
}

#[test]
fn what_both_ways_or_another_condition_store_does() {
    let shift = "sum += line[i - 1] * w[i];";
    let alone = depth("i == 0", "", shift);
    // The stored element may be the one that is read.
    assert!(depth("i == 0", "", &format!("line[w[i]] = x; {shift}")) > alone);
    let other = format!("}} if (flags[i] > 3) {{ line[w[i]] = x; }} if (!holds) {{ {shift}");
    assert!(depth("i == 0", "sum++;", &other) > alone);
}

#[test]
fn what_follows_both_ways_waits_for_each() {
    let late = "sum += line[w[i] * w[i] / 7 & 127];";
    let after = "} { line[x] = 2; sum += line[flags[i]] * 3;";
    for test in ["i == 0", "flags[i] != 0"] {
        let waits = depth(test, late, after);
        let early = depth(test, "", &format!("line[0] = x; {after}"));
        assert!(early + 4.0 < waits, "{test}: {early} {waits}");
        assert_eq!(depth(test, late, &format!("line[0] = x; {after}")), waits, "{test}");
        assert_eq!(depth(test, "line[0] = x;", &format!("{late} {after}")), waits, "{test}");
    }
}

/// The interval of a loop that reads a stream in its body.
fn interval(body: &str) -> u64 {
    let text = format!(
        "#include <hls_stream.h>\n
        void top(hls::stream<int> &in, hls::stream<int> &out, int n) {{
            int sum = 0;
            each: for (int i = 0; i < 1000; i++) {{
#pragma HLS pipeline II=1
                {body}
            }}
        }}"
    );
    let settings = Settings::new(find_part("xc7z020").unwrap(), 10.0, (2019, 1));
    estimate_kernel(&read(&text), &Directives::default(), &settings).loops[0].ii.unwrap()
}

/// The sliding windows of FINN fill a buffer in one way, and fill it while they empty it in the other.
#[test]
fn reads_of_a_stream_in_two_ways_share_its_port() {
    let nested =
        "if (i < n) { sum += in.read(); } else { out.write(sum); if (i & 1) sum -= in.read(); }";
    assert_eq!(interval(nested), 1);
    assert_eq!(interval("if (i < n) out.write(in.read()); else in.read();"), 1);
    // Both may happen.
    assert_eq!(interval("if (i < n) out.write(in.read()); if (i & 1) sum += in.read();"), 2);
    // A third read is beside one of the two.
    assert_eq!(
        interval(
            "if (i < n) out.write(in.read()); else sum += in.read(); if (i & 1) sum += in.read();"
        ),
        2
    );
}

/// One of the arms runs, however many there are.
#[test]
fn many_arms_that_use_a_stream_use_its_port_once() {
    let case = |at: usize| format!("case {at}: out.write(in.read()); break;");
    for arms in [3, 7, 16] {
        let cases: String = (0..arms).map(case).collect();
        assert_eq!(interval(&format!("switch (n) {{ {cases} }}")), 1, "{arms}");
        let guarded = cases.replace("out.write", "if (i & 1) out.write");
        assert_eq!(interval(&format!("switch (n) {{ {guarded} }}")), 1, "{arms}");
        let chain: Vec<String> =
            (0..arms).map(|at| format!("if (n < {at}) out.write(in.read());")).collect();
        assert_eq!(interval(&chain.join(" else ")), 1, "{arms}");
    }
}

/// A `memcpy` is a burst in versions that pipeline no loop unasked, and `auto` reads a stream once.
#[test]
fn a_copy_is_a_burst_and_auto_reads_once() {
    let text = "#include <string.h>\n
        void top(const int *a, int *b) {
#pragma HLS interface m_axi port = a bundle = x
#pragma HLS interface m_axi port = b bundle = y
            int inner[1024];
            memcpy(inner, a, 1024 * sizeof(int));
            each: for (int i = 0; i < 1024; i++) {
#pragma HLS pipeline
                b[i] = inner[i];
            }
        }";
    let settings = Settings::new(find_part("xc7z020").unwrap(), 10.0, (2019, 2));
    let answer = estimate_kernel(&read(text), &Directives::default(), &settings);
    assert_eq!(answer.loops[0].ii, Some(1), "{:?}", answer.loops[0]);
    for ty in ["auto", "const auto", "auto const", "int"] {
        assert_eq!(interval(&format!("{ty} x = in.read(); out.write(x * x + x);")), 1, "{ty}");
    }
}
