//! Sources as they lie on a disk: includes, `-I`, `-D`, and macros that nothing defines.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::derate::{copy, derate, derate_in};
use serde_json::{Value, json};

/// Writes files below a folder.
fn tree(dir: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = dir.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// What `derate types ARGS` says in a folder with these files.
fn types(files: &[(&str, &str)], args: &[&str]) -> Value {
    let dir = tempfile::tempdir().unwrap();
    tree(dir.path(), files);
    let run = derate_in(dir.path(), &[&["types"], args, &["--format", "json"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    run.json()
}

fn alias<'a>(report: &'a Value, name: &str) -> &'a Value {
    let all = report["aliases"].as_array().unwrap();
    all.iter().find(|one| one["name"] == name).unwrap_or_else(|| panic!("no {name}: {report}"))
}

fn underlying<'a>(report: &'a Value, name: &str) -> &'a str {
    alias(report, name)["underlying"].as_str().unwrap_or_else(|| panic!("{report}"))
}

#[test]
fn a_chain_of_headers_gives_the_extents() {
    let files = [
        ("my design/src/top.cpp", "#include \"../include/hw.h\"\nvoid top(fm_block_t *in) {}\n"),
        (
            "my design/include/hw.h",
            "#pragma once\n#include \"types.h\"\n#include \"model.h\"\n\
             template <typename T, typename U> constexpr T ceildiv(T a, U b) { return (a + b - 1) / b; }\n\
             constexpr unsigned BLOCK = AXI_XFER_BIT_WIDTH / fm_t::width;\n\
             typedef hls::vector<fm_t, BLOCK> fm_block_t;\n\
             typedef fm_block_t fm_blocks_t[ceildiv(FEATURES, BLOCK)];\n",
        ),
        (
            "my design/include/types.h",
            "#ifndef TYPES_H\n#define TYPES_H\n#define AXI_XFER_BIT_WIDTH 256\ntypedef ap_fixed<32, 10> fm_t;\n#endif\n",
        ),
        (
            "my design/include/model.h",
            "#pragma once\n#include \"types.h\"\nconstexpr unsigned FEATURES = 190;\n",
        ),
    ];
    let report = types(&files, &["my design/src/top.cpp"]);
    assert_eq!(underlying(&report, "fm_block_t"), "hls::vector<ap_fixed<32, 10>, 8>");
    assert_eq!(underlying(&report, "fm_blocks_t"), "hls::vector<ap_fixed<32, 10>, 8>[24]");
    assert_eq!(alias(&report, "fm_block_t")["file"], "my design/include/hw.h");
    assert_eq!(report["missing_includes"], json!([]));
}

#[test]
fn the_includer_s_folder_goes_before_the_folders_of_the_command_line() {
    let files = [
        ("src/a/k.cpp", "#include \"types.h\"\n#include <wide.h>\n"),
        ("src/a/types.h", "typedef half near_t;\n"),
        ("one/types.h", "typedef float near_t;\n"),
        ("one/wide.h", "typedef ap_int<7> wide_t;\n"),
        ("two/wide.h", "typedef ap_int<9> wide_t;\n"),
        ("two/ap_int.h", "#define FROM_VENDOR 5\ntemplate <int W> struct ap_int { char c[3]; };\n"),
    ];
    let args = ["src/a/k.cpp", "-I", "one", "--include", "two"];
    let report = types(&files, &args);
    assert_eq!(underlying(&report, "near_t"), "half");
    assert_eq!(underlying(&report, "wide_t"), "ap_int<7>");
    assert_eq!(report["command"], "derate types src/a/k.cpp -I one -I two --format json");
    // Without -I, `<...>` is a vendor's for all that is known.
    let report = types(&files, &["src/a/k.cpp"]);
    assert_eq!(report["aliases"].as_array().unwrap().len(), 1);
}

#[test]
fn a_vendor_s_header_gives_its_macros_and_not_its_types() {
    let files = [
        ("k.cpp", "#include \"ap_int.h\"\ntypedef ap_int<FROM_VENDOR> v_t;\n"),
        ("vendor/ap_int.h", "#include \"etc/more.h\"\n"),
        (
            "vendor/etc/more.h",
            "#define FROM_VENDOR 5\ntypedef float inner_t;\ntemplate <int W> struct ap_int { char c[3]; };\n",
        ),
    ];
    let report = types(&files, &["k.cpp", "-Ivendor"]);
    assert_eq!(underlying(&report, "v_t"), "ap_int<5>");
    assert_eq!(report["aliases"].as_array().unwrap().len(), 1);
    assert!(alias(&types(&files, &["k.cpp"]), "v_t")["underlying"].is_null());
}

