//! Templates with specialisations: the arguments decide which one is meant, and doubt is said.

use crate::read;
use derate_kernel::{Directives, KernelAnswer, Settings, estimate_kernel, find_part};

fn estimate(text: &str) -> KernelAnswer {
    let program = read(text);
    let settings = Settings::new(find_part("xcu55c-fsvh2892-2L-e").unwrap(), 5.0, (2023, 2));
    estimate_kernel(&program, &Directives::default(), &settings)
}

/// The bits of an element of `in`, the first port of a top that takes a type.
fn bits(templates: &str, ty: &str) -> Option<u64> {
    let text = format!(
        "{templates}\nvoid top({ty} in[64], int out[64]) {{ for (int i = 0; i < 64; i++) out[i] = in[i]; }}"
    );
    let answer = estimate(&text);
    let port = answer.ports.iter().find(|port| port.name == "in").unwrap();
    port.bits.filter(|_| answer.unknown.is_empty())
}

const LANES: &str = "enum { ONE = 0, FOUR = 2 };
    template <int T> struct lane { typedef ap_uint<8> name; static const int bits = 8; };
    template <> struct lane<1> { typedef ap_uint<16> name; static const int bits = 16; };
    template <> struct lane<FOUR> { typedef ap_uint<512> name; static const int bits = 512; };";

#[test]
fn the_value_of_an_argument_decides() {
    let cases = [
        ("lane<0>::name", Some(8)),
        ("lane<ONE>::name", Some(8)),
        ("lane<1>::name", Some(16)),
        ("lane<FOUR>::name", Some(512)),
        ("lane<ONE + 1>::name", Some(16)),
        ("lane<(1 << 1)>::name", Some(512)),
        ("ap_uint<lane<7>::bits>", Some(8)),
        ("ap_uint<lane<2>::bits>", Some(512)),
        // An argument that nothing declares leaves all open.
        ("lane<SOMETHING>::name", None),
    ];
    for (ty, wanted) in cases {
        assert_eq!(bits(LANES, ty), wanted, "{ty}");
    }
}

#[test]
fn the_type_of_an_argument_decides() {
    let wide = "template <typename T> struct wide { using name = ap_uint<8>; };
        template <> struct wide<int> { using name = ap_uint<128>; };
        template <> struct wide<float> { using name = ap_uint<64>; };
        template <typename T> struct wide<T *> { using name = ap_uint<24>; };
        template <int W> struct wide<ap_uint<W> > { using name = ap_uint<2 * W>; };
        template <typename T> struct wide<hls::stream<T> > { using name = typename wide<T>::name; };
        typedef int32_t word;";
    let cases = [
        ("wide<char>::name", Some(8)),
        ("wide<int>::name", Some(128)),
        ("wide<word>::name", Some(128)),
        ("wide<float>::name", Some(64)),
        ("wide<double>::name", Some(8)),
        ("wide<float *>::name", Some(24)),
        ("wide<ap_uint<20> >::name", Some(40)),
        ("wide<ap_uint<32> >::name", Some(64)),
        // As many bits as `int`, but not `int`.
        ("wide<ap_int<32> >::name", Some(8)),
        ("wide<hls::stream<float> >::name", Some(64)),
    ];
    for (ty, wanted) in cases {
        assert_eq!(bits(wide, ty), wanted, "{ty}");
    }
}

#[test]
fn templates_hand_their_arguments_on() {
    let text = |lane: i32| {
        format!(
            "{LANES}
        template <int T> void copy(const char in[4096], char out[4096]) {{
            typename lane<T>::name buffer[4096];
            for (int i = 0; i < 4096; i++) buffer[i] = in[i];
            for (int i = 0; i < 4096; i++) out[i] = buffer[4095 - i];
        }}
        void top(const char in[4096], char out[4096]) {{ copy<{lane}>(in, out); }}"
        )
    };
    let bits = |lane| {
        let answer = estimate(&text(lane));
        assert!(answer.unknown.is_empty(), "{:?}", answer.unknown);
        answer.arrays.iter().map(|array| array.bits).sum::<u64>()
    };
    assert_eq!([bits(0), bits(1), bits(2)], [4096 * 8, 4096 * 16, 4096 * 512]);
}

#[test]
fn several_patterns_and_constant_arguments_leave_a_type_open() {
    let pairs = "template <typename A, typename B> struct pair { typedef ap_uint<8> name; };
        template <typename A> struct pair<A, float> { typedef ap_uint<16> name; };
        template <typename B> struct pair<float, B> { typedef ap_uint<24> name; };
        template <typename A> struct pair<const A, int> { typedef ap_uint<48> name; };";
    assert_eq!(bits(pairs, "pair<double, float>::name"), Some(16));
    assert_eq!(bits(pairs, "pair<float, double>::name"), Some(24));
    assert_eq!(bits(pairs, "pair<double, double>::name"), Some(8));
    assert_eq!(bits(pairs, "pair<float, float>::name"), None);
    // Whether an argument is `const` is not kept.
    assert_eq!(bits(pairs, "pair<double, int>::name"), None);
}

