//! Aliases: formats, widths, and types that files read differently.

use super::fixture::{Fixture, of};
use super::found;
use derate_model::audit::Level;

#[test]
fn a_format_that_the_name_does_not_promise() {
    let code = "precision/alias-format";
    let all = found(code, "#include <ap_fixed.h>\nusing fp16_t = ap_fixed<16, 6>;\n");
    let [finding] = &all[..] else { panic!("{all:#?}") };
    assert_eq!(finding.level, Level::Warning);
    assert_eq!(finding.evidence["bits"], 16);
    assert!(finding.notes[0].contains("-2^5 to just below 2^5, in steps of 2^-10"), "{finding:#?}");
    for honest in
        ["using fp16_t = half;", "using float16 = hls::vector<float, 16>;", "using fp16_t = float;"]
    {
        assert!(found(code, &format!("{honest}\n")).is_empty(), "{honest}");
    }
    // A name that promises likeness alone; `likely` is another word.
    for (name, level) in [
        ("like_float", Level::Note),
        ("float_like", Level::Note),
        ("pseudo_float_t", Level::Note),
        ("likely_float", Level::Warning),
    ] {
        let text = format!("#include <ap_fixed.h>\nusing {name} = ap_fixed<32, 12>;\n");
        let levels: Vec<Level> = found(code, &text).iter().map(|one| one.level).collect();
        assert_eq!(levels, [level], "{name}");
    }
}

#[test]
fn an_alias_that_two_files_declare_differently() {
    let code = "precision/alias-conflict";
    let two = |one: &str, other: &str| {
        let fixture =
            Fixture::new("smolvla").only("kernels/gelu.cpp", one).only("kernels/gemm.cpp", other);
        of(&fixture.findings(), code).into_iter().cloned().collect::<Vec<_>>()
    };
    let all = two("typedef float acc_t;\n", "typedef ap_fixed<32, 14> acc_t;\n");
    let [finding] = &all[..] else { panic!("{all:#?}") };
    assert_eq!((finding.level, finding.labels.len()), (Level::Error, 2));
    assert!(two("typedef float acc_t;\n", "using real = float;\ntypedef real acc_t;\n").is_empty());
    // Two libraries' numbers of one width and point round otherwise by default.
    let all = two("typedef ac_fixed<32, 14, true> acc_t;\n", "typedef ap_fixed<32, 14> acc_t;\n");
    let [finding] = &all[..] else { panic!("{all:#?}") };
    let words = "`acc_t` is `ac_fixed<32, 14, true>` and `ap_fixed<32, 14>` in different files";
    assert_eq!(finding.message, words);
    let same = "typedef ac_fixed<32, 14> acc_t;\n";
    assert!(two("typedef ac_fixed<32, 14, true> acc_t;\n", same).is_empty());
    // The extents of an array are part of its type.
    let all = two("typedef float acc_t[12][768];\n", "typedef float acc_t[12][960];\n");
    let [finding] = &all[..] else { panic!("{all:#?}") };
    assert_eq!(
        finding.message,
        "`acc_t` is `float[12][768]` and `float[12][960]` in different files"
    );
    let same = "constexpr int D = 768;\ntypedef float acc_t[12][D];\n";
    assert!(two("typedef float acc_t[12][768];\n", same).is_empty());
    assert!(two("namespace a { typedef float acc_t; }\n", "typedef double acc_t;\n").is_empty());
    assert!(two("typedef float acc_t;\n", "typedef unknown_t acc_t;\n").is_empty());
    assert!(two("#define acc_t float\n", "#define acc_t double\n").is_empty());
    assert!(
        two("void f() { typedef float acc_t; }\n", "void f() { typedef int acc_t; }\n").is_empty()
    );
    let used = |one: &str, other: &str| {
        two(
            &format!("#define DATA_T {one}\nvoid f(DATA_T *x);\n"),
            &format!("#define DATA_T {other}\nvoid g(DATA_T *x);\n"),
        )
    };
    assert_eq!(used("float", "double").first().map(|one| one.level), Some(Level::Error));
    assert!(used("float", "float").is_empty());
    let chosen = "#ifndef __GNUC__\ntypedef float acc_t;\n#else\ntypedef double acc_t;\n#endif\n";
    assert_eq!(two(chosen, "").first().map(|one| one.level), Some(Level::Note));
}

