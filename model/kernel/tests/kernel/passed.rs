//! Numbers, pointers and streams that functions and loops share.

use crate::read;
use derate_kernel::{Directives, KernelAnswer, Settings, estimate_kernel, find_part};

fn estimate(text: &str) -> KernelAnswer {
    let program = read(text);
    let part = find_part("xcu280-fsvh2892-2L-e").unwrap();
    estimate_kernel(&program, &Directives::default(), &Settings::new(part, 3.33, (2023, 2)))
}

/// A window that moves by so many elements in each iteration of a pipeline.
fn window(function: &str, call: &str) -> KernelAnswer {
    estimate(&format!(
        "{function}
         void top(const int a[256], int b[256], int by) {{
             int w[8];
         #pragma HLS array_partition variable=w complete
             for (int i = 0; i < 256; i++) {{
         #pragma HLS pipeline II=1
                 {call};
                 w[7] = a[i];
                 b[i] = w[0];
             }}
         }}"
    ))
}

#[test]
fn a_number_that_is_passed_decides_how_often_a_loop_runs() {
    let shift = |body: &str| {
        format!(
            "void shift(int w[8], int n) {{\n#pragma HLS inline\n{body}\nfor (int j = 0; j < 8 - n; j++) w[j] = w[j + n]; }}"
        )
    };
    let interval = |answer: &KernelAnswer| answer.loops[0].ii;
    assert_eq!(interval(&window(&shift(""), "shift(w, 2)")), Some(1));
    // Data decide, in the call or in the function.
    assert_eq!(interval(&window(&shift(""), "shift(w, by)")), None);
    assert_eq!(interval(&window(&shift("n = w[0];"), "shift(w, 2)")), None);
    let through = format!(
        "{}\nvoid outer(int w[8], int m) {{\n#pragma HLS inline\nshift(w, m * 2); }}",
        shift("")
    );
    assert_eq!(interval(&window(&through, "outer(w, 1)")), Some(1));
}

#[test]
fn a_pointer_that_is_set_in_its_block_is_what_it_is_set_to() {
    let with = |pointer: &str| {
        read(&format!(
            "void top(const int in[64], int out[64], int n) {{ {pointer}
             for (int i = 0; i < 64; i++) out[i] = p[i] + p[63 - i]; }}"
        ))
    };
    let declared = with("const int *p = in;");
    let set = with("const int *p; p = in;");
    assert!(set.unknown.is_empty(), "{:?}", set.unknown);
    let part = find_part("xcu280-fsvh2892-2L-e").unwrap();
    let settings = Settings::new(part, 3.33, (2023, 2));
    let cycles =
        |program| estimate_kernel(program, &Directives::default(), &settings).latency.expected;
    assert_eq!(cycles(&declared), cycles(&set));
    // Which one it is, data decide.
    assert!(!with("const int *p = in; if (n) p = out;").unknown.is_empty());
}

#[test]
fn two_loops_that_read_one_stream_run_one_after_the_other() {
    let with = |second: &str| {
        let answer = estimate(&format!(
            "void top(hls::stream<int> &in, hls::stream<int> &other, int out[512]) {{
             int a[512], b[512];
             for (int i = 0; i < 512; i++) a[i] = in.read();
             for (int i = 0; i < 512; i++) b[i] = {second}.read();
             for (int i = 0; i < 512; i++) out[i] = a[i] * b[511 - i]; }}"
        ));
        answer.latency.expected
    };
    assert!(with("in") >= 3.0 * 512.0, "{}", with("in"));
    assert!(with("other") < with("in"));
}

#[test]
fn a_trip_count_that_is_not_known_says_nothing() {
    let with = |count: &str| {
        let answer = estimate(&format!(
            "const int K = 24;
             void top(const int in[64], int out[64], int n) {{
             for (int i = 0; i < n; i++) {{
             #pragma HLS loop_tripcount min={count} max={count}
                 out[i] = in[i]; }} }}"
        ));
        answer.loops[0].trip.map(|(_, most, _)| most)
    };
    assert_eq!((with("24"), with("K"), with("K/2")), (Some(24.0), Some(24.0), Some(12.0)));
    assert_eq!(with("UNKNOWN"), None);
}

#[test]
fn a_count_in_a_pragma_that_is_not_known_is_named() {
    let with = |factor: &str| {
        let program = read(&format!(
            "const int K = 4;
             void top(const int in[64], int out[64]) {{
             for (int i = 0; i < 64; i++) {{
             #pragma HLS unroll factor={factor}
                 out[i] = in[i]; }} }}"
        ));
        program.unknown.iter().map(|one| one.reason.clone()).collect::<Vec<_>>()
    };
    assert!(with("K").is_empty());
    assert_eq!(with("WIDE"), ["the value of `WIDE` in a pragma is not known"]);
}

/// A parameter that is written as an array is a pointer, too: each element of the row takes a port.
#[test]
fn an_array_parameter_may_begin_within_an_array() {
    let row = |parameter: &str, call: &str| {
        let text = format!(
            "void sum({parameter}, short out[8], int at) {{
                out[at] = row[0] + row[1] + row[2] + row[3] + row[4] + row[5] + row[6] + row[7];
            }}
            void top(short in[64], short out[8]) {{
                for (int i = 0; i < 8; i++) {{
                    #pragma HLS pipeline
                    sum({call}, out, i);
                }}
            }}"
        );
        estimate(&text).loops[0].ii
    };
    assert_eq!(row("short *row", "in + i * 8"), Some(4));
    assert_eq!(row("short row[64]", "in + i * 8"), Some(4));
    assert_eq!(row("short row[8]", "&in[i * 8]"), Some(4));
    // A row that is the same each time is read before the loop.
    assert_eq!(row("short row[64]", "in"), Some(1));
}
