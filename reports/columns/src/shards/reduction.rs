//! Which rows of a search are kept: the best ones, and a Pareto front.

use std::cmp::Ordering;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, RecordBatch, UInt64Array};
use arrow_schema::DataType;
use arrow_select::concat::concat_batches;
use arrow_select::take::take_record_batch;
use serde::{Deserialize, Serialize};

use super::ShardError;

/// The column that numbers the points.
pub(super) const POINT: &str = "point";

/// Which rows are kept: a part keeps those that it cannot rule out, so that a merge keeps those of the whole search.
///
/// Rows are compared by numbers that are to be small, then by their point, so that no two are equal. A row without a number is
/// never kept.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
pub struct Reduction {
    /// How many of the best rows.
    pub top: usize,
    /// The column that is to be small, then those that decide between equal ones.
    pub by: Vec<String>,
    /// Two columns whose Pareto front is kept too, both to be small.
    pub front: Option<(String, String)>,
}

impl Reduction {
    /// Refuses columns that the rows do not have.
    ///
    /// # Errors
    ///
    /// The first such column, with those that there are.
    pub fn check_columns(&self, rows: &RecordBatch) -> Result<(), ShardError> {
        self.columns().try_for_each(|name| numbers(rows, name).map(|_| ()))
    }

    fn columns(&self) -> impl Iterator<Item = &str> {
        let front = self.front.iter().flat_map(|(x, y)| [x.as_str(), y.as_str()]);
        self.by.iter().map(String::as_str).chain(front)
    }

    /// The rows that are kept of both.
    ///
    /// # Errors
    ///
    /// Tables with different columns.
    pub fn reduce_with(
        &self,
        kept: &RecordBatch,
        more: &RecordBatch,
    ) -> Result<RecordBatch, ShardError> {
        self.reduce(&concat_batches(kept.schema_ref(), [kept, more])?)
    }

    /// The rows that are kept, ordered by point; a point that is there twice is kept once.
    ///
    /// # Errors
    ///
    /// A column that is not there.
    pub fn reduce(&self, rows: &RecordBatch) -> Result<RecordBatch, ShardError> {
        let points = point_numbers(rows)?;
        let by = self.by.iter().map(|name| numbers(rows, name)).collect::<Result<Vec<_>, _>>()?;
        let mut kept = vec![false; rows.num_rows()];
        let known = |columns: &[&dyn Fn(usize) -> f64], row: usize| {
            columns.iter().all(|column| !column(row).is_nan())
        };
        let compare = |columns: &[&dyn Fn(usize) -> f64], a: usize, b: usize| {
            let order = columns.iter().map(|column| column(a).total_cmp(&column(b)));
            order.fold(Ordering::Equal, Ordering::then).then(points[a].cmp(&points[b]))
        };
        let ordered = |columns: &[&dyn Fn(usize) -> f64]| {
            let mut order: Vec<usize> =
                (0..rows.num_rows()).filter(|row| known(columns, *row)).collect();
            order.sort_unstable_by(|a, b| compare(columns, *a, *b));
            order.dedup_by_key(|row| points[*row]);
            order
        };
        let columns: Vec<&dyn Fn(usize) -> f64> = by.iter().map(|one| &**one as _).collect();
        ordered(&columns).into_iter().take(self.top).for_each(|row| kept[row] = true);
        if let Some((x, y)) = &self.front {
            let (x, y) = (numbers(rows, x)?, numbers(rows, y)?);
            let mut least = f64::INFINITY;
            for row in ordered(&[&*x, &*y]) {
                if y(row) < least {
                    least = y(row);
                    kept[row] = true;
                }
            }
        }
        let mut order: Vec<usize> = (0..rows.num_rows()).filter(|row| kept[*row]).collect();
        order.sort_unstable_by_key(|row| points[*row]);
        order.dedup_by_key(|row| points[*row]);
        let order = UInt64Array::from_iter_values(order.into_iter().map(|row| row as u64));
        Ok(take_record_batch(rows, &order)?)
    }
}

/// The numbers of the points.
pub(super) fn point_numbers(rows: &RecordBatch) -> Result<Vec<i64>, ShardError> {
    let column = rows.column_by_name(POINT).and_then(|one| one.as_primitive_opt::<Int64Type>());
    let column = column.ok_or_else(|| no_column(rows, POINT))?;
    Ok(column.values().to_vec())
}

/// Reads a row of a column; what is not known is not a number.
fn numbers<'a>(
    rows: &'a RecordBatch,
    name: &str,
) -> Result<Box<dyn Fn(usize) -> f64 + 'a>, ShardError> {
    let column = rows.column_by_name(name).ok_or_else(|| no_column(rows, name))?;
    if let Some(values) = column.as_primitive_opt::<Float64Type>() {
        return Ok(Box::new(|row| if values.is_null(row) { f64::NAN } else { values.value(row) }));
    }
    let values = column.as_primitive_opt::<Int64Type>().ok_or_else(|| no_column(rows, name))?;
    Ok(Box::new(|row| if values.is_null(row) { f64::NAN } else { values.value(row) as f64 }))
}

fn no_column(rows: &RecordBatch, name: &str) -> ShardError {
    let is_number = |of: &DataType| matches!(of, DataType::Float64 | DataType::Int64);
    let fields = rows.schema_ref().fields().iter();
    let known = fields.filter(|field| is_number(field.data_type()) && field.name() != POINT);
    let known: Vec<&str> = known.map(|field| field.name().as_str()).collect();
    ShardError::NoColumn { name: name.to_owned(), known: known.join(", ") }
}
