//! The laws of fixes: what it says is fixed is gone, nothing else is, and no other byte changes.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod fixture;

use std::collections::{BTreeMap, BTreeSet};

use derate_model::audit::Finding;
use derate_model::fix::{FixOutcome, Strategy as Side, apply_fixes, apply_patches};
use derate_model::{Analysis, audit};
use fixture::{Fixture, of};
use proptest::prelude::*;

fn try_it(analysis: &Analysis, side: Side) -> FixOutcome {
    apply_fixes(analysis, &audit::audit(analysis).findings, side, &BTreeMap::new())
}

/// The analysis of the fixed texts.
fn fixed_analysis(analysis: &Analysis, outcome: &FixOutcome) -> Analysis {
    let texts = outcome.changed_files().into_iter().map(|file| {
        let bytes = apply_patches(analysis.sources.text(file).as_bytes(), &outcome.patches(file));
        (file, String::from_utf8(bytes).unwrap())
    });
    analysis.with_texts(&texts.collect()).unwrap()
}

/// Findings but those of the model's own work, which no edit fixes.
fn names<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> BTreeSet<(&'a str, &'a str)> {
    let work = ["workload/dead-work", "workload/loop-invariant"];
    findings
        .into_iter()
        .filter(|f| !work.contains(&f.code))
        .map(|f| (f.code, f.subject.as_str()))
        .collect()
}

fn laws(analysis: &Analysis, side: Side) -> Result<(), TestCaseError> {
    let before = audit::audit(analysis).findings;
    let outcome = try_it(analysis, side);
    // The bytes outside of the edits: what stays between the patches is in the result in the same order.
    for file in outcome.changed_files() {
        let (text, patches) = (analysis.sources.text(file), outcome.patches(file));
        let new = String::from_utf8(apply_patches(text.as_bytes(), &patches)).unwrap();
        let (mut old_at, mut new_at) = (0, 0);
        for patch in &patches {
            let kept = &text[old_at..patch.range.start];
            prop_assert_eq!(kept, &new[new_at..new_at + kept.len()]);
            new_at += kept.len() + patch.replacement.len();
            old_at = patch.range.end;
        }
        prop_assert_eq!(&text[old_at..], &new[new_at..]);
    }
    // Exactly the fixed findings are gone.
    let again = fixed_analysis(analysis, &outcome);
    let after = audit::audit(&again).findings;
    let gone = names(outcome.fixed.iter().map(|m| &m.finding));
    let expected: BTreeSet<_> = names(&before).difference(&gone).copied().collect();
    let revealed = names(outcome.new_findings());
    let left: BTreeSet<_> = names(&after).difference(&revealed).copied().collect();
    prop_assert_eq!(left, expected);
    prop_assert_eq!(outcome.fixed.len() + outcome.refused.len(), before.len());
    // A second time there is nothing left, unless something came to light; a third time there is nothing at all.
    let second = try_it(&again, side);
    prop_assert!(second.edits.is_empty() || !revealed.is_empty());
    prop_assert!(try_it(&fixed_analysis(&again, &second), side).edits.is_empty());
    Ok(())
}

const CLAIMS: [(&str, &[&str]); 6] = [
    (
        "precision = \"bf16\"",
        &["precision = 'int8'", "precision = \"as-stored\"", "precision = \"fp32\"", ""],
    ),
    (
        "batch = 1",
        &[
            "batch = 4",
            "batch=1# one",
            "batch = 1\nlatency = \"1 us\"",
            "batch = 1\nlatency = \"20 ms\"",
        ],
    ),
    ("sequence_length = 50", &["sequence_length = 241", "sequence_length=0x32", ""]),
    ("bandwidth = \"460 GB/s\"", &["bandwidth = \"300 GB/s\"", "bandwidth = '1 TB/s'", ""]),
    ("peak = {", &["peak.bf16 = \"9 TFLOP/s\"\n#", "peak = { fp16 = \"9 PFLOP/s\",", "#"]),
    (
        "[derate]\nbandwidth = \"300 GB/s\"",
        &["[derate]\nbandwidth = \"455 GB/s\"", "#", "[design]\ndsp_per_mac = { fp32 = 3.0 }\n#"],
    ),
];

const CODE: [(&str, &[&str]); 3] = [
    (
        "using bfloat16_t = float;",
        &[
            "typedef float bfloat16_t;",
            "typedef double bfloat16_t;",
            "using bfloat16_t = ap_float<16, 8>;",
            "using fp16_t = float;\nusing bfloat16_t = fp16_t;",
            "using bf16_t = float;\nusing bfloat16_t = bf16_t;",
            "using fixed_16_6 = ap_fixed<24, 6>;\nusing bfloat16_t = fixed_16_6;",
        ],
    ),
    (
        "EXPERT_GATE_DIM = 1920",
        &["EXPERT_GATE_DIM = 2048", "EXPERT_GATE_DIM{1920u}", "EXPERT_GATE_DIM = 2 * 960"],
    ),
    ("#include <cstdint>", &["#include <cstdint>\n#include \"ap_float.h\"", ""]),
];

