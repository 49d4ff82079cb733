//! Figures as people claim them: held against each other, against the model and against the kernels.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::fs;

use derate_model::Level;
use derate_model::audit::{Finding, audit};
use derate_model::load::{Preprocess, load_project};

const SHAPES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/smolvla/model_shape.txt");
/// fc1 of the vision encoder: 36 calls of 9,437,184 iterations with 256 multiply-adds, 31.5 ms each at 300 MHz.
const KERNEL: &str = "[[kernel]]\nname = \"mlp\"\nserves = [\"vision.fc1\"]\nprecision = \"int8\"\ndsp = 256\n\
    [[kernel.stage]]\nname = \"m\"\ntrips = 9437184\ndepth = 14\nmultiply_adds = 256\n";

fn judge(claims: &str) -> Result<Vec<Finding>, String> {
    let dir = tempfile::tempdir().unwrap();
    let toml = format!(
        "[model]\nshapes = \"{SHAPES}\"\nworkload = \"smolvla\"\ncameras = 3\n[platform]\nname = \"u280\"\n\
         [claims]\nprecision = \"int8\"\nbatch = 1\nclock = \"300 MHz\"\n{claims}\n{KERNEL}"
    );
    fs::write(dir.path().join("derate.toml"), toml).unwrap();
    let loaded =
        load_project(dir.path(), &Preprocess::default()).map_err(|error| error.to_string())?;
    Ok(audit(&loaded.analysis).findings)
}

/// The subjects of a rule's findings about claims.
fn subjects(code: &str, claims: &str) -> Vec<String> {
    let findings = judge(claims).unwrap();
    findings.into_iter().filter(|one| one.code == code).map(|one| one.subject).collect()
}

#[test]
fn claims_that_exclude_each_other_are_contradictions() {
    let contradictions = |claims: &str| subjects("claims/contradiction", claims);
    for (claims, subject) in [
        // 3.6 inferences at a time.
        ("latency = \"90 ms\"\nthroughput = \"40 FPS\"", "claims.throughput"),
        // 46 OP/B x 110 MB are 5 GOP.
        (
            "intensity = \"46 OP/B\"\nweights = \"100 MB\"\nactivations = \"10 MB\"\nwork = \"840 GOP\"",
            "claims.intensity",
        ),
        // The bytes of the weights alone are too many.
        ("intensity = \"46 OP/B\"\nweights = \"450 MB\"\nwork = \"10 GOP\"", "claims.intensity"),
        // 840 GOP in 0.1 s are 8.4 TOP/s.
        (
            "latency = \"100 ms\"\nwork = \"840 GOP\"\npeak = { int8 = \"7 TOP/s\" }",
            "claims.utilisation",
        ),
        (
            "latency = \"100 ms\"\nwork = \"840 GOP\"\npeak = { int8 = \"16.8 TOP/s\" }\nutilisation = \"90 %\"",
            "claims.utilisation",
        ),
        // 12 layers for each of 3 cameras take 720 ms.
        (
            "latency = \"90 ms\"\n[[claim]]\nof = \"vision\"\nlatency = \"20 ms per layer\"",
            "parts.latency",
        ),
        (
            "[[claim]]\nof = \"vision\"\nlatency = \"20 ms per layer\"\n[[claim]]\nof = \"vision\"\nlatency = \"20 ms\"",
            "vision.latency",
        ),
        ("work = \"300 GOP\"\n[[claim]]\nof = \"vision\"\nwork = \"641 GOP\"", "parts.work"),
    ] {
        assert_eq!(contradictions(claims), [subject], "{claims}");
    }
    for near_miss in [
        "latency = \"25 ms\"\nthroughput = \"40 FPS\"",
        "intensity = \"1826 OP/B\"\nweights = \"450 MB\"\nactivations = \"10 MB\"\nwork = \"840 GOP\"",
        "intensity = \"46 OP/B\"\nweights = \"450 MB\"\nwork = \"840 GOP\"",
        "latency = \"100 ms\"\nwork = \"840 GOP\"\npeak = { int8 = \"16.8 TOP/s\" }\nutilisation = \"50 %\"",
        "latency = \"900 ms\"\n[[claim]]\nof = \"vision\"\nlatency = \"20 ms per layer\"",
        // One is a part of the other: both are not added up.
        "work = \"840 GOP\"\n[[claim]]\nof = \"vision\"\nwork = \"641 GOP\"\n[[claim]]\nof = \"vision.fc1\"\nwork = \"300 GOP\"",
    ] {
        assert_eq!(contradictions(near_miss), Vec::<String>::new(), "{near_miss}");
    }
}

