//! The rules about sums, tiles and extents: for each a kernel that fires it, and near misses that do not.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use derate_hls::Sources;
use derate_model::audit::{Finding, Level, audit};
use derate_model::{Analysis, Build, Code, ModelShape, Platform, Project, Recorded};

/// What one rule finds in a project of one kernel.
fn found(code: &str, text: &str) -> Vec<Finding> {
    let mut sources = Sources::default();
    let file = sources.add(
        "derate.toml",
        "[model]\nshapes = \"dump.txt\"\n\n[platform]\nname = \"u280\"\n\n[claims]\n",
    );
    let project = Project::parse(&sources, file).unwrap();
    let dump = sources.add("dump.txt", "fc.weight: torch.Size([64, 64]) torch.float32\n");
    let shape = ModelShape::parse(&sources, dump, None).unwrap();
    let kernel = sources.add("kernel.cpp", text);
    let platform = Platform::named("u280").unwrap();
    let mut nowhere = Recorded::default();
    let read = Code::new(&mut sources, &[kernel], &[], &mut nowhere, Some(&shape));
    let analysis =
        Analysis::new(sources, project, shape, read, platform, Build::default()).unwrap();
    audit(&analysis).findings.into_iter().filter(|finding| finding.code == code).collect()
}

#[test]
fn a_sum_that_its_accumulator_cannot_hold() {
    let code = "kernel/narrow-accumulator";
    let text = |acc: &str, element: &str, depth: &str, body: &str| {
        format!(
            "#include <cstdint>\nvoid top(const {element} a[8][{depth}], const {element} b[{depth}][8], {acc} c[8][8]) {{\n\
             for (int i = 0; i < 8; i++) {{\nfor (int j = 0; j < 8; j++) {{\n{acc} acc = 0;\n\
             for (int k = 0; k < {depth}; k++) {{\n{body}\n}}\nc[i][j] = acc;\n}}\n}}\n}}\n"
        )
    };
    let product = "acc += a[i][k] * b[k][j];";
    let all = found(code, &text("int16_t", "int8_t", "768", product));
    let [finding] = &all[..] else { panic!("{all:#?}") };
    assert_eq!(finding.level, Level::Warning);
    assert_eq!(finding.message, "`acc` of `top` has 16 bits; a sum of 768 products needs 25");
    assert!(finding.notes[0].contains("16 + 10 = 26 bits at most"), "{:?}", finding.notes);
    for body in [
        "acc = acc + a[i][k] * b[k][j];",
        "acc += (int16_t)a[i][k] * (int16_t)b[k][j];",
        "acc += (a[i][k] * static_cast<int32_t>(b[k][j]));",
    ] {
        assert_eq!(found(code, &text("int16_t", "int8_t", "768", body)).len(), 1, "{body}");
    }
    // Exactly what fits: 2^14 each, so that 2^17 of them reach 2^31, and one fewer does not.
    assert!(found(code, &text("int32_t", "int8_t", "131071", product)).is_empty());
    assert_eq!(found(code, &text("int32_t", "int8_t", "131072", product)).len(), 1);
    assert!(found(code, &text("ap_int<25>", "int8_t", "768", product)).is_empty());
    assert_eq!(found(code, &text("ap_int<24>", "ap_int<8>", "768", product)).len(), 1);
    let fixed = found(code, &text("ap_fixed<16, 6>", "ap_fixed<16, 6>", "64", product));
    assert_eq!(fixed[0].level, Level::Note);
    assert_eq!(
        fixed[0].message,
        "`acc` of `top` has 6 bits before the binary point; a sum of 64 products needs 18"
    );
    assert!(found(code, &text("ap_fixed<32, 18>", "ap_fixed<16, 6>", "64", product)).is_empty());
    for (acc, element, depth, body) in [
        // `int` says nothing of its values, and a depth may be unknown.
        ("int", "int", "768", product),
        ("float", "float", "768", product),
        ("int16_t", "int8_t", "depth", product),
        ("int16_t", "thing_t", "768", product),
        ("int16_t", "int8_t", "768", "acc += (a[i][k] * b[k][j]) >> 7;"),
        ("int16_t", "int8_t", "768", "acc += scale(a[i][k]);"),
        ("int16_t", "int8_t", "768", "acc = 0; acc += a[i][k] * b[k][j];"),
        ("int16_t", "int8_t", "768", "if (k < 1) acc += a[i][k] * b[k][j];"),
        ("uint8_t", "uint8_t", "768", "acc += a[i][k];"),
        ("int16_t", "int8_t", "768", "acc += (int8_t)(a[i][k] * b[k][j]);"),
    ] {
        assert!(found(code, &text(acc, element, depth, body)).is_empty(), "{acc} {element} {body}");
    }
}

#[test]
fn an_accumulator_array_counts_the_loops_that_do_not_index_it() {
    let code = "kernel/narrow-accumulator";
    let text = |acc: &str, reset: &str| {
        format!(
            "void top(const int8_t a[64], const int8_t b[64], int8_t out[16]) {{\n\
             {acc} acc[16];\nfor (int n = 0; n < 1000; n++) {{\n{reset}\n\
             for (int k = 0; k < 64; k++) {{\nfor (int j = 0; j < 16; j++) {{\n\
             #pragma HLS unroll\nacc[j] += a[k] * b[k];\n}}\n}}\n}}\n}}\n"
        )
    };
    let reset = "for (int j = 0; j < 16; j++) acc[j] = 0;";
    let all = found(code, &text("int16_t", reset));
    assert_eq!(all[0].evidence["sums"][0]["terms"], 64);
    // 64 * 2^14 = 2^20: 22 bits.
    assert_eq!(all[0].evidence["sums"][0]["needs"], 22);
    assert!(found(code, &text("ap_int<22>", reset)).is_empty());
    assert_eq!(found(code, &text("ap_int<22>", ""))[0].evidence["sums"][0]["terms"], 64_000);
}

