//! Sums and directives in the bodies of kernels.

use super::fixture::{Fixture, of};
use super::found;
use derate_model::audit::Level;

#[test]
fn a_sum_that_the_next_turn_needs() {
    let code = "kernel/accumulation";
    let findings = Fixture::new("smolvla").findings();
    let [finding] = of(&findings, code)[..] else { panic!("{findings:#?}") };
    assert_eq!((finding.subject.as_str(), finding.labels.len()), ("gemm::sum", 2));
    assert_eq!(finding.evidence["target"], "sum");
    let text = |kind: &str, pragma: &str, body: &str| {
        format!(
            "void top(const float *x, {kind} *y, int n) {{\n{kind} s = 0;\n\
             for (int i = 0; i < n; i++) {{\nfor (int j = 0; j < 8; j++) {{\n{pragma}\n{body}\n}}\n}}\ny[0] = s;\n}}\n"
        )
    };
    let pipeline = "#pragma HLS pipeline II=1";
    for body in ["s += x[j];", "s = s + x[j];", "y[i] += x[j];", "y[i * n] -= x[j];"] {
        assert_eq!(found(code, &text("float", pipeline, body)).len(), 1, "{body}");
    }
    // Sums of one loop have one interval.
    let two = found(code, &text("float", pipeline, "y[i] += x[j];\ny[i + 1] += x[j];"));
    let [one] = &two[..] else { panic!("{two:#?}") };
    assert!(one.message.ends_with("; and 1 more like it"), "{}", one.message);
    // A pipeline around the loop unrolls it.
    for (around, count) in [(pipeline, 0), ("#pragma HLS pipeline off", 1)] {
        let text = format!(
            "void top(const float *x, float *y, int n) {{\nfor (int i = 0; i < n; i++) {{\n{around}\nfloat t = 0;\n\
             for (int j = 0; j < 8; j++) {{\n{pipeline}\nt += x[j];\n}}\ny[i] = t;\n}}\n}}\n"
        );
        assert_eq!(found(code, &text).len(), count, "{around}");
    }
    // Few additions beside a loop that is known to take far longer; one whose bound is not known is not long.
    let beside = |bound: &str, sum: u64| {
        let text = format!(
            "void top(const float *x, float *y, int n) {{\nfloat p[64];\nfor (int i = 0; i < n; i++) {{\n\
             for (int j = 0; j < {bound}; j++) y[j] = x[j];\nfloat t = 0;\n\
             for (int j = 0; j < {sum}; j++) {{\n{pipeline}\nt += p[j];\n}}\ny[i] = t;\n}}\n}}\n"
        );
        found(code, &text).iter().map(|one| one.level).collect::<Vec<_>>()
    };
    assert_eq!(beside("4096", 24), [Level::Note]);
    assert_eq!(beside("64", 6), [Level::Warning]);
    assert_eq!(beside("n", 6), [Level::Note], "a short run, and no share is known");
    assert_eq!(beside("n", 24), [Level::Warning]);
    // So does that of the function, where it can.
    let whole = |bound: &str, pragma: &str| {
        let text = format!(
            "template <int N> void loss(const float x[N], int n, float &y) {{\n{pragma}\nfloat t = 0;\n\
             for (int j = 0; j < {bound}; j++) {{\n{pipeline}\nt += x[j];\n}}\ny = t;\n}}\n"
        );
        found(code, &text).len()
    };
    assert_eq!((whole("N", "#pragma HLS pipeline"), whole("8", "#pragma HLS pipeline")), (0, 0));
    assert_eq!((whole("n", "#pragma HLS pipeline"), whole("N", "#pragma HLS inline")), (1, 1));
    for (unroll, count) in
        [("off", 1), ("off=true", 1), ("factor=1", 1), ("factor=4", 1), ("factor=8", 0), ("", 0)]
    {
        let both = format!("{pipeline}\n#pragma HLS unroll {unroll}");
        assert_eq!(found(code, &text("float", &both, "s += x[j];")).len(), count, "{unroll}");
    }
    for body in [
        "y[j] += x[i];",
        "y[i * 8 + j] += x[j];",
        "const int at = i + j; y[at] += x[j];",
        "float t = 0; t += x[j];",
        "s = x[i]; s += x[j];",
        "y[next(i)] += x[j];",
    ] {
        assert!(found(code, &text("float", pipeline, body)).is_empty(), "{body}");
    }
    assert!(found(code, &text("int", pipeline, "s += x[j];")).is_empty());
    for pragma in
        ["", "#pragma HLS pipeline II=8", "#pragma HLS pipeline off", "#pragma HLS unroll"]
    {
        assert!(found(code, &text("float", pragma, "s += x[j];")).is_empty(), "{pragma}");
    }
}

