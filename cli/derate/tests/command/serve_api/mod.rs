//! What `derate serve` answers, keeps, and describes.
#![cfg(feature = "serve")]

mod described;
#[path = "../../serve/load.rs"]
mod load;
mod predicted;
mod refused;
mod sweeps;

use crate::server::Server;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A server on a folder of its own.
fn serve() -> (TempDir, Server) {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    (folder, server)
}

/// Begins a spot check or a sweep, and gives its number.
fn begin(server: &Server, path: &str, body: &Value) -> i64 {
    server.post(path, body).json()["sweep"]["id"].as_i64().unwrap()
}

fn gemm(m: u64, precision: &str) -> Value {
    json!({"workload": "gemm", "m": m, "n": m, "k": m, "platform": "h100-sxm", "precision": precision})
}

/// A sweep of so many small products.
fn sweep(points: usize) -> Value {
    let shapes: Vec<String> = (0..points).map(|at| format!("{}x64x64", 32 + at % 64)).collect();
    json!({"workload": "gemm", "platform": "u280", "shapes": shapes, "precisions": ["fp32"]})
}

/// All points of a sweep, page by page.
fn points(server: &Server, id: i64) -> Vec<Value> {
    let mut all = Vec::new();
    let mut from = json!(0);
    while let Some(next) = from.as_i64() {
        let part = server.get(&format!("/api/sweeps/{id}?from={next}")).json();
        all.extend(part["points"].as_array().unwrap().clone());
        from = part["next"].clone();
    }
    all
}
