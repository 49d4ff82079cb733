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
    assert_eq!(level(format, fixed, "fp16_t"), [Level::Error]);
    assert_eq!(level(format, fixed, "float"), [Level::Note]);
    // A header alone is for others.
    let alone = find(width, &[("types.h", wide)], |_, one| one.level);
    assert_eq!(alone, [Level::Error]);
}
