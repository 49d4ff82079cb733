//! Columns, and a record batch of them.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, Field, Schema};

/// The values of a column; `None` is unknown.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Whole numbers.
    Whole(Vec<Option<i64>>),
    /// Numbers, in SI base units.
    Number(Vec<Option<f64>>),
    /// Words.
    Text(Vec<Option<String>>),
    /// Yes or no.
    Flag(Vec<Option<bool>>),
}

/// A column with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    name: String,
    values: Values,
}

/// Why columns are not a table: they differ in length.
#[derive(Debug, thiserror::Error)]
#[error("the columns are not a table: {0}")]
pub struct ColumnsError(#[from] ArrowError);

impl Column {
    /// A column of these values.
    pub fn new(name: impl Into<String>, values: Values) -> Self {
        Self { name: name.into(), values }
    }
}

impl From<Values> for ArrayRef {
    fn from(values: Values) -> Self {
        match values {
            Values::Whole(values) => Arc::new(Int64Array::from(values)),
            Values::Number(values) => Arc::new(Float64Array::from(values)),
            Values::Text(values) => Arc::new(StringArray::from(values)),
            Values::Flag(values) => Arc::new(BooleanArray::from(values)),
        }
    }
}

/// A record batch of columns, in their order.
///
/// # Errors
///
/// Columns of different lengths.
pub fn make_batch(columns: Vec<Column>) -> Result<RecordBatch, ColumnsError> {
    let arrays = columns.into_iter().map(|column| (column.name, ArrayRef::from(column.values)));
    join_arrays(arrays)
}

/// A record batch of arrays, each of which may have unknown values.
pub(crate) fn join_arrays(
    arrays: impl IntoIterator<Item = (impl Into<String>, ArrayRef)>,
) -> Result<RecordBatch, ColumnsError> {
    let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) = arrays
        .into_iter()
        .map(|(name, array)| (Field::new(name.into(), array.data_type().clone(), true), array))
        .unzip();
    Ok(RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)?)
}
