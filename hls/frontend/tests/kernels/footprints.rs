//! How many elements a function touches.

use super::Read;
use derate_frontend::Resolver;
use std::collections::BTreeMap;

#[test]
fn footprints_of_tiles_windows_copies_and_rows() {
    let read = Read::new(
        "constexpr int T = 16;\n\
         void tile(float *x, int n) { for (int t = 0; t < n; t += T) { const int b = t;\n\
           for (int i = 0; i < T; i++) x[b + i] += 1; } }\n\
         void window(const float x[32][32], float *y) { for (int i = 0; i < 30; i++)\n\
           for (int j = 0; j < 30; j++) for (int u = 0; u < 3; u++) for (int v = 0; v < 3; v++)\n\
             y[0] += x[i + u][j + v]; }\n\
         void copy(float *x, int n) { float b[64]; memcpy(b, x + 32, n * sizeof(float));\n\
           memcpy(x, b, 16 * sizeof(float)); }\n\
         void guard(float *x) { for (int i = 0; i < 64; i++) { if (i > 3) x[i] = 1; x[i] += 1; } }\n\
         void last(float *x) { for (int i = 9; i >= 0; i -= 3) *(x + i) = 1; x[100] = 0; }\n\
         void alternate(float *x) { for (int i = 0; i < 8; i++) { x[2 * i] = 1; x[2 * i + 1] = 2; } }\n\
         void none(float *x) { for (int i = 4; i < 4; i++) x[i] = 0; }",
    );
    assert_eq!(read.elements("tile", &[("n", 128)]), Ok(128));
    assert_eq!(read.elements("window", &[]), Ok(1024));
    assert_eq!(read.elements("copy", &[("n", 64)]), Ok(80));
    assert_eq!(read.elements("guard", &[]), Ok(64));
    assert_eq!(read.elements("last", &[]), Ok(5));
    assert_eq!(read.elements("alternate", &[]), Ok(16));
    assert_eq!(read.elements("none", &[]), Ok(0));
}

#[test]
fn a_footprint_that_the_text_does_not_settle_says_why() {
    for (text, word) in [
        ("for (int i = 0; i < n; i++) x[i] = 0;", "parameter `n`"),
        ("for (int i = 0; i < 8; i++) x[i * i] = 0;", "not linear"),
        ("for (int i = 0; i < 8; i++) x[i / 2] = 0;", "not linear"),
        ("for (int i = 0; i < 8; i++) x[idx[i]] = 0;", "not an integer expression"),
        ("for (int i = 0; i < 8; i++) if (i > n) x[i] = 0;", "conditions decide"),
        ("for (int i = 0; i < 8; i++) { if (i > n) continue; x[i] = 0; }", "conditions decide"),
        ("if (n) return; for (int i = 0; i < 8; i++) x[i] = 0;", "conditions decide"),
        ("while (n > 0) x[0] = 1;", "conditions decide"),
        ("int k = 0; while (k < n) { x[k] = 1; k++; }", "`k` is a variable"),
        ("g(x);", "as a whole"),
        ("float *q = x + 2; q[0] = 1;", "as a whole"),
        ("h(&x[3]);", "address"),
        ("x++; *x = 1;", "set or moved"),
        ("LOAD(3);", "macro"),
        ("float &r = x[3]; r = 1;", "address"),
        ("FOR_EACH(i, 8) { x[0] = 1; }", "could not be read"),
        (
            "for (int i = 0; i < 8; i++) for (int j = 0; j < i; j++) x[j] = 0;",
            "trip count that varies",
        ),
        ("memcpy(x, y, 7);", "whole elements"),
        ("{ float x[3]; x[0] = 1; }", "local variable"),
        ("auto f = [&](int i) { x[i] = 1; };", "`i` is a variable"),
    ] {
        let read = Read::new(&format!(
            "#define LOAD(i) x[i] = 1;\nvoid k(float *x, const float *y, const int *idx, int n) {{\n{text} }}"
        ));
        println!("{text}");
        let reason = read.elements("k", &[]).unwrap_err();
        assert!(reason.contains(word), "{text}: {reason}");
    }
}

#[test]
fn template_arguments_of_a_call_are_known_to_the_callee() {
    let read = Read::new(
        "template <int N, int M> void fill(float *x, unsigned char k) {\n\
           for (int i = 0; i < N * M; i++) x[i] = k; }\n\
         void top(float *y) { constexpr int W = 4; fill<W, 2 * W>(y, 300); }",
    );
    let resolver = Resolver::new(&read.headers, &read.sources);
    let (top, fill) = (read.function("top"), read.function("fill"));
    let values = resolver.call_values(top, &top.calls[0], fill, &BTreeMap::new());
    let expected = [("M", 8), ("N", 4), ("k", 44)];
    let expected = expected.map(|(name, value)| (name.to_owned(), value));
    assert_eq!(values.clone().into_iter().collect::<Vec<_>>(), expected);
    assert_eq!(resolver.footprint(fill, "x", &values).unwrap().elements, 32);
}
