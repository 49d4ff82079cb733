//! Accesses that need no port of their own: those in two ways of a condition, reads at one place of all banks, and lanes.

use crate::read;
use derate_kernel::{Directives, HeldBy, Settings, estimate_kernel, find_part};

/// The interval of the last loop of a kernel, and what of it is certain.
fn interval(text: &str) -> (u64, u64) {
    interval_of((2023, 2), text)
}

fn interval_of(tool: (u16, u16), text: &str) -> (u64, u64) {
    let settings = Settings::new(find_part("xcu280").unwrap(), 3.33, tool);
    let answer = estimate_kernel(&read(text), &Directives::default(), &settings);
    let last = answer.loops.last().unwrap();
    let least = match last.held_by {
        Some(HeldBy::Memory { least, .. } | HeldBy::Recurrence { least, .. }) => least,
        _ => last.ii.unwrap(),
    };
    (last.ii.unwrap(), least)
}

/// A loop over an array that only its way of a condition reads.
fn ways(first: &str, second: &str, body: &str) -> (u64, u64) {
    interval(&format!(
        "int top(int a[1024], int x[1024], int n) {{
            int sum = 0;
            for (int i = 0; i < 500; i++) {{
#pragma HLS pipeline II=1
                int k = x[i];
                if ({first}) {{ sum += a[k] ^ a[k + 5] ^ a[i + 3]; }}
                else if ({second}) {{ {body} }}
            }}
            return sum;
        }}"
    ))
}

#[test]
fn accesses_in_two_ways_count_once_where_an_interval_is_certain() {
    let three = "sum ^= a[k + 9] + a[k + 11] + a[i + 13];";
    assert_eq!(ways("k > 3", "k < n", three).1, 2);
    assert_eq!(ways("k > 3 && i < n", "i > 7 && x[i] < n", three).1, 2);
    // What is in one way and what is around it are two.
    assert_eq!(ways("k > 3", "k < n", &format!("{three} }} {{ sum ^= a[k + 1] + a[k + 2];")).1, 3);
    // A write of one way has the port of the other's read.
    assert_eq!(ways("k == 3", "k == 5", "a[k] = sum; a[i] = k;").1, 2);
}

#[test]
fn reads_at_one_place_of_all_banks_share_a_port() {
    // Later versions copy a memory for its readers.
    let rows = |place: &str| {
        interval_of((2019, 2), &format!(
            "void top(int out[512], int row[8]) {{
                int lines[8][512];
#pragma HLS array_partition variable=lines complete dim=1
#pragma HLS array_partition variable=row complete
                for (int i = 0; i < 512; i++) {{
#pragma HLS pipeline II=1
                    lines[row[0]][i] = out[i];
                }}
                for (int i = 0; i < 500; i++) {{
#pragma HLS pipeline II=1
                    out[i] = lines[row[0]][i] + lines[row[1]][{place}] + lines[row[2]][i] * lines[row[3]][{place}];
                }}
            }}"
        ))
    };
    assert_eq!(rows("i").0, 1);
    assert_eq!(rows("i + 1").0, 1);
    // Two places are two reads, and a third is one too many.
    assert_eq!(rows("i + lines[row[5]][i + 7]").0, 2);
}

/// A loop that writes an array of streams.
fn lanes(bound: &str, body: &str) -> u64 {
    interval(&format!(
        "#include <hls_stream.h>
        void top(hls::stream<int>& in, hls::stream<int> (&out)[16], int n) {{
            for (int i = 0; i < {bound}; i++) {{
#pragma HLS pipeline II=1
{body}
            }}
        }}"
    ))
    .0
}

#[test]
fn the_rest_of_a_counter_is_the_lane() {
    let unrolled = |index: &str| format!("#pragma HLS unroll factor=16\nout[{index}].write(i);");
    for bound in ["n", "1024"] {
        for index in ["i % 16", "i & 15", "(i + 3) % 16", "(i >> 4) * 0 + i % 16"] {
            assert_eq!(lanes(bound, &unrolled(index)), 1, "{bound} {index}");
        }
        assert_eq!(lanes(bound, &unrolled("i % 8")), 2, "{bound}");
    }
}