/// `memory.h`, `vector.h` and `string.h` are names of the library too; g++ looks beside the includer first.
#[test]
fn an_own_header_may_have_a_library_s_name() {
    let files = [
        (
            "src/k.cpp",
            "#include \"utils/memory.h\"\n#include \"vector.h\"\n#include \"string.h\"\n#include \"sub/time.h\"\n\
             #if DEPTH > 32\ntypedef float acc_t;\n#else\ntypedef double acc_t;\n#endif\n\
             typedef vec_t row_t[DEPTH];\n",
        ),
        ("src/utils/memory.h", "#define DEPTH 64\ntypedef ap_int<7> word_t;\n"),
        ("src/vector.h", "typedef word_t vec_t;\n"),
        ("elsewhere/string.h", "typedef double word_t;\n"),
    ];
    for args in [&["src/k.cpp"][..], &["src/k.cpp", "src/utils/memory.h", "elsewhere/string.h"]] {
        let report = types(&files, args);
        assert_eq!(underlying(&report, "acc_t"), "float", "{args:?}");
        assert_eq!(underlying(&report, "row_t"), "ap_int<7>[64]", "{args:?}");
        // `string.h` is the library's where none lies beside; no library has `sub/time.h`.
        let missing = report["missing_includes"].as_array().unwrap();
        assert_eq!(missing.len(), 1, "{missing:?}");
        assert_eq!(missing[0]["path"], "sub/time.h");
    }
}

#[test]
fn diamonds_circles_and_macros_that_hold_a_path() {
    let files = [
        (
            "top.cpp",
            "#define CONFIG \"gen/config.h\"\n#include CONFIG\n#include \"left.h\"\n#include \"right.h\"\n#include \"top.cpp\"\n",
        ),
        ("gen/config.h", "#define W 12\n"),
        ("left.h", "#include \"base.h\"\ntypedef base_t left_t;\n"),
        ("right.h", "#include \"sub/../base.h\"\n#include \"left.h\"\ntypedef base_t right_t;\n"),
        ("sub/x.h", ""),
        ("base.h", "#include \"right.h\"\ntypedef ap_uint<W> base_t;\n"),
    ];
    let report = types(&files, &["top.cpp"]);
    for name in ["base_t", "left_t", "right_t"] {
        assert_eq!(underlying(&report, name), "ap_uint<12>");
    }
    assert_eq!(report["aliases"].as_array().unwrap().len(), 3);
    assert_eq!(report["unparsed"], json!([]));
}

#[test]
fn one_file_name_in_two_folders() {
    let files = [
        ("a/k.cpp", "#include \"defs.h\"\ntypedef data_t a_t;\n"),
        ("a/defs.h", "typedef half data_t;\n"),
        ("b/k.cpp", "#include \"defs.h\"\ntypedef data_t b_t;\n"),
        ("b/defs.h", "typedef float data_t;\n"),
        ("c/k.cpp", "#include \"defs.h\"\ntypedef data_t c_t;\n"),
    ];
    let report = types(&files, &["a/k.cpp", "b/k.cpp", "c/k.cpp"]);
    assert_eq!((underlying(&report, "a_t"), underlying(&report, "b_t")), ("half", "float"));
    let reason = alias(&report, "c_t")["unknown"].as_str().unwrap();
    assert!(alias(&report, "c_t")["underlying"].is_null(), "{reason}");
    assert_eq!(report["missing_includes"][0]["path"], "defs.h");
    // The only one of the files named here whose path ends so is meant.
    let report = types(&files, &["a/defs.h", "c/k.cpp"]);
    assert_eq!(underlying(&report, "c_t"), "half");
}

#[test]
fn a_missing_include_is_named_once_and_by_what_depends_on_it() {
    let text =
        "#include \"board.h\"\n#include \"board.h\"\ntypedef float a_t;\ntypedef board_t b_t;\n";
    let report = types(&[("k.h", text)], &["k.h"]);
    assert_eq!(report["missing_includes"], json!([{"path": "board.h", "file": "k.h", "line": 1}]));
    assert_eq!(underlying(&report, "a_t"), "float");
    assert!(alias(&report, "b_t")["unknown"].as_str().unwrap().contains("`board.h`"));
}

