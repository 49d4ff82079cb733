//! Loops, accesses and footprints of kernels as people write them.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use derate_hls::{
    AccessForm, AccessKind, Comparison, Function, Header, LoopKind, Resolver, Sources, parse,
    parse_all,
};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;

struct Read {
    sources: Sources,
    headers: Vec<Header>,
}

impl Read {
    fn new(text: &str) -> Self {
        let mut sources = Sources::default();
        let file = sources.add("k.cpp", text);
        let headers = parse_all(&sources, &[file]);
        Self { sources, headers }
    }

    fn function(&self, name: &str) -> &Function {
        let mut all = self.headers.iter().flat_map(|header| &header.functions);
        all.find(|one| one.name == name && one.body.is_some()).unwrap_or_else(|| panic!("{name}"))
    }

    fn trips(&self, name: &str) -> Vec<Option<u64>> {
        self.function(name).loops.iter().map(|one| one.trip_count).collect()
    }

    /// How many elements of `x` a function touches.
    fn elements(&self, name: &str, values: &[(&str, i128)]) -> Result<u64, String> {
        let values = values.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
        let resolver = Resolver::new(&self.headers, &self.sources);
        resolver.footprint(self.function(name), "x", &values).map(|one| one.elements)
    }
}

fn kernels() -> Read {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/smolvla");
    let mut sources = Sources::default();
    let names = ["add_bias.cpp", "gelu.cpp", "gemm.cpp", "kernels.h", "mlp.cpp"];
    let paths = names.map(|name| root.join("kernels").join(name));
    let files: Vec<_> = paths
        .iter()
        .chain([&root.join("model_weights.h")])
        .map(|path| {
            let name = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
            sources.add(name, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    let headers = parse_all(&sources, &files);
    Read { sources, headers }
}

/// What the unfused block costs: the product is written by one step and read by the next.
#[test]
fn the_fixture_writes_its_product_and_reads_it_back() {
    let read = kernels();
    let resolver = Resolver::new(&read.headers, &read.sources);
    let block = read.function("mlp_block");
    let nothing = BTreeMap::new();
    let touched = |callee: &str, argument: &str| {
        let call = block.calls.iter().find(|call| call.callee == callee).unwrap();
        let function = read.function(callee);
        let values = resolver.call_values(block, call, function, &nothing);
        let at = call.arguments.iter().position(|one| one == argument).unwrap();
        resolver.footprint(function, &function.parameters[at].name, &values).unwrap()
    };
    let arguments = resolver.argument_values(block, &block.calls[0], &nothing);
    let known: Vec<_> = arguments.into_iter().flatten().collect();
    assert_eq!(known, [1024, 768, 3072]);

    let written = touched("gemm", "product");
    assert_eq!((written.elements, written.kind), (1024 * 3072, Some(AccessKind::Write)));
    assert!(written.is_dense() && written.first == Some(0));
    assert_eq!(written.touches, Some(1024 * 3072));
    let back = touched("add_bias", "product");
    assert_eq!((back.elements, back.kind), (1024 * 3072, Some(AccessKind::Read)));
    assert_eq!(touched("add_bias", "bias").elements, 3072);
    assert_eq!(touched("gelu", "biased").elements, 1024 * 3072);
    let weight = touched("gemm", "weight");
    assert_eq!((weight.elements, weight.touches), (768 * 3072, Some(1024 * 768 * 3072)));

    let gemm = read.function("gemm");
    let labels: Vec<_> = gemm.loops.iter().map(|one| one.label.as_deref().unwrap()).collect();
    assert_eq!(labels, ["rows", "columns", "inner"]);
    assert_eq!(gemm.loops[2].parent, Some(1));
    assert_eq!(gemm.loops[2].depth, 2);
    assert_eq!(gemm.pragmas[gemm.loops[2].pragmas[0]].text, "HLS PIPELINE II=1");
    assert!(gemm.loops.iter().all(|one| one.trip_count.is_none()));
    let update = &gemm.updates[0];
    assert_eq!((update.target.as_str(), update.operator.as_str()), ("sum", "+"));
    assert_eq!(update.loop_index, Some(2));
    assert_eq!(resolver.variable(gemm, update.span, &update.name).bits(), Some(32));
}

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

/// Each of these would give a number to somebody in a hurry.
#[test]
fn what_takes_by_value_settles_nothing() {
    let read = Read::new(
        "void f(float *a) { for (int i = 0; i < 8; i++) { a[i] = std::sqrt(i) + hls::max(i, 3); } }",
    );
    assert_eq!(read.trips("f"), [Some(8)]);
}

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

#[test]
fn accesses_say_what_they_do() {
    let read = Read::new(
        "float table[4][4];\n\
         void f(const float *x, float y[4][4], hls::stream<float> &s, float *p, int n) {\n\
         float local[4];\n\
         for (int i = 0; i < 4; i++) {\n\
           y[i][0] += x[i] * table[i][1];\n\
           if (n > 2) local[i] = 1; else local[0]++;\n\
           float v = n ? x[i + 1] : 0;\n\
           local[i] = local[i] + v;\n\
           s.write(x[i]); s << v; s >> local[2]; v = s.read(); s.read(v);\n\
         }\n\
         *p = *(p + n * 2); memcpy(local, x + 8, 4 * sizeof(float));\n\
         memcpy(&p[4], local, sizeof(local)); g(x, local[1]); float *q = &p[3];\n\
         }",
    );
    let function = read.function("f");
    let shown: Vec<String> = function
        .accesses
        .iter()
        .map(|one| {
            let kind = match one.kind {
                AccessKind::Read => "r",
                AccessKind::Write => "w",
                AccessKind::ReadWrite => "rw",
            };
            let form = match one.form {
                AccessForm::Subscript => "",
                AccessForm::Dereference => " *",
                AccessForm::Copy => " copy",
                AccessForm::Stream => " stream",
                AccessForm::Address => " &",
                AccessForm::Whole => " whole",
            };
            let sure = if one.conditional { "?" } else { "" };
            let depth = one.loop_index.map_or("", |_| "@");
            format!("{} {}[{}]{form}{depth}{sure}", kind, one.array, one.index.join("]["))
        })
        .collect();
    assert_eq!(
        shown,
        [
            "rw y[i][0]@",
            "r x[i]@",
            "r table[i][1]@",
            "w local[i]@?",
            "rw local[0]@?",
            "r x[i + 1]@?",
            "w local[i]@",
            "r local[i]@",
            "w s[] stream@",
            "r x[i]@",
            "w s[] stream@",
            "r s[] stream@",
            "w local[2]@",
            "r s[] stream@",
            "r s[] stream@",
            "w p[0] *",
            "r p[n * 2] *",
            "w local[0] copy",
            "r x[8] copy",
            "w p[4] copy",
            "r local[0] copy",
            "rw local[] whole",
            "rw x[] whole",
            "r local[1]",
            "rw p[3] &",
        ]
    );
    let updates: Vec<_> = function
        .updates
        .iter()
        .map(|one| (one.target.as_str(), one.name.as_str(), one.operator.as_str(), one.spelt_out))
        .collect();
    assert_eq!(updates, [("y[i][0]", "y", "+", false), ("local[i]", "local", "+", true)]);
    let locals: Vec<_> = function.locals.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(locals, ["local", "v", "q"]);
    assert_eq!(function.locals[0].dims[0].value, Some(4));
    assert_eq!(function.locals[1].initial.as_deref(), Some("n ? x[i + 1] : 0"));
}

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
        ("for (int i = 0; i < 8; i++) for (int j = 0; j < i; j++) x[j] = 0;", "now more often"),
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

/// Conditions that the text leaves open hide the ones that they hold.
#[test]
fn what_an_undecided_branch_holds_is_conditional() {
    let read = Read::new(
        "void k(float *x) {\n#ifdef __SYNTHESIS__\n x[0] = 1;\n#endif\n x[1] = 2;\n}\n\
         template <typename T> struct S { void m(float *x) { for (int i = 0; i < 4; i++) x[i] = 1; } };",
    );
    let conditional: Vec<_> =
        read.function("k").accesses.iter().map(|one| one.conditional).collect();
    assert_eq!(conditional, [true, false]);
    assert_eq!(read.trips("m"), [Some(4)]);
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

/// Twice the text takes no more than about twice as long; generated bodies have no end.
#[test]
fn long_and_deep_bodies_are_survived() {
    let many = "for (int i = 0; i < 8; i++) { const int b = i; x[b] += 1; }\n".repeat(5_000);
    let read = Read::new(&format!("void f(float *x) {{ {many} }}"));
    assert_eq!(read.function("f").loops.len(), 5_000);
    assert_eq!(read.elements("f", &[]).unwrap_err(), "`x` is accessed in too many places");
    for text in [
        "for (int i = 0; i < 8; i++) ".repeat(5_000),
        "for (int i = 0; i < 8; i++) {".repeat(300),
        format!("x{} = 1;", "[0]".repeat(20_000)),
        format!("x[0] = {}1;", "x[0] + ".repeat(20_000)),
        format!("{}s;", "s << ".repeat(9_000)),
        format!("{}x;", "*".repeat(20_000)),
        format!("x = {}x{};", "(".repeat(9_000), ")".repeat(9_000)),
        "const int a = a;".repeat(2_000),
    ] {
        let read = Read::new(&format!("void f(float *x) {{ {text} }}"));
        for function in &read.headers[0].functions {
            let _ = Resolver::new(&read.headers, &read.sources).footprint(
                function,
                "x",
                &BTreeMap::new(),
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_body_is_read(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "for (int i = 0; i < 8; i++) ", "for (", "while (n) ", "do ", "while (i);", "if (n) ",
            "else ", "switch (n) ", "case 1: ", "break;", "continue;", "return;", "goto l;", "l: ",
            "{", "}", "(", ")", "[", "]", ";", ",", "x", "i", "n", "s", "é", "=", "+=", "++", "*",
            "&", "<<", ">>", "?", ":", "x[i]", "x[i * n + 1]", "const int b = i;", "int k = 3;",
            "s.read()", "s.write(", "memcpy(x, x + 1, n)", "[&](int i) ", "auto ", "#if A\n",
            "#endif\n", "\n#pragma HLS PIPELINE\n", "1", "sum = sum + x[i];", "M(x)",
        ]), 0..60),
    ) {
        let text = format!(
            "#define M(a) a = 1;\nvoid f(float *x, int n, hls::stream<int> &s) {{ {} }}",
            pieces.concat()
        );
        let mut sources = Sources::default();
        let file = sources.add("k.cpp", text);
        let header = parse(&sources, file);
        let resolver = Resolver::new(std::slice::from_ref(&header), &sources);
        let values = BTreeMap::from([("n".to_owned(), 3)]);
        for function in &header.functions {
            for one in &function.loops {
                prop_assert!(one.parent.is_none_or(|parent| parent < function.loops.len()));
                prop_assert!(one.pragmas.iter().all(|&at| at < function.pragmas.len()));
                prop_assert!(one.span.start <= one.span.end && one.body.start <= one.body.end);
            }
            for access in &function.accesses {
                prop_assert!(access.loop_index.is_none_or(|at| at < function.loops.len()));
                let _ = resolver.variable(function, access.span, &access.array);
            }
            for call in &function.calls {
                let _ = resolver.call_values(function, call, function, &values);
            }
            let _ = resolver.footprint(function, "x", &values);
        }
    }
}
