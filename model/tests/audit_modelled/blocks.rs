//! Arrays that need more banks than the card has.

use derate_model::audit::{Level, audit};

use super::intervals::{UNROLLED, columns, own_loop};
use super::{found, found_with, small};

#[test]
fn more_banks_than_the_card_has() {
    let code = "kernel/memory-blocks";
    let text = |factor: u32| {
        format!(
            "extern \"C\" void top(const float a[1048576], float b[64]) {{
#pragma HLS interface m_axi port=a bundle=gmem0
#pragma HLS interface m_axi port=b bundle=gmem1
    static float w[8192][128];
#pragma HLS array_partition variable=w cyclic factor={factor} dim=1
    for (int i = 0; i < 1048576; i++) w[i / 128][i % 128] = a[i];
    for (int i = 0; i < 64; i++) b[i] = w[17][i];
}}
"
        )
    };
    let all = found(code, &text(4096));
    let [finding] = &all[..] else { panic!("{all:#?}") };
    assert_eq!(
        (&finding.evidence["banks"], &finding.evidence["largest"]),
        (&4096.into(), &"w".into())
    );
    assert!(found(code, &text(8)).is_empty());
    // One unit fits, four do not.
    assert!(found_with(code, "[connectivity]\nnk=top:1\n", &text(1024)).is_empty());
    let all = found_with(code, "[connectivity]\nnk=top:4\n", &text(1024));
    assert!(all.len() == 1 && all[0].message.contains("in 4 compute units"), "{all:#?}");
}

/// Banks of 3,696 words of 9 bits take 3 blocks each as synthesis cuts them, and 2 if they are filled.
#[test]
fn banks_that_would_fit_if_they_were_filled() {
    let text = |banks: u32| {
        format!(
            "#include <ap_int.h>
extern \"C\" void top(const ap_int<9> a[3696], ap_int<9> b[3696]) {{
#pragma HLS interface m_axi port=a bundle=gmem0
#pragma HLS interface m_axi port=b bundle=gmem1
    static ap_int<9> w[{banks}][3696];
#pragma HLS array_partition variable=w complete dim=1
    for (int k = 0; k < {banks}; k++) for (int i = 0; i < 3696; i++) w[k][i] = a[i] + k;
    for (int k = 0; k < {banks}; k++) for (int i = 0; i < 3696; i++) b[i] += w[k][i];
}}
"
        )
    };
    let code = "kernel/memory-blocks";
    let levels = |banks| found(code, &text(banks)).iter().map(|one| one.level).collect::<Vec<_>>();
    assert_eq!(levels(1000), []);
    assert_eq!(levels(1600), [Level::Note]);
    assert_eq!(levels(2600), [Level::Warning]);
}

/// The tool makes words of constants no wider than their values, which floats do not allow.
#[test]
fn constants_may_take_less() {
    let text = |words: &str| {
        format!(
            "extern \"C\" void top(const int a[4096], float b[4096]) {{
#pragma HLS interface m_axi port=a bundle=gmem0
#pragma HLS interface m_axi port=b bundle=gmem1
    {words} u[1024][1024] = {{1}}, v[1024][1024] = {{2}}, w[1024][1024] = {{3}};
    for (int i = 0; i < 4096; i++) b[i] = u[a[i]][i % 512] + v[a[i]][i % 512] + w[a[i]][i % 512];
}}
"
        )
    };
    let levels = |words| {
        let all = found("kernel/memory-blocks", &text(words));
        all.iter().map(|one| one.level).collect::<Vec<_>>()
    };
    assert_eq!(levels("static const int"), [Level::Note]);
    assert_eq!(levels("static const float"), [Level::Warning]);
}

/// The tool counts what the model only predicts; a report of another source says nothing.
#[test]
fn a_report_that_says_it_fits_goes_first() {
    let large = "static float w[8192][128];\n#pragma HLS array_partition variable=w cyclic factor=4096 dim=1\n";
    let text = columns("float", 1, UNROLLED)
        .replace("top(", "fir(")
        .replace("SUM:", &format!("{large}w[3][1] = v[0]; out[0] = w[17][2];\nTaps:"));
    let report = own_loop(include_str!("../../../fixtures/reports/module-2018/fir_csynth.rpt"));
    let found = |reports: &[(&str, String)]| {
        let findings = audit(&small::with_code("", "", reports, &text)).findings;
        findings.iter().filter(|one| one.code == "kernel/memory-blocks").count()
    };
    assert_eq!(found(&[]), 1);
    assert_eq!(found(&[("fir_csynth.rpt", report.clone())]), 0);
    assert_eq!(found(&[("fir_csynth.rpt", report.replace("Taps", "Tips"))]), 1);
}

