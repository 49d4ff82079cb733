//! Number formats, and processors beside cards.

use std::fs;

use crate::derate::{copy, derate, derate_in, root};
use serde_json::Value;

const GEMM: [&str; 4] = ["formats", "--platform", "rtx-5060-laptop", "--gemm=4096,4096,4096"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&GEMM[..], more].concat()
}

#[test]
fn formats_as_data() {
    let json = derate(&with(&["--format", "json"])).json();
    assert_eq!(json["schema"], "derate.formats/1");
    assert_eq!(json["subject"]["kind"], "gemm");
    assert_eq!(json["bandwidth"]["value"], 384_000_000_000_u64);
    let rows = json["rows"].as_array().unwrap();
    let row = |name: &str| rows.iter().find(|row| row["name"] == name).unwrap();
    assert_eq!(row("bf16")["peak"]["value"].as_f64(), Some(26.76e12));
    assert_eq!(row("bf16")["bound"], "compute");
    assert_eq!(row("bf16")["bit_intensity"][0]["provenance"], "assumed");
    assert_eq!(row("nf4")["mixture"]["activations"], "bf16");
    assert!(row("int8")["rho"].is_null());
    assert!(row("int8")["unknown"].as_str().unwrap().contains("no published INT8 peak"));
    // The command gives the same again.
    let command = json["command"].as_str().unwrap();
    let args: Vec<&str> = command.split(' ').skip(1).collect();
    assert_eq!(derate(&args).json(), json);
}

#[test]
fn page_and_figures_are_written_with_what_was_measured() {
    let dir = tempfile::tempdir().unwrap();
    let points = "name,oi,rate,source\nfp16 run,1365,22 TFLOP/s,a run\nq4_k,9,1 TFLOP/s,another\n";
    fs::write(dir.path().join("p.csv"), points).unwrap();
    let run = derate_in(dir.path(), &with(&["--points", "p.csv", "--out", "out"]));
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("`q4_k` begins with the name of no format"), "{}", run.stderr);
    let text = |name: &str| fs::read_to_string(dir.path().join("out").join(name)).unwrap();
    for figure in ["roofline", "peak", "intensity", "bit-intensity", "rho"] {
        let picture = text(&format!("{figure}.svg"));
        assert!(picture.starts_with("<svg"), "{figure}");
    }
    assert!(text("peak.svg").contains("22.00 TOP/s") && text("roofline.svg").contains("fp16 run"));
    assert!(text("formats.html").contains("Distance to the ridge"));
    assert!(text("formats.md").contains("### Distance to the ridge"));
    assert!(text("tables/formats.csv").contains("nvfp4"));
    let again = derate_in(dir.path(), &with(&["--points", "p.csv", "--out", "out"]));
    assert_eq!((again.code, again.stdout), (0, run.stdout));
}

#[test]
fn extents_have_an_x_or_a_comma_between_them() {
    let rows =
        |shape| derate(&["formats", "--gemm", shape, "--format", "json"]).json()["rows"].clone();
    assert_eq!(rows("8x16x32"), rows("8,16,32"));
}

#[test]
fn a_processor_has_ridges_and_sources() {
    let json = derate(&["platform", "h100-sxm", "--format", "json"]).json();
    assert_eq!(json["platforms"].as_array().unwrap().len(), 0);
    let own = &json["processors"][0];
    assert_eq!((&own["kind"], &own["name"]), (&"gpu".into(), &"h100-sxm".into()));
    let peaks = own["peaks"].as_array().unwrap();
    let peak = |name: &str| peaks.iter().find(|peak| peak["arithmetic"] == name).unwrap();
    let ridge = peak("fp16")["ridge"].as_f64().unwrap();
    assert_eq!(format!("{ridge:.1}"), "295.3");
    assert_eq!(peak("int8")["rate"]["unit"], "OP/s");
    let sourced = |figure: &Value| !figure["source"].as_str().unwrap().is_empty();
    assert!(own["figures"].as_array().unwrap().iter().all(sourced));
    let all = derate(&["platform", "--format", "json"]).json();
    assert_eq!(all["processors"].as_array().unwrap().len(), 17);
}

