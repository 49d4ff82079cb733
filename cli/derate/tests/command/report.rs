//! The report: what is in it, that it is the same twice, and that nothing is lost.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::derate::{copy, derate_in, root};
use calamine::{Reader, Xlsx, open_workbook};

/// What every report of the seed has.
const FILES: [&str; 7] = [
    "derate.xlsx",
    "report.json",
    "report.md",
    "report.sarif",
    "report.typ",
    "roofline.svg",
    "tables/key-figures.csv",
];

/// The files of a folder and of those in it.
fn read(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            let inner = read(&path).into_iter();
            files.extend(inner.map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
        } else {
            files.insert(name, fs::read(&path).unwrap());
        }
    }
    files
}

#[test]
fn the_same_input_gives_the_same_bytes_twice_and_from_another_folder() {
    let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let here = copy("smolvla");
    let project = here.path().to_str().unwrap();
    let run = derate_in(&root(), &["report", project, "--out", first.path().to_str().unwrap()]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let elsewhere = copy("smolvla");
    let run = derate_in(elsewhere.path(), &["report", "--out", second.path().to_str().unwrap()]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let (first, second) = (read(first.path()), read(second.path()));
    for name in FILES {
        assert!(first.contains_key(name), "no {name}");
    }
    assert_eq!(first.keys().collect::<Vec<_>>(), second.keys().collect::<Vec<_>>());
    for (name, bytes) in first {
        assert!(second[&name] == bytes, "{name} differs");
    }
}

#[test]
fn it_prints_findings_verdict_and_what_it_wrote() {
    let out = tempfile::tempdir().unwrap();
    let run =
        derate_in(&root(), &["report", "fixtures/smolvla", "--out", out.path().to_str().unwrap()]);
    assert!(run.stdout.starts_with("805.7 ms, not 165 ms: the peak is claimed 5 times too high."));
    assert!(run.stdout.contains("The audit found 7 errors"), "{}", run.stdout);
    assert!(run.stdout.contains("Do first: claim 1.082 TFLOP/s"), "{}", run.stdout);
    assert!(run.stdout.lines().count() <= 25, "{}", run.stdout);
    for name in FILES {
        let name = name.split('/').next().unwrap();
        assert!(run.stdout.contains(&format!("wrote {}:", out.path().display())), "{}", run.stdout);
        assert!(run.stdout.contains(&format!(" {name}")), "{}", run.stdout);
    }
}

#[test]
fn the_workbook_has_its_sheets_and_figures() {
    let out = tempfile::tempdir().unwrap();
    derate_in(&root(), &["report", "fixtures/smolvla", "--out", out.path().to_str().unwrap()]);
    let mut book: Xlsx<_> = open_workbook(out.path().join("derate.xlsx")).unwrap();
    let sheets = book.sheet_names();
    for name in ["Summary", "Findings", "Kernels claimed", "Roofs", "Assumptions"] {
        assert!(sheets.iter().any(|s| s == name), "{sheets:?}");
    }
    let kernels = book.worksheet_range("Kernels claimed").unwrap();
    let cells: Vec<f64> =
        kernels.used_cells().filter_map(|(_, _, cell)| calamine::DataType::as_f64(cell)).collect();
    assert!(cells.contains(&92_160_000.0) && cells.contains(&2_035_200.0), "Attn_Q as claimed");
    let assumptions = book.worksheet_range("Assumptions").unwrap();
    let text: Vec<String> = assumptions.used_cells().map(|(_, _, cell)| cell.to_string()).collect();
    let text = text.join("\n");
    assert!(
        text.contains("Published") && text.contains("Assumed") && text.contains("UG1393"),
        "{text}"
    );
}

/// Whole and old: nothing was changed, nothing is left behind.
fn assert_untouched(dir: &Path, before: &BTreeMap<String, Vec<u8>>) {
    let after = read(dir);
    assert_eq!(after.keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>());
    assert!(after == *before, "a file was changed");
}

#[cfg(unix)]
#[test]
fn an_unusable_target_leaves_the_old_files_whole() {
    let project = copy("smolvla");
    let report = |out: &str| derate_in(project.path(), &["report", "--out", out]);
    let out = project.path().join("out");
    assert_eq!(report("out").code, 0);
    // A report that would differ.
    let file = project.path().join("derate.toml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("\"300 GB/s\"", "\"240 GB/s\"")).unwrap();

    fs::remove_file(out.join("report.md")).unwrap();
    fs::create_dir(out.join("report.md")).unwrap();
    let before = read(&out);
    report("out").assert_refused("report.md is a directory, so no file was changed");
    assert_untouched(&out, &before);
    fs::remove_dir(out.join("report.md")).unwrap();

    fs::remove_dir_all(out.join("tables")).unwrap();
    fs::write(out.join("tables"), "mine").unwrap();
    let before = read(&out);
    report("out").assert_refused("tables is not a directory, so no file was changed");
    assert_untouched(&out, &before);
    fs::remove_file(out.join("tables")).unwrap();

    fs::write(project.path().join("file"), "").unwrap();
    report("file").assert_refused("--out");
    report("/proc/nowhere").assert_refused("--out");
    assert_eq!(report("out").code, 0);
}

/// A full disk looks like this to a program: a write that ends early.
#[cfg(target_os = "linux")]
#[test]
fn a_full_target_leaves_the_old_files_whole() {
    let project = copy("smolvla");
    assert_eq!(derate_in(project.path(), &["report", "--out", "out"]).code, 0);
    let before = read(&project.path().join("out"));
    let file = project.path().join("derate.toml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("\"300 GB/s\"", "\"240 GB/s\"")).unwrap();
    // Files of at most 100 blocks of 512 bytes; without the signal the write fails instead.
    let line = "trap '' XFSZ; ulimit -f 100; exec \"$0\" report --out out";
    let run = std::process::Command::new("sh")
        .args(["-c", line, env!("CARGO_BIN_EXE_derate")])
        .current_dir(project.path())
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    let stderr = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("cannot be written, so no file was changed: free space"), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert_untouched(&project.path().join("out"), &before);
}

