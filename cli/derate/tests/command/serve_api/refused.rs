//! What is refused, and beside which field.

use serde_json::json;

use super::{gemm, serve};
use crate::derate::derate;
use crate::server::Server;

#[test]
fn wrong_values_are_refused_beside_their_fields() {
    let (_folder, server) = serve();
    for path in ["/api/predict", "/api/spot"] {
        let body = json!({"workload": "gemm", "m": 0, "n": -1, "k": 1_000_000_000_000_u64,
                          "platform": "h300", "precision": "fp17"});
        let refusal = server.post(path, &body).refused(422, "h300");
        let reported = refusal["fields"].as_array().unwrap();
        for (field, word) in [
            ("m", "`0` is less than one"),
            ("n", "`-1` is less than one"),
            ("k", "`1000000000000` is too large: write a whole number from 1 to 1,073,741,824"),
            ("platform", "there are"),
            ("precision", "fp17"),
        ] {
            let own = reported.iter().find(|one| one["field"] == field).unwrap();
            assert!(own["error"].as_str().unwrap().contains(word), "{own}");
        }
        let mut text = gemm(64, "fp16");
        text["m"] = json!("many");
        assert_eq!(server.post(path, &text).refused(422, "not a whole number")["field"], "m");
        text.as_object_mut().unwrap().remove("m");
        assert_eq!(server.post(path, &text).refused(422, "it is needed")["field"], "m");
        let mut odd = gemm(64, "fp16");
        odd["o"] = json!(1);
        assert_eq!(server.post(path, &odd).refused(422, "no such field")["field"], "o");
    }
    let heads = json!({"workload": "attention", "heads": 15, "kv_heads": 4, "head_dim": 64, "queries": 50,
                       "platform": "t4", "precision": "fp16"});
    assert_eq!(
        server.post("/api/predict", &heads).refused(422, "do not divide")["field"],
        "kv_heads"
    );
    let shapes =
        json!({"workload": "gemm", "platform": "t4", "shapes": ["64x64"], "precisions": ["fp32"]});
    assert_eq!(server.post("/api/sweeps", &shapes).refused(422, "2 extents")["field"], "shapes");
    for (shapes, word) in [
        (json!([{"m": 8, "n": 8, "k": 8}]), "this is not a list of texts, such as [\"64x64x512\"]"),
        (json!([]), "the list is empty"),
    ] {
        let body =
            json!({"workload": "gemm", "platform": "t4", "shapes": shapes, "precisions": ["fp32"]});
        let refusal = server.post("/api/sweeps", &body).refused(422, word);
        assert_eq!(refusal["fields"].as_array().unwrap().len(), 1, "{refusal}");
    }
    // What has a usual value need not be sent.
    let mut usual = gemm(64, "fp16");
    let asked = server.post("/api/predict", &usual).json();
    usual.as_object_mut().unwrap().remove("precision");
    let predicted = server.post("/api/predict", &usual).json();
    assert_eq!(predicted["phases"], asked["phases"]);
    let many: Vec<String> = (1..2000).map(|m| format!("{m}x1x1")).collect();
    let many = json!({"workload": "gemm", "platform": "t4", "shapes": many, "precisions": ["all"]});
    server.post("/api/sweeps", &many).refused(422, "13993 points");
    let device = json!({"workload": "gemm", "platform": "t4", "m": 8, "n": 8, "k": 8, "precision": "fp32", "device": "cuda:0"});
    assert_eq!(
        server.post("/api/spot", &device).refused(422, "does not measure here")["field"],
        "device"
    );
}

#[test]
fn what_everybody_would_wait_for_is_refused_beside_its_field() {
    let (_folder, server) = serve();
    let mut large = gemm(11_585, "fp32");
    let refused = server.post("/api/spot", &large).refused(422, "3.110e12 operations");
    assert_eq!(refused["field"], "m");
    large["m"] = json!(1);
    large["n"] = json!(20_000);
    large["k"] = json!(20_000);
    let refused = server.post("/api/spot", &large).refused(422, "elements in one matrix");
    assert_eq!(refused["field"], "n");
    // It is predicted all the same.
    assert_eq!(server.post("/api/predict", &gemm(11_585, "fp32")).status, 200);
    let many = json!({"workload": "gemv", "platform": "t4", "shapes": ["8x8", "1000000x1000000"], "precisions": ["fp32"]});
    let refused =
        server.post("/api/sweeps", &many).refused(422, "`1000000x1000000`: these are 2.000e12");
    assert_eq!(refused["field"], "shapes");
    assert_eq!(server.get("/api/sweeps").json()["sweeps"], json!([]), "nothing was begun");
}

#[test]
fn a_store_of_others_is_refused_and_one_has_one_server() {
    let folder = tempfile::tempdir().unwrap();
    let notes = folder.path().join("notes.txt");
    std::fs::write(&notes, "no database".repeat(100)).unwrap();
    let args = ["serve", "--listen", "127.0.0.1:0", "--store", notes.to_str().unwrap()];
    derate(&args).assert_refused("is not a store of derate serve");
    for odd in [":memory:", "file::memory:?cache=shared"] {
        let args = ["serve", "--listen", "127.0.0.1:0", "--store", odd];
        derate(&args).assert_refused("is not a path of a file");
    }
    let server = Server::start(folder.path(), &[]);
    let store = folder.path().join("derate-results.sqlite");
    let args = ["serve", "--listen", "127.0.0.1:0", "--store", store.to_str().unwrap()];
    derate(&args).assert_refused("is in use by another derate serve");
    assert_eq!(server.get("/api/sweeps").status, 200);
}