fn changed(text: &str, from: &str, choices: &[&str], pick: usize) -> String {
    match choices.get(pick % (choices.len() + 1)) {
        Some(to) => text.replacen(from, to, 1),
        None => text.to_owned(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn fixing_keeps_its_laws(
        claims in prop::array::uniform6(0usize..7),
        code in prop::array::uniform3(0usize..7),
        crlf: bool,
        side in prop::sample::select(vec![Side::Claim, Side::Code]),
    ) {
        let fixture = Fixture::new("smolvla").each(|text| {
            let text = CLAIMS.iter().zip(claims).fold(text.to_owned(), |text, ((from, to), pick)| changed(&text, from, to, pick));
            let text = CODE.iter().zip(code).fold(text, |text, ((from, to), pick)| changed(&text, from, to, pick));
            if crlf { text.replace('\n', "\r\n") } else { text }
        });
        laws(&fixture.analysis(), side)?;
    }
}

#[test]
fn the_seed_is_fixed_either_way() {
    let analysis = Fixture::new("smolvla").analysis();
    let claim = try_it(&analysis, Side::Claim);
    let kernels = [
        ("kernel/accumulation", "gemm::sum"),
        ("kernel/unfused-boundary", "mlp_block::biased"),
        ("kernel/unfused-boundary", "mlp_block::product"),
    ];
    let mut left = BTreeSet::from(kernels);
    left.insert(("precision/alias-width", "smolvla::bfloat16_t"));
    assert_eq!(names(&claim.after), left);
    let code = try_it(&analysis, Side::Code);
    // The code's side leaves the claims alone, and so what is wrong in them.
    let claims = [
        ("bandwidth/theoretical-as-achieved", "claims.bandwidth"),
        ("latency/batch-1", "claims.latency"),
        ("peak/underivable", "claims.peak.fp32"),
        ("peak/underivable", "claims.peak.int4"),
        ("peak/underivable", "claims.peak.int8"),
        ("workload/sequence-length", "claims.sequence_length"),
    ];
    assert_eq!(names(&code.after), kernels.into_iter().chain(claims).collect());
    let toml = analysis.project.file;
    assert!(code.edits.keys().all(|edit| edit.span.file != toml), "{:?}", code.edits);
    let other = code.refused.iter().find(|one| one.finding.subject == "claims.bandwidth").unwrap();
    assert!(other.reason.starts_with("`--fix=claim` can: claim "), "{}", other.reason);
    let text = |outcome: &FixOutcome| {
        let again = fixed_analysis(&analysis, outcome);
        again.sources.files().map(|file| again.sources.text(file).to_owned()).collect::<String>()
    };
    assert!(text(&claim).contains("precision = \"fp32\"         # two bytes"));
    assert!(text(&claim).contains("using bfloat16_t = float;"));
    assert!(text(&code).contains("precision = \"bf16\""));
    assert!(text(&code).contains("#include <cstdint>\n#include \"ap_float.h\"\n\nnamespace"));
}

#[test]
fn what_is_stored_as_the_dump_says_is_claimed_so() {
    let analysis = Fixture::new("smolvla-bf16")
        .each(|text| {
            text.replace("precision = \"as-stored\"", "precision = \"fp32\"")
                .replace("precision = \"bf16\"", "precision = \"fp32\"")
        })
        .analysis();
    let outcome = try_it(&analysis, Side::Claim);
    let titles: Vec<&str> = outcome.fixed.iter().map(|m| m.title.as_str()).collect();
    assert_eq!(titles, ["claim as-stored"]);
}

#[test]
fn a_claimed_bandwidth_without_a_derate_becomes_a_round_figure_that_was_reached() {
    let fixture = Fixture::new("smolvla").with("derate.toml", "bandwidth = \"300 GB/s\"", "");
    let analysis = fixture.analysis();
    let outcome = try_it(&analysis, Side::Claim);
    assert!(outcome.fixed.iter().any(|m| m.title == "claim 419 GB/s"), "{:?}", outcome.fixed);
}

#[test]
fn two_fixes_of_one_place_are_not_both_made() {
    let analysis = Fixture::new("smolvla").analysis();
    let mut findings = audit::audit(&analysis).findings;
    let mut twin = of(&findings, "workload/sequence-length")[0].clone();
    twin.subject = "a twin".to_owned();
    twin.fixes[0].edits.as_mut().unwrap()[0].replacement = "7".to_owned();
    findings.push(twin);
    let outcome = apply_fixes(&analysis, &findings, Side::Claim, &BTreeMap::new());
    let refused = outcome.refused.iter().find(|r| r.finding.subject == "a twin").unwrap();
    assert!(
        refused.reason.contains("overlaps that of workload/sequence-length"),
        "{}",
        refused.reason
    );
}

#[test]
fn a_fix_that_fixes_nothing_is_taken_back() {
    let analysis = Fixture::new("smolvla").analysis();
    let mut findings = audit::audit(&analysis).findings;
    let index = findings.iter().position(|f| f.code == "workload/sequence-length").unwrap();
    findings[index].fixes[0].edits.as_mut().unwrap()[0].replacement = "51".to_owned();
    let outcome = apply_fixes(&analysis, &findings, Side::Claim, &BTreeMap::new());
    assert!(
        outcome.refused.iter().any(|r| r.reason.contains("still found")),
        "{:?}",
        outcome.refused
    );
    assert_eq!(outcome.fixed.len(), findings.len() - 7);
    // One that breaks the file goes alone.
    findings[index].fixes[0].edits.as_mut().unwrap()[0].replacement = "[".to_owned();
    let broken = apply_fixes(&analysis, &findings, Side::Claim, &BTreeMap::new());
    assert!(broken.refused.iter().any(|r| r.reason.contains("would not be read: derate.toml:")));
    assert_eq!(broken.fixed.len(), findings.len() - 7);
}
