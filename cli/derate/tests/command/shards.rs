//! Parts of a search: whatever their number and whatever ends a process, they merge to the bytes of one.
#![cfg(feature = "parquet")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::derate::{derate, root};

const SWEEP: [&str; 6] = [
    "estimate",
    "fixtures/smolvla",
    "--sweep",
    "cameras=1,2,3",
    "--sweep",
    "bandwidth=100 GB/s,200 GB/s,300 GB/s,400 GB/s",
];
const LENGTHS: [&str; 10] = [
    "predict",
    "llm",
    "--platform",
    "h100-sxm",
    "--model",
    "smollm2-360m",
    "--sweep",
    "batch=1,2,3,4,5",
    "--sweep",
    "prompt=1,10,100,1000",
];
const KERNEL: [&str; 4] = ["explore", "examples/attention-scores/scores.cpp", "--top", "scores"];
const ARRAY: [&str; 8] = [
    "explore",
    "fixtures/smolvla",
    "--vary",
    "rows=7,16,32,90",
    "--vary",
    "columns=8,33,64",
    "--vary",
    "precision=bf16,int8",
];

/// Writes part `index` of `count` of a search.
fn write_part(search: &[&str], index: usize, count: usize, file: &Path) {
    let part = format!("{index}/{count}");
    let own = ["--shard", &part, "--parquet", file.to_str().unwrap()];
    let run = derate(&[search, &own].concat());
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{}", run.stderr);
}

fn merge(out: &Path, parts: &[String]) -> Vec<u8> {
    let words: Vec<&str> = parts.iter().map(String::as_str).collect();
    let run = derate(&[&["merge", out.to_str().unwrap()], words.as_slice()].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    fs::read(out).unwrap()
}

fn merges_to_one(search: &[&str], counts: &[usize]) {
    let dir = tempfile::tempdir().unwrap();
    let whole = dir.path().join("whole.parquet");
    let run = derate(&[search, &["--parquet", whole.to_str().unwrap()]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let whole = fs::read(whole).unwrap();
    for &count in counts {
        let name = |index| dir.path().join(format!("{index}-of-{count}"));
        (1..=count).for_each(|index| write_part(search, index, count, &name(index)));
        let mut parts: Vec<String> =
            (1..=count).map(|index| name(index).to_str().unwrap().to_owned()).collect();
        parts.rotate_left(count / 2);
        let out = dir.path().join("merged.parquet");
        assert_eq!(merge(&out, &parts), whole, "{search:?} in {count} parts");
        // Once more, onto what is there.
        assert_eq!(merge(&out, &parts), whole);
    }
}

#[test]
fn parts_of_sweeps_merge_to_the_bytes_of_one_process() {
    merges_to_one(&SWEEP, &[1, 2, 3, 7, 64]);
    merges_to_one(&LENGTHS, &[1, 3, 64]);
    let best = [&LENGTHS[..], &["--best", "3", "--front", "seconds,held"]].concat();
    merges_to_one(&best, &[1, 2, 7]);
}

#[test]
fn parts_of_searches_merge_to_the_bytes_of_one_process() {
    merges_to_one(&KERNEL, &[1, 2, 3, 7, 64]);
    merges_to_one(&ARRAY, &[1, 2, 7]);
    let least = [&KERNEL[..], &["--objective", "dsp", "--limit", "latency=1ms"]].concat();
    merges_to_one(&least, &[1, 5]);
}

#[test]
fn the_best_design_and_the_front_are_those_of_a_search() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("found.parquet");
    write_part(&KERNEL, 1, 1, &file);
    let found = derate(&[&KERNEL[..], &["--seconds", "100", "--format", "json"]].concat()).json();
    assert_eq!(found["certificate"], "optimal");
    let opened = derate_columns::shards::ShardFile::open(&file).unwrap();
    assert!((opened.about.points as f64 - found["designs"].as_f64().unwrap()).abs() < 0.5);
    let number = |batch: &derate_columns::RecordBatch, name: &str| -> Vec<f64> {
        use arrow_array::cast::AsArray;
        let column = batch.column_by_name(name).unwrap();
        column.as_primitive::<arrow_array::types::Float64Type>().values().to_vec()
    };
    let rows: Vec<_> = opened.read().unwrap().map(Result::unwrap).collect();
    let rows: Vec<(f64, f64)> = rows
        .iter()
        .flat_map(|rows| number(rows, "objective").into_iter().zip(number(rows, "share")))
        .collect();
    let best = rows.iter().map(|row| row.0).reduce(f64::min);
    assert_eq!(best, found["best"]["objective"].as_f64());
}

/// Processes are killed at different moments and started again until each part is there.
#[test]
fn whatever_is_killed_the_merge_has_the_same_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let search = ["explore", "fixtures/kernels/product.cpp", "--limit", "dsp=40%"];
    let whole = dir.path().join("whole");
    write_part(&search, 1, 1, &whole);
    let names: Vec<String> = (1..=3)
        .map(|index| dir.path().join(format!("part-{index}")).display().to_string())
        .collect();
    let mut killed = 0;
    for (index, name) in names.iter().enumerate() {
        for wait in [0, 1, 3, 10, 30, 100] {
            let part = format!("{}/3", index + 1);
            let mut child = Command::new(env!("CARGO_BIN_EXE_derate"))
                .current_dir(root())
                .args(search)
                .args(["--shard", &part, "--parquet", name])
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            sleep(Duration::from_millis(wait));
            killed += usize::from(child.try_wait().unwrap().is_none());
            child.kill().unwrap();
            child.wait().unwrap();
        }
        write_part(&search, index + 1, 3, Path::new(name));
    }
    assert!(killed > 3, "nothing was killed");
    let merged = merge(&dir.path().join("merged"), &names);
    assert_eq!(merged, fs::read(whole).unwrap());
}

#[test]
fn a_part_that_is_there_is_not_computed_again() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("part");
    let words = [&SWEEP[..], &["--shard", "1/2", "--parquet", file.to_str().unwrap()]].concat();
    assert!(derate(&words).stderr.contains("points 0 to 6 of 12"));
    assert!(derate(&words).stderr.contains("has these points already"));
    let other = [&SWEEP[..], &["--shard", "2/2", "--parquet", file.to_str().unwrap()]].concat();
    assert!(derate(&other).stderr.contains("points 6 to 12 of 12"));
}

