//! How deep an iteration is: tests for the end of a loop, streams, counters of nests and addresses. Depths are those that
//! reports of 2023.2 print at 3.33 ns for loops of these forms.

use crate::read;
use derate_kernel::{Directives, HeldBy, Settings, estimate_kernel, find_part};

/// Interval and depth of the first loop.
fn first_loop(text: &str) -> (u64, f64) {
    let program = read(text);
    let mut settings = Settings::new(find_part("xcu280-fsvh2892-2L-e").unwrap(), 3.33, (2023, 2));
    settings.unsafe_math = true;
    let answer = estimate_kernel(&program, &Directives::default(), &settings);
    (answer.loops[0].ii.unwrap(), answer.loops[0].depth)
}

/// A nest of two pipelined loops that moves each value of a stream, of a depth, to `out`.
fn unpack(rows: u64, columns: u64, depth: u64) -> String {
    format!(
        "void move(hls::stream<float> &in, float out[{rows}][{columns}]) {{
            for (int r = 0; r < {rows}; r++) for (int c = 0; c < {columns}; c++) {{
                #pragma HLS pipeline II=1
                out[r][c] = in.read();
            }}
        }}
        void make(float from[{rows}], hls::stream<float> &to) {{
            for (int r = 0; r < {rows}; r++) for (int c = 0; c < {columns}; c++) {{
                #pragma HLS pipeline II=1
                to.write(from[r]);
            }}
        }}
        void top(float from[{rows}], float out[{rows}][{columns}]) {{
            #pragma HLS dataflow
            hls::stream<float> link;
            #pragma HLS stream variable=link depth={depth}
            make(from, link);
            move(link, out);
        }}"
    )
}

/// The depth of the loops that unpack.
fn unpacking(rows: u64, columns: u64, depth: u64) -> f64 {
    let text = unpack(rows, columns, depth).replace("make(from, link);\n", "");
    first_loop(&text).1
}

#[test]
fn a_stream_is_written_after_the_test_for_the_end() {
    let text = |parameter: &str, body: &str| {
        format!(
            "void top({parameter}) {{
                for (int r = 0; r < 250; r++) {{
                    #pragma HLS pipeline II=1
                    {body}
                }}
            }}"
        )
    };
    assert_eq!(first_loop(&text("float out[250]", "out[r] = 0.0f;")).1, 1.0);
    assert_eq!(first_loop(&text("hls::stream<float> &out", "out.write(0.0f);")).1, 2.0);
}

#[test]
fn a_deep_queue_leaves_no_time_for_a_store() {
    assert_eq!(unpacking(16, 16, 256), 2.0);
    assert_eq!(unpacking(64, 64, 4096), 3.0);
}

#[test]
fn an_address_that_needs_a_product_takes_a_dsp_slice() {
    // 220 = 256 - 32 - 4 needs a multiplier, 20 = 16 + 4 does not.
    assert_eq!(unpacking(180, 220, 256), 4.0);
    assert_eq!(unpacking(90, 20, 256), 2.0);
}

#[test]
fn a_load_waits_for_a_store_that_depends_on_a_condition() {
    let text = |kept: &str| {
        format!(
            "void top(hls::stream<float> &in, float by[64], float out[64]) {{
                float rows[64];
                for (int r = 0; r < 32; r++) for (int c = 0; c < 64; c++) {{
                    #pragma HLS pipeline II=1
                    if (r == 0) {{ rows[c] = in.read(); }}
                    float value = rows[c];
                    {kept}
                    out[c] = value * by[c];
                }}
            }}"
        )
    };
    let depth = |kept: &str| first_loop(&text(kept)).1;
    // A store that comes after all replaces the one before, so that the value is chosen.
    assert!(depth("") > depth("rows[c] = value;"));
}

#[test]
fn what_constants_decide_takes_no_operator() {
    let text = |value: &str| {
        format!(
            "void top(float in[64], float out[64]) {{
                for (int r = 0; r < 64; r++) {{
                    #pragma HLS pipeline II=1
                    float small = 0.00001f;
                    out[r] = in[r] * {value};
                }}
            }}"
        )
    };
    let plain = first_loop(&text("3.5f"));
    assert_eq!(first_loop(&text("(1.0f / sqrtf(small + 1.0f))")), plain);
    assert_eq!(first_loop(&text("3.5f + 0.0f")), plain);
}

#[test]
fn eight_products_and_the_sum_so_far_make_three_adders_in_a_row() {
    let sum = |count: u64| {
        let text = format!(
            "void top(float from[64][256], float to[64]) {{
                #pragma HLS array_partition variable=from cyclic dim=2 factor={count}
                for (int r = 0; r < 64; r++) for (int c = 0; c < 256 / {count}; c++) {{
                    #pragma HLS pipeline II=1
                    for (int u = 0; u < {count}; u++) {{
                        if (u + c * {count} == 0) to[r] = 0.0f;
                        to[r] += from[r][c * {count} + u] * 3.5f;
                    }}
                }}
            }}"
        );
        first_loop(&text).0
    };
    assert_eq!([sum(4), sum(8), sum(16)], [12, 12, 16]);
}

