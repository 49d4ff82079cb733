//! Kernels of `[[kernel]]` held against the model: the defects of a design as it was built, and its corrected twin.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::path::Path;

use derate_model::audit::{Finding, audit};
use derate_model::design::{KernelDesign, join_kernels};
use derate_model::load::{Preprocess, load_project};
use derate_model::{Analysis, Claim, Level};

fn load(twin: &str) -> Analysis {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/codesign").join(twin);
    load_project(&folder, &Preprocess::default()).unwrap().analysis
}

fn design_findings(analysis: &Analysis) -> Vec<Finding> {
    let findings = audit(analysis).findings.into_iter();
    findings.filter(|finding| finding.code.starts_with("design/")).collect()
}

fn design(analysis: &Analysis) -> KernelDesign {
    join_kernels(analysis).unwrap().unwrap()
}

#[test]
fn each_defect_of_the_design_as_built_is_found() {
    let analysis = load("as-built");
    let findings = design_findings(&analysis);
    let errors = findings.iter().filter(|finding| finding.level == Level::Error);
    let errors: Vec<(&str, &str)> = errors.map(|one| (one.code, one.subject.as_str())).collect();
    let expected = [
        ("design/latency", "latency"),
        ("design/multiply-rate", "mlp"),
        ("design/resources", "BRAM18"),
        ("design/work", "mlp"),
    ];
    assert_eq!(errors, expected, "{findings:#?}");
    let parts = findings.iter().filter(|finding| finding.code == "design/unserved").count();
    assert!(parts >= 3, "the other parts of the model have no kernel");
}

#[test]
fn the_corrected_twin_is_silent() {
    let findings = design_findings(&load("corrected"));
    assert!(findings.is_empty(), "{findings:#?}");
}

#[test]
fn work_is_counted_from_the_model_and_from_the_loops() {
    let design = design(&load("as-built"));
    let mlp = &design.kernels[1];
    // 12 layers, 3 cameras.
    assert_eq!(mlp.calls.value.to_bits(), 36.0_f64.to_bits());
    assert_eq!(
        mlp.serves.multiply_adds().to_bits(),
        (36.0 * 1024.0 * 768.0 * 3072.0_f64).to_bits()
    );
    // One lane of 16 x 16 x 16.
    assert_eq!(mlp.work_done().unwrap().to_bits(), (36.0 * 64.0 * 48.0 * 192.0_f64).to_bits());
    let attention = &design.kernels[0];
    assert_eq!(
        attention.serves.multiply_adds().to_bits(),
        (36.0 * 2.0 * 12.0 * 1024.0 * 1024.0 * 64.0_f64).to_bits()
    );
}

#[test]
fn what_is_named_twice_is_served_once() {
    let mut analysis = load("as-built");
    let mlp = &mut analysis.project.kernels[1];
    let named = mlp.serves[0].clone();
    for text in ["vision.mlp", "vision.fc2"] {
        mlp.serves.push(Claim { value: text.to_owned(), ..named.clone() });
    }
    let mlp = &design(&analysis).kernels[1];
    // fc1 and fc2 are in the same layers, so 36 calls serve both.
    assert_eq!(mlp.calls.value.to_bits(), 36.0_f64.to_bits());
    let both = 36.0 * 2.0 * 1024.0 * 768.0 * 3072.0_f64;
    assert_eq!(mlp.serves.multiply_adds().to_bits(), both.to_bits());
}
