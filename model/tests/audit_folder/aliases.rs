//! Aliases of designs.

use derate_model::audit::Level;

use super::find;

#[test]
fn an_alias_that_nothing_uses_is_a_note() {
    let level = |code: &str, alias: &str, used: &str| {
        let text =
            format!("{alias}\nvoid top({used} a[8]) {{\n#pragma HLS pipeline\n    a[0] = 1;\n}}\n");
        find(code, &[("top.cpp", &text)], |_, one| one.level)
    };
    let (width, format) = ("precision/alias-width", "precision/alias-format");
    let wide = "typedef unsigned int uint12_t;";
    assert_eq!(level(width, wide, "uint12_t"), [Level::Error]);
    assert_eq!(level(width, wide, "int"), [Level::Note]);
    let fixed = "typedef ap_fixed<16, 6> fp16_t;";
    assert_eq!(level(format, fixed, "fp16_t"), [Level::Warning]);
    assert_eq!(level(format, fixed, "float"), [Level::Note]);
    // A header alone is for others.
    let alone = find(width, &[("types.h", wide)], |_, one| one.level);
    assert_eq!(alone, [Level::Error]);
}

/// Software has the types that its processor gives it.
#[test]
fn an_alias_of_a_program_is_not_of_a_kernel() {
    let alias = "typedef unsigned int uint12_t;\n";
    let program = "int main(void) {\n    uint12_t a = 1;\n    return a;\n}\n";
    let of = |other: &str| {
        let text = format!("{alias}{program}");
        let files = [("main.cpp", text.as_str()), ("other.cpp", other)];
        find("precision/alias-width", &files, |_, one| one.level)
    };
    assert_eq!(of("void other(int a[8]) {\n    a[0] = 1;\n}\n"), [Level::Note]);
    let kernel = "void other(uint12_t a[8]) {\n#pragma HLS pipeline\n    a[0] = 1;\n}\n";
    assert_eq!(of(&format!("{alias}{kernel}")), [Level::Error]);
    // A script names the function that is synthesised.
    let plain = format!("{alias}void other(uint12_t a[8]) {{\n    a[0] = 1;\n}}\n");
    let run = "open_project p\nset_top other\nadd_files other.cpp\n";
    let level = |files: &[(&str, &str)]| find("precision/alias-width", files, |_, one| one.level);
    assert_eq!(level(&[("other.cpp", &plain)]), [Level::Note]);
    assert_eq!(level(&[("other.cpp", &plain), ("run.tcl", run)]), [Level::Error]);
}

/// A macro of the script decides the guard in simulation, too.
#[test]
fn a_guard_that_the_script_decides_is_the_same_in_simulation() {
    let code = "#if (defined(__SYNTHESIS__) || (defined(FIXED)))\ntypedef ap_fixed<16, 6> data_t;\n#else\n\
                typedef float data_t;\n#endif\nvoid top(data_t a[8]) {\n#pragma HLS pipeline\n    a[0] = 1;\n}\n";
    let number = |flags: &str| {
        let run = format!("open_project p\nset_top top\nadd_files top.cpp -cflags \"{flags}\"\n");
        let other = "open_project q\nset_top other\nadd_files top.cpp\n";
        let other = other.replace("add_files top.cpp", "add_files other.cpp");
        let files = [
            ("top.cpp", code),
            ("other.cpp", "void other(int a[8]) {\n#pragma HLS pipeline\n    a[0] = 1;\n}\n"),
            ("run.tcl", run.as_str()),
            ("other.tcl", other.as_str()),
        ];
        find("precision/simulation-type", &files, |_, one| one.level).len()
    };
    assert_eq!(number("-DFIXED -std=c++11"), 0);
    assert_eq!(number("-std=c++11"), 1);
    assert_eq!(number("-DFIXED_POINT"), 1);
}

