//! Tensors of the dump as the code stores them, and the bytes that they come to.

use super::fixture::{Fixture, of};
use derate_model::audit::{Finding, Level};

#[test]
fn assumed_bytes_shows_both_factors() {
    let findings = Fixture::new("smolvla").findings();
    let [finding] = of(&findings, "precision/assumed-bytes")[..] else { panic!("{findings:#?}") };
    let factor = |key: &str| format!("{:.5}", finding.evidence[key].as_f64().unwrap());
    assert_eq!(finding.evidence["bytes_claimed"], 900_092_352_u64);
    assert_eq!(factor("factor_against_claim"), "2.00000");
    assert_eq!(factor("factor_against_dump"), "1.98556");
}

#[test]
fn an_array_that_the_dump_lacks_and_a_tensor_that_the_code_lacks_are_found() {
    let fixture = Fixture::new("smolvla").with("model_shape.txt", "state_proj", "state_projection");
    let findings = fixture.findings();
    let kinds: Vec<&str> = of(&findings, "shape/mismatch")
        .iter()
        .map(|f| f.evidence["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["undeclared", "undeclared", "not-in-dump", "not-in-dump"], "{findings:#?}");
}

#[test]
fn a_dtype_that_differs_from_the_dump_is_found() {
    let fixture = Fixture::new("smolvla").with(
        "model_shape.txt",
        "Size([32, 720]) [torch.float32]",
        "Size([32, 720]) [torch.bfloat16]",
    );
    let findings = fixture.findings();
    let [finding] = of(&findings, "shape/mismatch")[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.evidence["kind"], "dtype");
    assert_eq!(finding.subject, "model.action_out_proj.weight");
}

#[test]
fn flat_array_names_stand_for_tensors_too() {
    let fixture = Fixture::new("smolvla").with(
        "model_weights.h",
        "namespace smolvla {\n",
        "extern const float model_state_proj_weight[960][32];\nnamespace smolvla {\n",
    );
    let analysis = fixture.analysis();
    let flat =
        analysis.code.declarations.iter().find(|d| d.path == "model_state_proj_weight").unwrap();
    assert_eq!(
        flat.tensor, None,
        "the namespaces name more tensors, and one reading holds for all"
    );
    let alone = Fixture::new("smolvla")
        .only("model_weights.h", "extern const float model_state_proj_weight[960][32];\n");
    let analysis = alone.analysis();
    assert_eq!(analysis.code.declarations[0].tensor.as_deref(), Some("model.state_proj.weight"));
}

#[test]
fn code_that_declares_no_tensor_is_no_clean_bill() {
    let findings = Fixture::new("smolvla-bf16").only("model_weights.h", "").findings();
    let [unchecked] = of(&findings, "precision/assumed-bytes")[..] else { panic!("{findings:#?}") };
    assert_eq!(unchecked.level, Level::Warning);
    assert!(unchecked.message.contains("cannot be checked"), "{}", unchecked.message);
}

/// What `precision/assumed-bytes` says of a kernel whose arrays are no tensors of the dump, under a claim of BF16.
fn bytes_of_kernel(kernel: &str) -> Vec<Finding> {
    let claims = Fixture::new("smolvla-bf16").with("derate.toml", "\"as-stored\"", "\"bf16\"");
    let findings = claims.only("model_weights.h", kernel).findings();
    of(&findings, "precision/assumed-bytes").into_iter().cloned().collect()
}

#[test]
fn floats_among_arguments_break_a_claim_of_sixteen_bits() {
    for kernel in [
        "void product(float A[50][960], float B[960][960], half C[50][960]) {\n#pragma HLS pipeline\n C[0][0] = A[0][0]; }\n",
        "void product(float A[ROWS][960], float B[960][960]) {\n#pragma HLS pipeline\n B[0][0] = A[0][0]; }\n",
        "using data_t = float;\nvoid product(const data_t *A, data_t *B) {\n#pragma HLS pipeline\n B[0] = A[0]; }\n",
        "void product(float *A, float *B) {\n#pragma HLS interface m_axi port=A\n B[0] = A[0]; }\n",
    ] {
        let all = bytes_of_kernel(kernel);
        let [finding] = &all[..] else { panic!("{kernel}: {all:#?}") };
        assert_eq!(
            (finding.level, finding.subject.as_str()),
            (Level::Error, "product"),
            "{kernel}"
        );
        assert_eq!(finding.evidence["arguments"], serde_json::json!(["A", "B"]), "{kernel}");
        assert_eq!(finding.evidence["bits"], 32);
    }
}

#[test]
fn what_is_no_argument_of_a_kernel_or_no_wide_float_is_only_not_checked() {
    for honest in [
        "void product(half A[50][960], half B[960][960]) { B[0][0] = A[0][0]; }\n",
        "void scale(half *A, float alpha) { A[0] = alpha; }\n",
        "void inner(float *A) { A[0] = 1; }\nvoid top(half *A) { float a[4]; inner(a); }\n",
        "void host(float *A) { A[0] = 1; }\nint main() { return 0; }\n",
        "void product(int *A) { A[0] = 1; }\n",
    ] {
        let all = bytes_of_kernel(honest);
        let [finding] = &all[..] else { panic!("{honest}: {all:#?}") };
        assert_eq!(finding.level, Level::Warning, "{honest}");
        assert!(finding.message.contains("cannot be checked"), "{}", finding.message);
    }
}

#[test]
fn a_tensor_that_is_declared_twice_counts_once() {
    let twice = Fixture::new("smolvla");
    let header = twice.text("model_weights.h").to_owned();
    let findings = twice.only("kernels/gelu.cpp", &header).findings();
    for finding in of(&findings, "precision/alias-width") {
        assert_eq!(finding.evidence["bytes_as_built"], 1_800_184_704_u64);
    }
}

#[test]
fn a_tensor_with_two_types_is_unknown() {
    let header = Fixture::new("smolvla")
        .text("model_weights.h")
        .replace("= float;     // 16-bit", "= double;    // 16-bit");
    let findings = Fixture::new("smolvla").only("kernels/gelu.cpp", &header).findings();
    let [finding] = of(&findings, "precision/assumed-bytes")[..] else { panic!("{findings:#?}") };
    let left_out = finding.notes.iter().find(|note| note.contains("not counted")).unwrap();
    assert!(
        left_out.starts_with("474 tensors") && left_out.contains("different types"),
        "{left_out}"
    );
}

#[test]
fn a_tensor_that_the_code_lacks_does_not_hide_the_rest() {
    let fixture = Fixture::new("smolvla").with(
        "model_weights.h",
        "            extern const float32_t bias[ACTION_DIM];\n",
        "",
    );
    let findings = fixture.findings();
    let [finding] = of(&findings, "precision/assumed-bytes")[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.level, Level::Error);
    assert!(
        finding.notes.iter().any(|n| n.starts_with("1 tensor is not counted")),
        "{:?}",
        finding.notes
    );
}

#[test]
fn a_packed_array_is_unknown_and_not_counted_as_one_word_per_element() {
    let fixture = Fixture::new("smolvla").with(
        "model_weights.h",
        "extern const float32_t weight[HIDDEN_DIM][ACTION_DIM];",
        "extern const ap_uint<512> weight[1440];",
    );
    let analysis = fixture.analysis();
    let packed = analysis
        .code
        .declarations
        .iter()
        .find(|d| d.path.ends_with("action_in_proj.weight"))
        .unwrap();
    assert!(
        packed
            .precision
            .as_ref()
            .is_err_and(|reason| reason.contains("1440 elements where the dump has 23040"))
    );
}
