//! What the audit finds in the two smolVLA fixtures, and that each finding follows from its input.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "../fixture/mod.rs"]
mod fixture;
mod tensors;

use derate_model::audit::{Finding, Level};
use derate_model::estimate::estimate;
use derate_model::scenario::ScenarioKind;
use derate_model::units::Ops;
use fixture::{Fixture, of};

#[test]
fn the_alias_finding_has_its_figures() {
    let findings = Fixture::new("smolvla").findings();
    let [finding] = of(&findings, "precision/alias-width")[..] else { panic!("{findings:#?}") };
    let evidence = &finding.evidence;
    assert_eq!(evidence["alias"], "smolvla::bfloat16_t");
    assert_eq!(evidence["underlying"], "float");
    assert_eq!(evidence["tensors"], 474);
    assert_eq!(evidence["other_tensors"], 26);
    assert_eq!(evidence["bytes_declared"], 906_639_456_u64);
    assert_eq!(evidence["bytes_as_built"], 1_800_184_704_u64);
    assert_eq!(format!("{:.5}", evidence["factor"].as_f64().unwrap()), "1.98556");
    let why = evidence["why_not_the_ratio_of_widths"].as_str().unwrap();
    assert!(why.starts_with("not 2x in all: 26 tensors"), "{why}");
    assert_eq!(finding.labels.len(), 2, "the code line and the claim's line");
}

/// The card's file has a cost for bfloat16 and none for fp16.
#[test]
fn what_fixing_an_alias_leaves_unknown_is_said() {
    let half = Fixture::new("smolvla")
        .with("model_weights.h", "using bfloat16_t = float; ", "using fp16_t = float; ")
        .with("model_weights.h", "extern const bfloat16_t", "extern const fp16_t");
    let said = |fixture: Fixture| {
        let findings = fixture.findings();
        let [finding] = of(&findings, "precision/alias-width")[..] else { panic!("{findings:#?}") };
        finding.notes.iter().any(|note| note.contains("no cost of a multiply-add in"))
    };
    assert!(said(half));
    assert!(!said(Fixture::new("smolvla")));
}

#[test]
fn a_comment_that_contradicts_its_type_is_a_warning() {
    let lying = "using float32_t = float;      // IEEE half precision, 16 bits";
    let fixture = Fixture::new("smolvla").with(
        "model_weights.h",
        "using float32_t = float;      // IEEE single precision, 32 bits",
        &lying.replace("float32_t", "weight_t"),
    );
    let findings = fixture.findings();
    let comment = of(&findings, "precision/alias-width")
        .into_iter()
        .find(|f| f.subject == "smolvla::weight_t")
        .unwrap();
    assert_eq!(comment.level, Level::Warning);
    // A bus word holds several numbers of the width that its comment speaks of.
    let bus = Fixture::new("smolvla").with(
        "model_weights.h",
        "using size_t = std::size_t;   // index type of the dimensions below",
        "using bus_t = ap_uint<512>;   // carries 32 words of 16 bits",
    );
    assert_eq!(of(&bus.findings(), "precision/alias-width").len(), 1);
}

#[test]
fn every_wrong_claim_of_the_seed_is_found() {
    let findings = Fixture::new("smolvla").findings();
    let codes: Vec<(&str, &str)> = findings.iter().map(|f| (f.code, f.subject.as_str())).collect();
    for expected in [
        ("bandwidth/theoretical-as-achieved", "claims.bandwidth"),
        ("latency/batch-1", "claims.latency"),
        ("peak/underivable", "claims.peak.fp32"),
        ("peak/underivable", "claims.peak.int8"),
        ("peak/underivable", "claims.peak.int4"),
        ("shape/unknown-constant", "EXPERT_GATE_DIM"),
        ("workload/sequence-length", "claims.sequence_length"),
    ] {
        assert!(codes.contains(&expected), "{expected:?} is not in {codes:?}");
    }
    assert!(of(&findings, "shape/mismatch").is_empty());
    assert!(of(&findings, "source/unread").is_empty());
}

#[test]
fn int8_is_recognised_as_another_cards_figure() {
    let findings = Fixture::new("smolvla").findings();
    let int8 = findings.iter().find(|f| f.subject == "claims.peak.int8").unwrap();
    assert_eq!(int8.evidence["quoted_for"], "u200");
    let int4 = findings.iter().find(|f| f.subject == "claims.peak.int4").unwrap();
    assert!(int4.notes.iter().any(|note| note == "it is twice the INT8 claim"), "{:?}", int4.notes);
}

#[test]
fn the_fixed_project_has_no_error() {
    let findings = Fixture::new("smolvla-bf16").findings();
    assert!(findings.iter().all(|f| f.level != Level::Error), "{findings:#?}");
}

