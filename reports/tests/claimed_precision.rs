//! What follows from a claimed precision that is none of the usual four.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "../../model/tests/fixture/mod.rs"]
mod fixture;

use derate_model::Precision;
use derate_model::audit::{Audit, Level};
use derate_model::estimate::estimate;
use derate_model::scenario::ScenarioKind;
use derate_reports::sections;
use fixture::{Fixture, of};

const BF16: &str = "precision = \"bf16\"";

fn claiming(precision: &str) -> Fixture {
    Fixture::new("smolvla").with("derate.toml", BF16, &format!("precision = \"{precision}\""))
}

#[test]
fn the_claimed_precision_has_its_row() {
    for (name, key, after) in [
        ("fp8_e4m3", "fp8_e4m3", "int8"),
        ("ap_fixed<12,4>", "fixed<12,4>", "bf16"),
        ("fp16", "fp16", "bf16"),
    ] {
        let estimate = estimate(&claiming(name).analysis());
        let mut rows: Vec<&str> = estimate.grid.iter().map(|p| p.precision.as_str()).collect();
        rows.dedup();
        let at = rows.iter().position(|row| *row == key).unwrap();
        assert_eq!((rows.len(), rows[at - 1]), (5, after), "{rows:?}");
        assert_eq!(estimate.grid.len(), 5 * 4 * 2 * 2);
        assert_eq!(estimate.by_precision.iter().filter(|s| s.precision == key).count(), 4);
    }
    // A claim that is one of them adds none.
    assert_eq!(estimate(&claiming("int8").analysis()).grid.len(), 4 * 4 * 2 * 2);
    assert_eq!(estimate(&claiming("as-stored").analysis()).grid.len(), 4 * 4 * 2 * 2);
}

#[test]
fn a_shell_takes_the_command_of_a_row_as_it_stands() {
    let estimate = estimate(&claiming("ap_fixed<12,4>").analysis());
    let row = estimate.grid.iter().find(|p| p.precision == "fixed<12,4>").unwrap();
    assert!(row.command.contains("--precision \"fixed<12,4>\" "), "{}", row.command);
    assert_eq!(Precision::parse("fixed<12,4>"), Precision::parse("ap_fixed<12,4>"));
}

#[test]
fn an_unknown_roof_is_told_in_words() {
    let analysis = claiming("fp8_e4m3").analysis();
    let estimate = estimate(&analysis);
    let verdict = sections::verdict(&analysis, &Audit::default(), &estimate).join("\n");
    let told = "In scenario claimed, the bound, the attainable rate and the roofline time are \
                unknown: derate.toml claims no FP8_E4M3 peak.";
    assert!(verdict.contains(told), "{verdict}");
    assert!(!verdict.contains('_') || !verdict.contains("_seconds"), "{verdict}");
}

#[test]
fn fixed_point_stands_on_the_claim_for_integers_of_its_width() {
    let with_peak = |peak: &str| {
        claiming("ap_fixed<16,6>").with("derate.toml", "int4 = \"37.2 TOP/s\"", peak).analysis()
    };
    let lent = estimate(&with_peak("int16 = \"5 TOP/s\""));
    let ceiling = lent.scenario(ScenarioKind::Claimed).unwrap().main_ceiling().unwrap().clone();
    assert_eq!(
        (ceiling.peak.variant.as_str(), ceiling.peak.rate.value.0),
        ("the INT16 claim", 5e12)
    );
    // Neither another width nor another arithmetic is lent.
    for other in ["uint16 = \"5 TOP/s\"", "int4 = \"5 TOP/s\"", "fp16 = \"5 TFLOP/s\""] {
        let alone = estimate(&with_peak(other));
        assert!(alone.scenario(ScenarioKind::Claimed).unwrap().main_ceiling().is_none(), "{other}");
    }
    let own = estimate(&with_peak("int16 = \"5 TOP/s\", \"ap_fixed<16,6>\" = \"4 TOP/s\""));
    let ceiling = own.scenario(ScenarioKind::Claimed).unwrap().main_ceiling().unwrap().clone();
    assert_eq!((ceiling.peak.variant.as_str(), ceiling.peak.rate.value.0), ("as claimed", 4e12));
}

