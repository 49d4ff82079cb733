//! Ports of kernels beside the v++ configuration that connects them.

use super::found;

/// `b` is read in the loop of `a`, or in one behind it.
fn kernel(bundles: [&str; 2], is_together: bool) -> String {
    let (first, second) = if is_together { ("b[i]", "0") } else { ("0", "b[i]") };
    format!(
        "extern \"C\" void top(int *a, int *b, int *out) {{\n\
         #pragma HLS interface m_axi port=a bundle={}\n#pragma HLS interface m_axi port=b bundle={}\n\
         #pragma HLS interface m_axi port=out bundle=results\n    int sum = 0;\n\
         for (int i = 0; i < 64; i++) sum += a[i] + {first};\n    for (int i = 0; i < 64; i++) sum += {second};\n\
         out[0] = sum;\n}}\n",
        bundles[0], bundles[1]
    )
}

#[test]
fn arguments_on_one_bank_take_turns_where_the_source_shows_it() {
    let pins =
        "[connectivity]\nnk=top:1\nsp=top_1.a:HBM[0]\nsp=top_1.b:HBM[0]\nsp=top_1.out:HBM[1]\n";
    let of = |bundles: [&str; 2], is_together: bool| {
        let code = kernel(bundles, is_together);
        let all = found("connectivity/shared-bank", &[("top.cpp", &code), ("link.cfg", pins)]);
        let level = all.first().and_then(|one| one.split(' ').next()).map(str::to_owned);
        level.unwrap_or_default()
    };
    assert_eq!(of(["one", "two"], true), "warning");
    assert_eq!(of(["one", "two"], false), "note");
    // One port gains nothing from a second bank.
    assert_eq!(of(["one", "one"], true), "");
    let unknown = found("connectivity/shared-bank", &[("link.cfg", pins)]);
    assert!(unknown[0].starts_with("warning "), "{unknown:?}");
}

/// What is done through another pointer, or in a function whose body is not known, may be at the same time.
#[test]
fn arguments_whose_uses_are_not_followed_do_not_take_turns() {
    let pins = "[connectivity]\nnk=top:1\nsp=top_1.a:HBM[0]\nsp=top_1.b:HBM[0]\n";
    let level = |before: &str, body: &str| {
        let plain =
            "for (int i = 0; i < 64; i++) a[i] = 0;\n    for (int i = 0; i < 64; i++) b[i] = 0;";
        let code = format!(
            "{before}\nextern \"C\" void top(int *a, int *b) {{\n\
             #pragma HLS interface m_axi port=a bundle=one\n#pragma HLS interface m_axi port=b bundle=two\n\
             {plain}\n    {body}\n}}\n"
        );
        let all = found("connectivity/shared-bank", &[("top.cpp", &code), ("link.cfg", pins)]);
        all.first().and_then(|one| one.split(' ').next()).map(str::to_owned).unwrap_or_default()
    };
    let clear = "void clear(int *x) { for (int i = 0; i < 64; i++) x[i] = 0; }";
    let both =
        "struct unit { void both(int *x, int *y) { for (int i = 0; i < 64; i++) x[i] = y[i]; } };";
    assert_eq!(level("", ""), "note");
    assert_eq!(level(clear, "clear(a);"), "note");
    let alias = "int *p = a; for (int i = 0; i < 64; i++) p[i] = b[i];";
    assert_eq!(level("", alias), "warning");
    assert_eq!(level("void move(int *x, int *y);", "move(a, b);"), "warning");
    assert_eq!(level(both, "unit it; it.both(a, b);"), "warning");
    assert_eq!(level(clear, "clear(b[0] > 0 ? a : b);"), "warning");
    // Which of them is called is not known.
    let overloads = format!("{clear}\nvoid clear(long *x) {{ x[0] = 0; }}");
    assert_eq!(level(&overloads, "clear(a);"), "warning");
}

#[test]
fn what_is_used_at_the_same_time_is_named_loop_by_loop() {
    let text = "extern \"C\" void top(int *a, int *b, int *c, int *d, int *out) {\n\
        #pragma HLS interface m_axi port=a bundle=all\n#pragma HLS interface m_axi port=b bundle=all\n\
        #pragma HLS interface m_axi port=c bundle=all\n#pragma HLS interface m_axi port=d bundle=all\n\
        #pragma HLS interface m_axi port=out bundle=results\n    int sum = 0;\n\
        for (int i = 0; i < 64; i++) sum += a[i] + b[i];\n    for (int i = 0; i < 64; i++) sum += c[i] + d[i];\n\
        out[0] = sum;\n}\n";
    let notes = super::notes("kernel/shared-bundle", &[("top.cpp", text)]);
    assert_eq!(notes[1], "used at the same time: a, b; c, d");
    let apart = text.replace("a[i] + b[i]", "a[i]").replace("c[i] + d[i]", "d[i]");
    assert!(super::notes("kernel/shared-bundle", &[("top.cpp", &apart)]).is_empty());
}
