//! Ports and stages that the others wait for.

use derate_model::audit::{Level, audit};

use super::{found, small};

#[test]
fn a_port_that_moves_one_byte_a_cycle() {
    let code = "kernel/narrow-port";
    let text = |kind: &str, count: u32, work: u32| {
        format!(
            "extern \"C\" void top(const {kind} *a, {kind} *b) {{
#pragma HLS interface m_axi port=a bundle=gmem0
#pragma HLS interface m_axi port=b bundle=gmem1
    {kind} local[{count}];
READ: for (int i = 0; i < {count}; i++) {{
#pragma HLS pipeline II=1
        local[i] = a[i];
    }}
    for (int n = 0; n < {work}; n++) local[(n * 7) % {count}] += 1;
    b[0] = local[3];
}}
"
        )
    };
    let all = found(code, &text("signed char", 65536, 1));
    let [finding] = &all[..] else { panic!("{all:#?}") };
    assert_eq!(
        (&finding.evidence["port"], &finding.evidence["wide_bits"]),
        (&"a".into(), &512.into())
    );
    assert_eq!(finding.labels[0].text, "65,536 beats of 8 bits; 1,024 of 512 bits");
    // A number, of which the tool makes no port.
    let number = text("int", 65536, 1).replace("const int *a", "int a").replace("a[i]", "a + i");
    assert!(found(code, &number).is_empty());
    // A wide port, and one that the kernel does not wait for.
    assert!(found(code, &text("ap_uint<512>", 4096, 1)).is_empty());
    assert!(found(code, &text("signed char", 1024, 100_000)).is_empty());
    // Two ports in one loop are made wide together, and named once.
    let copy = "extern \"C\" void top(const short *a, short *b) {
#pragma HLS interface m_axi port=a bundle=gmem0
#pragma HLS interface m_axi port=b bundle=gmem1
COPY: for (int i = 0; i < 8192; i++) {
#pragma HLS pipeline II=1
        b[i] = a[i] + 1;
    }
}
";
    let all = found(code, copy);
    let [finding] = &all[..] else { panic!("{all:#?}") };
    assert_eq!(finding.evidence["with"].as_array().map(Vec::len), Some(1));
    // The loop waits for another array, which unrolling helps.
    let other = copy
        .replace("short *b)", "short *b, short c[64])")
        .replace("+ 1", "+ c[(i * 7) % 64] / (c[i % 3] | 1)");
    let other = other.replace("#pragma HLS pipeline II=1", "#pragma HLS pipeline off");
    assert!(found(code, &other).is_empty());
    // The members of a struct move in one word, whatever each is.
    let word = copy
        .replace("extern", "struct word { short w[8]; short x, y; };\nextern")
        .replace("const short *a", "const word *a")
        .replace("a[i] + 1", "a[i].x + a[i].y");
    assert!(!found(code, &word).iter().any(|one| one.evidence["port"] != "b"));
    // Neighbours in one iteration: the tool may keep them.
    assert!(found(code, &copy.replace("a[i] + 1", "a[i] + a[i + 1] + a[i + 2]")).is_empty());
    assert!(found(code, &copy.replace("8192", "512")).is_empty());
    // Data decide how often it is copied: what a directive assumes is not a fact.
    let given = copy.replace("short *b)", "short *b, int n)").replace("i < 8192", "i < n");
    let given = given.replace("II=1\n", "II=1\n#pragma HLS loop_tripcount min=8192 max=8192\n");
    let all = found(code, &given);
    let [finding] = &all[..] else { panic!("{all:#?}") };
    assert_eq!(finding.level, Level::Note);
    assert!(finding.message.ends_with("for the iterations that are assumed"), "{finding:#?}");
    let fixed = given.replace("i < n", "i < 8192");
    assert_eq!(found(code, &fixed)[0].level, Level::Warning, "the bound is known");
}

