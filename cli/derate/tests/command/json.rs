//! The JSON contracts, as other programs read them.

use crate::derate::{derate, derate_in, root};

#[test]
fn shapes_gives_the_published_totals() {
    let run = derate(&["shapes", "fixtures/smolvla/model_shape.txt", "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let json = run.json();
    assert_eq!(json["schema"], "derate.shapes/1");
    assert_eq!(json["totals"]["tensors"], 500);
    assert_eq!(json["totals"]["parameters"], 450_046_176);
    assert_eq!(json["totals"]["bytes"], 906_639_456);
}

#[test]
fn types_says_which_alias_lies_and_where() {
    let run = derate(&["types", "fixtures/smolvla/model_weights.h", "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let json = run.json();
    assert_eq!(json["schema"], "derate.types/1");
    let aliases = json["aliases"].as_array().unwrap();
    let alias = |name: &str| aliases.iter().find(|a| a["name"] == name).unwrap();
    let lying = alias("bfloat16_t");
    assert_eq!(lying["qualified"], "smolvla::bfloat16_t");
    assert_eq!(lying["underlying"], "float");
    assert_eq!(lying["bits"], 32);
    assert_eq!(lying["lies"], true);
    assert_eq!(lying["lie_kind"], "width");
    assert_eq!(lying["file"], "fixtures/smolvla/model_weights.h");
    assert_eq!(lying["line"], 12);
    assert_eq!(alias("float32_t")["lies"], false);
    assert_eq!(alias("size_t")["bits"], 64);
    assert_eq!(json["arrays"].as_array().unwrap().len(), 500);
}

#[test]
fn audit_exits_1_with_findings_that_carry_their_places() {
    let run = derate_in(&root().join("fixtures/smolvla"), &["audit", "--format", "json"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    let json = run.json();
    assert_eq!(json["schema"], "derate.audit/2");
    let findings = json["findings"].as_array().unwrap();
    for finding in findings {
        for key in ["code", "level", "file", "line", "subject", "message", "help", "related"] {
            assert!(finding.get(key).is_some_and(|v| !v.is_null()), "{key}: {finding}");
        }
    }
    let alias = findings.iter().find(|f| f["code"] == "precision/alias-width").unwrap();
    assert_eq!(
        (alias["file"].as_str(), alias["line"].as_u64()),
        (Some("model_weights.h"), Some(12))
    );
    assert_eq!(alias["related"][0]["file"], "derate.toml");
    assert_eq!(alias["evidence"]["bytes_declared"], 906_639_456);
    assert_eq!(alias["evidence"]["bytes_as_built"], 1_800_184_704);
    assert_eq!(json["summary"]["error"], findings.iter().filter(|f| f["level"] == "error").count());
}

#[test]
fn the_fixed_project_exits_0() {
    let run = derate(&["audit", "fixtures/smolvla-bf16", "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.stdout);
    assert_eq!(run.json()["summary"]["error"], 0);
}

#[test]
fn estimate_goes_from_scenarios_over_parts_to_kernels() {
    let run = derate(&["estimate", "fixtures/smolvla", "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let json = run.json();
    assert_eq!(json["schema"], "derate.estimate/1");
    let kernel = &json["scenarios"][0]["parts"][0]["kernels"][0];
    assert_eq!(kernel["flops"], 92_160_000);
    assert_eq!(kernel["bytes"], 2_035_200);
    assert_eq!(kernel["bound"], "compute");
    // Its times stand on the claimed roofs.
    assert_eq!(kernel["provenance"], "assumed");
    assert!(kernel["throughput_seconds"].as_f64().is_some());
    assert!(kernel["latency_seconds"].is_null(), "nothing says what it is");
    assert_eq!(kernel["elementwise_ops"], 0);
}

#[test]
fn a_command_in_the_json_gives_the_same_scenario_again() {
    let json = derate(&["estimate", "fixtures/smolvla", "--format", "json"]).json();
    let scenario = &json["scenarios"][3];
    let command = scenario["command"].as_str().unwrap();
    let mut args: Vec<&str> = command.split(' ').skip(1).collect();
    args.extend(["--format", "json", "fixtures/smolvla"]);
    let again = derate(&args).json();
    assert_eq!(&again["scenarios"][0], scenario);
}

#[test]
fn options_override_the_claims() {
    let args = [
        "estimate",
        "fixtures/smolvla",
        "--precision",
        "int8",
        "--tokens",
        "50",
        "--bandwidth",
        "300 GB/s",
        "--peak",
        "derived",
        "--format",
        "json",
    ];
    let json = derate(&args).json();
    let scenario = &json["scenarios"][0];
    assert_eq!(scenario["parts"][0]["kernels"][0]["bytes"], 1_017_600);
    assert_eq!(scenario["bandwidth"]["value"].as_f64(), Some(300e9));
    assert_eq!(scenario["ceilings"][0]["rate"]["value"].as_f64(), Some(9.471e12));
}

#[test]
fn a_platform_has_figures_peaks_and_bandwidths() {
    let run = derate(&["platform", "u280", "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let json = run.json();
    assert_eq!(json["schema"], "derate.platform/1");
    let card = &json["platforms"][0];
    let figures = card["figures"].as_array().unwrap();
    let figure = |name: &str| figures.iter().find(|f| f["name"] == name).unwrap();
    assert_eq!(figure("derived.on_chip_bytes")["value"], 38_907_904.0);
    assert_eq!(figure("memory.read_latency")["provenance"], "assumed");
    for figure in figures {
        assert!(!figure["source"].as_str().unwrap().is_empty(), "{figure}");
    }
    let rows = card["bandwidth"].as_array().unwrap();
    let row = |width: f64, mhz: f64| {
        let wanted = |r: &&serde_json::Value| {
            r["width_bits"] == width && r["clock"] == mhz * 1e6 && r["ports"] == 32
        };
        rows.iter().find(wanted).unwrap()
    };
    assert_eq!(
        (&row(256.0, 300.0)["value"], &row(256.0, 300.0)["limited_by"]),
        (&307_200_000_000_u64.into(), &"port".into())
    );
    assert_eq!(row(512.0, 300.0)["limited_by"], "channel");
    let all = derate(&["platform", "--format", "json"]).json();
    assert_eq!(all["platforms"].as_array().unwrap().len(), 21);
    derate(&["platform", "u999"]).assert_refused("`derate platform` lists the catalogue");
    derate(&["platform", "nowhere.toml"]).assert_refused("cannot be read");
}

#[test]
fn an_estimate_has_the_kernels_of_the_design() {
    let run = derate(&["estimate", "fixtures/codesign/as-built", "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let json = run.json();
    let kernels = json["kernel_design"]["kernels"].as_array().unwrap();
    let names: Vec<&str> = kernels.iter().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(names, ["attention", "output", "mlp"]);
    assert!(json["kernel_design"]["totals"]["served_share"].as_f64().unwrap() < 0.5);
    let other = derate(&["estimate", "fixtures/smolvla", "--format", "json"]).json();
    assert!(other["kernel_design"].is_null(), "no kernel is described there");
}
