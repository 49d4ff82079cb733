//! Points of a search, out of the bytes of their files.

use std::path::Path;

use derate_columns::concat_batches;
use derate_columns::shards::{ShardError, ShardFile};
use pyo3::prelude::*;

use crate::failure::Error;
use crate::table::Table;

/// What errors call bytes that have no file.
const NAME: &str = "the content";

fn raise(error: &ShardError) -> PyErr {
    Error::new_err(error.to_string())
}

/// The rows of a file that `--parquet` wrote.
#[pyfunction]
pub(crate) fn read_points(content: Vec<u8>) -> PyResult<Table> {
    let read = || {
        let file = ShardFile::of_bytes(content, Path::new(NAME))?;
        let schema = file.schema.clone();
        let rows = file.read()?.collect::<Result<Vec<_>, _>>()?;
        Ok(concat_batches(&schema, &rows)?)
    };
    read().map(Table::new).map_err(|error: ShardError| raise(&error))
}

/// How many points the search of a file has, and which of them it has: the first of each stretch and the one after its last.
#[pyfunction]
pub(crate) fn read_ranges(content: Vec<u8>) -> PyResult<(u64, Vec<(u64, u64)>)> {
    let file = ShardFile::of_bytes(content, Path::new(NAME)).map_err(|error| raise(&error))?;
    let ranges = file.about.ranges.into_iter().map(|range| (range.start, range.end));
    Ok((file.about.points, ranges.collect()))
}
