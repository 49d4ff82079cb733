//! Laws of dataflow: when processes wait for each other in hardware, and what recurrences do under an asked interval.

use crate::read;
use derate_hls::read_tcl;
use derate_kernel::{Directives, KernelAnswer, Settings, estimate_kernel, find_part};

fn estimate(text: &str, tcl: &str) -> KernelAnswer {
    let program = read(text);
    let tcl = read_tcl(tcl);
    let part = find_part("xcu280-fsvh2892-2L-e").unwrap();
    let mut settings = Settings::new(part, 3.33, (2023, 2));
    settings.apply_tool_settings(&tcl.settings);
    estimate_kernel(&program, &Directives { list: tcl.directives }, &settings)
}

/// A process that sends one word for each row of 100, and one that needs all 50 words in its first 50 iterations.
fn rows_and_columns(depth: u32) -> String {
    format!(
        "void rows(int from[50][100], hls::stream<int> &to) {{
            for (int r = 0; r < 50; r++) for (int c = 0; c < 100; c++) {{
                #pragma HLS pipeline II=1
                int word = from[r][c];
                if (c == 99) to.write(word);
            }}
        }}
        void columns(hls::stream<int> &from, int to[80][50]) {{
            int kept[50];
            for (int c = 0; c < 80; c++) for (int r = 0; r < 50; r++) {{
                #pragma HLS pipeline II=1
                if (c == 0) {{ kept[r] = from.read(); }}
                to[c][r] = kept[r];
            }}
        }}
        void top(int from[50][100], int to[80][50]) {{
            #pragma HLS dataflow
            hls::stream<int> words;
            #pragma HLS stream variable=words depth={depth}
            rows(from, words);
            columns(words, to);
        }}"
    )
}

#[test]
fn hardware_waits_for_the_last_word_and_the_report_does_not() {
    let answer = estimate(&rows_and_columns(50), "");
    // The last word is there after 5000 cycles; 49 iterations are done before it, 3951 are left.
    let law = 5000.0 + 3951.0;
    assert!((answer.latency.expected - law).abs() < 12.0, "{:?}", answer.latency);
    assert!(answer.latency.reported < 5100.0, "{:?}", answer.latency);
}

#[test]
fn a_short_stream_holds_up_nobody_who_is_slower_anyway() {
    let deep = estimate(&rows_and_columns(50), "").latency.expected;
    assert_eq!(estimate(&rows_and_columns(2), "").latency.expected, deep);
}

#[test]
fn a_full_stream_holds_up_its_writer() {
    // The words of `b` come after all of `a`, and who reads both takes `b` first.
    let text = |depth: u32| {
        format!(
            "void send(int from[200], hls::stream<int> &a, hls::stream<int> &b) {{
                for (int i = 0; i < 200; i++) {{
                    #pragma HLS pipeline II=1
                    a.write(from[i]); b.write(from[i]);
                }}
            }}
            void take(hls::stream<int> &a, hls::stream<int> &b, int to[200]) {{
                for (int i = 0; i < 2; i++) for (int j = 0; j < 200; j++) {{
                    #pragma HLS pipeline II=1
                    if (i == 0) to[j] = b.read();
                    if (i == 1) to[j] = a.read();
                }}
            }}
            void top(int from[200], int to[200]) {{
                #pragma HLS dataflow
                hls::stream<int> a, b;
                #pragma HLS stream variable=a depth={depth}
                #pragma HLS stream variable=b depth=200
                send(from, a, b);
                take(a, b, to);
            }}"
        )
    };
    let enough = estimate(&text(200), "").latency.expected;
    let short = estimate(&text(8), "").latency.expected;
    assert!((enough - 400.0).abs() < 12.0, "{enough}");
    assert!(short > enough + 100.0, "{short} and {enough}");
}

/// A sum in memory with `unroll` terms in an iteration.
fn sum(directive: &str, unroll: u32) -> String {
    format!(
        "void top(float from[64][64], float to[64]) {{
            #pragma HLS array_partition variable=from cyclic dim=2 factor={unroll}
            for (int r = 0; r < 64; r++) for (int c = 0; c < 64 / {unroll}; c++) {{
                {directive}
                for (int u = 0; u < {unroll}; u++) {{
                    if (u + c * {unroll} == 0) to[r] = 0.0f;
                    to[r] += from[r][c * {unroll} + u] * 3.5f;
                }}
            }}
        }}"
    )
}

#[test]
fn a_recurrence_gets_a_faster_adder_where_an_interval_is_asked_for() {
    let text = |directive: &str| {
        format!(
            "void top(float from[64], float to[1]) {{
                float all = 0.0f;
                for (int c = 0; c < 64; c++) {{
                    {directive}
                    all += from[c];
                }}
                to[0] = all;
            }}"
        )
    };
    let asked = estimate(&text("#pragma HLS pipeline II=1"), "");
    assert_eq!(asked.loops[0].ii, Some(4));
    let unasked = estimate(&text(""), "");
    assert_eq!(unasked.loops[0].ii, Some(7));
}

#[test]
fn a_reordered_sum_meets_its_carried_value_early() {
    // Four products and the sum so far: a tree of three adders in a row.
    let tcl = "config_compile -unsafe_math_optimizations";
    let answer = estimate(&sum("#pragma HLS pipeline II=1", 4), tcl);
    assert_eq!(answer.loops[0].ii, Some(12));
}

/// A process that reads `each` words of a stream in an iteration, and one that writes one word in each.
fn groups_of(each: u32) -> KernelAnswer {
    let words = 600;
    let iterations = words / each;
    estimate(
        &format!(
            "void send(const int in[{words}], hls::stream<int> &to) {{
                for (int i = 0; i < {words}; i++) {{
                    #pragma HLS pipeline II=1
                    to.write(in[i]);
                }}
            }}
            void sum(hls::stream<int> &from, int out[{iterations}]) {{
                for (int i = 0; i < {iterations}; i++) {{
                    #pragma HLS pipeline II=1
                    int all = 0;
                    for (int k = 0; k < {each}; k++) all += from.read();
                    out[i] = all;
                }}
            }}
            void top(const int in[{words}], int out[{iterations}]) {{
                #pragma HLS dataflow
                hls::stream<int> words;
                send(in, words);
                sum(words, out);
            }}"
        ),
        "",
    )
}

#[test]
fn words_of_one_iteration_come_before_those_of_the_next() {
    // A word in each cycle on both sides: nobody waits, however many an iteration takes.
    for each in [1, 2, 4, 10] {
        let answer = groups_of(each);
        assert!((answer.latency.expected - 600.0).abs() < 20.0, "{each}: {:?}", answer.latency);
    }
}

#[test]
fn processes_together_take_no_longer_than_one_after_another() {
    // Conditions leave words out on one side; which ones is not known.
    let text = "void send(const int in[500], hls::stream<int> &to) {
            for (int i = 0; i < 500; i++) {
                #pragma HLS pipeline II=1
                to.write(in[i]);
            }
        }
        void take(hls::stream<int> &from, int out[1000]) {
            int last = 0;
            for (int i = 0; i < 1000; i++) {
                #pragma HLS pipeline II=1
                if (i % 2 == 0) last = from.read();
                out[i] = last;
            }
        }
        void top(const int in[500], int out[1000]) {
            #pragma HLS dataflow
            hls::stream<int> words;
            send(in, words);
            take(words, out);
        }";
    let latency = estimate(text, "").latency;
    assert!((1000.0..1030.0).contains(&latency.expected), "{latency:?}");
}