/// Banks of few wide words take blocks by their width, filled or not.
#[test]
fn wide_banks_take_what_their_words_need() {
    let text = "#include <ap_int.h>
extern \"C\" void top(const ap_int<108> a[200], ap_int<108> b[200]) {
#pragma HLS interface m_axi port=a bundle=gmem0
#pragma HLS interface m_axi port=b bundle=gmem1
    static ap_int<108> w[1600][200];
#pragma HLS array_partition variable=w complete dim=1
    for (int k = 0; k < 1600; k++) for (int i = 0; i < 200; i++) w[k][i] = a[i] + k;
    for (int k = 0; k < 1600; k++) for (int i = 0; i < 200; i++) b[i] += w[k][i];
}
";
    let levels: Vec<_> = found("kernel/memory-blocks", text).iter().map(|one| one.level).collect();
    assert_eq!(levels, [Level::Warning]);
}

/// Weights that a directive makes one word are constants in the logic; two words are a memory.
#[test]
fn a_single_word_of_constants_takes_no_block() {
    let text = |reshape: &str| {
        format!(
            "static const short w[36864] = {{ 3, 5, 7 }};
extern \"C\" void top(const int a[64], int b[64]) {{
#pragma HLS interface m_axi port=a bundle=gmem0
#pragma HLS interface m_axi port=b bundle=gmem1
#pragma HLS array_reshape variable=w {reshape}
    for (int i = 0; i < 64; i++) b[i] = a[i] * w[i];
}}
"
        )
    };
    assert_eq!(found("kernel/memory-blocks", &text("block factor=18432")).len(), 1);
    assert!(found("kernel/memory-blocks", &text("block factor=36864")).is_empty());
}

/// Weights with first values are constants without the word too, unless something may write them: the kernel, or a function
/// of another file that gets them or that knows the globals. A library's function knows no global of the project.
#[test]
fn weights_that_nothing_writes_are_constants() {
    let text = |call: &str| {
        format!(
            "void load(short *values);
void tick();
short w[36864] = {{ 3, 5, 7 }};
extern \"C\" void top(const int a[64], int b[64]) {{
#pragma HLS interface m_axi port=a bundle=gmem0
#pragma HLS interface m_axi port=b bundle=gmem1
#pragma HLS array_reshape variable=w block factor=36864
    {call}
    for (int i = 0; i < 64; i++) b[i] = a[i] * w[i];
}}
"
        )
    };
    for (call, findings) in [
        ("", 0),
        ("b[0] = hls::lowest<short>();", 0),
        ("tick();", 1),
        ("load(w);", 1),
        ("w[a[0]] = 1;", 1),
    ] {
        assert_eq!(found("kernel/memory-blocks", &text(call)).len(), findings, "{call}");
    }
}

/// The buffer of a branch that a macro of the command line decides may not be built: a note. With the macro it is a
/// warning, or nothing.
#[test]
fn a_buffer_of_a_branch_that_nothing_decides() {
    let text = |defined: &str| {
        format!(
            "{defined}
template <bool USE_URAM> void warp(const int *a, int *b) {{
    ap_uint<72> lines[8192][1024];
#pragma HLS bind_storage variable=lines type=ram_2p impl=uram
    for (int i = 0; i < 4194304; i++) {{
        if (USE_URAM) {{
            lines[i / 1024][i % 1024] = a[i];
        }}
    }}
    for (int i = 0; i < 4194304; i++) {{
        if (USE_URAM) {{
            b[i] = lines[i / 1024][i % 1024];
        }} else {{
            b[i] = a[i];
        }}
    }}
}}
extern \"C\" void top(const int a[4194304], int b[4194304]) {{
#pragma HLS interface m_axi port=a bundle=gmem0
#pragma HLS interface m_axi port=b bundle=gmem1
    warp<MY_USE_URAM>(a, b);
}}
"
        )
    };
    let level =
        |defined: &str| found("kernel/memory-blocks", &text(defined)).first().map(|one| one.level);
    assert_eq!(level("#define MY_USE_URAM true"), Some(Level::Warning));
    assert_eq!(level("#define MY_USE_URAM false"), None);
    assert_eq!(level(""), Some(Level::Note));
}