#[test]
fn a_directive_about_a_variable_that_is_not_there() {
    let code = "kernel/unknown-variable";
    let kernel = |pragma: &str, declared: &str| {
        format!(
            "{declared}\nvoid top(const float *in, float *out) {{\n#pragma HLS {pragma}\n\
             float tile[64]; // not buffer\nfor (int i = 0; i < 64; i++) out[i] = tile[i] = in[i];\n}}\n"
        )
    };
    let partition = "array_partition variable=buffer complete";
    let all = found(code, &kernel(partition, ""));
    let [finding] = &all[..] else { panic!("{all:#?}") };
    assert_eq!((finding.level, finding.subject.as_str()), (Level::Note, "top::buffer"));
    assert_eq!(finding.evidence["directive"], format!("HLS {partition}"));
    // `tile` is called much alike, unless it has a directive of its own.
    let renamed = "array_partition variable=tile_a complete";
    assert_eq!(found(code, &kernel(renamed, ""))[0].level, Level::Warning);
    let beside = format!("{renamed}\n#pragma HLS bind_storage variable=tile type=ram_2p");
    assert_eq!(found(code, &kernel(&beside, ""))[0].level, Level::Note);
    let port = found(code, &kernel("interface m_axi port=input bundle=a", ""));
    assert_eq!(port.iter().map(|one| one.level).collect::<Vec<_>>(), [Level::Warning]);
    for known in [
        "interface m_axi port=in",
        "interface s_axilite port=return",
        "unroll",
        "stream variable=tile[0]",
    ] {
        assert!(found(code, &kernel(known, "")).is_empty(), "{known}");
    }
    // Each may be what the directive is about.
    for declared in [
        "static float buffer[64];",
        "struct pair { float buffer; };",
        "#define DECLARE float \\\n  buffer[64];",
        "#define top(a) a ## _",
        "#include \"gone.h\"",
    ] {
        assert!(found(code, &kernel(partition, declared)).is_empty(), "{declared}");
    }
}

/// A class may have members that were not read.
#[test]
fn a_directive_about_a_member() {
    let code = "kernel/unknown-variable";
    let class = |base: &str, member: &str| {
        format!(
            "struct cache {base} {{\n{member}\ncache() {{\n#pragma HLS array_partition \
             variable=lines\n}}\n}};\n"
        )
    };
    assert_eq!(found(code, &class("", "float rows[8];")).len(), 1);
    assert!(found(code, &class("", "float lines[8];")).is_empty());
    assert!(found(code, &class(": public other", "float rows[8];")).is_empty());
    let outside = "cache::cache() {\n#pragma HLS array_partition variable=lines\n}\n";
    assert!(found(code, outside).is_empty());
}

#[test]
fn a_directive_without_the_word_hls() {
    let code = "kernel/unmarked-directive";
    let kernel = |pragma: &str| {
        format!(
            "void top(const float in[64], float out[64]) {{\n#pragma HLS interface m_axi port=in\n\
             float tile[64];\nfor (int i = 0; i < 64; i++) {{\n#pragma {pragma}\n\
             out[i] = tile[i] = in[i];\n}}\n}}\n"
        )
    };
    for pragma in [
        "pipeline II=1",
        "pipeline",
        "array_partition variable=tile complete",
        "dataflow",
        "INLINE off",
        "unroll factor=4",
        "interface m_axi port=out",
        "loop_tripcount max=64",
        "loop_flatten off",
    ] {
        let all = found(code, &kernel(pragma));
        let [finding] = &all[..] else { panic!("{pragma}: {all:#?}") };
        assert_eq!(finding.level, Level::Warning);
        let edit = &finding.fixes[0].edits.as_ref().unwrap()[0];
        let (text, at) = (kernel(pragma), edit.span.start);
        let fixed = format!("{}{}{}", &text[..at], edit.replacement, &text[at..]);
        assert_eq!(fixed, kernel(&format!("HLS {pragma}")));
    }
    let called = |outer: &str| {
        format!(
            "void add(float a, float *b) {{\n#pragma pipeline II=1\n*b = a + 1;\n}}\n\
             void top(const float in[64], float out[64]) {{\n#pragma HLS interface m_axi port=in\n\
             for (int i = 0; i < 64; i++) {{\n#pragma HLS {outer}\nadd(in[i], &out[i]);\n}}\n}}\n"
        )
    };
    let level = |outer: &str| found(code, &called(outer))[0].level;
    assert_eq!(level("pipeline II=1"), Level::Note, "pipelined with its caller");
    assert_eq!(level("pipeline off"), Level::Warning);
    assert_eq!(level("unroll factor=2"), Level::Warning);
    // Other compilers have these, and some are directives of other tools or no directives.
    for pragma in [
        "HLS pipeline II=1",
        "unroll",
        "unroll 4",
        "unroll(4)",
        "once",
        "pack(1)",
        "omp parallel for",
        "interface \"top.h\"",
        "inline=forced",
        "hls_unroll yes",
        "ACCEL pipeline",
        "ivdep",
        "GCC optimize",
        "stream",
    ] {
        assert!(found(code, &kernel(pragma)).is_empty(), "{pragma}");
    }
    // What a macro writes has no place of its own.
    let all = found(code, "#define PIPE _Pragma(\"pipeline II=1\")\nvoid top() { PIPE }\n");
    assert!(all.is_empty(), "{all:#?}");
}