/// Whoever has the binary alone gets the form from it.
#[test]
fn a_file_of_the_catalogue_is_where_your_own_begins() {
    let dir = tempfile::tempdir().unwrap();
    for (name, needle, broken) in
        [("u280", "[memory]", "[memory]\nodd = 1"), ("h100-sxm", "[memory]", "[memory]\nodd = 1")]
    {
        let file = derate(&["platform", name, "--format", "toml"]).stdout;
        let source = root().join("model/machine/platforms").join(format!("{name}.toml"));
        assert_eq!(file, fs::read_to_string(source).unwrap());
        fs::write(dir.path().join("mine.toml"), &file).unwrap();
        let again = derate_in(dir.path(), &["platform", "mine.toml", "--format", "toml"]);
        assert_eq!((again.code, again.stdout), (0, file.clone()));
        fs::write(dir.path().join("mine.toml"), file.replacen(needle, broken, 1)).unwrap();
        derate_in(dir.path(), &["platform", "mine.toml", "--format", "toml"]).assert_refused(
            &format!("`derate platform {name} --format toml` prints a file of the form"),
        );
    }
}

#[test]
fn a_processor_of_your_own_is_read_and_its_errors_name_their_lines() {
    let dir = tempfile::tempdir().unwrap();
    let t4 = fs::read_to_string(root().join("model/machine/platforms/t4.toml")).unwrap();
    fs::write(dir.path().join("mine.toml"), t4.replace("320 GB/s", "160 GB/s")).unwrap();
    let args = ["formats", "--platform", "mine.toml", "--precision", "fp16", "--format", "json"];
    let json = derate_in(dir.path(), &args).json();
    assert_eq!(format!("{:.3}", json["rows"][0]["ridge"].as_f64().unwrap()), "406.875");
    fs::write(dir.path().join("mine.toml"), t4.replace("\"65.1 TFLOP/s\"", "\"65.1\"")).unwrap();
    let line = 1 + t4[..t4.find("\"65.1 TFLOP/s\"").unwrap()].matches('\n').count();
    derate_in(dir.path(), &["platform", "mine.toml"])
        .assert_refused(&format!("mine.toml:{line}: `65.1` is not a compute rate"));
}

#[test]
fn a_gpu_is_no_card_for_a_design() {
    let project = copy("smolvla");
    let file = project.path().join("derate.toml");
    let text = fs::read_to_string(&file).unwrap();
    let h100 = root().join("model/machine/platforms/h100-sxm.toml");
    fs::copy(h100, project.path().join("mine.toml")).unwrap();
    fs::write(&file, text.replace("name = \"u280\"", "name = \"mine.toml\"")).unwrap();
    derate_in(project.path(), &["audit"]).assert_refused("`kind` makes this the file of a GPU");
}

/// Claimed peaks beside those that can be derived; weights of one's own; figures in place of the platform's.
#[test]
fn claims_weights_and_own_figures_are_taken() {
    let words = [
        "formats",
        "--platform",
        "u280",
        "--gemm",
        "50x960x960",
        "--precision",
        "fp32",
        "--precision",
        "int8",
    ];
    let claims =
        ["--claim", "fp32=5.41 TFLOP/s", "--claim", "int8=18.6 TOP/s", "--bandwidth", "300 GB/s"];
    let json = derate(&[&words[..], &claims, &["--format", "json"]].concat()).json();
    let claim = &json["claims"][0];
    assert_eq!(format!("{:.2}", claim["claimed_ridge"].as_f64().unwrap()), "18.03");
    assert_eq!(format!("{:.3}", claim["own_ridge"].as_f64().unwrap()), "3.608");
    assert_eq!(json["claims"][1]["arithmetic"], "int8");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("w.toml");
    fs::write(&file, "[weights]\nint8 = 0.08\n").unwrap();
    let weights =
        ["--weights", file.to_str().unwrap(), "--peak", "int8=5 TOP/s", "--format", "json"];
    let json = derate(&[&words[..], &weights].concat()).json();
    let rows = json["rows"].as_array().unwrap();
    assert_eq!(rows[1]["peak"]["value"], 5e12);
    let rule = rows[1]["bit_intensity"]
        .as_array()
        .unwrap()
        .iter()
        .find(|own| own["weights"] == "rule")
        .unwrap();
    assert_eq!(rule["weight"], 0.08);
    fs::write(&file, "[weights]\nfp9 = 1\n").unwrap();
    let run = derate(&[&words[..], &["--weights", file.to_str().unwrap()]].concat());
    assert!(run.code == 2 && run.stderr.contains("w.toml"), "{}", run.stderr);
}
