//! Ports of kernels, and what goes through memory between them.

use super::fixture::{Fixture, of};
use super::found;
use derate_model::audit::Level;

/// A kernel whose arguments are in these bundles, with a body.
fn bundled_with(bundles: &[&str], body: &str) -> String {
    let names = ["a", "b", "c", "d"];
    let pragmas: Vec<String> = names
        .iter()
        .zip(bundles)
        .map(|(name, bundle)| format!("#pragma HLS interface m_axi port={name}{bundle}\n"))
        .collect();
    format!("void top(float *a, float *b, float *c, float *d) {{\n{}{body}}}\n", pragmas.concat())
}

/// The same, where all four are used in one loop.
fn bundled(bundles: &[&str]) -> String {
    bundled_with(bundles, "for (int i = 0; i < 64; i++) d[i] = a[i] + b[i] * c[i];\n")
}

#[test]
fn three_ports_in_one_bundle() {
    let code = "kernel/shared-bundle";
    let all = found(code, &bundled(&[" bundle=mem", " bundle=mem", " bundle=mem", " bundle=own"]));
    let [finding] = &all[..] else { panic!("{all:#?}") };
    assert_eq!(finding.evidence["ports"], serde_json::json!(["a", "b", "c"]));
    assert_eq!(found(code, &bundled(&["", "", ""])).len(), 1, "the default bundle");
    // Those that name none do not join one that others name.
    assert!(found(code, &bundled(&[" bundle=gmem", " bundle=gmem", "", ""])).is_empty());
    assert!(
        found(code, &bundled(&[" bundle=m", " bundle=m", " bundle=n", " bundle=n"])).is_empty()
    );
    // The tool makes no port of a number.
    let number = bundled(&[" bundle=m", " bundle=m", " bundle=m", " bundle=n"]);
    let number = number.replace("float *c", "float c").replace("c[i]", "c");
    assert!(found(code, &number).is_empty());
    let no_argument = "void top(float *a, float *b) {\n#pragma HLS interface m_axi port=a\n\
                       #pragma HLS interface m_axi port=b\n#pragma HLS interface m_axi port=gone\n}\n";
    assert!(found(code, no_argument).is_empty());
}

/// In the manner of a kernel that writes each word to one of several buckets.
#[test]
fn cases_of_a_switch_are_not_used_at_the_same_time() {
    let bundle = [" bundle=mem"; 4];
    let found = |body: &str| {
        let body = format!("for (int i = 0; i < 4096; i++) {{ switch (i % 3) {{ {body} }} }}");
        found("kernel/shared-bundle", &bundled_with(&bundle, &body)).len()
    };
    let last = "default: d[i] = 3;";
    let write = |to: &str| format!("if (i % 2) {to}[i] = 1; else {to}[i] = 2;");
    let plain = ["a[i] = 1;", "b[i] = 1;"].map(str::to_owned);
    for [one, other] in [plain, [write("a"), write("b")]] {
        assert_eq!(found(&format!("case 0: {one} break; case 1: {{ {other} break; }} {last}")), 0);
        // The first case runs into the second one.
        assert_eq!(found(&format!("case 0: {one} case 1: {other} break; {last}")), 1);
    }
    assert_eq!(found("case 0: case 1: a[i] = 1; b[i] = 2; break; default: d[i] = 3;"), 1);
}

/// The tool ignores the interfaces of a function that a kernel calls.
#[test]
fn ports_of_a_function_below_a_kernel() {
    let code = "kernel/shared-bundle";
    let layer = bundled(&[" bundle=mem", " bundle=mem", " bundle=mem", " bundle=own"]);
    let call = |ports: &str| {
        format!(
            "{layer}\nvoid all(float *p) {{\n{ports}\nstatic float x[64], y[64], z[64]; top(x, y, z, p); }}\n"
        )
    };
    assert!(found(code, &call("#pragma HLS interface m_axi port=p bundle=mem")).is_empty());
    // A test bench that calls it is no kernel.
    assert_eq!(found(code, &call("")).len(), 1);
}