#[test]
fn a_dimension_changed_in_the_dump_changes_findings_and_figures() {
    let fixture = Fixture::new("smolvla");
    let before = estimate(&fixture.analysis()).scenarios[0].main_part().unwrap().totals.flops;
    // FFN 2560 becomes 2688 in every tensor of the dump that has it, and the header still says 2560.
    let changed = Fixture::new("smolvla").with("model_shape.txt", "2560", "2688");
    let after = estimate(&changed.analysis()).scenarios[0].main_part().unwrap().totals.flops;
    let (ffn, layers) = (3.0 * 2.0 * 50.0 * 960.0, 16.0);
    assert_eq!(after, before + Ops(ffn * layers * (2688.0 - 2560.0)));
    let findings = changed.findings();
    assert_eq!(of(&findings, "shape/mismatch").len(), 3 * 16);
    let constants: Vec<&str> =
        of(&findings, "shape/unknown-constant").iter().map(|f| f.subject.as_str()).collect();
    assert!(constants.contains(&"FFN_DIM"), "{constants:?}");
}

#[test]
fn a_true_alias_takes_its_findings_with_it() {
    let honest = Fixture::new("smolvla").with(
        "model_weights.h",
        "using bfloat16_t = float; ",
        "using bfloat16_t = ap_float<16, 8>; ",
    );
    let findings = honest.findings();
    assert!(of(&findings, "precision/alias-width").is_empty(), "{findings:#?}");
    assert!(of(&findings, "precision/assumed-bytes").is_empty(), "{findings:#?}");
    let estimate = estimate(&honest.analysis());
    let oi = |kind| estimate.scenario(kind).unwrap().main_part().unwrap().totals.oi;
    assert_eq!(oi(ScenarioKind::Claimed), oi(ScenarioKind::AsBuilt));
}

#[test]
fn a_claim_that_holds_is_no_finding() {
    for (from, to, code) in [
        (
            "bandwidth = \"460 GB/s\"",
            "bandwidth = \"410 GB/s\"",
            "bandwidth/theoretical-as-achieved",
        ),
        ("sequence_length = 50", "sequence_length = 241", "workload/sequence-length"),
        ("batch = 1\n", "batch = 1\nlatency = \"unknown\"\n", "latency/batch-1"),
        ("precision = \"bf16\"", "precision = \"fp32\"", "precision/assumed-bytes"),
    ] {
        let findings = Fixture::new("smolvla").with("derate.toml", from, to).findings();
        assert!(of(&findings, code).is_empty(), "{code}: {findings:#?}");
    }
    let fixed = Fixture::new("smolvla").with(
        "derate.toml",
        "fp32 = \"5.41 TFLOP/s\"",
        "fp32 = \"1.08 TFLOP/s\"",
    );
    assert!(!fixed.findings().iter().any(|f| f.subject == "claims.peak.fp32"));
}

/// Under the claimed roofs an unfused pass takes 165.0 ms and a fused one 155.2 ms; without dead and repeated work the
/// products alone take 827.8 GFLOP / 5.41 TFLOP/s.
#[test]
fn a_claimed_latency_is_held_against_what_no_pass_undercuts() {
    let level = |latency: &str, design: &str| {
        let fixture = Fixture::new("smolvla")
            .with("derate.toml", "batch = 1\n", &format!("batch = 1\nlatency = \"{latency}\"\n"))
            .with("derate.toml", "[derate]", &format!("[design]\n{design}\n\n[derate]"));
        of(&fixture.findings(), "latency/batch-1").first().map(|finding| finding.level)
    };
    assert_eq!(level("1 us", ""), Some(Level::Error));
    assert_eq!(level("152.9 ms", ""), Some(Level::Error));
    // What fusion and leaving work out can reach is not an impossibility.
    assert_eq!(level("153.1 ms", ""), Some(Level::Warning));
    assert_eq!(level("160 ms", ""), Some(Level::Warning));
    assert_eq!(level("166 ms", ""), None);
    // A design that is fused so far takes 155.2 ms.
    assert_eq!(level("160 ms", "schedule = \"block\""), None);
    assert_eq!(level("155 ms", "schedule = \"block\""), Some(Level::Warning));
    let less = "schedule = \"block\"\nhoist_cross_kv = true\ndrop_dead_work = true";
    assert_eq!(level("155 ms", less), None);
    assert_eq!(level("152 ms", less), Some(Level::Error));
}

#[test]
fn the_designs_own_operator_cost_moves_the_peak() {
    let fixture = Fixture::new("smolvla").with(
        "derate.toml",
        "[derate]",
        "[design]\ndsp_per_mac = { fp32 = 1 }\n\n[derate]",
    );
    assert!(!fixture.findings().iter().any(|f| f.subject == "claims.peak.fp32"));
}

#[test]
fn the_claim_is_labelled_only_for_what_it_says() {
    let fixture =
        Fixture::new("smolvla").with("derate.toml", "precision = \"bf16\"", "precision = \"fp32\"");
    let findings = fixture.findings();
    let [finding] = of(&findings, "precision/alias-width")[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.labels.len(), 1, "{finding:#?}");
}

