//! A project in the manner of hls4ml: what its settings ask for, and what its code has.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::fs;

use derate_audit::{AuditInput, Finding, Level, audit_designs};
use derate_load::{Preprocess, load_folder};

const DEFINES: &str = "#include \"ap_fixed.h\"\ntypedef ap_fixed<16, 6> input_t;\ntypedef ap_fixed<16, 6> fc1_weight_t;\n\
    typedef ap_fixed<8, 2> fc1_bias_t;\ntypedef ap_ufixed<7, 1> relu1_result_t;\n";
const PARAMETERS: &str = "#include \"defines.h\"\n// fc1\nstruct config2 : nnet::dense_config {\n\
    \x20   static const unsigned n_in = 16;\n    static const unsigned reuse_factor = 60;\n\
    \x20   typedef fc1_weight_t weight_t;\n    typedef fc1_bias_t bias_t;\n};\n";
const TOP: &str = "#include \"parameters.h\"\nvoid myproject(input_t in[16], relu1_result_t out[4]) {\n\
    #pragma HLS DATAFLOW\n}\n";

fn settings(weight: &str, factor: u64) -> String {
    format!(
        "HLSConfig:\n  LayerName:\n    fc1:\n      Precision:\n        weight: {weight}\n        bias: fixed<8,2>\n\
         \x20       accum: auto\n      ReuseFactor: {factor}\n    relu1:\n      Precision:\n        result: ap_ufixed<7,1>\n\
         \x20   gone:\n      Precision:\n        weight: ap_fixed<4,2>\n"
    )
}

/// The messages of the rule about such a project, without its notes.
fn found(settings: &str) -> Vec<String> {
    found_in(PARAMETERS, settings)
}

fn found_in(parameters: &str, settings: &str) -> Vec<String> {
    let all = list_in(parameters, settings).into_iter();
    all.filter(|(level, ..)| *level != Level::Note).map(|(_, message, _)| message).collect()
}

/// The level, the message and the first note of each finding.
fn list_in(parameters: &str, settings: &str) -> Vec<(Level, String, String)> {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("firmware")).unwrap();
    for (name, text) in [
        ("firmware/defines.h", DEFINES),
        ("firmware/parameters.h", parameters),
        ("firmware/myproject.cpp", TOP),
        ("hls4ml_config.yml", settings),
    ] {
        fs::write(dir.path().join(name), text).unwrap();
    }
    let folder = load_folder(dir.path(), &Preprocess::default()).unwrap();
    let inputs: Vec<AuditInput<'_>> = folder
        .designs
        .iter()
        .map(|design| AuditInput::of_design(&folder.sources, None, design))
        .collect();
    let findings = audit_designs(&inputs).findings;
    let own = findings.iter().filter(|finding| finding.code == "source/hls4ml-config");
    let text = |finding: &Finding| {
        (finding.level, finding.message.clone(), finding.notes.first().cloned().unwrap_or_default())
    };
    let mut all: Vec<_> = own.map(text).collect();
    all.sort_by(|one, other| one.1.cmp(&other.1));
    all
}

/// Layers of 6 inputs and 8 outputs, each with a factor.
fn layers(built: [u64; 2]) -> String {
    let layer = |name: &str, factor: u64| {
        format!(
            "// {name}\nstruct config_{name} : nnet::dense_config {{\n    static const unsigned n_in = 6;\n\
             \x20   static const unsigned n_out = 8;\n    static const unsigned reuse_factor = {factor};\n}};\n"
        )
    };
    format!("#include \"defines.h\"\n{}{}", layer("q", built[0]), layer("k", built[1]))
}

#[test]
fn factors_that_hls4ml_replaces_are_one_note() {
    let asked =
        "HLSConfig:\n  LayerName:\n    q:\n      ReuseFactor: 4\n    k:\n      ReuseFactor: 4\n";
    let replaced = list_in(&layers([3, 3]), asked);
    let [(Level::Note, message, why)] = &replaced[..] else { panic!("{replaced:?}") };
    assert!(message.ends_with(
        "asks for a reuse factor of 4 and is built with 3; and 1 more layer has another factor"
    ));
    assert!(
        why.ends_with("6 x 8 / 4 = 12 multipliers are not a multiple of the 8 outputs"),
        "{why}"
    );
    // 6 is farther from 4 than 3.
    let others = list_in(&layers([3, 6]), asked);
    let [(_, _, why), _] = &others[..] else { panic!("{others:?}") };
    assert_eq!(others.iter().filter(|one| one.0 == Level::Warning).count(), 1);
    assert_eq!(why, "the nearest factor that hls4ml takes for `k` is 3");
}

#[test]
fn another_format_and_another_factor_are_found() {
    assert_eq!(
        found(&settings("ap_fixed<8,2>", 64)),
        [
            "`fc1` asks for `ap_fixed<8, 2>` as its weight and is built with `ap_fixed<16, 6>`",
            "`fc1` asks for a reuse factor of 64 and is built with 60",
        ]
    );
}

#[test]
fn code_as_asked_for_is_not() {
    assert_eq!(found(&settings("ap_fixed<16,6>", 60)), Vec::<String>::new());
    assert_eq!(found(&settings("auto", 60)), Vec::<String>::new());
}

#[test]
fn what_a_function_does_not_read_is_not_compared() {
    let layer = |text: &str| format!("#include \"defines.h\"\n// act\nstruct {text}\n");
    let of_table =
        "static const unsigned reuse_factor = 8;\n typedef ap_fixed<18, 12> table_t;\n};";
    let of_sum = "typedef ap_fixed<8, 4> accum_t;\n};";
    let asked = "HLSConfig:\n  LayerName:\n    act:\n      Precision:\n        table: ap_fixed<18,8>\n\
                 \x20       accum: ap_fixed<8,2>\n      ReuseFactor: 4\n";
    for (of, body, count) in [
        ("relu_config3 : nnet::activ_config", of_table, 0),
        ("linear_config3 : nnet::activ_config", of_table, 0),
        ("softmax_config3 : nnet::activ_config", of_table, 2),
        ("config4 : nnet::pooling2d_config", of_sum, 0),
        ("config4 : nnet::dense_config", of_sum, 1),
    ] {
        let all = found_in(&layer(&format!("{of} {{ {body}")), asked);
        assert_eq!(all.len(), count, "{of}: {all:?}");
    }
}