#[test]
fn streams_of_an_array_stay_apart_beside_one_that_data_choose() {
    let all: String = (0..8).flat_map(|lane| ["out[", lane_name(lane), "].write(i); "]).collect();
    assert_eq!(lanes("n", &all), 1);
    assert_eq!(lanes("n", &format!("{all} out[in.read() & 15].write(3);")), 2);
    assert_eq!(lanes("n", "out[in.read() & 15].write(3); out[i & 15].write(4);"), 2);
    assert_eq!(lanes("n", "out[in.read() & 15].write(3); out[3].write(4);"), 2);
}

#[test]
fn a_stream_has_one_port_in_each_direction_whatever_it_is_built_of() {
    for bound in ["", "#pragma HLS bind_storage variable=s type=fifo impl=uram"] {
        let held = interval(&format!(
            "#include <hls_stream.h>
            void fill(hls::stream<int>& s) {{ for (int i = 0; i < 4096; i++) s.write(i); }}
            void take(hls::stream<int>& s, hls::stream<int>& out) {{
                for (int i = 0; i < 512; i++) {{
#pragma HLS pipeline II=1
                    int sum = 0;
                    for (int j = 0; j < 8; j++) sum += s.read();
                    out.write(sum);
                }}
            }}
            void top(hls::stream<int>& out) {{
#pragma HLS dataflow
                hls::stream<int> s;
#pragma HLS stream variable=s depth=4096
{bound}
                fill(s);
                take(s, out);
            }}"
        ));
        assert_eq!(held.0, 8, "{bound}");
    }
}

fn lane_name(lane: usize) -> &'static str {
    ["0", "1", "2", "3", "4", "5", "6", "7"][lane]
}

#[test]
fn a_wide_number_takes_one_beat_of_a_bus() {
    let port = |ty: &str| {
        interval(&format!(
            "#include <ap_int.h>
            struct wide {{ int a, b, c, d, e, f; }};
            void top({ty}* in, {ty}* out) {{
#pragma HLS interface m_axi port=in bundle=a
#pragma HLS interface m_axi port=out bundle=b
                for (int i = 0; i < 500; i++) {{
#pragma HLS pipeline II=1
                    out[i] = in[i];
                }}
            }}"
        ))
        .0
    };
    assert_eq!((port("ap_uint<74>"), port("ap_uint<128>"), port("wide")), (1, 1, 2));
}

/// Each way of two conditions, so that no iteration makes more than two of the four accesses.
#[test]
fn what_an_iteration_makes_at_most_is_certain() {
    let four = |last: &str| {
        interval(&format!(
            "int top(int a[1024], int x[1024], int n) {{
                int sum = 0;
                for (int i = 0; i < 500; i++) {{
#pragma HLS pipeline II=1
                    int k = x[i];
                    bool p = k > 3, q = k < n;
                    if (p && q) sum += a[k];
                    if (!p) sum ^= a[k + 5];
                    if (!q) sum += a[k + 7];
                    if ({last}) sum ^= a[k + 11];
                }}
                return sum;
            }}"
        ))
        .1
    };
    assert_eq!(four("p"), 1);
    assert_eq!(four("p) sum ^= a[k + 13]; if (q"), 2);
}

/// Indices that differ by a constant are apart in cyclic banks, also beside one that data decide: it may be in any.
#[test]
fn accesses_to_other_banks_do_not_add_up_at_the_most() {
    let most = |body: &str| {
        let text = format!(
            "void top(int x[512], int out[512]) {{
                int a[64];
#pragma HLS array_partition variable=a cyclic factor=4
                for (int i = 0; i < 512; i++) {{
#pragma HLS pipeline II=1
                    {body}
                }}
            }}"
        );
        let settings = Settings::new(find_part("xcu280").unwrap(), 3.33, (2019, 2));
        let answer = estimate_kernel(&read(&text), &Directives::default(), &settings);
        match answer.loops.last().unwrap().held_by {
            Some(HeldBy::Memory { most, .. }) => most,
            _ => None,
        }
    };
    let shift = "for (int k = 0; k < 60; k++) a[k] = a[k + 4];\n a[60] = x[i];";
    let data = "out[i] = a[x[i] & 63];";
    let (accesses, cycles) = most(&format!("{shift}\n{data}")).unwrap();
    // 15 or 16 writes and as many reads, and the one that data decide.
    assert!((31..=33).contains(&accesses) && (16..=17).contains(&cycles), "{accesses} {cycles}");
    // A constant does not decide between block banks.
    assert_eq!(most(&format!("{data} a[x[i] & 31] = i; a[x[i] & 15] += 2;")), None);
}
