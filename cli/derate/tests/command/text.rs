//! Colours, scripts for shells, and readers that close early; `tests/cmd` has what commands show.

use std::fs;
use std::process::{Command, Stdio};

use crate::derate::{derate, derate_in, root};
use insta::assert_snapshot;

#[test]
fn colours_come_only_when_asked_for() {
    assert!(!derate(&["audit", "fixtures/smolvla"]).stdout.contains('\u{1b}'));
    let forced = Command::new(env!("CARGO_BIN_EXE_derate"))
        .args(["audit", "fixtures/smolvla"])
        .current_dir(root())
        .env_remove("NO_COLOR")
        .env("CLICOLOR_FORCE", "1")
        .output()
        .unwrap();
    assert!(forced.stdout.contains(&0x1b));
}

#[test]
fn init_writes_a_project_file_that_audits() {
    let dir = crate::derate::copy("smolvla");
    fs::remove_file(dir.path().join("derate.toml")).unwrap();
    let run = derate_in(dir.path(), &["init"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_snapshot!(fs::read_to_string(dir.path().join("derate.toml")).unwrap());
    let audit = derate_in(dir.path(), &["audit", "--format", "json"]);
    assert_eq!(
        audit.code, 1,
        "the alias lies whatever is claimed: {}{}",
        audit.stdout, audit.stderr
    );
    derate_in(dir.path(), &["init"]).assert_refused("--force");
    assert_eq!(derate_in(dir.path(), &["init", "--force"]).code, 0);
}

#[test]
fn a_completion_script_and_a_manual_page_are_printed() {
    let script = derate(&["completions", "bash"]).stdout;
    assert!(script.contains("_derate"));
    // The names behind `--platform` and `--only`, which take paths or refuse other words.
    assert!(script.contains("u280 ") && script.contains("h100-sxm"), "{script}");
    assert!(script.contains("report/cosim"), "{script}");
    assert!(derate(&["man"]).stdout.contains(".TH derate"));
    for help in [derate(&["audit", "--help"]), derate(&["predict", "gemm", "--help"])] {
        assert!(!help.stdout.contains("possible values: u200"), "{}", help.stdout);
        assert!(!help.stdout.contains("audit/reasonless-allow"), "{}", help.stdout);
    }
    let own = derate(&["predict", "gemm", "--shape", "8x8x8", "--platform", "absent.toml"]);
    assert!(own.stderr.contains("absent.toml"), "{}", own.stderr);
}

#[test]
fn the_list_of_rules_fits_the_terminal() {
    for columns in ["80", "120"] {
        let output = Command::new(env!("CARGO_BIN_EXE_derate"))
            .arg("rules")
            .env("NO_COLOR", "1")
            .env("COLUMNS", columns)
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let width: usize = columns.parse().unwrap();
        let widest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        assert!(widest <= width, "{widest} of {width}: {text}");
        assert!(text.contains("precision/alias-width"), "{text}");
    }
}

#[test]
fn a_reader_that_has_seen_enough_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let aliases =
        (0..20_000).fold(String::new(), |text, n| text + &format!("using type_{n} = float;\n"));
    fs::write(dir.path().join("types.h"), aliases).unwrap();
    fs::write(dir.path().join("derate.toml"), "[model]\nshapes = \"d.txt\"\n[platform]\nname = \"u280\"\n[claims]\nprecision = \"bf16\"\n[hls]\nsources = [\"lies.h\"]\n").unwrap();
    fs::write(dir.path().join("d.txt"), "fc.weight: torch.Size([8, 4]) [torch.bfloat16]\n")
        .unwrap();
    let lies = (0..500).fold(String::new(), |text, n| {
        let lie = "using bfloat16_t = float; extern bfloat16_t weight[4];";
        text + &format!("namespace n{n} {{ {lie} }}\n")
    });
    fs::write(dir.path().join("lies.h"), lies).unwrap();
    for (args, code) in [(&["types", "types.h"][..], 0), (&["audit", "--format", "json"], 1)] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_derate"))
            .args(args)
            .current_dir(dir.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Closed before a byte is read, so that the first write fails.
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*stderr), (Some(code), ""), "{args:?}");
    }
}

/// Where the widths of the terminal differ, a screen is no longer than forty lines, and no line is wider than the terminal.
#[test]
fn an_estimate_fits_a_screen() {
    let projects = [
        "fixtures/smolvla",
        "fixtures/smolvla-bf16",
        "fixtures/codesign/as-built",
        "fixtures/codesign/corrected",
        "fixtures/codesign/wide",
        "examples/bfloat16-header",
        "examples/csynth-reports",
        "examples/kernels-as-design",
    ];
    for project in projects {
        for columns in ["80", "120"] {
            check_screen(&["estimate", project], columns);
        }
    }
    check_screen(&["estimate", "fixtures/codesign/corrected", "--scenario", "design"], "80");
    let model = ["predict", "llm", "--model", "mistral-7b", "--platform", "h200"];
    check_screen(&model, "80");
    check_screen(&["hls", "hls/kernels/memcpy.cpp", "hls/kernels/read.cpp", "hls/u280.cfg"], "80");
}

fn check_screen(words: &[&str], columns: &str) {
    let run = |more: &[&str]| {
        let run = Command::new(env!("CARGO_BIN_EXE_derate"))
            .args(words)
            .args(more)
            .current_dir(root())
            .env("COLUMNS", columns)
            .output()
            .unwrap();
        String::from_utf8(run.stdout).unwrap()
    };
    let screen = run(&[]);
    let lines = screen.lines().count();
    assert!((5..=40).contains(&lines), "{words:?} at {columns}: {lines} lines\n{screen}");
    let wide: usize = columns.parse().unwrap();
    assert!(screen.lines().all(|line| line.chars().count() <= wide), "{words:?}\n{screen}");
    assert!(run(&["--detail"]).lines().count() > lines, "{words:?}");
}
