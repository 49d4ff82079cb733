//! Forms of C++ that kernels in the wild use.

use crate::read;
use derate_kernel::{Directives, KernelAnswer, Settings, estimate_kernel, find_part};

fn estimate(text: &str) -> KernelAnswer {
    let program = read(text);
    let settings = Settings::new(find_part("xcu55c-fsvh2892-2L-e").unwrap(), 5.0, (2023, 2));
    estimate_kernel(&program, &Directives::default(), &settings)
}

/// The trips of the first loop, where nothing is left unknown.
fn trips(text: &str) -> Option<f64> {
    let answer = estimate(text);
    assert!(answer.unknown.is_empty(), "{:?}", answer.unknown);
    answer.loops.first()?.trip.map(|trip| trip.1)
}

#[test]
fn constants_may_leave_their_type_to_their_value() {
    let text = "constexpr auto LENGTH = 24;
        void top(int a[24]) { for (int i = 0; i < LENGTH; i++) a[i] = i; }";
    assert_eq!(trips(text), Some(24.0));
}

/// `out << value` and `in >> value` are `write` and `read`.
#[test]
fn the_operators_of_a_stream_do_what_its_methods_do() {
    let of = |body: &str| {
        let text = format!(
            "void top(hls::stream<int> &in, hls::stream<int> &out, int x[8]) {{
                for (int i = 0; i < 8; i++) {{ int v; {body} }}
            }}"
        );
        let answer = estimate(&text);
        (answer.latency.expected.to_bits(), answer.resources.dsp.value.to_bits())
    };
    let methods = of("in.read(v); out.write(v * x[i]);");
    assert_eq!(of("in >> v; out << v * x[i];"), methods);
    assert!(f64::from_bits(methods.1) > 0.0);
    let twice = of("v = x[i]; out.write(v); out.write(v * v);");
    assert_eq!(of("v = x[i]; out << v << v * v;"), twice);
    // A number is shifted.
    assert_eq!(f64::from_bits(of("v = x[i] << 2; out.write(v);").1).to_bits(), 0);
}

#[test]
fn a_task_runs_its_function() {
    let text = "void add(hls::stream<int> &in, hls::stream<int> &out) {
            for (int i = 0; i < 40; i++) out.write(in.read() + 1);
        }
        void top(hls::stream<int> &in, hls::stream<int> &out) {
            hls::task first(add, in, out);
        }";
    assert_eq!(trips(text), Some(40.0));
}

#[test]
fn words_have_side_channels_and_ports_have_handshakes() {
    let text = "typedef hls::axis<float, 0, 0, 0> word;
        void top(hls::stream<word> &in, hls::stream<word> &out, hls::ap_none<int> scale) {
            for (int i = 0; i < 16; i++) {
                word one = in.read();
                one.data = one.data * scale.read();
                one.last = i == 15;
                out.write(one);
            }
        }";
    assert_eq!(trips(text), Some(16.0));
}

#[test]
fn methods_of_a_base_see_what_it_was_given() {
    let text = "template <typename T, int N> struct base {
            T sum(const T v[N]) { T s = 0; for (int i = 0; i < N; i++) s += v[i]; return s; }
        };
        struct own : public base<int, 12> { int unused; };
        void top(int v[12], int *r) { own one; *r = one.sum(v); }";
    assert_eq!(trips(text), Some(12.0));
}

#[test]
fn limits_are_numbers() {
    let text = "void top(int v[10], int *r) {
            int least = std::numeric_limits<int>::max();
            for (int i = 0; i < 10; i++) if (v[i] < least) least = v[i];
            *r = least;
        }";
    assert_eq!(trips(text), Some(10.0));
}

#[test]
fn loops_of_a_macro_are_labelled_by_their_lines() {
    let text = "#define LABEL2(line, v) _ln##line##_each_##v
#define LABEL(line, v) LABEL2(line, v)
#define EACH(v, n) LABEL(__LINE__, v): for (int v = 0; v < n; v++)
void top(int a[8], int b[8]) {
    EACH(i, 8) a[i] = i;
    EACH(i, 8) b[i] = i;
}";
    let labels: Vec<String> = estimate(text).loops.into_iter().map(|one| one.label).collect();
    assert_eq!(labels, ["_ln5_each_i", "_ln6_each_i"]);
}

#[test]
fn widths_may_be_the_larger_of_two() {
    let text = "typedef ap_fixed<16, 4> A; typedef ap_fixed<24, 6> B;
        typedef ap_fixed<max(A::width - A::iwidth, 3) + std::max(A::iwidth, B::iwidth), min(7, 6)> C;
        void top(C v[8]) { for (int i = 0; i < max(3, 5); i++) v[i] = hls::signbit(v[i]) ? v[0] : v[1]; }";
    assert_eq!(trips(text), Some(5.0));
    assert_eq!(estimate(text).ports[0].bits, Some(18));
}