#[test]
fn a_stage_that_the_others_wait_for() {
    let code = "kernel/slowest-stage";
    let text = |inner: u32, head: &str| {
        format!(
            "static void load(const float a[1024], float b[1024]) {{ for (int i = 0; i < 1024; i++) b[i] = a[i]; }}
static void work(float b[1024], float c[1024]) {{
    for (int i = 0; {head}; i++) for (int k = 0; k < {inner}; k++) c[i] = b[i] * b[k];
}}
extern \"C\" void top(const float a[1024], float c[1024]) {{
#pragma HLS interface m_axi port=a bundle=gmem0
#pragma HLS interface m_axi port=c bundle=gmem1
#pragma HLS dataflow
    float b[1024];
    load(a, b);
    work(b, c);
}}
"
        )
    };
    let all = found(code, &text(128, "i < 1024"));
    let [finding] = &all[..] else { panic!("{all:#?}") };
    assert_eq!((finding.level, finding.subject.as_str()), (Level::Note, "top::work"));
    assert_eq!(finding.evidence["next"], "load");
    // A balance, and a stage whose cycles data decide.
    assert!(found(code, &text(1, "i < 1024")).is_empty());
    assert!(found(code, &text(64, "i < 1024").replace("1024", "8")).is_empty(), "too short");
    assert!(found(code, &text(128, "b[i] > 0")).is_empty());
}

/// A report that has the port wider than its elements shows that the tool has widened it by itself.
#[test]
fn a_port_that_the_tool_has_widened() {
    let copy = "extern \"C\" void top(const short *a, short *b) {
#pragma HLS interface m_axi port=a bundle=gmem0
#pragma HLS interface m_axi port=b bundle=gmem0
COPY: for (int i = 0; i < 8192; i++) {
#pragma HLS pipeline II=1
        b[i] = a[i] + 1;
    }
}
";
    let whole = include_str!("../../../fixtures/reports/tree-2022/csynth.rpt");
    let report = whole.split("== M_AXI Burst").next().unwrap().replace("mlp", "top");
    let number = |top: &str, width: &str| {
        let report = report.replace("top", top).replace("16 -> 16 ", width);
        let findings = audit(&small::with_code("", "", &[("csynth.rpt", report)], copy)).findings;
        findings.iter().filter(|one| one.code == "kernel/narrow-port").count()
    };
    assert_eq!(number("top", "16 -> 512"), 0);
    assert_eq!(number("top", "16 -> 16 "), 1);
    assert_eq!(number("other", "16 -> 512"), 1);
}

/// In the manner of a product of matrices that keeps its sum in memory, and of a normalisation with few parameters.
#[test]
fn ports_of_one_bundle_behind_a_sum() {
    let code = "kernel/shared-bundle";
    let text = |kind: &str, body: &str| {
        format!(
            "extern \"C\" void top(const {kind} *a, const {kind} *b, {kind} *c) {{
#pragma HLS interface m_axi port=a bundle=gmem
#pragma HLS interface m_axi port=b bundle=gmem
#pragma HLS interface m_axi port=c bundle=gmem
    {kind} s = 0;
{body}
    c[0] = s;
}}
"
        )
    };
    let levels = |kind: &str, body: &str| {
        found(code, &text(kind, body)).iter().map(|one| one.level).collect::<Vec<_>>()
    };
    let sum = "for (int i = 0; i < 4096; i++) {\n#pragma HLS pipeline\ns += a[i] * b[i];\n}";
    assert_eq!(levels("float", sum), [Level::Note], "two reads, and an addition takes longer");
    assert_eq!(levels("int", sum), [Level::Warning]);
    let few = |rows: u32| {
        format!(
            "for (int i = 0; i < {rows}; i++) c[i] = a[i] + b[i];\nfor (int i = 0; i < 65536; i++) c[i] = i;"
        )
    };
    assert_eq!(levels("int", &few(512)), [Level::Note]);
    assert_eq!(levels("int", &few(2048)), [Level::Warning]);
}
