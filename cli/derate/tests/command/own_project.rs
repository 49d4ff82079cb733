//! A project that is nobody's fixture: another model, another card, another folder.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::derate::{derate_in, root};

const TOML: &str = r#"
[model]
shapes = "dump of mine.txt"
workload = "linear"

[hls]
sources = ["weights.h"]

[platform]
name = "mine.toml"

[claims]
precision = "int8"
batch = 2
sequence_length = 10
bandwidth = "20 GB/s"
peak = { int8 = "0.1 TOP/s" }
latency = "unknown"
"#;

const DUMP: &str = "blocks.0.fc1.weight: torch.Size([64, 32]) [torch.float32]
blocks.0.fc2.weight: torch.Size([32, 64]) [torch.float32]
blocks.1.fc1.weight: torch.Size([64, 32]) [torch.float32]
blocks.1.fc2.weight: torch.Size([32, 64]) [torch.float32]
conv.weight: torch.Size([8, 3, 3, 3]) [torch.float32]
";

const HEADER: &str = "typedef ap_fixed<8, 3> weight_t;
namespace blocks { namespace _0 {
  extern const weight_t fc1_weight[64][32];
  extern const weight_t fc2_weight[32][64];
} namespace _1 {
  extern const weight_t fc1_weight[64][32];
  extern const weight_t fc2_weight[32][64];
} }
extern const weight_t conv_weight[8][3][3][3];
";

fn project(dir: &Path) {
    let u280 = fs::read_to_string(root().join("model/machine/platforms/u280.toml")).unwrap();
    fs::write(dir.join("mine.toml"), u280.replace("value = 9020", "value = 100")).unwrap();
    fs::write(dir.join("derate.toml"), TOML).unwrap();
    fs::write(dir.join("dump of mine.txt"), DUMP).unwrap();
    fs::write(dir.join("weights.h"), HEADER).unwrap();
}

#[test]
fn linear_layers_on_a_card_of_ones_own() {
    let dir = tempfile::tempdir().unwrap();
    project(dir.path());
    let json = derate_in(dir.path(), &["estimate", "--format", "json"]).json();
    let claimed = &json["scenarios"][0];
    let part = &claimed["parts"][0];
    assert_eq!(part["flops"], 4 * 2 * 20 * 32 * 64);
    assert!(part["note"].as_str().unwrap().contains("conv.weight"), "{part}");
    let kernel = &part["kernels"][0];
    assert_eq!(
        (kernel["name"].as_str(), kernel["calls"].as_u64()),
        (Some("blocks.*.fc1"), Some(2))
    );
    assert_eq!(kernel["bytes"], 20 * 32 + 32 * 64 + 20 * 64);
    // 100 DSP, 1.75 multiply-adds of 8 bits each (fixed point or not), at the platform's 300 MHz.
    let derived =
        json["scenarios"].as_array().unwrap().iter().find(|s| s["name"] == "derived-peak").unwrap();
    assert_eq!(derived["ceilings"][0]["rate"]["value"].as_f64(), Some(105e9));
    assert_eq!(derived["ceilings"][0]["rate"]["unit"], "OP/s");

    let audit = derate_in(dir.path(), &["audit", "--format", "json"]);
    let codes: Vec<String> = audit.json()["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| f["code"].to_string())
        .collect();
    assert!(
        codes.iter().all(|code| !code.contains("assumed-bytes")),
        "eight bits are eight bits: {codes:?}"
    );
    assert_eq!(derate_in(dir.path(), &["report", "--out", "out"]).code, 0);
}

#[test]
fn a_step_that_cannot_be_taken_says_why() {
    let dir = tempfile::tempdir().unwrap();
    project(dir.path());
    let claims = dir.path().join("derate.toml");
    let text = fs::read_to_string(&claims).unwrap();
    derate_in(dir.path(), &["estimate", "--scenario", "design"])
        .assert_refused("there are claimed");
    let (before, after) = text.split_once("[design]\n").unwrap_or((&text, ""));
    let design = format!("{before}[design]\nrows = 100\ncolumns = 100\n{after}");
    fs::write(&claims, design).unwrap();
    derate_in(dir.path(), &["estimate", "--scenario", "design"])
        .assert_refused("more than the 100 that the shell leaves");
}

#[test]
fn a_card_that_cannot_be() {
    let dir = tempfile::tempdir().unwrap();
    project(dir.path());
    let card = dir.path().join("mine.toml");
    let text = fs::read_to_string(&card).unwrap();
    fs::write(&card, text.replace("value = 0.911", "value = 91.1")).unwrap();
    derate_in(dir.path(), &["audit"]).assert_refused("a share, at most 1");
}

#[test]
fn headers_that_are_none() {
    let dir = tempfile::tempdir().unwrap();
    project(dir.path());
    let header = dir.path().join("weights.h");
    for (bytes, word) in [
        (&b"\x7fELF\x00\x01"[..], "zero byte"),
        (b"", "cannot be checked"),
        (b"using a_t = fl", "could not be read"),
    ] {
        fs::write(&header, bytes).unwrap();
        let run = derate_in(dir.path(), &["audit"]);
        assert!(
            format!("{}{}", run.stdout, run.stderr).contains(word),
            "{word}: {}{}",
            run.stdout,
            run.stderr
        );
    }
}

#[test]
fn every_output_is_the_same_twice_and_from_elsewhere() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    project(one.path());
    project(two.path());
    for args in [
        &["audit"][..],
        &["audit", "--format", "json"],
        &["estimate"],
        &["estimate", "--format", "json"],
        &["shapes", "dump of mine.txt", "--format", "json"],
        &["types", "weights.h", "--format", "json"],
    ] {
        let (a, b) = (derate_in(one.path(), args), derate_in(two.path(), args));
        assert_eq!(a.stdout, b.stdout, "{args:?}");
    }
}

#[test]
fn ten_thousand_different_layers_are_no_trouble() {
    let dir = tempfile::tempdir().unwrap();
    project(dir.path());
    let mut dump = String::new();
    for layer in 0..10_000 {
        writeln!(dump, "m.{layer}.w{layer}.weight: torch.Size([{}, 8]) [torch.float32]", layer + 1)
            .unwrap();
    }
    fs::write(dir.path().join("dump of mine.txt"), dump).unwrap();
    let run = derate_in(dir.path(), &["estimate", "--scenario", "claimed", "--format", "json"]);
    assert_eq!(run.json()["scenarios"][0]["parts"][0]["kernels"].as_array().unwrap().len(), 10_000);
}
