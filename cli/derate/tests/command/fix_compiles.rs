//! `derate audit --fix=code --write` on projects of C and C++: what compiled before compiles after it.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::derate::{derate_in, root};

const PROJECT: &str =
    "[model]\nshapes = \"dump.txt\"\nworkload = \"linear\"\n[platform]\nname = \"u280\"\n[hls]\n";

/// A header whose names promise other widths than it has, in C as in C++.
const TYPES: &str = "#ifndef TYPES_H\n#define TYPES_H\ntypedef unsigned int uint16;\n\
    typedef unsigned int uint12;\ntypedef unsigned long long uint48;\n#endif\n";
const FIR_C: &str = "#include \"types.h\"\n\nvoid fir(uint16 in[8], uint48 *out, uint12 shift) {\n#pragma HLS pipeline\n    \
    uint48 sum = 0;\n    int i;\n    for (i = 0; i < 8; i++) sum += in[i] >> shift;\n    *out = sum;\n}\n";
const MAC_H: &str = "#pragma once\ntypedef int int12_t;\nusing uint48_t = unsigned long long;\n\
    #define uint20_t unsigned int // a sum\nnamespace mac {\ntypedef short int9_t;\n}\n";
const MAC_CPP: &str = "#include \"mac.h\"\n\nvoid mac_top(const int12_t a[16], const uint48_t b[16], uint20_t *out) {\n\
    #pragma HLS pipeline\n    uint20_t sum = 0;\n    for (int i = 0; i < 16; i++) {\n        mac::int9_t low = a[i];\n        \
    sum += low * (int)b[i];\n    }\n    *out = sum;\n}\n";

fn has_extension(name: &str, extension: &str) -> bool {
    Path::new(name).extension().is_some_and(|own| own == extension)
}

fn compiles(folder: &Path, source: &str) -> Result<(), String> {
    let (variable, fallback, standard) = if has_extension(source, "c") {
        ("CC", "cc", "-std=c11")
    } else {
        ("CXX", "c++", "-std=c++17")
    };
    let compiler = std::env::var(variable).unwrap_or_else(|_| fallback.to_owned());
    let output = Command::new(compiler)
        .args([standard, "-fsyntax-only", "-w", "-I"])
        .arg(root().join("hls/sim"))
        .arg(folder.join(source))
        .output()
        .unwrap();
    if output.status.success() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Fixes a project of these files. What was fixed, of which nothing was found by a compiler.
fn fix(files: &[(&str, &str)]) -> String {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
    let names: Vec<String> = files.iter().map(|(name, _)| format!("\"{name}\"")).collect();
    write("derate.toml", &format!("{PROJECT}sources = [{}]\n", names.join(", ")));
    write("dump.txt", "layer.weight: torch.Size([16, 16]) torch.float32\n");
    for (name, text) in files {
        write(name, text);
    }
    let sources = || files.iter().map(|(name, _)| *name).filter(|name| !has_extension(name, "h"));
    for source in sources() {
        compiles(dir.path(), source).unwrap_or_else(|said| panic!("before: {source}: {said}"));
    }
    let run = derate_in(dir.path(), &["audit", "--fix=code", "--write"]);
    assert!(run.code < 2, "{}", run.stderr);
    for source in sources() {
        let text = fs::read_to_string(dir.path().join(files[0].0)).unwrap();
        compiles(dir.path(), source)
            .unwrap_or_else(|said| panic!("{source}: {said}{text}{}", run.stderr));
    }
    files.iter().map(|(name, _)| fs::read_to_string(dir.path().join(name)).unwrap()).collect()
}

#[test]
fn cpp_has_the_promised_types_and_compiles() {
    let fixed = fix(&[("mac.h", MAC_H), ("mac.cpp", MAC_CPP)]);
    for line in [
        "typedef ap_int<12> int12_t;",
        "using uint48_t = ap_uint<48>;",
        "#define uint20_t ap_uint<20> // a sum",
        "typedef ap_int<9> int9_t;",
        "#include \"ap_int.h\"",
    ] {
        assert!(fixed.contains(line), "no `{line}` in {fixed}");
    }
}

/// C has no such types, nor has a header that C and C++ share.
#[test]
fn what_c_includes_is_left_alone() {
    assert_eq!(fix(&[("types.h", TYPES), ("fir.c", FIR_C)]), format!("{TYPES}{FIR_C}"));
    let top = "#include \"types.h\"\nvoid top(uint12 a, uint48 *b) {\n#pragma HLS pipeline\n    *b = a;\n}\n";
    let shared = fix(&[("types.h", TYPES), ("fir.c", FIR_C), ("top.cpp", top)]);
    assert_eq!(shared, format!("{TYPES}{FIR_C}{top}"));
    // Without the C it is one of C++.
    assert!(fix(&[("types.h", TYPES), ("top.cpp", top)]).contains("typedef ap_uint<12> uint12;"));
}
