//! Heads of loops, and how often they turn.

use super::Read;
use derate_frontend::{Comparison, LoopKind, Resolver};
use std::collections::BTreeMap;

#[test]
fn heads_of_loops_are_taken_apart() {
    let read = Read::new(
        "constexpr int T = 16;\n#define ROUND(a) (((a) + 15) / 16 * 16)\n\
         template <int U> void f(int n, float *a) {\n\
         const int m = T * 4;\n\
         one: for (int i = 0; i < m; i += 16) { a[i] = 0; }\n\
         two: for (int i = m - 1; i >= 0; --i) a[i] = 1;\n\
         for (ap_uint<8> i = 0; 8 > i; i++) {}\n\
         for (int i = 0, j = 9; i != ROUND(20); i = i + 4, j--) {}\n\
         for (int i = 10; i > 0; i -= 3) {}\n\
         for (int t = 0; t < m; t += T)\n  for (int i = t; i < t + T; i++) a[i] = 2;\n\
         for (auto v : a) {}\n\
         while (n > 0) { n--; }\n\
         do { n++; } while (n < 9);\n\
         for (int i = 0; i < n; i++) {}\n\
         for (int i = 0; i < U; i++) {}\n\
         for (;;) {}\n\
         }",
    );
    let trips = read.trips("f");
    let expected = [4, 64, 8, 8, 4, 4, 16].map(Some);
    assert_eq!(trips[..7], expected);
    assert!(trips[7..].iter().all(Option::is_none), "{trips:?}");
    let loops = &read.function("f").loops;
    assert_eq!(loops[0].label.as_deref(), Some("one"));
    assert_eq!(loops[1].comparison, Some(Comparison::GreaterOrEqual));
    assert_eq!(loops[1].step.as_deref(), Some("-1"));
    assert_eq!(loops[2].comparison, Some(Comparison::Less));
    assert_eq!(loops[4].step.as_deref(), Some("-(3)"));
    assert_eq!(loops[6].parent, Some(5));
    let kinds: Vec<_> = loops[7..10].iter().map(|one| one.kind).collect();
    assert_eq!(kinds, [LoopKind::Range, LoopKind::While, LoopKind::Do]);
    assert_eq!(read.sources.slice(loops[0].span), "for (int i = 0; i < m; i += 16)");

    let resolver = Resolver::new(&read.headers, &read.sources);
    let values = BTreeMap::from([("U".to_owned(), 8), ("n".to_owned(), 5)]);
    let counts = resolver.trip_counts(read.function("f"), &values);
    assert_eq!(counts[11], Ok(8));
    // It counts down above.
    assert!(counts[10].as_ref().unwrap_err().contains("changed"), "{counts:?}");
}

#[test]
fn what_takes_by_value_settles_nothing() {
    let read = Read::new(
        "void f(float *a) { for (int i = 0; i < 8; i++) { a[i] = std::sqrt(i) + hls::max(i, 3); } }",
    );
    assert_eq!(read.trips("f"), [Some(8)]);
}

/// Each of these would give a number to somebody in a hurry.
#[test]
fn a_trip_count_that_the_text_does_not_settle_is_none() {
    for text in [
        "for (int i = 0; i < 8; i++) { if (a[i] > 0) break; }",
        "for (int i = 0; i < 8; i++) { if (a[i] > 0) return; }",
        "for (int i = 0; i < 8; i++) { a[i] = 0; i += 1; }",
        "for (int i = 0; i < 8; i++) { bump(i); }",
        "for (int i = 0; i < 8; i++) { declared_elsewhere(i); }",
        "for (int i = 0; i < 8; i++) { STOP }",
        "for (int i = 0; i < 8; i *= 2) {}",
        "for (int i = 0; i < 8; i--) {}",
        "for (unsigned i = 7; i >= 0; i--) {}",
        "for (unsigned char i = 0; i < 300; i++) {}",
        "for (float i = 0; i < 8; i += 1) {}",
        "for (int i = 0; i < 8 && go; i++) {}",
        "int m = 8; for (int i = 0; i < m; i++) {}",
        "for (int i = 0; i < N; i++) {}",
        "int K = 3; for (int i = 0; i < K; i++) {}",
        "for (int i = 0; i != 9; i += 2) {}",
        "for (int i = 0; i < 8; i++) { goto out; } out: ;",
        "FOR_EACH(i, 8) { a[i] = 0; }",
        "for (int i = 0; i < 8; i++) { FOR_EACH(j, 8) { a[i] = 0; } }",
    ] {
        let read = Read::new(&format!(
            "#define STOP if (a[0] > 1) break;\nconstexpr int K = 8;\nvoid bump(int &i);\n\
             void f(float *a, int N, bool go) {{ {text} }}"
        ));
        let trips = read.trips("f");
        assert!(trips.iter().all(Option::is_none), "{text}: {trips:?}");
    }
}

/// A name means the innermost thing of that name.
#[test]
fn names_of_a_body_hide_those_outside() {
    let read = Read::new(
        "constexpr int N = 8;\n\
         void f() { { const int N = 3; for (int i = 0; i < N; i++) {} }\n\
           for (int i = 0; i < N; i++) {}\n\
           const int M{N * 2}; for (int i = 0; i < M; i++) {}\n\
           { const int M = 5; for (int i = 0; i < M; i++) {} }\n\
           for (int N = 0; N < 4; N++) { for (int j = 0; j < N; j++) {} }\n\
           auto g = [&](int N) { for (int i = 0; i < N; i++) {} }; }\n",
    );
    let expected = [Some(3), Some(8), Some(16), Some(5), Some(4), None, None];
    assert_eq!(read.trips("f"), expected);
}

/// Whether it has braces or not, a body may have its pragmas in front of it.
#[test]
fn a_pragma_between_a_head_and_its_body_is_the_loops() {
    let read = Read::new(
        "void f(int *x, int *y) {\n\
         for (int i = 0; i < 8; i++)\n#pragma HLS pipeline II=1\n  x[i] = y[i];\n\
         #pragma HLS inline off\n\
         for (int i = 0; i < 8; i++) // rows\n  for (int j = 0; j < 8; j++)\n#pragma HLS unroll\n    x[j] = i;\n\
         for (int i = 0; i < 8; i++)\n#pragma HLS pipeline\n  { x[i] = 0; }\n\
         while (*x)\n#pragma HLS pipeline off\n  x++;\n\
         }",
    );
    let function = read.function("f");
    let own: Vec<Vec<usize>> = function.loops.iter().map(|one| one.pragmas.clone()).collect();
    assert_eq!(own, [vec![0], vec![], vec![2], vec![3], vec![4]]);
    assert_eq!(read.sources.slice(function.loops[0].span), "for (int i = 0; i < 8; i++)");
    assert_eq!(read.sources.slice(function.loops[4].span), "while (*x)");
}