/// The trips of the first loop.
fn trips(text: &str) -> Option<f64> {
    let answer = estimate(text);
    assert!(answer.unknown.is_empty(), "{:?}", answer.unknown);
    answer.loops.first()?.trip.map(|trip| trip.1)
}

#[test]
fn functions_are_specialised_too() {
    let text = |call: &str| {
        format!(
            "template <> void fill<2>(int out[64]);
        template <int N> void fill(int out[64]) {{ for (int i = 0; i < 10; i++) out[i] = N; }}
        template <> void fill<2>(int out[64]) {{ for (int i = 0; i < 20; i++) out[i] = 2; }}
        template <> void fill<3>(int out[64]) {{ for (int i = 0; i < 30; i++) out[i] = 3; }}
        void top(int out[64]) {{ {call}(out); }}"
        )
    };
    assert_eq!(trips(&text("fill<1>")), Some(10.0));
    assert_eq!(trips(&text("fill<2>")), Some(20.0));
    assert_eq!(trips(&text("fill<1 + 2>")), Some(30.0));
}

#[test]
fn a_specialised_class_has_functions_of_its_own() {
    let text = |class: &str| {
        format!(
            "template <int N> struct filter {{
            enum {{ taps = N * 2 }};
            static void run(int out[64]) {{ for (int i = 0; i < taps; i++) out[i] = N; }}
        }};
        template <> struct filter<2> {{
            static void run(int out[64]);
        }};
        void filter<2>::run(int out[64]) {{ for (int i = 0; i < 50; i++) out[i] = 2; }}
        struct own : filter<6> {{}};
        void top(int out[64]) {{ {class}::run(out); }}"
        )
    };
    assert_eq!(trips(&text("filter<5>")), Some(10.0));
    assert_eq!(trips(&text("filter<2>")), Some(50.0));
    assert_eq!(trips(&text("own")), Some(12.0));
}

/// Which of two functions is meant, by what they are given: a stream, and a table that nothing declares.
#[test]
fn a_stream_goes_to_the_function_of_streams_beside_a_name_that_is_not_known() {
    let text = "#include <hls_stream.h>
        template <class T> void sum(T data[64], T weights[64], hls::stream<T>& out) {
            ARRAY: for (int i = 0; i < 64; i++) out.write(data[i] * weights[i]);
        }
        template <class T> void sum(hls::stream<T>& data, T weights[64], hls::stream<T>& out) {
            STREAM: for (int i = 0; i < 64; i++) out.write(data.read());
        }
        void top(hls::stream<int>& in, hls::stream<int>& out) { sum(in, weights, out); }";
    let settings = Settings::new(find_part("xc7z020").unwrap(), 10.0, (2020, 1));
    let answer = estimate_kernel(&read(text), &Directives::default(), &settings);
    assert_eq!(answer.loops.iter().map(|one| one.label.as_str()).collect::<Vec<_>>(), ["STREAM"]);
}

#[test]
fn an_object_that_becomes_a_stream_is_not_known() {
    let text = "#include <hls_stream.h>
        struct narrow {
            hls::stream<int> own;
            int factor;
            operator hls::stream<int>&() { return own; }
        };
        void copy(hls::stream<int>& in, hls::stream<int>& out) {
            for (int i = 0; i < 64; i++) out.write(in.read());
        }
        void top(hls::stream<int>& out) { narrow source; copy(source, out); }";
    let settings = Settings::new(find_part("xc7z020").unwrap(), 10.0, (2020, 1));
    let answer = estimate_kernel(&read(text), &Directives::default(), &settings);
    assert!(answer.unknown.iter().any(|one| one.reason.contains("is a stream and gets an object")));
}

/// The grammar takes such a declaration for one of a variable.
#[test]
fn a_template_of_arrays_of_streams_is_declared_before_its_specialisation() {
    let list = |m: &str, n: &str| {
        format!("(hls::stream<float>(&a)[{m}][{n}], hls::stream<float>(&b)[{n}])")
    };
    let body = "{ for (int i = 0; i < 4; i++) b[i].write(a[0][i].read() + a[1][i].read()); }";
    let own = list("2", "4");
    let text = |declared: &str| {
        format!(
            "template <const int m, const int n> void f{};\n{declared}\ntemplate <> void f<2, 4>{own} {body}\n\
             void top{own} {{ f<2, 4>(a, b); }}",
            list("m", "n")
        )
    };
    let plain = estimate(&format!("void f{own} {body}\nvoid top{own} {{ f(a, b); }}"));
    for declared in ["", &format!("template <> void f<2, 4>{own};")] {
        let answer = estimate(&text(declared));
        assert!(answer.unknown.is_empty(), "{:?}", answer.unknown);
        assert_eq!(answer.latency.worst, plain.latency.worst);
    }
    assert!(plain.latency.worst > 8.0);
}
