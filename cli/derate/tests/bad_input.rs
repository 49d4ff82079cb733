//! Bad input gets one sentence and exit 2, or a finding; never a panic, and nothing half-written.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod derate;

use std::fs;

use derate::{copy, derate, derate_in};

#[test]
fn a_dump_that_is_none() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        fs::write(dir.path().join(name), bytes).unwrap();
    };
    file("empty.txt", b"");
    file("binary.txt", b"\x7fELF\x00\x01\x02");
    file("latin1.txt", b"caf\xe9\nq.weight: torch.Size([2, 2])\n");
    file("prose.txt", b"There is no tensor in here.\n");
    for (name, word) in [
        ("missing.txt", "check the path"),
        ("empty.txt", "is empty"),
        ("binary.txt", "zero byte"),
        ("latin1.txt", "latin1.txt:1 is not UTF-8"),
        ("prose.txt", "lists no tensor"),
        (".", "is a directory"),
    ] {
        derate_in(dir.path(), &["shapes", name]).assert_refused(word);
    }
}

#[test]
fn a_truncated_dump_is_read_with_a_problem() {
    let dir = copy("smolvla");
    let path = dir.path().join("model_shape.txt");
    let text = fs::read_to_string(&path).unwrap();
    let cut = text[..text.len() / 2].rfind("torch.Size([").unwrap() + "torch.Size([9".len();
    fs::write(&path, &text[..cut]).unwrap();
    let run = derate_in(dir.path(), &["shapes", "model_shape.txt", "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(!run.json()["problems"].as_array().unwrap().is_empty());
}

#[test]
fn an_unknown_dtype_leaves_the_bytes_unknown() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(
        dir.path().join("d.txt"),
        "a.weight: torch.Size([2, 2]) [torch.floaty]\nb.weight: torch.Size([2]) [torch.float32]\n",
    )
    .unwrap();
    let json = derate_in(dir.path(), &["shapes", "d.txt", "--format", "json"]).json();
    assert!(json["totals"]["bytes"].is_null());
    assert_eq!(json["totals"]["parameters"], 6);
    assert!(json["problems"][0]["reason"].as_str().unwrap().contains("floaty"));
}

#[test]
fn a_project_file_that_is_wrong() {
    for (from, to, word) in [
        ("bandwidth = \"460", "bandwith = \"460", "derate.toml:21: unknown key `bandwith`"),
        ("bandwidth = \"460 GB/s\"", "bandwidth = \"460\"", "300 GB/s"),
        ("precision = \"bf16\"", "precision = \"bf17\"", "as-stored"),
        ("batch = 1", "batch = -3", "derate.toml:18"),
        ("batch = 1", "batch = \"one\"", "derate.toml:18: batch: invalid type"),
        ("[derate]", "[design]\nbuffer = \"1 GB\"\n[derate]", "more than the 38.91 MB of on-chip"),
        ("[derate]", "[design]\nhold = [\"texts\"]\n[derate]", "`texts` is no part"),
        ("name = \"u280\"", "name = \"u281\"", "u200, u250, u280"),
        ("name = \"u280\"", "name = \"mine.toml\"", "mine.toml cannot be read"),
        ("\"smolvla\"", "\"mamba\"", "no workload is called `mamba`"),
        ("model_shape.txt", "gone.txt", "derate.toml:4"),
        ("kernels/*.cpp", "kernel/*.cpp", "matches no file"),
        ("kernels/*.cpp", "kernels/[", "is no pattern"),
        ("[claims]", "[claims", "derate.toml:16"),
    ] {
        let dir = copy("smolvla");
        let path = dir.path().join("derate.toml");
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{from}");
        fs::write(&path, text.replacen(from, to, 1)).unwrap();
        for command in ["audit", "estimate", "report"] {
            derate_in(dir.path(), &[command]).assert_refused(word);
        }
        assert!(!dir.path().join("reports").exists(), "{to}: a report was begun");
    }
}

#[test]
fn no_project_file_at_all() {
    let dir = tempfile::tempdir().unwrap();
    derate_in(dir.path(), &["audit"]).assert_refused("derate init");
    derate(&["audit", "fixtures/nowhere"]).assert_refused("derate init");
}

#[test]
fn a_header_with_syntax_errors_is_a_finding() {
    let dir = copy("smolvla");
    let path = dir.path().join("kernels/gelu.cpp");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{text}\nvoid broken(int {{ ]] = ;;; ) <<<\n")).unwrap();
    let json = derate_in(dir.path(), &["audit", "--format", "json"]).json();
    let found = json["findings"]
        .as_array()
        .unwrap()
        .iter()
        .any(|f| f["code"] == "source/unread" && f["file"] == "kernels/gelu.cpp");
    assert!(found, "{json}");
}

#[test]
fn options_that_make_no_sense() {
    for (args, word) in [
        (&["estimate", "fixtures/smolvla", "--scenario", "best"][..], "claimed, as-built"),
        (&["estimate", "fixtures/smolvla", "--precision", "fp31"], "as-built"),
        (&["estimate", "fixtures/smolvla", "--bandwidth", "fast"], "300 GB/s"),
        (&["estimate", "fixtures/smolvla", "--peak", "-1 TFLOP/s"], "claimed or derived"),
        (&["rule", "no/such"], "derate rules"),
    ] {
        derate(args).assert_refused(word);
    }
}
