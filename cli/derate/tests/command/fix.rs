//! `derate audit --fix` on copies of the fixture: what it shows, what it writes and what it leaves alone.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::derate::{Run, copy, derate, derate_in};
use insta::assert_snapshot;

/// The project's files and their bytes.
fn bytes(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let names = ["derate.toml", "model_shape.txt", "model_weights.h", "kernels/gemm.cpp"];
    names.into_iter().map(|name| (name.to_owned(), fs::read(dir.join(name)).unwrap())).collect()
}

/// What is found, the kernels' structure left out: no edit fixes that.
/// What an edit could fix: the kernels and the model's own work are not among it.
fn codes(dir: &Path) -> Vec<String> {
    let json = derate_in(dir, &["audit", "--format", "json"]).json();
    let findings = json["findings"].as_array().unwrap();
    let codes = findings.iter().map(|f| f["code"].as_str().unwrap().to_owned());
    let work = ["workload/dead-work", "workload/loop-invariant"];
    codes.filter(|code| !code.starts_with("kernel/") && !work.contains(&code.as_str())).collect()
}

fn change(dir: &Path, name: &str, change: impl FnOnce(&str) -> Vec<u8>) {
    let path = dir.join(name);
    fs::write(&path, change(&fs::read_to_string(&path).unwrap())).unwrap();
}

#[test]
fn fix_shows_a_diff_and_changes_nothing() {
    let dir = copy("smolvla");
    let before = bytes(dir.path());
    let claim = derate_in(dir.path(), &["audit", "--fix"]);
    assert_eq!(claim.code, 1, "{}", claim.stderr);
    assert_snapshot!("fix_claim", format!("{}{}", claim.stdout, claim.stderr));
    let code = derate_in(dir.path(), &["audit", "--fix=code"]);
    assert_eq!(code.code, 1, "{}", code.stderr);
    assert_snapshot!("fix_code", format!("{}{}", code.stdout, code.stderr));
    assert_eq!(bytes(dir.path()), before);
    // The names are the project's, from wherever it is called.
    let place = dir.path().to_string_lossy();
    assert_eq!(derate(&["audit", &place, "--fix"]).stdout, claim.stdout);
    assert_eq!(derate(&["audit", "--fix", &place]).stdout, claim.stdout);
    assert_eq!(derate(&["audit", "--fix=code", &place]).stdout, code.stdout);
    let json = derate_in(dir.path(), &["audit", "--fix", "--format", "json"]).json();
    assert_eq!(json["schema"], "derate.fix/2");
    let diffs = json["files"].as_array().unwrap().iter().map(|f| f["diff"].as_str().unwrap());
    assert_eq!(diffs.collect::<String>(), claim.stdout);
    assert_eq!(json["not_fixed"][0]["code"], "precision/alias-width");
}

#[test]
fn fixed_claims_are_not_found_again() {
    let dir = copy("smolvla");
    let run = derate_in(dir.path(), &["audit", "--fix=claim", "--write"]);
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (1, "wrote derate.toml: 7 changes\nwrote model_weights.h: 1 change\n")
    );
    assert_eq!(codes(dir.path()), ["precision/alias-width"]);
    let before = bytes(dir.path());
    let again = derate_in(dir.path(), &["audit", "--fix=claim", "--write"]);
    assert_eq!(again.stdout, "");
    assert!(again.stderr.ends_with("nothing to fix\n"), "{}", again.stderr);
    assert_eq!(bytes(dir.path()), before);
}

/// A precision that is claimed anew needs a peak of its own, which no edit knows; near miss: one that has a peak.
#[test]
fn a_claimed_precision_without_a_peak_of_its_own_is_told() {
    let told = "claim a peak of fp32 by hand: without one the times as claimed are unknown";
    let dir = copy("smolvla");
    let fix = || derate_in(dir.path(), &["audit", "--fix=claim"]);
    let said = fix();
    assert!(said.stdout.contains("+precision = \"fp32\""), "{}", said.stdout);
    assert!(!said.stderr.contains("by hand"), "{}", said.stderr);
    change(dir.path(), "derate.toml", |text| text.replace("fp32 = \"5.41 TFLOP/s\", ", "").into());
    let said = fix();
    assert!(said.stdout.contains("+precision = \"fp32\""), "{}", said.stdout);
    assert!(said.stderr.contains(told), "{}", said.stderr);
}

