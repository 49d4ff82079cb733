//! Whatever the parts of a search, their files merge to the bytes that one process writes.
#![cfg(feature = "parquet")]
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use derate_columns::shards::{
    About, Reduction, ShardError, ShardFile, ShardWriter, Share, merge_shards,
};
use derate_columns::{Column, RecordBatch, Values, make_batch};
use proptest::prelude::*;

/// Rows that are a function of their points, with equal values and unknown ones.
fn rows(range: Range<u64>, spread: u64) -> RecordBatch {
    let mixed = |point: u64, salt: u64| (point ^ salt).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    let whole = |point: u64| i64::try_from(point).ok();
    let time = |point: u64| (point % 7 != 3).then(|| (mixed(point, 1) % spread) as f64);
    let bytes = |point: u64| Some((mixed(point, 2) % spread) as f64);
    let name = |point: u64| (!point.is_multiple_of(5)).then(|| format!("design {}", point % 11));
    make_batch(vec![
        Column::new("point", Values::Whole(range.clone().map(whole).collect())),
        Column::new("name", Values::Text(range.clone().map(name).collect())),
        Column::new("seconds", Values::Number(range.clone().map(time).collect())),
        Column::new("bytes", Values::Number(range.map(bytes).collect())),
    ])
    .unwrap()
}

fn about(points: u64, range: Range<u64>, reduction: Option<Reduction>) -> About {
    About {
        schema: About::SCHEMA.to_owned(),
        command: "derate test".to_owned(),
        asked: "a".to_owned(),
        points,
        ranges: if range.is_empty() { vec![] } else { vec![range] },
        reduction,
    }
}

fn write_part(path: &Path, about: &About, spread: u64) {
    let range = about.ranges.first().cloned().unwrap_or(0..0);
    let schema = rows(0..0, spread).schema();
    let mut writer =
        ShardWriter::new(fs::File::create(path).unwrap(), schema.clone(), about).unwrap();
    let mut kept = rows(0..0, spread);
    // In pieces of an odd length, which must not be seen in the file.
    let mut from = range.start;
    while from < range.end {
        let to = (from + 777).min(range.end);
        let piece = rows(from..to, spread);
        match &about.reduction {
            None => writer.push(piece).unwrap(),
            Some(reduction) => {
                kept = reduction.reduce_with(&kept, &piece).unwrap();
            }
        }
        from = to;
    }
    writer.push(kept).unwrap();
    writer.finish().unwrap();
}

fn parts(dir: &Path, points: u64, count: u64, reduction: Option<&Reduction>) -> Vec<PathBuf> {
    let part = |index: u64| {
        let share: Share = format!("{index}/{count}").parse().unwrap();
        let path = dir.join(format!("{index}-of-{count}.parquet"));
        write_part(&path, &about(points, share.range(points), reduction.cloned()), 50);
        path
    };
    (1..=count).map(part).collect()
}

fn merge(files: &[PathBuf]) -> Vec<u8> {
    merge_shards(files, false, || Ok(Vec::new())).unwrap().0
}

