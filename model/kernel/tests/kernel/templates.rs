//! What hls4ml and its like write: constants of a configuration, chosen functions, tables that are filled before the kernel runs.

use crate::read;
use derate_kernel::{Directives, KernelAnswer, Settings, estimate_kernel, find_part};

fn estimate(text: &str) -> KernelAnswer {
    let program = read(text);
    let part = find_part("xcu280-fsvh2892-2L-e").unwrap();
    let answer =
        estimate_kernel(&program, &Directives::default(), &Settings::new(part, 5.0, (2020, 1)));
    assert!(answer.unknown.is_empty(), "{:?}", answer.unknown);
    answer
}

/// The iterations of the loops, in order.
fn trips(text: &str) -> Vec<Option<f64>> {
    estimate(text).loops.iter().map(|one| one.trip.map(|(_, most, _)| most)).collect()
}

#[test]
fn a_function_of_constants_is_a_constant() {
    let text = |bound: &str| {
        format!(
            "constexpr int log_up(int x) {{ return x <= 2 ? 1 : 1 + log_up((x + 1) / 2); }}
            template <int N> constexpr int twice() {{ return 2 * N; }}
            void top(int in[64], int out[64]) {{
                for (int i = 0; i < {bound}; i++) out[i] = in[i];
            }}"
        )
    };
    assert_eq!(trips(&text("log_up(1024)")), [Some(10.0)]);
    assert_eq!(trips(&text("twice<7>()")), [Some(14.0)]);
}

#[test]
fn enable_if_chooses_a_function_and_is_its_type() {
    let text = |ty: &str| {
        format!(
            "template <class T>
            inline typename std::enable_if<std::is_same<T, ap_uint<1>>::value, int>::type
            scale(const T in[64], int out[64]) {{
                flags: for (int i = 0; i < 8; i++) out[i] = in[i];
                return 1;
            }}
            template <class T>
            inline typename std::enable_if<!std::is_same<T, ap_uint<1>>::value, int>::type
            scale(const T in[64], int out[64]) {{
                numbers: for (int i = 0; i < 64; i++) out[i] = in[i] * 3;
                return 2;
            }}
            void top(const {ty} in[64], int out[64]) {{ scale<{ty}>(in, out); }}"
        )
    };
    assert_eq!(trips(&text("ap_uint<1>")), [Some(8.0)]);
    assert_eq!(trips(&text("short")), [Some(64.0)]);
}

#[test]
fn a_stream_goes_to_the_function_that_takes_streams() {
    let text = "template <class T> void pass(T in[64], T out[64]) {
            for (int i = 0; i < 64; i++) out[i] = in[i];
        }
        template <class T> void pass(hls::stream<T> &in, hls::stream<T> &out) {
            for (int i = 0; i < 16; i++) out.write(in.read());
        }
        void top(hls::stream<int> &in, hls::stream<int> &out) { pass<int>(in, out); }";
    assert_eq!(trips(text), [Some(16.0)]);
}

/// Whatever the order is in which the functions are read. Without a parameter of the type that is given, it is the first.
#[test]
fn a_function_is_chosen_by_its_parameters() {
    let float = "void scale(float x[64]) { for (int i = 0; i < 64; i++) x[i] = x[i] * 2; }";
    let short = "void scale(short x[64]) { for (int i = 0; i < 16; i++) x[i] = x[i] * 2; }";
    let top = |ty: &str| format!("void top({ty} x[64]) {{ scale(x); }}");
    for functions in [[float, short], [short, float]] {
        let functions = functions.join("\n");
        assert_eq!(trips(&format!("{functions}\n{}", top("float"))), [Some(64.0)]);
        assert_eq!(trips(&format!("{functions}\n{}", top("short"))), [Some(16.0)]);
    }
    assert_eq!(trips(&format!("{float}\n{}", top("float"))), [Some(64.0)]);
}

/// Vectors of other lengths and a stream of the same words are other types.
#[test]
fn a_function_is_chosen_by_the_length_of_a_vector() {
    let scale = |ty: &str, trips: u32| {
        format!(
            "void scale({ty} x[64]) {{ for (int i = 0; i < {trips}; i++) x[i] = x[i] * x[i]; }}"
        )
    };
    let (two, four) = ("hls::vector<float, 2>", "hls::vector<float, 4>");
    for functions in [[scale(two, 64), scale(four, 16)], [scale(four, 16), scale(two, 64)]] {
        let functions = functions.join("\n");
        let top = |ty: &str| format!("{functions}\nvoid top({ty} x[64]) {{ scale(x); }}");
        assert_eq!(trips(&top(two)), [Some(64.0)]);
        assert_eq!(trips(&top(four)), [Some(16.0)]);
    }
    // An array is no vector of its elements.
    let array = "void add(float x[4]) { for (int i = 0; i < 4; i++) x[i] += 1; }";
    let vector = "void add(hls::vector<float, 4> &x) { for (int i = 0; i < 2; i++) x[i] += 1; }";
    for functions in [[array, vector], [vector, array]] {
        let functions = functions.join("\n");
        let top = "void top(float out[4]) { hls::vector<float, 4> x; add(x); out[0] = x[0]; }";
        assert_eq!(trips(&format!("{functions}\n{top}")), [Some(2.0)]);
    }
}

#[test]
fn recursion_over_template_arguments_ends() {
    let text = "template <class T, int N> T reduce(const T *x) {
            static constexpr int left = N / 2;
            static constexpr int right = N - left;
            if (N == 1) return x[0];
            return reduce<T, left>(x) + reduce<T, right>(x + left);
        }
        void top(int in[8], int &out) {
            #pragma HLS array_partition variable=in complete
            out = reduce<int, 8>(in);
        }";
    // Seven sums; a tree of them takes a few states at most.
    assert!(estimate(text).latency.expected <= 4.0);
}