#[test]
fn fixed_code_and_then_fixed_claims_are_clean() {
    let dir = copy("smolvla");
    let toml = fs::read(dir.path().join("derate.toml")).unwrap();
    let run = derate_in(dir.path(), &["audit", "--fix=code", "--write"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    // What the claims say does not concern the code's side.
    assert_eq!(run.stdout, "wrote model_weights.h: 3 changes\n");
    assert_eq!(fs::read(dir.path().join("derate.toml")).unwrap(), toml);
    assert!(!codes(dir.path()).iter().any(|code| code.starts_with("precision/")));
    let run = derate_in(dir.path(), &["audit", "--fix=claim", "--write"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(codes(dir.path()).is_empty());
    assert_eq!(derate_in(dir.path(), &["audit"]).code, 0);
}

/// Carriage returns, a byte order mark, bytes of another encoding and a missing last line end are none of ours.
#[test]
fn odd_bytes_survive() {
    let dir = copy("smolvla");
    for name in ["derate.toml", "model_weights.h"] {
        change(dir.path(), name, |text| {
            let text = text.replace('\n', "\r\n");
            let text = text.trim_end().replacen("[claims]", "# \t\r\n[claims]", 1);
            let mut bytes = b"\xef\xbb\xbf".to_vec();
            bytes.extend(text.as_bytes());
            bytes
        });
    }
    let header = dir.path().join("model_weights.h");
    let mut latin = b"\xef\xbb\xbf// caf\xe9 \xff\xfe\r\n".to_vec();
    latin.extend(&fs::read(&header).unwrap()[3..]);
    fs::write(&header, &latin).unwrap();
    let before = bytes(dir.path());

    for (side, code) in [("--fix=code", 1), ("--fix=claim", 0)] {
        let run = derate_in(dir.path(), &["audit", side, "--write"]);
        assert_eq!(run.code, code, "{}", run.stderr);
    }
    let after = bytes(dir.path());
    let expect = |bytes: &[u8], changes: &[(&str, &str)]| {
        let mut out = bytes.to_vec();
        for (from, to) in changes {
            let at = out.windows(from.len()).position(|w| w == from.as_bytes()).unwrap();
            out.splice(at..at + from.len(), to.bytes());
        }
        out
    };
    assert_eq!(
        after["model_weights.h"],
        expect(
            &before["model_weights.h"],
            &[
                ("#include <cstdint>\r\n", "#include <cstdint>\r\n#include \"ap_float.h\"\r\n"),
                ("using bfloat16_t = float;", "using bfloat16_t = ap_float<16, 8>;"),
                ("EXPERT_GATE_DIM = 1920;", "EXPERT_GATE_DIM = 2048;"),
            ]
        )
    );
    assert_eq!(
        after["derate.toml"],
        expect(
            &before["derate.toml"],
            &[
                ("batch = 1\r\n", "batch = 1\r\nlatency = \"unknown\"\r\n"),
                ("sequence_length = 50", "sequence_length = 241"),
                ("460 GB/s", "300 GB/s"),
                ("5.41 TFLOP/s", "1.08 TFLOP/s"),
                ("18.6 TOP/s", "9.47 TOP/s"),
                ("37.2 TOP/s", "10.8 TOP/s"),
            ]
        )
    );
    assert!(codes(dir.path()).is_empty());
}

/// The diff is one of bytes: `patch` makes of it what --write writes.
#[test]
fn patch_takes_the_diff() {
    use std::process::Command;

    if Command::new("patch").arg("--version").output().is_err() {
        return;
    }
    for side in ["claim", "code"] {
        let (ours, theirs) = (copy("smolvla"), copy("smolvla"));
        for dir in [&ours, &theirs] {
            change(dir.path(), "derate.toml", |text| text.replace('\n', "\r\n").into_bytes());
            change(dir.path(), "model_weights.h", |text| text.trim_end().as_bytes().to_vec());
        }
        let diff = derate_in(theirs.path(), &["audit", &format!("--fix={side}")]).stdout;
        fs::write(theirs.path().join("fix.diff"), diff).unwrap();
        let patch = Command::new("patch")
            .args(["--binary", "-p0", "-i", "fix.diff"])
            .current_dir(theirs.path())
            .output()
            .unwrap();
        assert!(patch.status.success(), "{}", String::from_utf8_lossy(&patch.stdout));
        derate_in(ours.path(), &["audit", &format!("--fix={side}"), "--write"]);
        assert_eq!(bytes(ours.path()), bytes(theirs.path()), "{side}");
    }
}

#[test]
fn write_without_fix_is_refused() {
    derate(&["audit", "fixtures/smolvla", "--write"]).assert_refused("--fix=claim --write");
}

#[test]
fn what_is_fixed_follows_an_equals_sign() {
    derate(&["audit", "--fix", "code"]).assert_refused("write `--fix=code`");
    // A folder of that name is a project like any other.
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("code")).unwrap();
    derate_in(dir.path(), &["audit", "--fix", "code"])
        .assert_refused("name the folder of a design");
}

#[test]
fn a_folder_without_a_model_is_fixed() {
    let dir = tempfile::tempdir().unwrap();
    let kernel = "#include \"types.h\"\nvoid top(bfloat16_t a[8], bfloat16_t b[8]) {\n\
                  #pragma HLS interface m_axi port=a\n    for (int i = 0; i < 8; i++) b[i] = a[i];\n}\n";
    fs::write(dir.path().join("top.cpp"), kernel).unwrap();
    fs::write(dir.path().join("types.h"), "typedef float bfloat16_t;\n").unwrap();
    derate_in(dir.path(), &["audit", "--fix"]).assert_refused("--fix=code shows how the source");
    let shown = derate_in(dir.path(), &["audit", "--fix=code"]);
    assert_eq!(shown.code, 1, "{}", shown.stderr);
    assert!(shown.stdout.contains("+typedef ap_float<16, 8> bfloat16_t;"), "{}", shown.stdout);
    let written = derate_in(dir.path(), &["audit", "--fix=code", "--write"]);
    assert_eq!((written.code, written.stdout.as_str()), (0, "wrote types.h: 2 changes\n"));
    assert_eq!(fs::read_to_string(dir.path().join("top.cpp")).unwrap(), kernel);
    assert!(!codes(dir.path()).iter().any(|code| code.starts_with("precision/")));
}

#[test]
fn a_clean_project_has_nothing_to_fix() {
    let run: Run = derate(&["audit", "fixtures/smolvla-bf16", "--fix"]);
    assert_eq!(run.stdout, "");
    assert!(run.stderr.contains("nothing to fix"), "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn only_files_of_the_project_are_written() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let (dir, elsewhere) = (copy("smolvla"), tempfile::tempdir().unwrap());
    let header = dir.path().join("model_weights.h");
    // A link that leads out is named and left alone, and the rest is fixed.
    let outside = elsewhere.path().join("model_weights.h");
    fs::rename(&header, &outside).unwrap();
    symlink(&outside, &header).unwrap();
    let before = fs::read(&outside).unwrap();
    let run = derate_in(dir.path(), &["audit", "--fix=code", "--write"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    let why = "not fixed: model_weights.h:12: precision/alias-width: model_weights.h is a link that leads out";
    assert!(run.stderr.contains(why), "{}", run.stderr);
    assert_eq!(run.stdout, "");
    assert_eq!(fs::read(&outside).unwrap(), before);

    // A link within is followed and stays a link; permissions stay too.
    fs::remove_file(&header).unwrap();
    let real = dir.path().join("real.h");
    fs::copy(&outside, &real).unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real.h", &header).unwrap();
    let run = derate_in(dir.path(), &["audit", "--fix=code", "--write"]);
    assert_eq!(run.stdout, "wrote model_weights.h: 3 changes\n");
    assert!(header.is_symlink());
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::read_to_string(&real).unwrap().contains("ap_float<16, 8>"));

    // A source of another folder is read, and not written.
    fs::rename(&real, elsewhere.path().join("other.h")).unwrap();
    fs::remove_file(&header).unwrap();
    let other = elsewhere.path().join("other.h");
    let text = fs::read_to_string(&other).unwrap().replace("ap_float<16, 8>", "float");
    fs::write(&other, &text).unwrap();
    change(dir.path(), "derate.toml", |toml| {
        toml.replace("\"model_weights.h\"", &format!("{:?}", other.to_string_lossy())).into_bytes()
    });
    let run = derate_in(dir.path(), &["audit", "--fix=code", "--write"]);
    assert!(run.stderr.contains("is outside of the project's folder"), "{}", run.stderr);
    assert_eq!(fs::read_to_string(&other).unwrap(), text);
}

#[cfg(unix)]
#[test]
fn a_read_only_file_is_left_alone() {
    use std::os::unix::fs::PermissionsExt;

    let dir = copy("smolvla");
    let path = dir.path().join("derate.toml");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let run = derate_in(dir.path(), &["audit", "--fix", "--write"]);
    assert!(
        run.stderr.contains("derate.toml may not be written: check its permissions"),
        "{}",
        run.stderr
    );
    assert_eq!(run.stdout, "wrote model_weights.h: 1 change\n");
}