#[test]
fn a_rate_below_what_the_latency_gives_is_a_warning() {
    let findings = judge("latency = \"25 ms\"\nthroughput = \"10 FPS\"").unwrap();
    let found = findings.iter().find(|one| one.code == "claims/contradiction").unwrap();
    assert_eq!(found.level, Level::Warning);
}

#[test]
fn claimed_figures_are_held_against_the_model() {
    let figures = |claims: &str| subjects("claims/figure", claims);
    for (claims, subject) in [
        // The count of multiply-adds.
        ("work = \"420 GOP\"", "claims.work"),
        ("weights = \"900 MB\"", "claims.weights"),
        // All work over one reading of the weights is 1,900 OP/B.
        ("intensity = \"4000 OP/B\"", "claims.intensity"),
        ("[[claim]]\nof = \"vision.fc1\"\nweights = \"4 MB per layer\"", "vision.fc1.weights"),
        // 256 multiply-adds on 256 slices that do two of them each.
        ("[[claim]]\nof = \"mlp\"\nutilisation = \"90 %\"", "mlp.utilisation"),
        ("utilisation = \"120 %\"", "claims.utilisation"),
    ] {
        assert_eq!(figures(claims), [subject], "{claims}");
    }
    for near_miss in [
        "work = \"840 GOP\"\nweights = \"450 MB\"\nintensity = \"300 OP/B\"",
        "work = \"420 GMAC\"",
        // 768 x 3,072 weights of fc1, and a bias; 12 layers of 7.08 M weights.
        "[[claim]]\nof = \"vision.fc1\"\nweights = \"2.36 MB per layer\"",
        "[[claim]]\nof = \"vision\"\nweights = \"7.09 MB per layer\"",
        "[[claim]]\nof = \"mlp\"\nwork = \"4.83 GOP per call\"\nutilisation = \"50 %\"",
    ] {
        assert_eq!(figures(near_miss), Vec::<String>::new(), "{near_miss}");
    }
}

#[test]
fn a_latency_of_a_part_a_layer_or_a_kernel_is_held_against_its_kernels() {
    let late = |claims: &str| subjects("design/latency", claims);
    let none = Vec::<String>::new();
    assert_eq!(late("[[claim]]\nof = \"mlp\"\nlatency = \"20 ms per call\""), ["mlp.latency"]);
    assert_eq!(late("[[claim]]\nof = \"mlp\"\nlatency = \"40 ms per call\""), none);
    assert_eq!(
        late("[[claim]]\nof = \"vision\"\nlatency = \"20 ms per layer\""),
        ["vision.latency"]
    );
    assert_eq!(late("[[claim]]\nof = \"vision\"\nlatency = \"40 ms per layer\""), none);
    assert_eq!(late("[[claim]]\nof = \"expert\"\nlatency = \"1 ms\""), none, "no kernel is known");
    // 20 ms of each layer is not a claim of 20 ms in all, nor is it missing.
    let findings = judge("bandwidth = \"300 GB/s\"\nlatency = \"200 ms per layer\"").unwrap();
    let codes = ["latency/batch-1", "design/latency"];
    assert!(findings.iter().all(|one| !codes.contains(&one.code)), "{findings:#?}");
}

#[test]
fn a_throughput_is_held_against_the_slowest_kernel() {
    // 36 x 31.5 ms.
    assert_eq!(subjects("design/throughput", "throughput = \"1 FPS\""), ["throughput"]);
    assert_eq!(subjects("design/throughput", "throughput = \"0.8 FPS\""), Vec::<String>::new());
}

#[test]
fn what_the_model_does_not_have_is_refused_with_its_line() {
    for (claims, word) in [
        ("[[claim]]\nof = \"visoin\"\nlatency = \"1 ms\"", "there are vision"),
        ("[[claim]]\nof = \"vision\"\nlatency = \"1 ms per call\"", "only a kernel has calls"),
    ] {
        let error = judge(claims).unwrap_err();
        assert!(error.starts_with("derate.toml:12: ") && error.contains(word), "{error}");
    }
}
