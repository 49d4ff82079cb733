//! Predictions and platforms.

use serde_json::json;

use super::load;
use super::serve;
use crate::derate::{derate, root};
use crate::server::Server;

#[test]
fn a_prediction_is_that_of_the_command_line() {
    let (_folder, server) = serve();
    for (body, words) in [
        (
            json!({"workload": "gemm", "m": 512, "n": "1024", "k": 2048, "platform": "a100-80", "precision": "bf16"}),
            "gemm --shape 512x1024x2048 --on a100-80 --precision bf16",
        ),
        (
            json!({"workload": "gemv", "n": 4096, "k": 4096, "platform": "u280", "precision": "int8"}),
            "gemv --shape 4096x4096 --on u280 --precision int8",
        ),
        (
            json!({"workload": "attention", "heads": 32, "kv_heads": 8, "head_dim": 128, "queries": 1, "keys": 8192,
                   "platform": "h100-sxm", "precision": "fp16"}),
            "attention --heads 32 --kv-heads 8 --head-dim 128 --queries 1 --keys 8192 --on h100-sxm",
        ),
        (
            json!({"workload": "mlp", "width": 2048, "layers": 4, "batch": 512, "platform": "t4", "precision": "fp16"}),
            "mlp --width 2048 --layers 4 --batch 512 --on t4",
        ),
        (
            json!({"workload": "mlp", "width": 256, "batch": 8, "forward": true, "platform": "t4", "precision": "bf16"}),
            "mlp --width 256 --batch 8 --forward --on t4 --precision bf16",
        ),
        (
            json!({"workload": "llm", "model": "mistral-7b", "prompt": 100, "generate": 100, "platform": "t4"}),
            "llm --model mistral-7b --prompt 100 --generate 100 --on t4",
        ),
    ] {
        let mut served = server.post("/api/predict", &body).json();
        let args: Vec<&str> = ["predict"].into_iter().chain(words.split(' ')).collect();
        let mut own = derate(&[&args[..], &["--format", "json"]].concat()).json();
        let command = served["command"].as_str().unwrap().to_owned();
        // The command that it names gives it again.
        let again: Vec<&str> = command.split(' ').skip(1).chain(["--format", "json"]).collect();
        let mut again = derate(&again).json();
        for one in [&mut served, &mut own, &mut again] {
            one.as_object_mut().unwrap().remove("command");
        }
        assert_eq!(served, own, "{words}");
        assert_eq!(served, again, "{command}");
    }
}

#[test]
fn an_own_platform_is_offered_and_opened_with() {
    let folder = tempfile::tempdir().unwrap();
    let file = root().join("model/machine/platforms/t4.toml");
    let text = std::fs::read_to_string(file).unwrap().replace("name = \"t4\"", "name = \"mine\"");
    std::fs::write(folder.path().join("mine.toml"), text).unwrap();
    let server = Server::start(folder.path(), &["--platform", "mine.toml"]);
    let platforms = server.get("/api/platforms").json();
    assert_eq!(platforms["chosen"], "mine");
    let roofs = server.get("/api/platforms/mine/roofline").json();
    assert_eq!(roofs["roofs"], server.get("/api/platforms/t4/roofline").json()["roofs"]);
    let unknown = server.get("/api/platforms/gb10/roofline").json();
    let fp16 = unknown["roofs"]
        .as_array()
        .unwrap()
        .iter()
        .find(|roof| roof["precision"] == "fp16")
        .unwrap();
    assert!(
        fp16["peak"].is_null() && fp16["unknown"].is_string(),
        "nobody has published it: {fp16}"
    );
    server.get("/api/platforms/h300").refused(404, "is not a platform");
}

/// How many a second it holds is for `cargo bench --bench serve` to say: this one is not optimised.
#[test]
fn estimates_that_come_side_by_side_are_each_answered_with_their_own_figures() {
    let (_folder, server) = serve();
    let load = load::load(server.port, 200, std::time::Duration::from_secs(2));
    assert_eq!((load.wanted, load.sent, load.answered()), (400, 400, 400), "{:?}", load.took);
    // Whoever waits for answers before sending has other words for it than `200 a second`.
    assert!(load.rate() > 150.0, "{}", load.rate());
}
