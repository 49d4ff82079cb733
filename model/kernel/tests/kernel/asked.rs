//! What is asked of a loop, and what older tools do by themselves.

use crate::read;
use derate_kernel::{Directives, KernelAnswer, Settings, estimate_kernel, find_part};

fn estimate(text: &str, tool: (u16, u16)) -> KernelAnswer {
    let part = find_part("xc7z020clg484-1").unwrap();
    estimate_kernel(&read(text), &Directives::default(), &Settings::new(part, 10.0, tool))
}

const COPY: &str = "void top(int a[1000], int out[1000]) {
        for (int i = 0; i < 1000; i++) out[i] = a[i];
    }";

/// A report of 2017.4 has such a loop with `Pipelined no` and two cycles an iteration.
#[test]
fn vivado_hls_pipelines_what_a_directive_asks_for() {
    let plain = estimate(COPY, (2020, 1));
    assert_eq!((plain.loops[0].ii, plain.loops[0].cycles.reported), (None, 2000.0));
    let automatic = estimate(COPY, (2020, 2));
    assert_eq!((automatic.loops[0].ii, automatic.loops[0].cycles.reported), (Some(1), 1000.0));
    let asked = COPY.replace("out[i] =", "\n#pragma HLS pipeline\nout[i] =");
    assert_eq!(estimate(&asked, (2017, 4)).loops[0].ii, Some(1));
}

/// Interval, depth and cycles of a loop of 100 iterations that reads a stream.
fn drained(asked: u64) -> (u64, f64, f64) {
    let answer = estimate(
        &format!(
            "void top(hls::stream<int> &in, int out[1]) {{
                 int sum = 0;
                 for (int i = 0; i < 100; i++) {{
             #pragma HLS pipeline II={asked}
                     sum += in.read();
                 }}
                 out[0] = sum;
             }}"
        ),
        (2020, 2),
    );
    let one = &answer.loops[0];
    (one.ii.unwrap(), one.depth, one.cycles.reported)
}

/// Reports of 2020.2 have II 41 and 196 x 41 cycles where 64 is asked of 41 cycles, and II 3 where 64 is asked of 3.
#[test]
fn an_interval_is_not_longer_than_an_iteration() {
    let (ii, depth, cycles) = drained(64);
    assert!(ii > 1);
    assert_eq!((ii as f64, cycles), (depth, 100.0 * depth));
    // An interval that is shorter is as it is asked for.
    let (ii, same, cycles) = drained(1);
    assert_eq!((ii, same, cycles), (1, depth, 98.0 + depth));
}

/// Interval of a loop that writes a stream of pairs, by what its body does.
fn written(body: &str) -> u64 {
    let answer = estimate(
        &format!(
            "struct Pair {{ int re; int im; }};
             void top(int n, Pair a[256], hls::stream<Pair> &out) {{
                 for (int i = 0; i < 128; i++) {{
             #pragma HLS pipeline II=1
                     {body}
                 }}
             }}"
        ),
        (2022, 1),
    );
    answer.loops[0].ii.unwrap()
}

#[test]
fn ways_of_a_condition_write_a_stream_in_one_cycle() {
    assert_eq!(written("if (i < n) out.write(a[i]); else out.write(a[i + 60]);"), 1);
    let three = "if (i < n) out.write(a[i]); else if (i < 9) out.write(a[2 * i]); else out.write(a[i + 60]);";
    assert!(written(three) < 3);
    // Each way writes two: the second of one goes with the second of the other.
    let two = "if (i < n) { out.write(a[i]); out.write(a[i + 1]); }
        else { out.write(a[i]); out.write(a[i + 1]); }";
    assert_eq!(written(two), 2);
}

#[test]
fn conditions_that_may_hold_together_write_one_after_another() {
    assert_eq!(written("if (i < n) out.write(a[i]); if (i < 9) out.write(a[i]);"), 2);
    assert_eq!(written("out.write(a[i]); if (i < n) out.write(a[i]);"), 2);
}

/// A word of a stream is read at a time, however many lanes it has.
#[test]
fn each_word_of_a_stream_takes_a_cycle() {
    let interval = |word: &str| {
        let text = format!(
            "#include <hls_stream.h>
             #include <hls_vector.h>
             struct Eight {{ short data[8]; }};
             namespace nnet {{ template <typename T, unsigned N> struct array {{ T data[N]; }}; }}
             void top(hls::stream<{word}> &in, hls::stream<{word}> &out) {{
                 for (int h = 0; h < 16; h++) {{
                     #pragma HLS pipeline II=1
                     for (int i = 0; i < 4; i++) {{ {word} d = in.read(); out.write(d); }}
                 }}
             }}"
        );
        estimate(&text, (2023, 2)).loops[0].ii
    };
    for word in ["short", "Eight", "hls::vector<short, 8>", "nnet::array<short, 8>"] {
        assert_eq!(interval(word), Some(4), "{word}");
    }
}

/// `data_pack` makes one word of a struct, and later tools have `aggregate` for it: UG902, and ports of reports of 2019.2.
#[test]
fn a_packed_struct_is_a_word_and_no_memory() {
    let packed = |pragma: &str, tool: (u16, u16)| {
        let text = format!(
            "struct pack {{ short data[64]; }};
            void top(pack &one, short in[100]) {{
            #pragma HLS {pragma}
                for (int i = 0; i < 100; i++) {{
            #pragma HLS pipeline
                    for (int k = 0; k < 64; k++) one.data[k] = in[i] * k;
                }}
            }}"
        );
        estimate(&text, tool).loops[0].ii.unwrap()
    };
    assert_eq!(packed("data_pack variable=one", (2019, 2)), 1);
    assert!(packed("data_pack variable=in", (2019, 2)) > 1);
    assert_eq!(packed("aggregate variable=one", (2020, 1)), 1);
    assert!(packed("data_pack variable=one", (2020, 1)) > 1, "that tool ignores it");
}

/// Vivado HLS asks `resource` for the memory behind a port, Vitis HLS its interface alone. Reports of 2019.2 have an interval of 4.
#[test]
fn a_resource_of_a_port_counts_for_vivado_hls() {
    let text = "int top(int a[4]) {
        #pragma HLS PIPELINE
        #pragma HLS RESOURCE variable=a core=RAM_1P
            int s = 0;
            for (int i = 0; i < 4; i++) s += a[i];
            return s;
        }";
    assert_eq!(estimate(text, (2019, 2)).interval.reported, 4.0);
    assert_eq!(estimate(text, (2020, 2)).interval.reported, 2.0);
}
