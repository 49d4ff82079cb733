//! What a body reads and writes.

use super::{Read, kernels};
use derate_frontend::{AccessForm, AccessKind, Resolver};
use std::collections::BTreeMap;

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