/// A type crosses where what is declared with it in one file is used in the other; else the files are variants.
#[test]
fn an_alias_that_crosses_no_file_is_a_note() {
    let pragma = "#pragma HLS pipeline\n";
    let of = |first: &str, second: &str| {
        let one = format!(
            "#define ROWS 8\ntypedef ap_fixed<16, 6> data_t;\n{first}\nvoid top(data_t a[ROWS]) {{\n{pragma}    a[0] = 1;\n}}\n"
        );
        let other = format!(
            "#define ROWS 16\ntypedef float data_t;\n{second}\nvoid other(data_t a[ROWS]) {{\n{pragma}    a[0] = 1;\n}}\n"
        );
        let run = "open_project p\nset_top top\nadd_files one.cpp\nadd_files two.cpp\n";
        let files = [("one.cpp", one.as_str()), ("two.cpp", other.as_str()), ("run.tcl", run)];
        find("precision/alias-conflict", &files, |_, one| one.level)
    };
    // The macro that differs as well is in the same finding.
    assert_eq!(of("", ""), [Level::Note]);
    let helper = "void helper(data_t a[8]) { a[0] = 2; }";
    assert_eq!(
        of(helper, "void helper(data_t a[8]);\nvoid use(data_t a[8]) { helper(a); }"),
        [Level::Error]
    );
    // Through an alias of the alias, too; another type crosses nothing.
    let through =
        |of: &str| format!("typedef {of} out_t;\nvoid helper(out_t a[8]) {{ a[0] = 2; }}");
    let used = |of: &str| {
        format!("typedef {of} in_t;\nvoid helper(in_t a[8]);\nvoid use(in_t a[8]) {{ helper(a); }}")
    };
    assert_eq!(of(&through("data_t"), &used("data_t")), [Level::Error]);
    assert_eq!(of(&through("int"), &used("int")), [Level::Note]);
    // Each variant has its own.
    assert_eq!(of(helper, helper), [Level::Note]);
}

#[test]
fn one_alias_of_another_format_is_one_finding() {
    let text = |name: &str| {
        format!(
            "typedef ap_fixed<24, 4> float24_t;\nvoid {name}(float24_t a[8]) {{\n#pragma HLS pipeline\n    a[0] = 1;\n}}\n"
        )
    };
    let (one, two) = (text("one"), text("two"));
    let all = find("precision/alias-format", &[("one.cpp", &one), ("two.cpp", &two)], |_, one| {
        (one.level, one.notes.last().cloned().unwrap_or_default())
    });
    assert_eq!(all, [(Level::Warning, "so it is in `two.cpp:1`".to_owned())]);
}

/// A comment allows one declaration of several that are one finding.
#[test]
fn a_comment_allows_one_declaration_of_several() {
    let text = |name: &str, allow: &str| {
        format!(
            "typedef ap_fixed<24, 4> float24_t; {allow}\nvoid {name}(float24_t a[8]) {{\n#pragma HLS pipeline\n    a[0] = 1;\n}}\n"
        )
    };
    let allow = "// derate: allow(precision/alias-format): a name of the paper";
    let of = |allows: [&str; 2]| {
        let (one, two) = (text("one", allows[0]), text("two", allows[1]));
        find("precision/alias-format", &[("one.cpp", &one), ("two.cpp", &two)], |sources, one| {
            let place = one.place().map_or("", |place| sources.name(place.file));
            format!("{place} {}", one.notes.iter().any(|note| note.starts_with("so it is in")))
        })
    };
    assert_eq!(of(["", ""]), ["one.cpp true"]);
    assert_eq!(of([allow, ""]), ["two.cpp false"]);
    assert_eq!(of(["", allow]), ["one.cpp false"]);
    assert!(of([allow, allow]).is_empty());
}