/// RTL of these releases has `urem_256ns_128ns_128_260`: a stage for each bit of what is divided, whatever the result has.
#[test]
fn a_division_takes_a_cycle_for_each_bit_of_what_is_divided() {
    let latency = |by: &str| {
        let text = format!(
            "void top(ap_uint<256> a, ap_uint<{by}> b, ap_uint<{by}> *out) {{ *out = a % b; }}"
        );
        let settings = Settings::new(find_part("xc7z020").unwrap(), 10.0, (2019, 1));
        estimate_kernel(&read(&text), &Directives::default(), &settings).latency.worst
    };
    assert!((latency("128") - latency("256")).abs() < 1.5, "{} {}", latency("128"), latency("256"));
    assert!((255.0..265.0).contains(&latency("128")), "{}", latency("128"));
}

/// The interval of a sum of `float` or `double` in a loop, for a part, a period and a tool.
fn sum_interval(ty: &str, part: &str, ns: f64, tool: (u16, u16)) -> u64 {
    let text = format!(
        "void top({ty} a[1024], {ty} *o) {{ {ty} d = 0; for (int i = 0; i < 1024; i++) {{
            #pragma HLS pipeline II=1
            d += a[i]; }} *o = d; }}"
    );
    let settings = Settings::new(find_part(part).unwrap(), ns, tool);
    estimate_kernel(&read(&text), &Directives::default(), &settings).loops[0].ii.unwrap()
}

/// Reports of 2023.2 and newer for xcu55c at 4 and 4.55 ns have II 3 in loops of this form, and 4 at 3.33 ns.
#[test]
fn a_sum_has_no_shorter_interval_at_a_faster_clock() {
    for (ns, ii) in [(4.55, 3), (4.0, 3), (3.33, 4)] {
        assert_eq!(sum_interval("float", "xcu55c", ns, (2023, 2)), ii, "{ns} ns");
    }
    for tool in [(2019, 2), (2021, 1), (2022, 2), (2023, 2), (2025, 1)] {
        for part in ["xcu280", "xczu7ev", "xc7z020", "xc7vx485t"] {
            for ty in ["float", "double"] {
                let all: Vec<u64> =
                    [20.0, 12.0, 10.0, 9.0, 8.0, 7.14, 6.0, 5.0, 4.5, 4.0, 3.33, 3.0]
                        .map(|ns| sum_interval(ty, part, ns, tool))
                        .to_vec();
                assert!(all.is_sorted(), "{tool:?} {part} {ty}: {all:?}");
            }
        }
    }
}

/// Reports of loops with such counters have `urem_5ns_4ns_3_9` and the like.
#[test]
fn a_counter_that_wraps_has_a_narrow_divider() {
    let interval = |step: &str| {
        let text = format!(
            "void top(int n, int a[64], int *o) {{ unsigned i = 0; int s = 0; for (int k = 0; k < n; k++) {{
                #pragma HLS pipeline II=1
                s += a[i]; i = {step}; }} *o = s; }}"
        );
        let settings = Settings::new(find_part("xcu280").unwrap(), 3.33, (2022, 1));
        estimate_kernel(&read(&text), &Directives::default(), &settings).loops[0].ii.unwrap()
    };
    assert!((7..12).contains(&interval("(i + 1) % 24")), "{}", interval("(i + 1) % 24"));
    assert_eq!(interval("(i + 1) % 32"), 1, "its low bits");
    // Nothing bounds these.
    assert!(interval("(i - 1) % 24") > 30);
    assert!(interval("(i * 7 + 1) % 1000003 + n") > 30);
}

/// In the manner of a modular power: the product is twice as wide as the remainder.
#[test]
fn a_recurrence_through_a_remainder_is_named_after_its_division() {
    let text = "void top(ap_uint<96> x, ap_uint<96> p, ap_uint<96> *out) { ap_uint<96> r = 1; for (int i = 0; i < 64; i++) {
        #pragma HLS pipeline II=1
        r = (r * x) % p; } *out = r; }";
    let settings = Settings::new(find_part("xc7z020").unwrap(), 10.0, (2019, 2));
    let answer = estimate_kernel(&read(text), &Directives::default(), &settings);
    let Some(HeldBy::Recurrence { operation, .. }) = &answer.loops[0].held_by else {
        panic!("{:?}", answer.loops)
    };
    assert_eq!(operation.as_deref(), Some("integer division"));
    assert!(answer.loops[0].ii.unwrap() > 192, "a cycle for each bit of the product");
}
