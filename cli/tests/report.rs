//! The report: what is in it, that it is the same twice, and that nothing is lost.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod derate;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use calamine::{Reader, Xlsx, open_workbook};
use derate::{copy, derate_in, root};

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
    let run = derate_in(
        &root(),
        &["report", "fixtures/smolvla", "--out", first.path().to_str().unwrap()],
    );
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
    assert!(run.stdout.contains("using bfloat16_t = float;"), "{}", run.stdout);
    assert!(run.stdout.contains("precision = \"bf16\""), "the claim's line");
    assert!(run.stdout.contains("That conclusion reverses"));
    for name in FILES {
        let name = name.split('/').next().unwrap();
        let wrote = format!("wrote {}", out.path().join(name).display());
        assert!(run.stdout.contains(&wrote), "{}", run.stdout);
    }
}

#[test]
fn the_workbook_has_its_sheets_and_figures() {
    let out = tempfile::tempdir().unwrap();
    derate_in(&root(), &["report", "fixtures/smolvla", "--out", out.path().to_str().unwrap()]);
    let mut book: Xlsx<_> = open_workbook(out.path().join("derate.xlsx")).unwrap();
    let sheets = book.sheet_names();
    for name in ["Summary", "Findings", "Kernels", "Roofline", "Assumptions"] {
        assert!(sheets.iter().any(|s| s == name), "{sheets:?}");
    }
    let kernels = book.worksheet_range("Kernels").unwrap();
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

#[cfg(unix)]
#[test]
fn an_unusable_target_leaves_the_old_files_whole() {
    let out = tempfile::tempdir().unwrap();
    let target = out.path().to_str().unwrap();
    fs::create_dir(out.path().join("report.md")).unwrap();
    fs::write(out.path().join("derate.xlsx"), "old").unwrap();
    derate_in(&root(), &["report", "fixtures/smolvla", "--out", target])
        .assert_refused("report.md is a directory");
    assert_eq!(fs::read(out.path().join("derate.xlsx")).unwrap(), b"old");
    assert_eq!(fs::read_dir(out.path()).unwrap().count(), 2, "something was left behind");

    let file = out.path().join("file");
    fs::write(&file, "").unwrap();
    derate_in(&root(), &["report", "fixtures/smolvla", "--out", file.to_str().unwrap()])
        .assert_refused("--out");
}