/// A window whose constructor cuts it, of which several rows move only under conditions.
const WINDOW: &str = "template <typename T, int R, int C> class window {
     public:
        T M[R][C];
        window() {
    #pragma HLS array_partition variable=M complete dim=0
        }
        void shift();
        void insert(T value, int row, int column);
        void reflect();
        T get(int row, int column);
    };
    template <typename T, int R, int C> void window<T, R, C>::shift() {
        for (int r = 0; r < R; r++) for (int c = 0; c < C - 1; c++) M[r][c] = M[r][c + 1];
    }
    template <typename T, int R, int C> void window<T, R, C>::insert(T value, int row, int column) {
        M[row][column] = value;
    }
    template <typename T, int R, int C> void window<T, R, C>::reflect() {
        for (int c = 0; c < C; c++) M[0][c] = M[R - 1][c];
    }
    template <typename T, int R, int C> T window<T, R, C>::get(int row, int column) {
        return M[row][column];
    }
    void top(int in[256], int out[256], int last) {
        STATIC window<int, 3, 3> seen;
        for (int i = 0; i < 256; i++) {
    #pragma HLS pipeline II=1
            seen.shift();
            if (i < last) seen.insert(in[i], 1, 2);
            if (i == 0) seen.reflect();
            else if (i == last) seen.insert(in[i], 2, 2);
            int all = 0;
            for (int r = 0; r < 3; r++) all += seen.get(r, i % 3);
            out[i] = all;
        }
    }";

#[test]
fn a_default_constructor_cuts_its_members() {
    // This tool cuts nothing by itself.
    let settings = Settings::new(find_part("xcu280").unwrap(), 10.0, (2020, 1));
    let interval = |text: &str| {
        let answer = estimate_kernel(&read(text), &Directives::default(), &settings);
        assert!(answer.unknown.is_empty(), "{:?}", answer.unknown);
        answer.loops[0].ii
    };
    for kind in ["", "static"] {
        assert_eq!(interval(&WINDOW.replace("STATIC", kind)), Some(1), "{kind}");
    }
    let uncut = WINDOW.replace("STATIC", "").replace("#pragma HLS array_partition", "#pragma none");
    assert_ne!(interval(&uncut), Some(1));
}

#[test]
fn a_default_constructor_runs_where_its_object_is_not_static() {
    let text = "struct buffer {
            int M[64];
            buffer() { for (int i = 0; i < 64; i++) M[i] = 0; }
        };
        void top(int in[16], int out[16]) {
            KIND buffer kept;
            for (int i = 0; i < 16; i++) { kept.M[in[i]] += 1; out[i] = kept.M[i]; }
        }";
    let loops = |kind: &str| estimate(&text.replace("KIND", kind)).loops.len();
    assert_eq!((loops(""), loops("static")), (2, 1));
}

#[test]
fn a_loop_under_a_condition_has_its_first_value() {
    let text = "void top(int v[64], int n, int r[64]) {
            char k;
            for (int i = 0; i < 64; i++) {
        #pragma HLS pipeline
                int sum = 0;
                if (i < n) { for (k = 0; k < 3; k++) sum += v[i] + k; }
                r[i] = sum;
            }
        }";
    assert_eq!(trips(text), Some(64.0));
}

#[test]
fn what_only_fills_an_unread_array_is_dropped() {
    let text = "void top(int in[100], int out[100], int send) {
            int sent[100];
            if (send) { for (int i = 0; i < 100; i++) sent[i] = in[i]; }
            for (int i = 0; i < 100; i++) out[i] = in[i] + 1;
            USE
        }";
    let loops = |end: &str| estimate(&text.replace("USE", end)).loops.len();
    assert_eq!((loops(""), loops("out[0] = sent[send];")), (1, 2));
    // A stream is emptied all the same.
    let text = "void top(hls::stream<int> &in, int out[4]) {
            int sent[100];
            for (int i = 0; i < 100; i++) sent[i] = in.read();
            out[0] = 1;
        }";
    assert_eq!(trips(text), Some(100.0));
}

#[test]
fn the_lanes_of_a_word_are_written_together() {
    let text = "typedef hls::vector<ap_int<16>, 2> pair;
        void top(hls::stream<pair> &in, hls::stream<pair> &out) {
            pair kept[64];
            for (int r = 0; r < 8; r++) for (int i = 0; i < 64; i++) {
        #pragma HLS pipeline II=1
                pair one = in.read();
                pair two = kept[i];
                two[0] = two[0] + one[0];
                two[1] = two[1] * one[1] + one[0];
                kept[i] = two;
                out.write(two);
            }
        }";
    assert_eq!(estimate(text).loops[0].ii, Some(1));
}