/// Two sources may use one name for types of their own.
#[test]
fn an_alias_of_two_sources_does_not_depend_on_the_tool_in_turn() {
    let code = "precision/simulation-type";
    let choice = |hardware: &str, software: &str| {
        format!(
            "#ifdef MY_SYNTHESIS\ntypedef {hardware} rate_t;\n#else\ntypedef {software} rate_t;\n#endif\n"
        )
    };
    let two = |one: &str, other: &str| {
        let fixture =
            Fixture::new("smolvla").only("kernels/gelu.cpp", one).only("kernels/gemm.cpp", other);
        of(&fixture.findings(), code).into_iter().cloned().collect::<Vec<_>>()
    };
    let alone = two(&choice("half", "float"), "");
    let [finding] = &alone[..] else { panic!("{alone:#?}") };
    let apart = two(&choice("half", "float"), &choice("double", "double"));
    let [other] = &apart[..] else { panic!("{apart:#?}") };
    assert_eq!(finding.message, other.message);
}

/// A repository may hold several designs, each with types of its own.
#[test]
fn an_alias_that_two_designs_declare_differently() {
    let found = |one: (&str, &str), other: (&str, &str)| {
        let fixture = Fixture::new("smolvla").and(one.0, one.1).and(other.0, other.1);
        of(&fixture.findings(), "precision/alias-conflict").len()
    };
    let (float, fixed) = ("typedef float acc_t;\n", "typedef ap_fixed<32, 14> acc_t;\n");
    assert_eq!(found(("fir/fir.h", float), ("gemm/gemm.h", fixed)), 0);
    assert_eq!(found(("fir/fir.h", float), ("fir/gemm.h", fixed)), 1);
    let joined = format!("#include \"../fir/fir.h\"\n{fixed}");
    assert_eq!(found(("fir/fir.h", float), ("gemm/gemm.cpp", &joined)), 1);
}

/// An extent that two files hand to each other, and one that each keeps to itself.
#[test]
fn a_macro_that_is_another_extent_in_another_file() {
    let two = |one: &str, other: &str| {
        let fixture =
            Fixture::new("smolvla").only("kernels/gelu.cpp", one).only("kernels/gemm.cpp", other);
        of(&fixture.findings(), "precision/alias-conflict").into_iter().cloned().collect::<Vec<_>>()
    };
    let all =
        two("#define LEN 64\nvoid f(float x[LEN]);\n", "#define LEN 96\nvoid g(float x[LEN]);\n");
    let [finding] = &all[..] else { panic!("{all:#?}") };
    assert_eq!((finding.level, finding.labels.len()), (Level::Warning, 2));
    assert_eq!(finding.evidence["values"][1]["is"], 96);
    let same = "#define LEN 64\nvoid g(float x[LEN]);\n";
    assert!(two("#define LEN (32 * 2)\nvoid f(float x[LEN]);\n", same).is_empty());
    let local = |n: u32| {
        format!("#define TILE {n}\nvoid f{n}(float *x) {{ float t[TILE]; t[0] = x[0]; }}\n")
    };
    assert!(two(&local(8), &local(16)).is_empty());
    // A file that includes the other and defines the macro anew means to.
    let above = "#include \"gelu.cpp\"\n#undef LEN\n#define LEN 96\nvoid g(float x[LEN]);\n";
    assert!(two("#define LEN 64\nvoid f(float x[LEN]);\n", above).is_empty());
}