#[test]
fn what_cannot_be_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("part");
    let file = file.to_str().unwrap();
    let refuse = |words: &[&str], says: &str| derate(words).assert_refused(says);
    refuse(&["estimate", "fixtures/smolvla", "--parquet", file], "give --sweep too");
    refuse(
        &["predict", "llm", "--platform", "t4", "--model", "mistral-7b", "--parquet", file],
        "give --sweep too",
    );
    refuse(&["explore", "fixtures/codesign/as-built", "--parquet", file], "is for one kernel");
    let by = ["--parquet", file, "--best", "1", "--by", "speed"];
    refuse(&[&SWEEP[..], &by].concat(), "`speed` is not a column of numbers: there are flops");
    refuse(&[&SWEEP[..], &["--parquet", file, "--front", "bytes"]].concat(), "is not two columns");
    refuse(&["merge", file, "README.md"], "is not a part of a search");
    write_part(&SWEEP, 1, 3, Path::new(file));
    let out = dir.path().join("out");
    refuse(&["merge", out.to_str().unwrap(), file], "points 4 to 11 of 12 are missing");
    assert!(!out.exists());
    fs::write(&out, "mine").unwrap();
    refuse(&["merge", out.to_str().unwrap(), file, "--partial"], "it is not overwritten");
    let bad = derate(&[&SWEEP[..], &["--parquet", file, "--shard", "4/3"]].concat());
    assert_eq!(bad.code, 2);
    assert!(bad.stderr.contains("such as 3/64"), "{}", bad.stderr);
}