/// A file system of its own, in a mount namespace that ends with the shell: first full, then read-only.
#[cfg(target_os = "linux")]
#[test]
fn only_what_derate_wrote_and_no_longer_makes_is_removed() {
    let project = copy("smolvla");
    let report = |args: &[&str]| {
        let run = derate_in(project.path(), &[&["report", "--out", "out"], args].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stdout
    };
    report(&[]);
    let out = project.path().join("out");
    for mine in ["mine.svg", "tables/mine.csv"] {
        fs::write(out.join(mine), "mine").unwrap();
    }
    fs::write(project.path().join("p.csv"), "name,oi,rate,source\nq,45,1 GOP/s,me\n").unwrap();
    report(&["--points", "p.csv"]);
    assert!(out.join("tables/measured-points.csv").exists());
    // Another format's turn takes nothing away.
    report(&["--format", "svg"]);
    assert!(out.join("tables/measured-points.csv").exists());
    // A list that somebody wrote into names nothing beyond the folder, and no file that has other bytes.
    let list = fs::read_to_string(out.join(".derate-written")).unwrap();
    let (hash, _) = list.split_once(' ').unwrap();
    let more =
        ["../derate.toml", "report.json", "tables/../report.md", "mine.svg", "tables/mine.csv"];
    let more = more.map(|name| format!("{hash} {name}\n{name}\n")).concat();
    fs::write(out.join(".derate-written"), list + &more).unwrap();
    let said = report(&["--format", "csv,svg"]);
    assert!(said.contains("removed out/tables/measured-points.csv"), "{said}");
    assert!(said.contains("left out/mine.svg: it is out of date, but it was changed"), "{said}");
    assert!(!out.join("tables/measured-points.csv").exists());
    for kept in [
        "mine.svg",
        "tables/mine.csv",
        "report.json",
        "report.md",
        "roofline.svg",
        "../derate.toml",
    ] {
        assert!(out.join(kept).exists(), "{kept} is gone");
    }
    // Nor is one taken away that somebody wrote over.
    report(&["--points", "p.csv"]);
    fs::write(out.join("tables/measured-points.csv"), "mine").unwrap();
    let said = report(&[]);
    assert!(said.contains("left out/tables/measured-points.csv"), "{said}");
    assert_eq!(fs::read_to_string(out.join("tables/measured-points.csv")).unwrap(), "mine");
}

/// A folder that leads nowhere is found out when files before it were moved.
#[cfg(unix)]
#[test]
fn files_that_were_moved_are_put_back() {
    let project = copy("smolvla");
    let report = || derate_in(project.path(), &["report", "--out", "out"]);
    assert_eq!(report().code, 0);
    let out = project.path().join("out");
    let file = project.path().join("derate.toml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("\"300 GB/s\"", "\"240 GB/s\"")).unwrap();
    fs::remove_dir_all(out.join("tables")).unwrap();
    fs::remove_file(out.join("report.html")).unwrap();
    std::os::unix::fs::symlink("nowhere", out.join("tables")).unwrap();
    let files = || -> BTreeMap<String, Vec<u8>> {
        let names = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().path());
        let files = names.filter(|path| path.is_file());
        files.map(|path| (path.display().to_string(), fs::read(&path).unwrap())).collect()
    };
    let (before, entries) = (files(), fs::read_dir(&out).unwrap().count());
    report().assert_refused("cannot be replaced and no file was changed");
    assert_eq!(fs::read_dir(&out).unwrap().count(), entries, "something is left behind");
    assert!(files() == before, "a file was changed");
}