/// In the manner of a filter that reads its coefficients first, and of a network whose layers run one after another.
#[test]
fn ports_of_one_bundle_that_are_used_one_after_another() {
    let bundle = [" bundle=mem"; 4];
    let found = |before: &str, body: &str| {
        let text = format!("{before}\n{}", bundled_with(&bundle, body));
        found("kernel/shared-bundle", &text).len()
    };
    let first = "float k[8]; for (int i = 0; i < 8; i++) k[i] = *a++;\n";
    assert_eq!(
        found("", &format!("{first}for (int i = 0; i < 64; i++) d[i] = k[i % 8] * *b++;")),
        0
    );
    assert_eq!(found("", &format!("{first}for (int i = 0; i < 64; i++) d[i] = c[i] * b[i];")), 1);
    let copies =
        "static float x[64], y[64]; memcpy(x, a, 256); memcpy(y, b, 256); memcpy(d, y, 256);";
    assert_eq!(found("", copies), 0);
    let layer = "void layer(float *w, float *x) { for (int i = 0; i < 64; i++) x[i] = w[i]; }\n\
                 void both(float *v, float *w, float *x) { for (int i = 0; i < 64; i++) x[i] = v[i] + w[i]; }";
    let turns =
        "for (int n = 0; n < 4; n++) {\n#pragma HLS pipeline off\nlayer(a, d); layer(b, c); }";
    assert_eq!(found(layer, turns), 0);
    assert_eq!(found(layer, "layer(a, d); both(a, b, c);"), 1);
    // The processes of a dataflow run at the same time.
    assert_eq!(found(layer, "\n#pragma HLS dataflow\nlayer(a, d); layer(b, c);"), 1);
    // The arms of an `if` do not run together, nor do those of a chain; what is in one arm, or around it, does.
    let in_loop = |body: &str| format!("for (int i = 0; i < 64; i++) {{ {body} }}");
    for apart in [
        "if (i & 1) d[i] = 1; else c[i] = 2;",
        "if (i == 1) { d[i] = 1; } else if (i == 2) { c[i] = 2; } else { b[i] = 3; }",
    ] {
        assert_eq!(found("", &in_loop(apart)), 0, "{apart}");
    }
    for at_once in [
        "if (i & 1) { d[i] = 1; c[i] = 2; }",
        "b[i] = 0; if (i & 1) d[i] = 1; else c[i] = 2;",
        "if (i & 1) d[i] = 1; if (i & 2) c[i] = 2;",
        "if (i > 9) continue; d[i] = 1; c[i] = 2;",
    ] {
        assert_eq!(found("", &in_loop(at_once)), 1, "{at_once}");
    }
    let guarded = format!("if (!a) return; {}", in_loop("d[i] = 1; c[i] = 2;"));
    assert_eq!(found("", &guarded), 1);
    let calls = "for (int n = 0; n < 4; n++) {\n#pragma HLS pipeline\n\
                 if (n & 1) layer(a, d); else layer(b, c); }";
    assert_eq!(found(layer, calls), 0);
    // The address of a row is no element.
    let tables = "void load(float w[4][64], float v[4][64]) {\n\
                  float *x = (float *)(w[1]);\nfloat *y = (float *)(v[1]);\n}";
    assert_eq!(found(tables, "for (int n = 0; n < 4; n++) load(a, b);"), 0);
    // All loops within a pipelined one are unrolled.
    let rows = |pragma: &str| {
        format!("for (int n = 0; n < 4; n++) {{\n{pragma}layer(a, d); layer(b, c); }}")
    };
    assert_eq!(found(layer, &rows("#pragma HLS pipeline\n")), 1);
    assert_eq!(found(layer, &rows("")), 0);
}

#[test]
fn a_port_whose_elements_are_compound() {
    let code = "kernel/compound-port";
    let text = |element: &str| {
        format!(
            "struct pair {{ float a; float b; }};\nstruct one {{ float a; }};\n\
             void top({element} *in) {{\n#pragma HLS interface m_axi port=in\n}}\n"
        )
    };
    for (element, bits) in
        [("const pair", 64), ("hls::vector<float, 12>", 384), ("hls::vector<float, 64>", 2048)]
    {
        let all = found(code, &text(element));
        assert_eq!(all.first().map(|one| one.evidence["bits"].clone()), Some(bits.into()));
    }
    // A vector that fills a word is one.
    for element in [
        "float",
        "one",
        "ap_uint<512>",
        "unknown_t",
        "hls::vector<float, 16>",
        "hls::vector<float, 32>",
    ] {
        assert!(found(code, &text(element)).is_empty(), "{element}");
    }
}

#[test]
fn compound_ports_of_one_kernel_are_one_note() {
    let text = "struct pair { float a; float b; };\nvoid top(pair *in, pair *out, float *c) {\n\
                #pragma HLS interface m_axi port=in\n#pragma HLS interface m_axi port=out\n\
                #pragma HLS interface m_axi port=c\n}\n";
    let all = found("kernel/compound-port", text);
    let [finding] = &all[..] else { panic!("{all:#?}") };
    assert_eq!(finding.message, "2 memory ports of `top` move structs or vectors");
    assert_eq!((finding.labels.len(), &finding.evidence["ports"][1]), (2, &"out".into()));
}