#[test]
fn a_table_that_a_function_fills_takes_no_time() {
    let text = |value: &str| {
        format!(
            "float curve(float x) {{ return expf(x); }}
            void fill(short table[1024]) {{
                for (int i = 0; i < 1024; i++) table[i] = (short)(curve(i / 64.0f) * {value});
            }}
            void top(const int in[16], int out[16]) {{
                static bool is_filled = false;
                static short table[1024];
                if (!is_filled) {{
                    fill(table);
                    is_filled = true;
                }}
                look: for (int i = 0; i < 16; i++) out[i] = table[in[i] & 1023];
            }}"
        )
    };
    assert_eq!(trips(&text("2.0f")), [Some(16.0)]);
    // What another statement writes too is a memory, and is filled.
    let written = text("2.0f").replace("look:", "table[3] = in[0]; look:");
    assert_eq!(trips(&written).len(), 2);
}

#[test]
fn a_static_variable_is_not_what_its_first_call_finds() {
    let text = "void step(const int in[64], int out[64]) {
            #pragma HLS inline off
            static int count = 0;
            if (count == 3) {
                for (int i = 0; i < 64; i++) out[i] = in[i] * 3;
            }
            count = count == 4 ? 0 : count + 1;
        }
        void top(const int in[64], int out[64]) { for (int k = 0; k < 10; k++) step(in, out); }";
    let answer = estimate(text);
    assert_eq!(answer.loops.len(), 2);
    assert!(answer.latency.worst > 640.0 && answer.latency.best < 100.0, "{:?}", answer.latency);
}

#[test]
fn sums_in_a_narrow_type_are_a_tree() {
    let ii = |ty: &str| {
        let text = format!(
            "typedef {ty} number;
            void top(const number in[64], number out[4]) {{
                #pragma HLS array_partition variable=in complete
                #pragma HLS array_partition variable=out complete
                number sum[4];
                #pragma HLS array_partition variable=sum complete
                for (int k = 0; k < 4; k++) {{
                    #pragma HLS unroll
                    sum[k] = 0;
                }}
                terms: for (int i = 0; i < 8; i++) {{
                    #pragma HLS pipeline II=1
                    for (int j = 0; j < 64; j++) sum[j / 16] += number(in[j] * i);
                }}
                for (int k = 0; k < 4; k++) {{
                    #pragma HLS unroll
                    out[k] = sum[k];
                }}
            }}"
        );
        estimate(&text).loops[0].ii
    };
    for ty in ["int", "short", "ap_fixed<16, 6>"] {
        assert_eq!(ii(ty), Some(1), "{ty}");
    }
}

#[test]
fn equal_places_of_blocks_share_a_word() {
    let cycles = |directive: &str| {
        let text = format!(
            "void top(const short in[32], int out[8]) {{
                #pragma HLS array_partition variable=in complete
                #pragma HLS array_partition variable=out complete
                static const short weights[256] = {{1, 2, 3}};
                {directive}
                int sum[8];
                #pragma HLS array_partition variable=sum complete
                for (int k = 0; k < 8; k++) {{
                    #pragma HLS unroll
                    sum[k] = 0;
                }}
                reuse: for (int r = 0; r < 4; r++) {{
                    #pragma HLS pipeline II=1
                    int at = r;
                    for (int m = 0; m < 64; m++) {{
                        #pragma HLS unroll
                        sum[m / 8] += in[m & 31] * weights[at];
                        at += 4;
                    }}
                }}
                for (int k = 0; k < 8; k++) {{
                    #pragma HLS unroll
                    out[k] = sum[k];
                }}
            }}"
        );
        let answer = estimate(&text);
        (answer.loops[0].ii, answer.loops[0].depth)
    };
    let (ii, depth) = cycles("#pragma HLS array_reshape variable=weights block factor=64");
    assert_eq!(ii, Some(1));
    // The steps of the index are no chain of adders.
    assert!(depth <= 8.0, "{depth:?}");
}

#[test]
fn a_shift_register_gives_a_word_for_a_word() {
    let text = "void top(hls::stream<int> &in, hls::stream<int> &out) {
            static ap_shift_reg<int, 28> line;
            rows: for (int i = 0; i < 100; i++) {
                #pragma HLS pipeline II=1
                int old = line.shift(in.read());
                out.write(old);
            }
        }";
    assert_eq!(estimate(text).loops[0].ii, Some(1));
}

/// In the manner of a network's library: one name for a template with a size and for one with a class.
#[test]
fn a_template_is_chosen_by_what_its_arguments_are() {
    let text = |call: &str| {
        format!(
            "#include <cstddef>
             template <class T, size_t SIZE> void fill(hls::stream<T> &to) {{
                 for (int i = 0; i < SIZE; i++) to.write(1);
             }}
             template <class T, typename C> void fill(hls::stream<T> &to) {{
                 for (int i = 0; i < C::n; i++) to.write(0);
             }}
             struct config {{ static const unsigned n = 8; }};
             void top(hls::stream<int> &out) {{ {call}; }}"
        )
    };
    let trips = |call: &str| estimate(&text(call)).loops[0].trip;
    assert_eq!(trips("fill<int, config>(out)"), Some((8.0, 8.0, 8.0)));
    assert_eq!(trips("fill<int, 5>(out)"), Some((5.0, 5.0, 5.0)));
}