#[test]
fn a_file_of_the_report_is_written_over_nothing_that_it_is_made_from() {
    // The dump, a source, a card, recordings and points that derate.toml names, each as a name that a report writes.
    let project = copy("smolvla");
    let dir = project.path();
    let toml = fs::read_to_string(dir.join("derate.toml")).unwrap();
    let dump = toml.lines().find_map(|line| line.trim().strip_prefix("shapes = ")).unwrap();
    let dump = dump.split('"').nth(1).unwrap();
    fs::create_dir(dir.join("tables")).unwrap();
    let point = "name,oi,rate,source\nq,45,1 GOP/s,me\n";
    fs::write(dir.join("tables/measured-points.csv"), point).unwrap();
    fs::copy(dir.join(dump), dir.join("report.md")).unwrap();
    let own = [
        (
            toml.clone() + "\n[measurements]\npoints = \"tables/measured-points.csv\"\n",
            "tables/measured-points.csv",
        ),
        (toml.replace(&format!("\"{dump}\""), "\"report.md\""), "report.md"),
    ];
    for (text, name) in own {
        fs::write(dir.join("derate.toml"), text).unwrap();
        let before = read(dir);
        derate_in(dir, &["report", "--out", "."])
            .assert_refused(&format!("{name}: that file is read, so it is not written"));
        assert_untouched(dir, &before);
        // From elsewhere, under another name of the same folder.
        let args =
            ["report", dir.to_str().unwrap(), "--out", &format!("{}/tables/..", dir.display())];
        derate_in(&root(), &args).assert_refused("that file is read");
        assert_untouched(dir, &before);
    }
    // Beside them there is room, and the report of the run before may go.
    assert_eq!(derate_in(dir, &["report", "--out", ".", "--format", "json"]).code, 0);
    let args = ["report", "--out", ".", "--format", "json", "--compare", "report.json"];
    assert_eq!(derate_in(dir, &args).code, 0);
    // But not where it is more than that.
    let args = ["report", "--out", "out", "--format", "json"];
    assert_eq!(derate_in(dir, &args).code, 0);
    fs::write(dir.join("out/report.json"), point).unwrap();
    let args = ["report", "--out", "out", "--format", "json", "--points", "out/report.json"];
    derate_in(dir, &args).assert_refused("that file is read");
}

#[test]
fn what_a_killed_run_left_goes() {
    let project = copy("smolvla");
    let stage = project.path().join("out/.derate-x1y2");
    fs::create_dir_all(&stage).unwrap();
    for file in ["lock", "0.new", "0.old.report.md"] {
        fs::write(stage.join(file), "").unwrap();
    }
    assert_eq!(derate_in(project.path(), &["report", "--out", "out", "--format", "md"]).code, 0);
    assert!(!stage.exists());
}

#[test]
fn formats_are_chosen() {
    let out = tempfile::tempdir().unwrap();
    let target = out.path().to_str().unwrap();
    let args = ["report", "fixtures/smolvla", "--out", target, "--format", "md,sarif"];
    assert_eq!(derate_in(&root(), &args).code, 0);
    let names: Vec<String> = read(out.path()).into_keys().collect();
    assert_eq!(names, [".derate-written", "report.md", "report.sarif"]);
    // A blank after the comma, and the word that `--help` gives as the default.
    let spaced = tempfile::tempdir().unwrap();
    let target = spaced.path().to_str().unwrap();
    let with = |formats: &str| {
        derate_in(&root(), &["report", "fixtures/smolvla", "--out", target, "--format", formats])
    };
    assert_eq!(with("md, sarif").code, 0);
    assert_eq!(read(spaced.path()).into_keys().collect::<Vec<_>>(), names);
    assert_eq!(with("all").code, 0);
    assert!(read(spaced.path()).len() > 20);
    let refused = with("md,docx");
    assert!(refused.code == 2 && refused.stderr.contains("'docx'"), "{}", refused.stderr);
    let help = derate_in(&root(), &["report", "--help"]).stdout;
    assert!(help.contains("[default: all]") && help.contains("- all:"), "{help}");
    assert!(help.contains("Exits with 0 where the files were written"), "{help}");
    let comment = fs::read_to_string(out.path().join("report.md")).unwrap();
    assert!(comment.encode_utf16().count() <= 65_536);
    assert!(
        comment.contains("precision/alias-width") && comment.contains("Ridge (OP/B)"),
        "{comment}"
    );
}
