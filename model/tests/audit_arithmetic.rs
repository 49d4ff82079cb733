//! The rules about sums, tiles and extents: for each a kernel that fires it, and near misses that do not.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "fixture/small.rs"]
mod small;

use derate_model::audit::{Finding, Level, audit};

/// What one rule finds in a project of one kernel.
fn found(code: &str, text: &str) -> Vec<Finding> {
    let findings = audit(&small::with_code("", "", &[], text)).findings;
    findings.into_iter().filter(|finding| finding.code == code).collect()
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
        ("int64_t", "int", "768", product),
        ("int", "int", "8", product),
        ("int", "unsigned", "768", product),
        ("int", "int", "768", "acc += a[i][k];"),
        ("int", "int", "768", "acc += a[i][k] * 3;"),
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

/// `ap_int<32>` times itself in `ap_int<32>` is what `int` does. Narrower words are chosen for the values that they hold.
#[test]
fn a_sum_of_words_in_a_word_is_a_note() {
    let code = "kernel/narrow-accumulator";
    let text = |element: &str, acc: &str| {
        format!(
            "#include <ap_int.h>\nvoid top(const {element} a[64], const {element} b[64], ap_int<64> *out) {{\n{acc} acc = 0;\n\
             for (int k = 0; k < 64; k++) acc += a[k] * b[k];\n*out = acc;\n}}\n"
        )
    };
    let all = found(code, &text("ap_int<32>", "ap_int<32>"));
    let [finding] = &all[..] else { panic!("{all:#?}") };
    assert_eq!(finding.level, Level::Note);
    assert_eq!(finding.message, "`acc` of `top` has 32 bits, and one product may have 64");
    for (element, acc) in [("ap_int<16>", "ap_int<16>"), ("ap_int<20>", "ap_int<32>")] {
        let all = found(code, &text(element, acc));
        assert_eq!(all.first().map(|one| one.level), Some(Level::Warning), "{element} {acc}");
    }
}

/// The mask of a filter is set at run time: its worst case is a note. A matrix is not a mask.
#[test]
fn a_sum_with_the_mask_of_a_filter_is_a_note() {
    let code = "kernel/narrow-accumulator";
    let text = |before: &str, inside: &str, factor: &str, acc: &str| {
        format!(
            "#include <cstdint>\nvoid top(const int8_t in[64][64], const int8_t mask[3][3], const int8_t w[62][3][3], int16_t out[62]) {{\n\
             {before}\nfor (int x = 0; x < 62; x++) {{\n{inside}\n{acc} acc = 0;\n\
             for (int r = 0; r < 3; r++) {{\nfor (int c = 0; c < 3; c++) {{\nacc += in[r][x + c] * {factor};\n}}\n}}\nout[x] = acc;\n}}\n}}\n"
        )
    };
    let level = |text: &str| found(code, text).iter().map(|one| one.level).collect::<Vec<_>>();
    let all = found(code, &text("", "", "mask[r][c]", "int16_t"));
    let [finding] = &all[..] else { panic!("{all:#?}") };
    assert_eq!(finding.level, Level::Note);
    assert!(finding.notes.iter().any(|note| note.contains("set at run time")), "{finding:#?}");
    let local =
        "int8_t own[3][3];\nfor (int i = 0; i < 9; i++) own[i / 3][i % 3] = mask[i / 3][i % 3];";
    assert_eq!(level(&text(local, "", "own[r][c]", "int16_t")), [Level::Note]);
    // Weights of each output, values that the loop around sets, and a type that holds not even one product.
    assert_eq!(level(&text("", "", "w[x][r][c]", "int16_t")), [Level::Warning]);
    assert_eq!(level(&text("", local, "own[r][c]", "int16_t")), [Level::Warning]);
    assert_eq!(level(&text("", "", "mask[r][c]", "int8_t")), [Level::Warning]);
}

#[test]
fn products_of_int_in_32_bits_are_a_note_that_gives_the_limit() {
    let code = "kernel/narrow-accumulator";
    for (element, acc) in [("int", "int"), ("int32_t", "int32_t"), ("int", "ap_int<32>")] {
        let all = found(
            code,
            &format!(
                "void top(const {element} a[768], const {element} b[768], {acc} *out) {{\n{acc} acc = 0;\n\
                 for (int k = 0; k < 768; k++) acc += a[k] * b[k];\n*out = acc;\n}}\n"
            ),
        );
        let [finding] = &all[..] else { panic!("{element} {acc}: {all:#?}") };
        assert_eq!(finding.level, Level::Note);
        assert_eq!(finding.evidence["largest_factor"], 1672);
        assert_eq!(
            finding.labels[0].text,
            "768 products of `int` fit while no element is beyond 1,672"
        );
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
    assert_eq!(all[0].evidence["terms"], 64);
    // 64 * 2^14 = 2^20: 22 bits.
    assert_eq!(all[0].evidence["needs"], 22);
    assert!(found(code, &text("ap_int<22>", reset)).is_empty());
    assert_eq!(found(code, &text("ap_int<22>", ""))[0].evidence["terms"], 64_000);
}

/// A partial sum holds what was added to it, whatever its type may hold.
#[test]
fn a_sum_of_partial_sums_counts_their_products() {
    let code = "kernel/narrow-accumulator";
    let text = |acc: &str, start: &str, around: &str| {
        format!(
            "static {acc} acc[8];\nvoid top(const ap_int<8> a[9][64], const ap_int<8> b[9][64], int n) {{\n\
             for (int t = 0; t < 4; t++) {{\nfor (int j = 0; j < 8; j++) acc[j] = 0;\n{around} {{\n\
             for (int k = 0; k < 9; k++) {{\nfor (int j = 0; j < 8; j++) {{\n\
             ap_int<32> sum = {start};\nfor (int c = 0; c < 2; c++) sum += a[k][c + t] * b[k][c];\n\
             acc[j] += sum;\n}}\n}}\n}}\n}}\n}}\n"
        )
    };
    // 18 products of up to 2^14: 294,912 needs 19 bits and a sign.
    assert!(found(code, &text("ap_int<32>", "0", "")).is_empty());
    assert!(found(code, &text("ap_int<20>", "0", "")).is_empty());
    let all = found(code, &text("ap_int<19>", "0", ""));
    let [finding] = &all[..] else { panic!("{all:#?}") };
    assert_eq!((&finding.evidence["terms"], &finding.evidence["needs"]), (&18.into(), &20.into()));
    assert_eq!(finding.level, Level::Warning);
    assert!(finding.notes[0].contains("20 bits hold every sum"), "{:?}", finding.notes);
    // A loop of unknown count around it: there are more.
    let all = found(code, &text("ap_int<19>", "0", "for (int m = 0; m < n; m++)"));
    assert!(
        all[0].message.ends_with("a sum of at least 18 products needs 20"),
        "{}",
        all[0].message
    );
    assert!(!all[0].notes[0].contains("every sum"), "{:?}", all[0].notes);
    // What it starts at is not known.
    assert!(found(code, &text("ap_int<19>", "n", "")).is_empty());
}

/// What is cut before it is added is as wide as its type.
#[test]
fn a_sum_of_partial_sums_that_are_cut_counts_these() {
    let code = "kernel/narrow-accumulator";
    let needs = |partial: &str, acc: &str| {
        let text = format!(
            "void top(const ap_int<16> a[2][16], const ap_int<16> b[16], ap_int<64> *out) {{\n{acc} acc = 0;\n\
             for (int r = 0; r < 2; r++) {{\n{partial} part = 0;\n\
             for (int k = 0; k < 16; k++) part += a[r][k] * b[k];\nacc += part;\n}}\n*out = acc;\n}}\n"
        );
        let all = found(code, &text).into_iter().filter(|one| one.evidence["target"] == "acc");
        all.map(|one| (one.level, one.evidence["needs"].clone(), one.message)).collect::<Vec<_>>()
    };
    let cut = needs("ap_int<16>", "ap_int<16>");
    let message = "`acc` of `top` has 16 bits; a sum of 2 values of `part` needs 17".to_owned();
    assert_eq!(cut, [(Level::Note, 17.into(), message)]);
    assert!(needs("ap_int<16>", "ap_int<17>").is_empty());
    // Wide enough for its own terms: they count.
    let whole = needs("ap_int<40>", "ap_int<16>");
    assert_eq!((whole[0].0, &whole[0].1), (Level::Warning, &37.into()));
}

/// Low bits of a sum are the same in each sum that wraps.
#[test]
fn a_sum_whose_output_is_as_narrow_names_the_output() {
    let of = |acc: &str, out: &str, end: &str| {
        let text = format!(
            "void fir(ap_uint<8> x[8], ap_uint<8> h[8], {out} &y) {{\n{acc} acc = 0;\n\
             for (int i = 0; i < 8; i++) acc += h[i] * x[i];\n{end}\n}}\n"
        );
        let all = found("kernel/narrow-accumulator", &text);
        let [one] = &all[..] else { panic!("{all:#?}") };
        (one.level, one.help.contains("`y`"))
    };
    assert_eq!(of("ap_uint<8>", "ap_uint<8>", "y = acc;"), (Level::Note, true));
    assert_eq!(of("uint8_t", "uint8_t", "y = acc;"), (Level::Warning, true));
    assert_eq!(of("ap_uint<8>", "ap_uint<24>", "y = acc;"), (Level::Warning, false));
    assert_eq!(of("ap_uint<8>", "ap_uint<8>", "y = acc >> 4;"), (Level::Warning, false));
    // What is shifted out at the right and cut at the left has the same bits in a wider sum.
    let shifted = |shift: u32| {
        let text = format!(
            "#include <cstdint>\nvoid top(const int16_t a[64], const int16_t b[64], int16_t c[8]) {{\n\
             for (int i = 0; i < 8; i++) {{\nint acc = 0;\nfor (int k = 0; k < 64; k++) acc += a[k] * b[k];\n\
             c[i] = (acc >> {shift});\n}}\n}}\n"
        );
        found("kernel/narrow-accumulator", &text)[0].level
    };
    assert_eq!(shifted(15), Level::Note);
    assert_eq!(shifted(16), Level::Note);
    assert_eq!(shifted(18), Level::Warning, "bits above the sum are asked for");
}

#[test]
fn a_sum_that_rotates_over_partial_sums_is_not_one_sum() {
    let code = "kernel/narrow-accumulator";
    let text = |body: &str| {
        format!(
            "void next(int &j);\nvoid top(const int8_t a[768], const int8_t b[768], int16_t acc[8]) {{\n\
             int j = 0;\nfor (int k = 0; k < 768; k++) {{\n{body}\n}}\n}}\n"
        )
    };
    for step in ["j = (j == 7) ? 0 : j + 1;", "if (++j == 8) j = 0;", "next(j);"] {
        let body = format!("acc[j] += a[k] * b[k];\n{step}");
        assert!(found(code, &text(&body)).is_empty(), "{step}");
    }
    // An index that does not change, and one that is looked at only.
    for body in ["acc[j] += a[k] * b[k];", "acc[j] += a[k] * b[k];\nif (j == 7) work();"] {
        let all = found(code, &text(body));
        assert_eq!(all[0].evidence["terms"], 768, "{body}");
    }
    let nest = "for (int m = 0; m < 8; m++) acc[m] += a[k] * b[k];";
    assert_eq!(found(code, &text(nest))[0].evidence["terms"], 768);
}

#[test]
fn a_sum_of_plain_elements_is_a_note_that_counts_the_sign() {
    let code = "kernel/narrow-accumulator";
    let text = |body: &str| {
        format!(
            "void top(const uint8_t mask[1024], int16_t *out) {{\nint16_t n = 0;\n\
             for (int k = 0; k < 1024; k++) {body}\n*out = n;\n}}\n"
        )
    };
    let all = found(code, &text("n += mask[k];"));
    let [finding] = &all[..] else { panic!("{all:#?}") };
    assert_eq!(finding.level, Level::Note);
    assert_eq!(
        finding.notes[0],
        "`n`: 8 bits of one element + ceil(log2 1024) + a sign = 8 + 10 + 1 = 19 bits at most; \
         19 bits hold every sum, `int16_t` has 16"
    );
    assert_eq!(found(code, &text("n += mask[k] * mask[k];"))[0].level, Level::Warning);
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
    assert_eq!(finding.message, "the tiles of `top` leave out 4 of 1,024: 20 is not a divisor");
    assert_eq!(finding.labels[0].text, "51 x 20 = 1,020 of 1,024: the last 4 are left out");
    assert_eq!(found(code, &text("t < TILES; t++", tile)).len(), 1);
    assert_eq!(found(code, &text("t < (1024 / 20); t++", "run(a, c, t * 20);")).len(), 1);
    // A macro without parentheses is replaced by its tokens: 1024/512/8 is 0, and 9000/512/8 is 2.
    let tokens = |extent: &str, word: &str| {
        let text = text("t < OUT; t++", &tile.replace('T', "WORD")).replace("1024", extent);
        found(code, &format!("#define WORD {word}\n#define OUT N/WORD\n{text}"))
    };
    let [finding] = &tokens("9024", "512/8")[..] else { panic!() };
    assert_eq!(finding.message, "the tiles of `top` leave out 8,896 of 9,024: `OUT` is 2");
    assert!(tokens("9024", "(512/8)").is_empty());
    assert_eq!(tokens("9000", "(512/8)").len(), 1);
    let step = "for (int i = 0; i < T; i++) c[t + i] = a[t + i];";
    let all = found(code, &text("t < N; t += T", step));
    assert_eq!(
        all[0].message,
        "the last tile of `top` reaches 16 beyond the end: 20 is not a divisor of 1,024"
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
    // Whether what a pointer points at is padded, the text does not say.
    let pointers = text("t < N; t += T", step).replace("a[N], float c[N]", "*a, float *c");
    assert!(found(code, &pointers).is_empty());
    let one = text("t < N; t += T", step).replace("float c[N]", "float *c");
    assert_eq!(found(code, &one).len(), 1);
}

/// A `? :` without brackets makes the bound: the macro is wrong, not the tile.
#[test]
fn a_bound_of_a_macro_without_brackets() {
    let code = "kernel/tile-remainder";
    let text = |ceil: &str| {
        format!(
            "#define CEIL(x) {ceil}\n#define PAD (CEIL(13) * 8)\n#define N PAD\n#define T 8\n#define OUT N/T\n\
             void top(const float a[543], float c[543]) {{\nfor (int t = 0; t < OUT; t++) {{\n\
             for (int i = 0; i < T; i++) c[t * T + i] = a[t * T + i];\n}}\n}}\n"
        )
    };
    let all = found(code, &text("x % 8 == 0 ? x:x+1"));
    let [one] = &all[..] else { panic!("{all:#?}") };
    assert!(one.message.starts_with("`CEIL` is a `? :`"), "{one:#?}");
    let bracketed = found(code, &text("((x) % 8 == 0 ? (x) : (x) + 1)"));
    assert!(bracketed.is_empty(), "{bracketed:#?}");
}

#[test]
fn a_rest_that_is_handled_elsewhere() {
    let code = "kernel/tile-remainder";
    let text = |head: &str, rest: &str, more: &str| {
        format!(
            "#define N 1000\n#define T 64\nconst int TILES = N / T;\n{head}\n\
             void top(const float a[N], float c[N]) {{\nfor (int t = 0; t < TILES; t++) {{\n\
             for (int i = 0; i < T; i++) c[t * T + i] = a[t * T + i];\n}}\n{rest}\n}}\n{more}\n"
        )
    };
    let tail = "for (int i = TILES * T; i < N; i++) c[i] = a[i];";
    let rest = "const int REST = N % T;";
    let from_rest = "for (int i = 0; i < REST; i++) c[TILES * T + i] = a[TILES * T + i];";
    for (head, own, more) in [
        ("", tail, String::new()),
        ("", "for (int i = 960; i < 1000; i++) c[i] = a[i];", String::new()),
        (rest, from_rest, String::new()),
        ("", "last(a, c, N);", String::new()),
        ("", "", format!("void last(const float a[N], float c[N]) {{ {tail} }}")),
        (rest, "", format!("void last(const float a[N], float c[N]) {{ {from_rest} }}")),
        (
            "const int DONE = TILES * T;\nconst int BEGIN = DONE;",
            "run(a, c, BEGIN);",
            String::new(),
        ),
    ] {
        assert!(found(code, &text(head, own, &more)).is_empty(), "{head} {own} {more}");
    }
    // Strides, buffers, other stages, and constants that nobody uses say nothing of the rest.
    let stage = "for (int t = 0; t < TILES; t++) for (int i = 0; i < T; i++) c[t * T + i] += 1;";
    let rows = "for (int i = 0; i < N; i++) c[i * N] = 0;";
    let ahead = "for (int i = 1; i < T; i++) c[i] = 0;";
    for (head, own, many) in
        [("", "float buf[N];", 1), (rest, "", 1), ("", rows, 1), ("", ahead, 1), ("", stage, 2)]
    {
        let all = found(code, &text(head, own, ""));
        assert_eq!(all.len(), many, "{head} {own}");
    }
}

#[test]
fn a_number_of_tiles_is_that_of_the_function_s_own_namespace() {
    let code = "kernel/tile-remainder";
    let space = |name: &str, extent: u32| {
        format!(
            "namespace {name} {{\nconst int N = {extent};\nconst int T = 64;\nconst int TILES = N / T;\n\
             void top(const float a[N], float c[N]) {{\nfor (int t = 0; t < TILES; t++)\n\
             for (int i = 0; i < T; i++) c[t * T + i] = a[t * T + i];\n}}\n}}\n"
        )
    };
    let two = format!("{}{}", space("one", 1000), space("two", 1024));
    // The same numbers, spelt in two ways.
    let other = two.replacen("TILES = N / T", "TILES = N/T", 1);
    for text in [two, other] {
        let all = found(code, &text);
        assert_eq!(all.len(), 1, "{text}");
        assert_eq!(all[0].subject, "one::top::t");
    }
}

#[test]
fn extents_near_the_end_of_the_numbers() {
    let code = "kernel/tile-remainder";
    let most = i128::MAX.to_string();
    for tile in ["1000", most.as_str()] {
        for extent in ["170141183460469231731687303715884105726", "18446744073709551615"] {
            let text = format!(
                "#define N {extent}\n#define T {tile}\nvoid top(const float a[64], float c[64]) {{\n\
                 for (int t = 0; t < N; t += T) for (int i = 0; i < T; i++) c[t + i] = a[t + i];\n}}\n"
            );
            found(code, &text);
        }
    }
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

/// The elements of a constant table are as large as its values, not as its type allows.
#[test]
fn a_constant_table_has_the_range_of_its_values() {
    let code = "kernel/narrow-accumulator";
    let kernel = |global: &str, local: &str, acc: &str| {
        format!(
            "{global}\nvoid top(const ap_uint<8> x[9], {acc} *out) {{\n{local}\n{acc} acc = 0;\n\
             for (int k = 0; k < 9; k++) acc += x[k] * t[k];\n*out = acc;\n}}\n"
        )
    };
    let table = "const ap_int<16> t[9] = {-1, 0, 1, -2, 0, 2, -1, 0, 1};";
    // 9 * 255 * 2 = 4,590 either way: 14 bits.
    // One that nothing writes is constant, too: a local one, and a static one.
    let open = table.replace("const ", "");
    let hidden = format!("static {open}");
    for (global, local) in [(table, ""), ("", table), ("", &open), (hidden.as_str(), "")] {
        assert!(found(code, &kernel(global, local, "ap_int<14>")).is_empty(), "{global}{local}");
        let all = found(code, &kernel(global, local, "ap_int<13>"));
        assert_eq!(all[0].evidence["needs"], 14, "{all:#?}");
    }
    // A table that may change, a value that is not read, and another table of this name.
    let set = format!("{open}\nt[0] = x[0];");
    let handed = format!("{open}\nfill(t);");
    let kept = format!("{open}\nap_int<16> *p = t;\np[0] = 7;");
    let other_writes = format!("{hidden}\nvoid tune(int v) {{ t[3] = v; }}");
    let unread = table.replace("-2", "value_of(2)");
    let other = format!("namespace other {{ {} }}\n{table}", table.replace("-2", "-300"));
    for (global, local) in [
        (open.as_str(), ""),
        ("", &set),
        ("", &handed),
        ("", &kept),
        (&other_writes, ""),
        (&unread, ""),
        (&other, ""),
    ] {
        let all = found(code, &kernel(global, local, "ap_int<14>"));
        assert!(!all.is_empty(), "{global}{local}");
    }
}
