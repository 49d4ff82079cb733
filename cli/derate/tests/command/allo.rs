//! Allo's Python, and what is not audited, through the binary.

use std::fs;
use std::path::Path;

use crate::derate::{derate, derate_in};
use serde_json::Value;

const TOML: &str = "[model]\nshapes = \"dump.txt\"\nworkload = \"linear\"\n[hls]\nsources = [\"src/*\"]\n\
    [platform]\nname = \"u280\"\n[claims]\nprecision = \"bf16\"\nbatch = 1\n";
const DUMP: &str = "layers.0.q.weight: torch.Size([64, 32]) [torch.bfloat16]\n\
    layers.0.k.weight: torch.Size([64, 32]) [torch.bfloat16]\n";
const KERNEL: &str = "import allo\nfrom allo.ir.types import bfloat16, float32\n\nN, K = 64, 32\nbf16_t = float32\n\n\n\
    def layer(layers_0_q_weight: bf16_t[N, K], layers_0_k_weight: bfloat16[N, K]):\n    pass\n";

fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("src")).unwrap();
    fs::write(dir.path().join("derate.toml"), TOML).unwrap();
    fs::write(dir.path().join("dump.txt"), DUMP).unwrap();
    for (name, text) in files {
        fs::write(dir.path().join("src").join(name), text).unwrap();
    }
    dir
}

fn audit(dir: &Path) -> Value {
    derate_in(dir, &["audit", "--format", "json"]).json()
}

fn finding<'a>(json: &'a Value, code: &str) -> Option<&'a Value> {
    json["findings"].as_array().unwrap().iter().find(|f| f["code"] == code)
}

#[test]
fn a_lying_name_in_python_is_an_error_and_is_not_rewritten() {
    let dir = project(&[("kernel.py", KERNEL)]);
    let json = audit(dir.path());
    let lie = finding(&json, "precision/alias-width").unwrap();
    assert_eq!((lie["file"].as_str(), lie["line"].as_u64()), (Some("src/kernel.py"), Some(5)));
    // 64 x 32 elements of four bytes where two were promised.
    assert_eq!(lie["evidence"]["bytes_as_built"], 64 * 32 * (4 + 2));
    assert_eq!(lie["evidence"]["bytes_declared"], 64 * 32 * (2 + 2));
    assert!(finding(&json, "precision/assumed-bytes").is_some(), "{json}");
    let fix = derate_in(dir.path(), &["audit", "--fix=code"]);
    assert!(!fix.stdout.contains("\n+"), "{}", fix.stdout);
    assert!(format!("{}{}", fix.stdout, fix.stderr).contains("change it by hand"));
}

#[test]
fn a_float_in_an_annotation_breaks_a_claim_of_sixteen_bits() {
    let kernel = "import allo\nfrom allo.ir.types import bfloat16, float32\n\nM, N, K = 8, 16, 32\n\n\n\
                  def gemm(A: float32[M, K], B: bfloat16[K, N]) -> bfloat16[M, N]:\n    \
                  C: bfloat16[M, N] = 0.0\n    return C\n";
    let json = audit(project(&[("kernel.py", kernel)]).path());
    let wide = finding(&json, "precision/assumed-bytes").unwrap();
    assert_eq!((wide["level"].as_str(), wide["line"].as_u64()), (Some("error"), Some(7)), "{json}");
    assert_eq!(wide["evidence"]["arguments"], serde_json::json!(["A"]));
    let narrow = kernel.replace("A: float32", "A: bfloat16");
    let json = audit(project(&[("kernel.py", &narrow)]).path());
    let unchecked = finding(&json, "precision/assumed-bytes").unwrap();
    assert_ne!(unchecked["level"], "error", "{json}");
}

#[test]
fn an_honest_kernel_a_tile_and_another_name_are_none() {
    let honest = KERNEL.replace("bf16_t = float32", "bf16_t = bfloat16");
    let json = audit(project(&[("kernel.py", &honest)]).path());
    assert!(finding(&json, "precision/alias-width").is_none());
    assert!(finding(&json, "precision/assumed-bytes").is_none(), "{json}");
    let tile =
        honest.replace("layers_0_q_weight: bf16_t[N, K]", "layers_0_q_weight: float32[8, K]");
    let json = audit(project(&[("kernel.py", &tile)]).path());
    assert!(finding(&json, "shape/mismatch").is_none(), "{json}");
    // Each Python module has its own names.
    let json = audit(project(&[("a.py", KERNEL), ("b.py", &honest)]).path());
    assert!(finding(&json, "precision/alias-conflict").is_none(), "{json}");
}

#[test]
fn a_comment_in_python_allows() {
    let text = KERNEL.replace(
        "bf16_t = float32",
        "bf16_t = float32  # derate: allow(precision/alias-width): for the simulation",
    );
    let json = audit(project(&[("kernel.py", &text)]).path());
    assert!(finding(&json, "precision/alias-width").is_none());
    assert_eq!(json["summary"]["allowed"], 1);
}

#[test]
fn what_is_not_audited_is_named() {
    let dir = project(&[
        ("kernel.py", KERNEL),
        ("train.py", "import torch\n"),
        ("run.tcl", "open_project {\n"),
        ("gemm.mlir", "module {}\n"),
        ("top.h", "#pragma once\n"),
    ]);
    let json = audit(dir.path());
    let named: Vec<&str> = json["not_audited"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| f["file"].as_str().unwrap())
        .collect();
    assert_eq!(named, ["src/kernel.py", "src/gemm.mlir", "src/run.tcl", "src/train.py"]);
    let unread =
        json["findings"].as_array().unwrap().iter().filter(|f| f["code"] == "source/unread");
    assert_eq!(unread.count(), 4, "{json}");
    let text = derate_in(dir.path(), &["audit"]).on_one_line();
    assert!(
        text.trim_end().ends_with(
            "not audited: 1 Allo/Python file with only the annotations read (src/kernel.py); \
             3 other files that derate does not read (src/gemm.mlir, src/run.tcl, src/train.py)"
        ),
        "{text}"
    );
    let cpp = project(&[("top.h", "#pragma once\n")]);
    assert_eq!(audit(cpp.path())["not_audited"], Value::Array(Vec::new()));
    assert!(!derate_in(cpp.path(), &["audit"]).stdout.contains("not audited"));
}

#[test]
fn types_and_hls_show_the_annotations() {
    let file = "fixtures/types/allo-gemm/gemm.py";
    let types = derate(&["types", file, "--format", "json"]).json();
    let hls = derate(&["hls", file, "--format", "json"]).json();
    assert_eq!(hls["files"][0]["kind"], "allo");
    assert_eq!(types["annotations"], hls["files"][0]["content"]["annotations"]);
    let b = &types["annotations"][1];
    assert_eq!((b["function"].as_str(), b["name"].as_str()), (Some("gemm"), Some("B")));
    assert_eq!((b["bits"].as_u64(), b["dims"].clone()), (Some(16), serde_json::json!([16, 64])));
    let broken = derate(&["hls", "fixtures/types/allo-broken/broken.py"]);
    assert!(
        broken.stdout.contains("line 16: not read: this `(` is not closed"),
        "{}",
        broken.stdout
    );
}