/// One header is two texts, as its includers define other macros before it.
#[test]
fn a_header_that_two_sources_read_differently() {
    let findings = |first: &str, second: &str| {
        let include = "#include \"kernels.h\"\n";
        let fixture = Fixture::new("smolvla")
            .only(
                "kernels/kernels.h",
                "#pragma once\ntypedef ap_int<LANES> lane_t;\ntypedef lane_t pair_t[2];\n",
            )
            .only("kernels/gelu.cpp", &format!("{first}{include}"))
            .only("kernels/gemm.cpp", &format!("{second}{include}"))
            .only("kernels/mlp.cpp", "")
            .only("kernels/add_bias.cpp", "");
        of(&fixture.findings(), "precision/alias-conflict").into_iter().cloned().collect::<Vec<_>>()
    };
    let all = findings("#define LANES 8\n", "#define LANES 16\n");
    // What is made of it is not told again; the macro itself is.
    let [finding, extent] = &all[..] else { panic!("{all:#?}") };
    assert_eq!((extent.level, extent.subject.as_str()), (Level::Warning, "LANES"));
    assert_eq!((finding.level, finding.subject.as_str()), (Level::Error, "lane_t"));
    assert!(finding.message.contains("included by kernels/gemm.cpp"), "{}", finding.message);
    assert!(findings("#define LANES 8\n", "#define LANES 8\n").is_empty());
}

/// What a header that was not found may define decides nothing: it is not said that a source reads the other branch.
#[test]
fn a_source_behind_a_missing_header_reads_no_other_type() {
    let findings = |before: &str| {
        let types = "#pragma once\n#ifdef USE_FLOAT\ntypedef float pixel_t;\n#else\n\
                     typedef ap_fixed<16, 2> pixel_t;\n#endif\n";
        let fixture = Fixture::new("smolvla")
            .only("kernels/kernels.h", types)
            .only("kernels/gelu.cpp", "#include \"kernels.h\"\n")
            .only("kernels/gemm.cpp", &format!("{before}#include \"kernels.h\"\n"))
            .only("kernels/mlp.cpp", "")
            .only("kernels/add_bias.cpp", "");
        of(&fixture.findings(), "precision/alias-conflict").len()
    };
    assert_eq!(findings("#include \"minizip/zip.h\"\n"), 0);
    assert_eq!(findings("#define USE_FLOAT\n"), 1);
}

/// Two kernels share a header that they read differently; what each has of its own is not the other's.
#[test]
fn types_of_another_source_are_not_told() {
    let shared = "#pragma once\ntypedef ap_int<LANES> lane_t;\n";
    let kernel = |lanes: u32, own: &str, load: &str| {
        format!(
            "#define LANES {lanes}\n#include \"kernels.h\"\n#include \"{own}\"\nvoid load(lane_t *x) {{ typedef {load} local_t; local_t y = x[0]; }}\n"
        )
    };
    let fixture = Fixture::new("smolvla")
        .only("kernels/kernels.h", shared)
        .only("kernels/mlp.cpp", "")
        .only("kernels/add_bias.cpp", "")
        .and(
            "kernels/k1.h",
            "typedef float data_t;\nconst int N = 4;\n#ifndef CSIM\ntypedef float a_t;\n#endif\n",
        )
        .and("kernels/k2.h", "typedef short data_t;\nconst int N = 8;\ntypedef short a_t;\n")
        .only("kernels/gelu.cpp", &kernel(8, "k1.h", "float"))
        .only("kernels/gemm.cpp", &kernel(16, "k2.h", "short"));
    let analysis = fixture.analysis();
    let otherwise = |name: &str| {
        let aliases = analysis.code.aliases.iter().filter(|one| one.alias.name == name);
        aliases.map(|one| one.alternatives.len()).sum::<usize>()
    };
    assert_eq!(otherwise("lane_t"), 1);
    for name in ["data_t", "local_t", "a_t"] {
        assert_eq!(otherwise(name), 0, "{name}");
    }
    let mut values = analysis.code.other_values.values().flatten();
    assert!(values.all(|one| one.what == 16), "{:?}", analysis.code.other_values);
    assert!(of(&fixture.findings(), "precision/simulation-type").is_empty());
}