#[test]
fn macros_that_nothing_defines_show_what_they_decide() {
    let text = "#ifdef CSIM_DEBUG\ntypedef float FIX_FM;\n#define BITS 32\n#else\n\
        typedef ap_fixed<9, 3> FIX_FM;\n#define BITS 9\n#endif\ntypedef FIX_FM tile_t[4];\n\
        #if MODE == 2\ntypedef half mode_t;\n#else\ntypedef float mode_t;\n#endif\n\
        #ifndef LANES\n#define LANES 4\n#endif\ntypedef ap_int<LANES> lane_t;\n\
        #ifdef VERBOSE\nvoid print();\n#endif\n";
    let report = types(&[("net.h", text)], &["net.h"]);
    let other = |name: &str| {
        let one = &alias(&report, name)["alternatives"][0];
        (one["under"].as_str().unwrap().to_owned(), one["underlying"].as_str().unwrap().to_owned())
    };
    assert_eq!(underlying(&report, "FIX_FM"), "ap_fixed<9, 3>");
    assert_eq!(other("FIX_FM"), ("CSIM_DEBUG".to_owned(), "float".to_owned()));
    assert_eq!(alias(&report, "FIX_FM")["alternatives"][0]["line"], 2);
    assert_eq!(other("tile_t"), ("CSIM_DEBUG".to_owned(), "float[4]".to_owned()));
    assert_eq!(other("mode_t"), ("MODE=2".to_owned(), "half".to_owned()));
    // A default is not a branch, and what declares nothing decides nothing.
    assert_eq!(alias(&report, "lane_t")["alternatives"], json!([]));
    let macros: Vec<&Value> =
        report["absent_macros"].as_array().unwrap().iter().map(|one| &one["macros"]).collect();
    assert_eq!(macros, [&json!(["CSIM_DEBUG"]), &json!(["MODE"])]);
    let constants = report["constants"].as_array().unwrap();
    let bits = constants.iter().find(|one| one["name"] == "BITS").unwrap();
    assert_eq!((&bits["value"], &bits["alternatives"][0]["value"]), (&json!(9), &json!(32)));

    let dir = tempfile::tempdir().unwrap();
    tree(dir.path(), &[("net.h", text)]);
    let shown = derate_in(dir.path(), &["types", "net.h"]).stdout;
    assert!(shown.contains("ap_fixed<9, 3>; under CSIM_DEBUG: float"), "{shown}");
    assert!(shown.contains("defined nowhere"), "{shown}");
    let set = types(&[("net.h", text)], &["net.h", "-D", "CSIM_DEBUG", "-DMODE=2", "-DLANES=6"]);
    assert_eq!((underlying(&set, "FIX_FM"), underlying(&set, "mode_t")), ("float", "half"));
    assert_eq!(underlying(&set, "lane_t"), "ap_int<6>");
    assert_eq!(alias(&set, "FIX_FM")["alternatives"], json!([]));
}

#[test]
fn branches_that_the_compiler_decides_show_their_condition() {
    let text = "#ifdef __SYNTHESIS__\ntypedef half t;\n#else\ntypedef float t;\n#endif\n";
    let dir = tempfile::tempdir().unwrap();
    tree(dir.path(), &[("k.h", text)]);
    let shown = derate_in(dir.path(), &["types", "k.h"]).stdout;
    assert!(shown.contains("half if defined(__SYNTHESIS__)"), "{shown}");
    assert!(shown.contains("float if !defined(__SYNTHESIS__)"), "{shown}");
}

