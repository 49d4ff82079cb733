//! Joins files of parts.

use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

use arrow_array::{BooleanArray, RecordBatch};
use arrow_schema::SchemaRef;
use arrow_select::filter::filter_record_batch;

use super::about::join_ranges;
use super::reduction::point_numbers;
use super::{About, Reduction, ShardError, ShardFile, ShardWriter};

/// What a merge gave.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Merged {
    /// What the file says of itself.
    pub about: About,
    /// Its rows.
    pub rows: u64,
}

/// A stretch of points that a file has.
struct Stretch<'a> {
    path: &'a Path,
    range: Range<u64>,
}

/// Writes what `inputs` have together. Points that several have are taken once; the order of the files does not count.
///
/// # Errors
///
/// Files that are not of one search, or that lack points where `partial` does not allow that.
pub fn merge_shards<W: Write + Send>(
    inputs: &[PathBuf],
    partial: bool,
    out: impl FnOnce() -> Result<W, ShardError>,
) -> Result<(W, Merged), ShardError> {
    let (first, rest) = inputs.split_first().ok_or(ShardError::Nothing)?;
    let opened = ShardFile::open(first)?;
    let (mut about, schema) = (opened.about, opened.schema);
    let mut stretches = Vec::new();
    list_stretches(first, &about, &mut stretches);
    for other in rest {
        let file = ShardFile::open(other)?;
        if !file.about.is_of_search(&about) || file.schema != schema {
            let (first, other) = (first.clone(), other.clone());
            return Err(ShardError::OtherSearch { first, other });
        }
        list_stretches(other, &file.about, &mut stretches);
    }
    about.ranges = join_ranges(stretches.iter().map(|one| one.range.clone()).collect());
    let missing = about.missing();
    if let Some(first) = missing.first().filter(|_| !partial) {
        let (missing, more) = (first.clone(), missing.len() - 1);
        return Err(ShardError::Missing { missing, more, points: about.points });
    }
    let mut writer = ShardWriter::new(out()?, schema.clone(), &about)?;
    let rows = match &about.reduction {
        None => copy_stretches(stretches, &mut writer)?,
        Some(reduction) => reduce_files(inputs, reduction, &schema, &mut writer)?,
    };
    Ok((writer.finish()?, Merged { about, rows }))
}

fn list_stretches<'a>(path: &'a Path, about: &About, into: &mut Vec<Stretch<'a>>) {
    into.extend(about.ranges.iter().map(|range| Stretch { path, range: range.clone() }));
}

/// Copies each point once, in order: rows are a function of their point, so that it does not matter which file has it.
fn copy_stretches<W: Write + Send>(
    mut stretches: Vec<Stretch<'_>>,
    writer: &mut ShardWriter<W>,
) -> Result<u64, ShardError> {
    stretches.sort_by_key(|one| (one.range.start, std::cmp::Reverse(one.range.end)));
    let (mut next, mut rows) = (0, 0);
    for Stretch { path, range } in stretches {
        let wanted = range.start.max(next)..range.end;
        if wanted.is_empty() {
            continue;
        }
        next = wanted.end;
        let mut found = 0;
        for batch in ShardFile::open(path)?.read()? {
            let batch = batch.map_err(|error| damaged(path, &error))?;
            let points = point_numbers(&batch)?;
            let is_wanted = |point: &i64| u64::try_from(*point).is_ok_and(|p| wanted.contains(&p));
            let own: BooleanArray = points.iter().map(|point| Some(is_wanted(point))).collect();
            let batch = filter_record_batch(&batch, &own)?;
            found += batch.num_rows() as u64;
            writer.push(batch)?;
        }
        if found != wanted.end - wanted.start {
            let reason = format!("it has {found} of the points {} to {}", wanted.start, wanted.end);
            return Err(damaged(path, &reason));
        }
        rows += found;
    }
    Ok(rows)
}

/// Reduces the rows of all files together.
fn reduce_files<W: Write + Send>(
    inputs: &[PathBuf],
    reduction: &Reduction,
    schema: &SchemaRef,
    writer: &mut ShardWriter<W>,
) -> Result<u64, ShardError> {
    let mut kept = RecordBatch::new_empty(schema.clone());
    for path in inputs {
        for batch in ShardFile::open(path)?.read()? {
            let batch = batch.map_err(|error| damaged(path, &error))?;
            kept = reduction.reduce_with(&kept, &batch)?;
        }
    }
    let rows = kept.num_rows() as u64;
    writer.push(kept)?;
    Ok(rows)
}

fn damaged(path: &Path, error: &impl ToString) -> ShardError {
    ShardError::Damaged { path: path.to_owned(), reason: error.to_string() }
}
