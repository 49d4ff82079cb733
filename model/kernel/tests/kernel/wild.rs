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