#[test]
fn includes_that_cannot_be_followed_end_in_a_sentence() {
    let dir = tempfile::tempdir().unwrap();
    let mut many = String::new();
    for n in 0..10_000 {
        writeln!(many, "#include \"many/h{n}.h\"").unwrap();
    }
    fs::create_dir(dir.path().join("many")).unwrap();
    for n in 0..10_000 {
        fs::write(dir.path().join(format!("many/h{n}.h")), "typedef float t;\n").unwrap();
    }
    let mut deep = String::from("#include \"deep0.h\"\n");
    for n in 0..100 {
        fs::write(dir.path().join(format!("deep{n}.h")), format!("#include \"deep{}.h\"\n", n + 1))
            .unwrap();
    }
    deep.push_str("typedef float t;\n");
    fs::create_dir(dir.path().join("folder.h")).unwrap();
    let zero = "\0";
    tree(
        dir.path(),
        &[
            ("zero.h", zero),
            ("odd.cpp", "#include \"zero.h\"\n#include \"folder.h\"\n#include \"/dev/null\"\n"),
        ],
    );
    tree(
        dir.path(),
        &[
            ("many.cpp", &many),
            ("deep.cpp", &deep),
            ("empty.cpp", "#include \"\"\n#include\n#include X\n"),
        ],
    );
    for (file, words) in [
        ("many.cpp", &["more than 2000 texts are included"][..]),
        ("deep.cpp", &["includes nest deeper than 48"]),
        ("odd.cpp", &["zero byte", "it is a folder", "not a regular file"]),
        ("empty.cpp", &[]),
    ] {
        let run = derate_in(dir.path(), &["types", file, "--format", "json"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let unparsed = run.json()["unparsed"].as_array().unwrap().clone();
        assert!(unparsed.len() <= words.len().max(2), "{file}: {} regions", unparsed.len());
        for word in words {
            let told = unparsed.iter().any(|one| one["reason"].as_str().unwrap().contains(word));
            assert!(told, "{file}: no `{word}` in {unparsed:?}");
        }
    }
    for (args, word) in [
        (&["types", "deep.cpp", "-I", "nowhere"][..], "nowhere is not a folder"),
        (&["types", "deep.cpp", "-I", "deep0.h"], "deep0.h is not a folder"),
        (&["types", "deep.cpp", "-D", "3X"], "NAME=VALUE"),
        (&["types", "deep.cpp", "-D", ""], "NAME=VALUE"),
    ] {
        derate_in(dir.path(), args).assert_refused(word);
    }
    derate(&["audit", "fixtures/smolvla", "-I", "nowhere"])
        .assert_refused("nowhere is not a folder");
}

#[test]
fn a_folder_of_the_command_line_may_be_spelt_in_any_way() {
    let files = [
        ("p/k.cpp", "#include <up.h>\n#include \"t.h\"\n"),
        ("up.h", "typedef half up_t;\n"),
        ("p/t.h", "typedef float own_t;\n"),
    ];
    let dir = tempfile::tempdir().unwrap();
    tree(dir.path(), &files);
    let whole = dir.path().to_string_lossy().into_owned();
    for folder in ["..", &*whole] {
        let args = ["types", "k.cpp", "-I", folder, "--format", "json"];
        let report = derate_in(&dir.path().join("p"), &args).json();
        assert_eq!(alias(&report, "up_t")["file"], "../up.h", "{folder}");
        assert_eq!(alias(&report, "own_t")["file"], "t.h");
    }
}

#[test]
fn the_options_of_the_reading_stand_in_the_command_that_gives_it_again() {
    let dir = copy("smolvla");
    let audit = |args: &[&str]| {
        let run = derate_in(dir.path(), &[&["audit", "--format", "json"], args].concat());
        run.json()["command"].as_str().unwrap().to_owned()
    };
    assert_eq!(audit(&[]), "derate audit --format json");
    assert_eq!(
        audit(&["-D", "W=16", "-DT=ap_int<4>", "-I", "kernels"]),
        "derate audit -I kernels -D W=16 -D 'T=ap_int<4>' --format json"
    );
    // The command is for the folder of the project, wherever derate was run.
    fs::create_dir(dir.path().join("lib")).unwrap();
    let args = ["audit", "..", "-I", "../lib", "-I", "..", "--format", "json"];
    let run = derate_in(&dir.path().join("kernels"), &args);
    assert_eq!(run.json()["command"], "derate audit -I lib -I . --format json");
}

/// A project whose types stand in a header that `[hls] sources` does not name, and beyond its folder.
#[test]
fn a_project_includes_what_it_does_not_name() {
    let dir = copy("smolvla");
    let project = dir.path().join("p");
    fs::create_dir(&project).unwrap();
    for name in ["derate.toml", "model_shape.txt", "model_weights.h", "kernels"] {
        fs::rename(dir.path().join(name), project.join(name)).unwrap();
    }
    tree(
        dir.path(),
        &[
            ("common/wide.h", "using fp16_t = double;\n#include \"inner.h\"\n"),
            ("common/inner.h", "typedef half inner_t;\n"),
            (
                "p/extra/own.h",
                "#include \"wide.h\"\nusing bf16_t = inner_t;\nusing int8_t = fp16_t;\n#ifdef FAST\nusing int4_t = double;\n#endif\n",
            ),
        ],
    );
    let gelu = project.join("kernels/gelu.cpp");
    let text = fs::read_to_string(&gelu).unwrap();
    fs::write(&gelu, format!("#include \"../extra/own.h\"\n{text}")).unwrap();
    let toml = fs::read_to_string(project.join("derate.toml")).unwrap();
    let with = |extra: &str| {
        let toml = toml.replacen("[hls]\n", &format!("[hls]\n{extra}\n"), 1);
        fs::write(project.join("derate.toml"), toml).unwrap();
    };
    let lies = |args: &[&str]| -> Vec<(String, String)> {
        let run = derate_in(dir.path(), &[&["audit", "p", "--format", "json"], args].concat());
        assert!(run.code < 2, "{}", run.stderr);
        let found = run.json()["findings"].as_array().unwrap().clone();
        found
            .iter()
            .filter(|one| one["code"] == "precision/alias-width")
            .map(|one| {
                (
                    one["subject"].as_str().unwrap().to_owned(),
                    one["file"].as_str().unwrap().to_owned(),
                )
            })
            .filter(|(_, file)| file != "model_weights.h")
            .collect()
    };
    let own = |name: &str| (name.to_owned(), "extra/own.h".to_owned());
    with("");
    // What is beyond was not found: it may define `FAST`, so both branches are shown, and nothing else is known.
    assert_eq!(lies(&[]), [own("int4_t")]);
    // The header beyond the project resolves names; the lie in it is nobody's here.
    with("include = [\"../common\"]");
    assert_eq!(lies(&[]), [own("int8_t")]);
    with("include = [\"../common\"]\ndefines = [\"FAST\"]");
    assert_eq!(lies(&[]), [own("int8_t"), own("int4_t")]);
    with("");
    assert_eq!(lies(&["-I", "common", "-D", "FAST=1"]), [own("int8_t"), own("int4_t")]);
    with("include = [\"../commons\"]");
    derate_in(dir.path(), &["audit", "p"]).assert_refused("commons is not a folder");
    with("defines = [\"A B\"]");
    derate_in(dir.path(), &["audit", "p"]).assert_refused("derate.toml:");
}

/// The name of a text outside of the project is the same from whatever folder.
#[test]
fn a_text_beyond_the_project_is_named_from_the_project() {
    let dir = copy("smolvla");
    let project = dir.path().join("p");
    fs::create_dir(&project).unwrap();
    for name in ["derate.toml", "model_shape.txt", "model_weights.h", "kernels"] {
        fs::rename(dir.path().join(name), project.join(name)).unwrap();
    }
    tree(dir.path(), &[("kernels/t.h", "typedef half data_t;\n"), ("p/kernels/t.h", "")]);
    let gelu = project.join("kernels/gelu.cpp");
    let text = fs::read_to_string(&gelu).unwrap();
    let switch = "#ifdef CSIM_DEBUG\n#include <t.h>\n#else\ntypedef float data_t;\n#endif\n";
    let text = format!("{switch}{text}");
    fs::write(&gelu, text).unwrap();
    let whole = dir.path().join("kernels");
    let whole = whole.to_str().unwrap();
    let runs = [
        (dir.path().to_owned(), vec!["audit", "p", "-I", "kernels"]),
        (project.clone(), vec!["audit", "-I", "../kernels"]),
        (project.join("kernels"), vec!["audit", "..", "-I", whole]),
    ];
    for (from, args) in runs {
        let run = derate_in(&from, &[&args[..], &["--format", "json"]].concat());
        assert!(run.code < 2, "{}", run.stderr);
        let report = run.json();
        let mut all = report["findings"].as_array().unwrap().iter();
        let one = all.find(|one| one["code"] == "precision/simulation-type");
        let one = one.unwrap_or_else(|| panic!("{args:?}: {report}"));
        assert_eq!(one["file"], "kernels/gelu.cpp");
        assert_eq!(one["related"][0]["file"], "../kernels/t.h", "{args:?}: {one}");
    }
}