#[test]
fn a_product_that_is_set_and_not_added() {
    let code = "kernel/lost-sum";
    let function = |name: &str, (before, body, behind): (&str, &str, &str)| {
        format!(
            "void {name}(const float *a, const float *b, float *out, int n) {{\n#pragma HLS interface m_axi port=a\n\
             for (int f = 0; f < n; f++) {{\n{before}\nfor (int i = 0; i < n; i++) {{\n#pragma HLS pipeline II=1\n{body}\n}}\n{behind}\n}}\n}}\n"
        )
    };
    let zero = "float sum = 0;";
    let set = "unsigned at = f * n + i; // all of them\nsum = ((float) a[i]) * b[at];";
    let out = "out[f] = sum + b[f];";
    let near = [
        (zero, "sum += a[i] * b[i];", out),
        (zero, "sum = sum + a[i] * b[i];", out),
        ("float sum = 1;", set, out),
        ("float sum;", set, out),
        (zero, "sum = a[f] * b[f];", out),
        (zero, "sum = a[i];", out),
        (zero, "sum = next(a, i) * 2;", out),
        (zero, "sum = a[i] * b[i]; out[i] = sum;", out),
        (zero, "if (i == f) sum = a[i] * b[i];", out),
        (zero, "if (a[i] > 0) { sum = a[i] * b[i]; }", out),
        (zero, "sum = a[i] * b[i]; if (sum > 3) break;", out),
        (zero, "sum = a[i] > 0 ? a[i] * b[i] : 0;", out),
        // Positions.
        (zero, "sum = i * n;", out),
        (zero, "int row = f + i; sum = row * n;", out),
        (zero, set, "out[sum] = b[f];"),
        (zero, set, "sum = 0; out[f] = sum;"),
        (zero, set, ""),
    ];
    let near = near.iter().enumerate().map(|(at, one)| function(&format!("near_{at}"), *one));
    let text: String = near.chain([function("top", (zero, set, out))]).collect();
    // A test bench computes the same, wrong as it is.
    let golden = function("golden", (zero, set, out)).replace("#pragma HLS", "// without");
    let text = format!("{text}{golden}");
    let all = found(code, &text);
    let [finding] = &all[..] else { panic!("{all:#?}") };
    assert_eq!((finding.level, finding.subject.as_str()), (Level::Warning, "top::sum"));
}

/// A sum in external memory, at an address that stays.
#[test]
fn a_sum_through_a_pointer() {
    let text = |before: &str, target: &str| {
        format!(
            "void top(const float *a, float *c, int n) {{\n#pragma HLS interface m_axi port=a\n#pragma HLS interface m_axi port=c\n\
             {before}\nfor (int i = 0; i < n; i++) {{\n#pragma HLS pipeline II=1\n{target} += a[i];\n}}\n}}\n"
        )
    };
    let code = "kernel/accumulation";
    let all = found(code, &text("*c = 0;", "*c"));
    let [finding] = &all[..] else { panic!("{all:#?}") };
    assert!(finding.notes.iter().any(|note| note.contains("external memory")), "{finding:#?}");
    assert!(found(code, &text("c = c + 4;", "*c")).is_empty(), "it is moved");
    assert!(found(code, &text("", "*c++")).is_empty());
    assert!(found(code, &text("", "c[i]")).is_empty());
}
