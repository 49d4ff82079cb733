//! The report on a disk that is full, and as a paper: tests that need a tool of the machine.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod derate;
#[path = "../../../reports/render/tests/page/harness.rs"]
mod harness;

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use derate::{copy, derate_in, root};
use harness::{run_tests, tests};

fn main() -> ExitCode {
    let with_own_disk = tests![a_disk_that_is_full_or_read_only_keeps_the_old_files_whole];
    let with_typst = tests![the_paper_compiles_without_a_warning_whatever_is_in_the_code];
    let tools = vec![(missing_namespace(), with_own_disk), (missing_typst(), with_typst)];
    run_tests(Vec::new(), tools)
}

/// A mount namespace, in which a test mounts a small disk of its own.
fn missing_namespace() -> Option<String> {
    let mount = "mount -t tmpfs -o size=1m none /mnt";
    let tried = Command::new("unshare").args(["-rm", "sh", "-c", mount]).output();
    let works = tried.is_ok_and(|run| run.status.success());
    (!works).then(|| "a mount namespace".to_owned())
}

/// `typst`, or its Python package, as `make setup` puts it beside the build outputs.
fn missing_typst() -> Option<String> {
    let program = Command::new("typst").arg("--version").output().is_ok();
    let package = target().join("typst/typst/__init__.py").is_file();
    (!program && !package).then(|| "typst".to_owned())
}

/// The folder of the build outputs.
fn target() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_derate")).ancestors().nth(2).unwrap()
}

const OWN_DISK: &str = r#"
mkdir out && mount -t tmpfs -o size=16m none out
"$0" report --out out >/dev/null 2>&1 || exit 3
cp -r out old
sed -i 's/"300 GB\/s"/"240 GB\/s"/' derate.toml
dd if=/dev/zero of=out/filler bs=4096 2>/dev/null
"$0" report --out out 2>&1 >/dev/null; echo "full: $?"
rm out/filler
diff -r old out && echo whole
mount -o remount,ro out
"$0" report --out out 2>&1 >/dev/null; echo "read-only: $?"
diff -r old out && echo whole
mount -o remount,rw out
"$0" report --out out >/dev/null 2>&1; echo "free: $?"
cmp -s old/report.json out/report.json || echo new
"#;

fn a_disk_that_is_full_or_read_only_keeps_the_old_files_whole() {
    let project = copy("smolvla");
    let run = Command::new("unshare")
        .args(["-rm", "sh", "-c", OWN_DISK, env!("CARGO_BIN_EXE_derate")])
        .current_dir(project.path())
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    let said = String::from_utf8(run.stdout).unwrap();
    let lines: Vec<&str> = said.lines().collect();
    let [full, "full: 2", "whole", shut, "read-only: 2", "whole", "free: 0", "new"] = lines[..]
    else {
        panic!("{said}{}", String::from_utf8_lossy(&run.stderr))
    };
    assert!(full.contains("cannot be written, so no file was changed: free space"), "{full}");
    assert!(shut.contains("out cannot be written to, so no file was changed"), "{shut}");
}

fn the_paper_compiles_without_a_warning_whatever_is_in_the_code() {
    let project = copy("smolvla");
    let header = project.path().join("model_weights.h");
    let code = fs::read_to_string(&header).unwrap();
    let alias = "using bfloat16_t = float;";
    let hostile = r##"{alias} // "#panic("no")) \\" ]$x$ @y <z> #import "a.typ": * `"##;
    let hostile = hostile.replace("{alias}", alias);
    assert!(code.contains(alias));
    fs::write(&header, code.replace(alias, &hostile)).unwrap();
    let args = ["report", "--out", "out", "--format", "typst"];
    assert_eq!(derate_in(project.path(), &args).code, 0);
    let run = Command::new(root().join("scripts/typst"))
        .arg(project.path().join("out/report.typ"))
        .env("CARGO_TARGET_DIR", target())
        .output()
        .unwrap();
    let stderr = String::from_utf8(run.stderr).unwrap();
    assert!(run.status.success() && stderr.is_empty(), "{stderr}");
    assert!(fs::read(project.path().join("out/report.pdf")).unwrap().starts_with(b"%PDF"));
}
