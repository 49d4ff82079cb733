//! Bodies that no person wrote.

use super::Read;
use derate_frontend::{Reason, Resolver, Sources, parse};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Twice the text takes no more than about twice as long; generated bodies have no end.
#[test]
fn long_and_deep_bodies_are_survived() {
    let many = "for (int i = 0; i < 8; i++) { const int b = i; x[b] += 1; }\n".repeat(5_000);
    let read = Read::new(&format!("void f(float *x) {{ {many} }}"));
    assert_eq!(read.function("f").loops.len(), 5_000);
    assert_eq!(
        read.elements("f", &[]).unwrap_err(),
        Reason::from("`x` is accessed in too many places")
    );
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