#[test]
fn a_tile_that_does_not_divide() {
    let code = "kernel/tile-remainder";
    let text = |head: &str, body: &str| {
        format!(
            "#define N 1024\n#define T 20\n#define POOL 5\nconst int TILES = N / T;\nconst int UP = (N + T - 1) / T;\n\
             void top(const float a[N], float c[N]) {{\nfor (int t = 0; {head}) {{\n{body}\n}}\n}}\n"
        )
    };
    let tile = "for (int i = 0; i < T; i++) c[t * T + i] = a[t * T + i];";
    let all = found(code, &text("t < N / T; t++", tile));
    let [finding] = &all[..] else { panic!("{all:#?}") };
    assert_eq!(finding.message, "the tiles of `top` leave out 4 of 1,024: 20 is no divisor");
    assert_eq!(finding.labels[0].text, "51 x 20 = 1,020 of 1,024: the last 4 are left out");
    assert_eq!(found(code, &text("t < TILES; t++", tile)).len(), 1);
    assert_eq!(found(code, &text("t < (1024 / 20); t++", "run(a, c, t * 20);")).len(), 1);
    let step = "for (int i = 0; i < T; i++) c[t + i] = a[t + i];";
    let all = found(code, &text("t < N; t += T", step));
    assert_eq!(
        all[0].message,
        "the last tile of `top` reaches 16 beyond the end: 20 is no divisor of 1,024"
    );
    for (head, body) in [
        ("t < 1024 / 16; t++", "for (int i = 0; i < 16; i++) c[t * 16 + i] = a[t * 16 + i];"),
        ("t < UP; t++", tile),
        // Half of an odd number is how far a kernel or an exchange reaches, no tile.
        ("t < 1023 / 2; t++", "c[t] = a[1022 - t];"),
        ("t < N / T; t++", "run(a, c, t);"),
        ("t < n / T; t++", tile),
        // Pooling and strides drop the rest on purpose.
        ("t < 1023 / 2; t++", "c[t] = a[t * 2] + a[t * 2 + 1];"),
        ("t < N / POOL; t++", "c[t] = a[t * POOL];"),
        ("t < N; t += T", "for (int i = 0; i < T; i++) if (t + i < N) c[t + i] = a[t + i];"),
        ("t < N; t += T", "for (int i = 0; i < min(T, N - t); i++) c[t + i] = a[t + i];"),
        ("t < N; t += T", "c[t] = a[t];"),
        ("t + T <= N; t += T", step),
    ] {
        assert!(found(code, &text(head, body)).is_empty(), "{head} {body}");
    }
    let rest = format!("{tile}\n}}\nfor (int i = N - N % T; i < N; i++) {{ c[i] = a[i];");
    assert!(found(code, &text("t < N / T; t++", &rest)).is_empty());
    let padded = text("t < N; t += T", step).replace("a[N], float c[N]", "a[1040], float c[1040]");
    assert!(found(code, &padded).is_empty());
}

#[test]
fn extents_that_stand_in_an_alias_or_an_argument() {
    let code = "shape/mismatch";
    // The dump has fc.weight of 64 x 64.
    for declared in [
        "typedef float w_t[64][32];\nextern const w_t fc_weight;\n",
        "using w_t = float[32];\nextern const w_t fc_weight[64];\n",
        "typedef float row_t[64];\nnamespace fc { extern const row_t weight; }\n",
    ] {
        let all = found(code, declared);
        let [finding] = &all[..] else { panic!("{declared}: {all:#?}") };
        assert_eq!((finding.level, finding.labels.len()), (Level::Error, 2), "{declared}");
    }
    for declared in [
        "typedef float w_t[64][64];\nextern const w_t fc_weight;\n",
        "typedef float row_t[64];\nextern const row_t fc_weight[64];\n",
        "typedef float w_t[64][32];\nextern const w_t another;\n",
        "typedef float fc_weight;\nextern const thing_t fc_weight2;\n",
    ] {
        assert!(found(code, declared).is_empty(), "{declared}");
    }
    let kernel = |parameter: &str, pragma: &str| {
        format!("typedef float w_t[64][32];\nvoid top({parameter}) {{\n{pragma}\n}}\n")
    };
    let port = "#pragma HLS interface m_axi port=fc_weight";
    for parameter in ["const float fc_weight[64][32]", "const w_t fc_weight"] {
        let all = found(code, &kernel(parameter, port));
        assert_eq!(all[0].level, Level::Warning, "{parameter}");
        assert_eq!(all[0].labels[0].text, "[64, 32] here");
        assert!(found(code, &kernel(parameter, "")).is_empty(), "a tile, maybe: {parameter}");
    }
    for parameter in
        ["const float fc_weight[64][64]", "const float *fc_weight", "const float fc_weight[][32]"]
    {
        assert!(found(code, &kernel(parameter, port)).is_empty(), "{parameter}");
    }
}