/// Where a macro chooses the header, the type in the other one is reported.
#[test]
fn types_of_a_header_that_a_macro_chooses_are_told() {
    let fixture = Fixture::new("smolvla")
        .and("kernels/k1.h", "typedef float data_t;\n")
        .and("kernels/k2.h", "typedef short data_t;\n")
        .only(
            "kernels/gelu.cpp",
            "#ifdef CSIM_DEBUG\n#include \"k1.h\"\n#else\n#include \"k2.h\"\n#endif\n",
        );
    let analysis = fixture.analysis();
    let alias = analysis.code.aliases.iter().find(|one| one.resolution.bits() == Some(16)).unwrap();
    assert_eq!(alias.alternatives.len(), 1, "{alias:?}");
    assert_eq!(alias.alternatives[0].what.bits(), Some(32));
}

/// A macro that nothing defines counts as undefined, and the rule says what that decides.
#[test]
fn a_type_of_simulation_under_a_macro_that_nothing_defines() {
    let code = "precision/simulation-type";
    let text = |guard: &str, one: &str, other: &str| {
        format!(
            "#ifdef {guard}\ntypedef {one} data_t;\n#else\ntypedef {other} data_t;\n#endif\ntypedef data_t tile_t[4];\n"
        )
    };
    let all = found(code, &text("CSIM_DEBUG", "float", "ap_fixed<9, 3>"));
    let [finding] = &all[..] else { panic!("{all:#?}") };
    assert_eq!((finding.subject.as_str(), finding.labels.len()), ("data_t", 2));
    assert_eq!(finding.evidence["branches"][1]["underlying"], "float");
    // Somebody would have to define it; what the tool sets itself is a warning.
    assert_eq!(finding.level, Level::Note);
    let set_by_tool = found(code, &text("__HLS_SYN__", "float", "ap_fixed<9, 3>"));
    assert!(set_by_tool.iter().all(|one| one.level == Level::Warning), "{set_by_tool:#?}");
    // The same width, a switch that is not a tool's, and a macro that is set.
    assert!(found(code, &text("CSIM_DEBUG", "float", "ap_fixed<32, 3>")).is_empty());
    assert!(found(code, &text("WIDE", "float", "ap_fixed<9, 3>")).is_empty());
    let set = text("CSIM_DEBUG", "float", "ap_fixed<9, 3>");
    assert!(found(code, &format!("#define CSIM_DEBUG\n{set}")).is_empty());
}

#[test]
fn an_include_that_is_not_there_is_named_once() {
    let text = "#include \"board.h\"\n#include \"board.h\"\n#include \"ap_int.h\"\n#include <sys/x.h>\ntypedef board_t word_t;\n";
    let all = found("source/unread", text);
    let [finding] = &all[..] else { panic!("{all:#?}") };
    assert_eq!((finding.level, finding.subject.as_str()), (Level::Note, "board.h"));
}

/// 30 switches are more than are tried.
#[test]
fn circumstances_that_are_not_tried_are_told() {
    let text = |switches: usize| {
        let one = |at: usize| {
            format!("#ifdef SW{at}\ntypedef float t{at};\n#else\ntypedef half t{at};\n#endif\n")
        };
        (0..switches).map(one).collect::<String>()
    };
    let all = found("source/unread", &text(30));
    let [finding] = &all[..] else { panic!("{all:#?}") };
    assert_eq!((finding.level, &finding.evidence["untried"]), (Level::Note, &6.into()));
    assert!(found("source/unread", &text(24)).is_empty());
}

#[test]
fn a_type_that_simulation_alone_has() {
    let code = "precision/simulation-type";
    let text = |one: &str, other: &str| {
        format!(
            "#ifdef __SYNTHESIS__\ntypedef {one} data_t;\n#else\ntypedef {other} data_t;\n#endif\n"
        )
    };
    let all = found(code, &text("ap_fixed<16, 6>", "float"));
    let [finding] = &all[..] else { panic!("{all:#?}") };
    assert_eq!(finding.labels.len(), 2);
    assert_eq!(finding.evidence["branches"][0]["underlying"], "ap_fixed<16, 6>");
    assert!(found(code, &text("float", "float")).is_empty());
    assert!(found("precision/alias-conflict", &text("half", "float")).is_empty());
    assert!(found(code, &text("half", "unknown_t")).is_empty());
}