/// The other type is there as a comment: the alias is a switch.
#[test]
fn an_alias_with_the_other_type_as_a_comment_is_a_note() {
    let of = |before: &str, alias: &str, name: &str| {
        let text = format!(
            "{before}\n{alias}\nvoid top({name} a[8], {name} b[8]) {{\n#pragma HLS pipeline\n    b[0] = a[0] > a[1] ? a[0] : a[1];\n}}\n"
        );
        let mut all = find("precision/alias-format", &[("top.cpp", &text)], |_, one| one.level);
        all.extend(find("precision/alias-width", &[("top.cpp", &text)], |_, one| one.level));
        all
    };
    let float = "typedef float fixed_t;";
    assert_eq!(of("// typedef ap_fixed<32, 16> fixed_t;", float, "fixed_t"), [Level::Note]);
    assert_eq!(of("// typedef ap_fixed<32, 16> other_t;", float, "fixed_t"), [Level::Warning]);
    assert_eq!(of("// fixed_t is for speed;", float, "fixed_t"), [Level::Warning]);
    // The other way of a condition is a switch, and what is in another scope is not.
    let other = "typedef ap_fixed<32, 16> fixed_t;";
    assert_eq!(
        of(&format!("#if 0\n{other}\n#else"), &format!("{float}\n#endif"), "fixed_t"),
        [Level::Note]
    );
    assert_eq!(of(&format!("namespace a {{\n{other}\n}}"), float, "fixed_t"), [Level::Warning]);
    assert_eq!(of("", &format!("{float} // {other}"), "fixed_t"), [Level::Note]);
    let char = "using MyUint1 = char;";
    assert_eq!(of("// using MyUint1 = ac_int<1, false>;", char, "MyUint1"), [Level::Note]);
    assert_eq!(of("", char, "MyUint1"), [Level::Warning]);
    // What does not keep the promise either is no switch.
    let wide = "typedef ap_uint<200> uint512_t;";
    assert_eq!(of("// typedef ap_uint<512> uint512_t;", wide, "uint512_t"), [Level::Note]);
    assert_eq!(of("// typedef ap_uint<256> uint512_t;", wide, "uint512_t"), [Level::Error]);
    assert_eq!(of("// typedef double fixed_t;", float, "fixed_t"), [Level::Warning]);
}

/// A wide word that is cut and copied has no sign to speak of.
#[test]
fn a_wide_word_that_is_used_for_its_bits_is_a_note() {
    let of = |body: &str| {
        let text = format!(
            "typedef ap_int<512> uint512_t;\nvoid top(uint512_t in[8], int out[8]) {{\n#pragma HLS pipeline\n    \
             uint512_t word = in[0];\n    {body}\n}}\n"
        );
        find("precision/alias-format", &[("top.cpp", &text)], |_, one| one.level)
    };
    assert_eq!(of("out[0] = word.range(31, 0);"), [Level::Note]);
    assert_eq!(of("out[0] = word < in[1];"), [Level::Warning]);
    assert_eq!(of("in[1] = word / 3;"), [Level::Warning]);
    let narrow = "typedef ap_uint<256> uint512_t;\nvoid top(uint512_t in[8], int out[8]) {\n#pragma HLS pipeline\n    \
                  uint512_t word = in[0];\n    out[0] = word.range(31, 0);\n}\n";
    let level = find("precision/alias-width", &[("top.cpp", narrow)], |_, one| one.level);
    assert_eq!(level, [Level::Error], "the width is wrong, however it is used");
}

/// Steps of one design in folders beside each other: what is float in the first one is fixed in the next.
#[test]
fn an_alias_that_the_next_step_keeps_is_a_note() {
    let of = |next: &str, file: &str| {
        let code = |alias: &str| {
            format!(
                "{alias}\nvoid top(data_fixed a[8]) {{\n#pragma HLS pipeline\n    a[0] = a[1] * a[2];\n}}\n"
            )
        };
        let (first, second) = (code("typedef float data_fixed;"), code(next));
        let files = [("base/top.cpp", first.as_str()), (file, second.as_str())];
        find("precision/alias-format", &files, |_, one| one.level)
    };
    let fixed = "typedef ap_fixed<23, 8> data_fixed;";
    assert_eq!(of(fixed, "optimized/top.cpp"), [Level::Note]);
    assert_eq!(of(fixed, "optimized/other.cpp"), [Level::Warning], "another file");
    assert_eq!(of(fixed, "other/more/top.cpp"), [Level::Warning], "of another project");
    assert_eq!(of("typedef double data_fixed;", "optimized/top.cpp"), [Level::Warning; 2]);
    let other = format!(
        "{fixed}\nint one(int a) {{\n    return a + 1;\n}}\nint two(int a) {{\n    return a + 2;\n}}"
    );
    assert_eq!(of(&other, "optimized/top.cpp"), [Level::Warning], "another kernel");
    assert_eq!(of(fixed, "top.cpp"), [Level::Warning], "the folder above");
}