#[test]
fn any_number_of_parts_merges_to_the_bytes_of_one() {
    let reduction = Reduction {
        top: 20,
        by: vec!["seconds".to_owned()],
        front: Some(("seconds".to_owned(), "bytes".to_owned())),
    };
    // More than two groups of rows; and fewer points than parts.
    for points in [150_001, 40] {
        for reduction in [None, Some(&reduction)] {
            let dir = tempfile::tempdir().unwrap();
            let one = fs::read(&parts(dir.path(), points, 1, reduction)[0]).unwrap();
            for count in [1, 2, 3, 7, 64] {
                let mut files = parts(dir.path(), points, count, reduction);
                assert_eq!(merge(&files), one, "{count} parts of {points}");
                files.reverse();
                let again = dir.path().join("again.parquet");
                fs::write(&again, merge(&files)).unwrap();
                // What was merged merges again, alone and beside its parts.
                assert_eq!(merge(std::slice::from_ref(&again)), one);
                files.insert(1.min(files.len()), again);
                assert_eq!(merge(&files), one);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// The best rows and the front of parts are those of looking at every row.
    #[test]
    fn the_best_rows_and_the_front_are_exact(
        points in 0_u64..400, count in 1_u64..9, top in 0_usize..30, spread in 1_u64..40,
    ) {
        let names = ("seconds".to_owned(), "bytes".to_owned());
        let reduction =
            Reduction { top, by: vec!["seconds".to_owned(), "bytes".to_owned()], front: Some(names) };
        let dir = tempfile::tempdir().unwrap();
        let files: Vec<PathBuf> = (1..=count).map(|index| {
            let share: Share = format!("{index}/{count}").parse().unwrap();
            let path = dir.path().join(index.to_string());
            write_part(&path, &about(points, share.range(points), Some(reduction.clone())), spread);
            path
        }).collect();
        let merged = dir.path().join("merged");
        fs::write(&merged, merge(&files)).unwrap();
        let kept: Vec<RecordBatch> =
            ShardFile::open(&merged).unwrap().read().unwrap().map(Result::unwrap).collect();
        let read = |batch: &RecordBatch| -> Vec<i64> {
            use arrow_array::cast::AsArray;
            batch.column(0).as_primitive::<arrow_array::types::Int64Type>().values().to_vec()
        };
        let kept: Vec<i64> = kept.iter().flat_map(read).collect();
        // By looking at each pair of rows.
        let all = rows(0..points, spread);
        let number = |column: usize, row: usize| {
            use arrow_array::Array;
            use arrow_array::cast::AsArray;
            let values = all.column(column).as_primitive::<arrow_array::types::Float64Type>();
            (!values.is_null(row)).then(|| values.value(row))
        };
        let known: Vec<(f64, f64, usize)> = (0..all.num_rows())
            .filter_map(|row| Some((number(2, row)?, number(3, row)?, row)))
            .collect();
        let wanted: Vec<i64> = known.iter().filter(|one| {
            let better = known.iter().filter(|other| other < one).count();
            let beats = |other: &&(f64, f64, usize)| {
                other.0 <= one.0 && other.1 <= one.1 && (other.0, other.1, other.2) < (one.0, one.1, one.2)
            };
            better < top || !known.iter().any(|other| beats(&other))
        }).map(|one| i64::try_from(one.2).unwrap()).collect();
        prop_assert_eq!(kept, wanted);
    }
}

#[test]
fn what_does_not_belong_together_is_refused_in_a_sentence() {
    let dir = tempfile::tempdir().unwrap();
    let files = parts(dir.path(), 1000, 4, None);
    let refuse = |files: &[PathBuf]| {
        merge_shards(files, false, || Ok(Vec::new())).map(|_| ()).unwrap_err().to_string()
    };
    let said = refuse(&[files[0].clone(), files[2].clone()]);
    assert!(said.contains("points 250 to 499 of 1000 are missing, and 1 more"), "{said}");
    let some = [files[0].clone(), files[2].clone()];
    let (bytes, merged) = merge_shards(&some, true, || Ok(Vec::new())).unwrap();
    assert_eq!((merged.rows, merged.about.missing()), (500, vec![250..500, 750..1000]));
    // A merge of some goes on with the rest.
    let path = dir.path().join("some");
    fs::write(&path, bytes).unwrap();
    let rest = [files[3].clone(), path, files[1].clone()];
    assert_eq!(merge(&rest), fs::read(&parts(dir.path(), 1000, 1, None)[0]).unwrap());

    let other = dir.path().join("other");
    write_part(&other, &About { asked: "b".to_owned(), ..about(1000, 250..500, None) }, 50);
    let said = refuse(&[files[0].clone(), other]);
    assert!(said.contains("is of another search than"), "{said}");
    let text = dir.path().join("text.csv");
    fs::write(&text, "point\n1\n").unwrap();
    assert!(refuse(&[text]).contains("is not a part of a search"));
    assert!(refuse(&[dir.path().join("nowhere")]).contains("cannot be read"));
    assert!(refuse(&[dir.path().to_owned()]).contains("is not a part of a search"));
    assert!(refuse(&[]).contains("no file is named"));
    // A file that a kill or a full disk cut off.
    let whole = fs::read(&files[0]).unwrap();
    let cut = dir.path().join("cut");
    for length in [0, 4, whole.len() / 2, whole.len() - 1] {
        fs::write(&cut, &whole[..length]).unwrap();
        assert!(
            refuse(std::slice::from_ref(&cut)).contains("is not a part of a search"),
            "{length}"
        );
    }
    let by = Reduction { top: 1, by: vec!["speed".to_owned()], front: None };
    let said = by.check_columns(&rows(0..1, 5)).unwrap_err();
    assert!(matches!(said, ShardError::NoColumn { .. }));
    assert!(said.to_string().ends_with("there are seconds, bytes"), "{said}");
}