#[test]
fn another_format_of_the_same_width_is_a_mismatch() {
    let half = Fixture::new("smolvla")
        .with("model_weights.h", "using bfloat16_t = float; ", "using weight_t = half; ")
        .with("model_weights.h", "extern const bfloat16_t", "extern const weight_t")
        .with("derate.toml", "precision = \"bf16\"", "precision = \"as-stored\"");
    let findings = half.findings();
    let found = of(&findings, "shape/mismatch");
    let is_dtype = |one: &&Finding| one.evidence["kind"] == "dtype" && one.level == Level::Error;
    assert!(!found.is_empty() && found.iter().all(is_dtype), "{found:#?}");
}

#[test]
fn a_design_that_is_quantised_as_claimed_is_no_mismatch() {
    let int8 = Fixture::new("smolvla")
        .with("model_weights.h", "using bfloat16_t = float; ", "using weight_t = signed char; ")
        .with("model_weights.h", "using float32_t = float; ", "using other_t = signed char; ")
        .with("model_weights.h", "extern const bfloat16_t", "extern const weight_t")
        .with("model_weights.h", "extern const float32_t", "extern const other_t")
        .with("derate.toml", "precision = \"bf16\"", "precision = \"int8\"");
    let findings = int8.findings();
    assert!(of(&findings, "shape/mismatch").is_empty(), "{findings:#?}");
    assert!(of(&findings, "precision/assumed-bytes").is_empty(), "{findings:#?}");
}

#[test]
fn a_published_bandwidth_is_no_error_and_no_help_asks_for_the_impossible() {
    let findings = Fixture::new("smolvla").with("derate.toml", "460 GB/s", "425 GB/s").findings();
    assert_eq!(of(&findings, "bandwidth/theoretical-as-achieved")[0].level, Level::Warning);
    let findings = Fixture::new("smolvla").with("derate.toml", "300 GB/s", "900 GB/s").findings();
    let subjects: Vec<&str> = of(&findings, "bandwidth/theoretical-as-achieved")
        .iter()
        .map(|f| f.subject.as_str())
        .collect();
    assert_eq!(subjects, ["claims.bandwidth", "derate.bandwidth"]);
    assert!(findings.iter().all(|f| !f.help.contains("900")), "{findings:#?}");
}

/// 201 GB/s is what a U50's data sheet calls nominal; nobody saw streams stop there.
#[test]
fn what_a_card_bears_is_not_told_as_what_streams_reach() {
    let findings = Fixture::new("smolvla")
        .with("derate.toml", "\"u280\"", "\"u50\"")
        .with("derate.toml", "460 GB/s", "300 GB/s")
        .findings();
    let found = of(&findings, "bandwidth/theoretical-as-achieved");
    assert_eq!(found[0].labels[0].text, "the card is specified for 201 GB/s");
    assert!(
        found[0].message.ends_with("and the card is specified for 201 GB/s"),
        "{}",
        found[0].message
    );
    assert!(found[0].notes.iter().any(|note| note.contains("nominal")), "{:?}", found[0].notes);
    assert!(findings.iter().all(|f| !format!("{f:?}").contains("seen to reach 201")));
}

#[test]
fn any_camera_count_fits_where_none_is_given() {
    let fixture = Fixture::new("smolvla").with("derate.toml", "cameras = 3\n", "").with(
        "derate.toml",
        "sequence_length = 50",
        "sequence_length = 177",
    );
    assert!(of(&fixture.findings(), "workload/sequence-length").is_empty());
    let fixture = Fixture::new("smolvla").with(
        "derate.toml",
        "sequence_length = 50",
        "sequence_length = 177",
    );
    assert_eq!(
        of(&fixture.findings(), "workload/sequence-length").len(),
        1,
        "three cameras are given"
    );
}

#[test]
fn an_impossible_derate_corrects_nothing() {
    let fixture = Fixture::new("smolvla").with("derate.toml", "300 GB/s", "900 GB/s");
    let derated =
        estimate(&fixture.analysis()).scenario(ScenarioKind::Derated).unwrap().bandwidth.value;
    assert!((derated.0 / 1e9 - 419.8).abs() < 0.1, "{derated:?}");
}

#[test]
fn help_that_is_pasted_into_derate_toml_is_valid() {
    let fixture = Fixture::new("smolvla").with(
        "derate.toml",
        "int8 = \"18.6 TOP/s\"",
        "\"ap_fixed<32,16>\" = \"18.6 TOP/s\"",
    );
    let findings = fixture.findings();
    let unknown = findings.iter().find(|f| f.subject.contains("fixed<32,16>")).unwrap();
    assert_eq!(unknown.level, Level::Note, "nobody knows what that multiply-add costs");
    assert!(unknown.help.contains("dsp_per_mac = { \"fixed<32,16>\" = ... }"), "{}", unknown.help);
}

#[test]
fn a_name_that_says_another_sign_is_not_kept() {
    let keeps = |declared: &str| {
        let fixture = Fixture::new("smolvla").only("model_weights.h", declared);
        fixture.analysis().code.aliases[0].keeps_its_name()
    };
    assert!(keeps("typedef ap_uint<8> uint8;") && keeps("typedef signed char int8;"));
    assert!(!keeps("typedef ap_int<8> uint8;"));
}
