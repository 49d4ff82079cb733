//! Measurements beside a prediction.

use super::predict;
use crate::derate::{self, derate};
use serde_json::Value;

fn fixture(name: &str) -> String {
    derate::root().join("fixtures/profiles").join(name).display().to_string()
}

/// What a profiler counted and a monitor saw, beside what is modelled.
#[test]
fn counted_bytes_and_power_are_held_against_the_model() {
    let words = ["gemv", "--platform", "a100-40", "--shape", "4096x4096"];
    let (ncu, power) = (fixture("ncu-long.csv"), fixture("smi-power.csv"));
    let held = ["--counted", &ncu, "--kernel", "gemv2T", "--power", &power];
    let json = predict(&[&words[..], &held].concat());
    let number = |path: &str| json.pointer(path).unwrap().as_f64().unwrap();
    let modelled = number("/phases/0/totals/bytes");
    assert!((number("/counted/of_modelled") - 33.59e6 / modelled).abs() < 1e-9);
    assert!((number("/measured/seconds") - 125.5e-6).abs() < 1e-12);
    let joules = 250.0 * 125.5e-6;
    assert!((number("/energy/joules_per_operation") / (joules / 33_554_432.0) - 1.0).abs() < 1e-9);
    // A time of one's own goes before that of the profile.
    let own = predict(&[&words[..], &held, &["--measured", "100 us"]].concat());
    assert!((own["measured"]["seconds"].as_f64().unwrap() - 1e-4).abs() < 1e-12);
    let roofline = own["phases"][0]["totals"]["seconds"].as_f64().unwrap();
    assert!((own["measured"]["error"].as_f64().unwrap() - (roofline / 1e-4 - 1.0)).abs() < 1e-12);
    for (more, says) in [
        (
            &["--counted", &ncu, "--kernel", "softmax"][..],
            "has no such kernel, but gemv2T_kernel_val",
        ),
        (&["--power", &power], "needs a time"),
        (&["--counted", &fixture("ncu-cut.csv")], "ncu-cut.csv:5"),
        (&["--counted", &power], "ncu --csv"),
        (&["--power", &ncu, "--measured", "1 s"], "no column power.draw"),
        (&["--points", &power], "there is no column"),
    ] {
        let run = derate(&[&["predict"], &words[..], more].concat());
        assert!(run.code == 2 && run.stderr.contains(says), "{more:?}: {}", run.stderr);
    }
}

/// Page, picture, JSON and tables in full digits.
#[test]
fn a_prediction_is_written_with_its_measured_points() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run.json").display().to_string();
    let bench = ["bench", "gemv", "--shape", "64x128", "--precision", "fp16,nvfp4", "--out", &run];
    assert_eq!(derate(&bench).code, 0);
    let out = folder.path().join("out").display().to_string();
    let words = ["predict", "gemv", "--platform", "gb10", "--shape", "64x128", "--points", &run];
    let done = derate(&[&words[..], &["--measured", "3 us", "--out", &out]].concat());
    assert_eq!(done.code, 0, "{}", done.stderr);
    let read = |name: &str| std::fs::read_to_string(folder.path().join("out").join(name)).unwrap();
    let table = read("tables/operations.csv");
    assert!(
        table.starts_with(
            "phase,operation,runs,arithmetic,work (OP),bytes (B),intensity (OP/B),time (s)"
        ),
        "{table}"
    );
    assert!(table.contains("16384") && !table.contains("kB"), "{table}");
    let picture = read("roofline.svg");
    for word in ["memory wall", "measured", "nvfp4", "fp16"] {
        assert!(picture.contains(word), "{word}");
    }
    assert_eq!(
        serde_json::from_str::<Value>(&read("prediction.json")).unwrap()["schema"],
        "derate.prediction/1"
    );
    assert!(read("prediction.html").contains("Measured beside it"));
    // The study of formats takes the same file.
    let formats = ["formats", "--platform", "gb10", "--gemm", "1x64x128", "--points", &run];
    let study =
        derate(&[&formats[..], &["--precision", "nvfp4", "--format", "json"]].concat()).json();
    let point = &study["rows"][0]["achieved"][0];
    assert!(point["rate"].as_f64().unwrap() > 0.0 && point["range"].is_array(), "{study}");
}

/// A cache that holds the model explains a run below the roofline; nothing explains one below its products.
#[test]
fn a_run_that_a_cache_explains_is_not_impossible() {
    let measured = |time: &str| {
        let model = ["llm", "--model", "smollm2-135m", "--platform", "l40s"];
        let run = ["--precision", "int4-g128", "--measured", time];
        let json = predict(&[&model[..], &run[..]].concat());
        json["language"]["measured"].clone()
    };
    let (kept, never) = (measured("1 ms"), measured("1 us"));
    let said = |of: &Value, what: &str| of["sentence"].as_str().unwrap().contains(what);
    assert!(kept["impossible"] == false && said(&kept, "kept some of the bytes on the chip"));
    assert!(said(&kept, "100.7 MB"), "{kept}");
    assert!(never["impossible"] == true && said(&never, "the products take at their peaks"));
    let large = ["llm", "--model", "mistral-7b", "--platform", "t4", "--measured", "1 s"];
    let large = predict(&large)["language"]["measured"].clone();
    assert!(large["impossible"] == true && said(&large, "though 4.194 MB of them stay"), "{large}");
}