#[test]
fn fixed_point_is_built_with_the_integer_operators_that_the_design_names() {
    let design = "[design]\ndsp_per_mac = { int16 = 2.0 }\n\n[claims]";
    let analysis = claiming("ap_fixed<16,6>").with("derate.toml", "[claims]", design).analysis();
    let peaks =
        derate_model::scenario::derived_peaks(&analysis, Precision::parse("fixed<16,6>").unwrap());
    assert_eq!(peaks[0].rate.value.0.to_bits(), (2.0 * 4510.0 * 300e6_f64).to_bits());
}

/// Six bits are built with the operators for eight, and those are the design's.
#[test]
fn a_width_between_takes_the_cost_that_the_design_gives_the_next_wider() {
    let design = "[design]\ndsp_per_mac = { int8 = 0.25 }\n\n[claims]";
    for name in ["int6", "fixed<6,2>"] {
        let analysis = claiming(name).with("derate.toml", "[claims]", design).analysis();
        let precision = Precision::parse(name).unwrap();
        let peaks = derate_model::scenario::derived_peaks(&analysis, precision);
        assert_eq!(peaks[0].rate.value.0.to_bits(), (2.0 * 36_080.0 * 300e6_f64).to_bits());
    }
}

/// The fixture with weights that are honestly 8 bits wide.
fn quantised() -> Fixture {
    Fixture::new("smolvla").with("model_weights.h", "bfloat16_t", "weight_t").with(
        "model_weights.h",
        "using weight_t = float;",
        "using weight_t = ap_int<8>; //",
    )
}

#[test]
fn a_quantised_model_is_claimed_as_what_it_is() {
    let as_stored =
        |fixture: Fixture| fixture.with("derate.toml", BF16, "precision = \"as-stored\"");
    let findings = as_stored(quantised()).findings();
    let found = of(&findings, "shape/mismatch");
    assert!(!found.is_empty());
    for finding in found {
        assert_eq!(finding.level, Level::Error);
        let advice = "claim that: `precision = \"int8\"` under [claims]";
        assert!(finding.help.contains(advice), "{}", finding.help);
    }
    let claimed = quantised().with("derate.toml", BF16, "precision = \"int8\"").findings();
    assert!(of(&claimed, "shape/mismatch").is_empty(), "the advice fixes it");
    // Where a dimension differs too, the header is of another model.
    let other = quantised().with("model_weights.h", " FFN_DIM = 2560", " FFN_DIM = 2500");
    let other = as_stored(other).findings();
    let found = of(&other, "shape/mismatch");
    for kind in ["dimensions", "dtype"] {
        assert!(found.iter().any(|one| one.evidence["kind"] == kind), "{kind}");
    }
    for finding in found {
        assert!(finding.help.starts_with("generate the header again"), "{}", finding.help);
    }
}

/// `int4` is packed, `ap_int<4>` takes a byte: the finding says which claim is true.
#[test]
fn padded_numbers_are_told_from_packed_ones() {
    let built = Fixture::new("smolvla").with("derate.toml", BF16, "precision = \"int4\"").with(
        "model_weights.h",
        "using bfloat16_t = float;",
        "using bfloat16_t = ap_int<4>;",
    );
    let findings = built.findings();
    let found = of(&findings, "precision/assumed-bytes");
    let [finding] = &found[..] else { panic!("{findings:#?}") };
    assert!(
        finding.help.starts_with("claim precision = \"ap_int<4>\", as C++ lays out 4 bits in 8"),
        "{}",
        finding.help
    );
    assert!(
        finding.labels[1].text.contains("AP_INT<4> (4 bits in 8), 8 bits per element"),
        "{:?}",
        finding.labels
    );
}