#[test]
fn a_port_that_a_directive_cuts() {
    let code = "kernel/cut-port";
    let text = |mode: &str, cut: &str| {
        format!(
            "void top(int a[32][32], int b[32]) {{\n#pragma HLS interface {mode} port=a bundle=one\n\
             int t[32];\n#pragma HLS {cut}\nfor (int i = 0; i < 32; i++) b[i] = a[i][0] + t[i];\n}}\n"
        )
    };
    for (cut, level) in [
        ("array_partition variable=a dim=2", Level::Note),
        ("ARRAY_RESHAPE variable=a complete dim=2", Level::Warning),
    ] {
        let all = found(code, &text("m_axi", cut));
        assert_eq!(all.len(), 1, "{all:?}");
        assert_eq!((all[0].level, all[0].labels.len()), (level, 2));
        assert_eq!(all[0].evidence["port"], "a");
        // A memory port is cut into several.
        assert!(found(code, &text("ap_memory", cut)).is_empty(), "{cut}");
    }
    for near in
        ["array_partition variable=t", "array_partition variable=a off", "bind_storage variable=a"]
    {
        assert!(found(code, &text("m_axi", near)).is_empty(), "{near}");
    }
}

#[test]
fn an_intermediate_that_goes_through_memory() {
    let code = "kernel/unfused-boundary";
    let findings = Fixture::new("smolvla").findings();
    let found = of(&findings, code);
    assert_eq!(found.len(), 2, "{found:#?}");
    for (finding, buffer) in found.iter().zip(["product", "biased"]) {
        assert_eq!((finding.level, finding.labels.len()), (Level::Warning, 2));
        assert_eq!(finding.evidence["function"], "mlp_block");
        assert_eq!(finding.evidence["buffer"], buffer);
        assert_eq!(finding.evidence["bytes"], 25_165_824);
    }
}

#[test]
fn an_intermediate_that_stays_inside_or_is_not_known() {
    let code = "kernel/unfused-boundary";
    let text = |body: &str| {
        format!(
            "void put(float *y, int n) {{ for (int i = 0; i < n; i++) y[i] = 1; }}\n\
             void get(const float *x, float *y, int n) {{ for (int i = 0; i < n; i++) y[i] = x[i]; }}\n\
             void top(float *t, float *out, int n) {{\n#pragma HLS interface m_axi port=t\n\
             #pragma HLS interface m_axi port=out\n{body}\n}}\n"
        )
    };
    let all = found(code, &text("put(t, 64); get(t, out, 64);"));
    assert_eq!(all.first().map(|one| one.evidence["bytes"].clone()), Some(512.into()));
    let all = found(code, &text("put(t, n); get(t, out, n);"));
    assert!(all[0].notes[0].contains("bytes unknown"), "{all:#?}");
    // `depth` gives the elements, where it is more than the 1 of any pointer.
    let by_depth = |depth: u32| {
        let text = text("put(t, n); get(t, out, n);");
        let text = text.replace("port=t", &format!("port=t depth={depth}"));
        let all = found(code, &text);
        (all[0].level, all[0].evidence["bytes"].as_u64())
    };
    assert_eq!(by_depth(24), (Level::Note, Some(192)));
    assert_eq!(by_depth(4096), (Level::Warning, Some(32_768)));
    assert_eq!(by_depth(1), (Level::Warning, None));
    // A map beside weights that are far larger.
    let beside = |elements: u64| {
        let text = text("put(t, n); get(t, out, n);").replace("port=t", "port=t depth=4096");
        let all = found(code, &text.replace("port=out", &format!("port=out depth={elements}")));
        all[0].level
    };
    assert_eq!(beside(1_000_000), Level::Note);
    assert_eq!(beside(100_000), Level::Warning);
    // A loop repeats it: 192 B are one pass, and how often there is one is not known.
    let repeated = |elements: u64| {
        let text = text("put(t, n); for (int i = 0; i < n; i++) get(t, out, n);");
        let text = text.replace("port=t", "port=t depth=24");
        let all = found(code, &text.replace("port=out", &format!("port=out depth={elements}")));
        (all[0].level, all[0].notes.concat().contains("one pass over it moves less than 2 %"))
    };
    assert_eq!(repeated(1_000_000), (Level::Note, true));
    assert_eq!(repeated(1000), (Level::Warning, false));
    // What is read in parts stays on chip, and is no stream.
    let tiled = found(code, &text("put(t, 64); for (int i = 0; i < 4; i++) get(t, out, 64);"));
    assert!(format!("{:?}", tiled[0].help).contains("on chip"), "{tiled:#?}");
    for body in [
        "float local[64]; put(local, 64); get(local, out, 64);",
        "get(t, out, 64);",
        "get(t, out, 64); put(t, 64);",
        "put(t, 64); elsewhere(t);",
        "put(t, 64); get(t + 64, out, 64);",
        "if (n) put(t, 64); get(t, out, 64);",
    ] {
        assert!(found(code, &text(body)).is_empty(), "{body}");
    }
}
