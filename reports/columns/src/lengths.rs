//! Runs of a decoder as columns.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray};
use derate_predict::language::sweep::LengthPoint;
use derate_units::Bound;

use crate::ColumnsError;
use crate::column::join_arrays;

fn whole(points: &[LengthPoint], of: impl Fn(&LengthPoint) -> u64) -> ArrayRef {
    // An extent is far below 2^63.
    let values = points.iter().map(|point| i64::try_from(of(point)).unwrap_or(i64::MAX));
    Arc::new(Int64Array::from_iter_values(values))
}

fn number(points: &[LengthPoint], of: impl Fn(&LengthPoint) -> f64) -> ArrayRef {
    Arc::new(Float64Array::from_iter_values(points.iter().map(of)))
}

fn known(points: &[LengthPoint], of: impl Fn(&LengthPoint) -> Option<f64>) -> ArrayRef {
    Arc::new(points.iter().map(of).collect::<Float64Array>())
}

fn bound(points: &[LengthPoint], of: impl Fn(&LengthPoint) -> Option<Bound>) -> ArrayRef {
    Arc::new(points.iter().map(|point| of(point).map(Bound::as_str)).collect::<StringArray>())
}

/// Runs of a decoder as a table with the fields of [`LengthPoint`], one row each.
///
/// # Errors
///
/// None that a list of points could have.
pub fn tabulate_lengths(points: &[LengthPoint]) -> Result<RecordBatch, ColumnsError> {
    let seconds = |time: Option<derate_units::Seconds>| time.map(|time| time.0);
    join_arrays([
        ("batch", whole(points, |one| one.batch)),
        ("prompt", whole(points, |one| one.prompt)),
        ("generate", whole(points, |one| one.generate)),
        ("context", whole(points, |one| one.context)),
        ("prefill_seconds", known(points, |one| seconds(one.prefill_seconds))),
        ("prefill_at_least_seconds", number(points, |one| one.prefill_at_least_seconds.0)),
        ("prefill_oi", number(points, |one| one.prefill_oi.0)),
        ("prefill_bound", bound(points, |one| one.prefill_bound)),
        ("decode_seconds", known(points, |one| seconds(one.decode_seconds))),
        ("decode_at_least_seconds", number(points, |one| one.decode_at_least_seconds.0)),
        ("decode_oi", number(points, |one| one.decode_oi.0)),
        ("decode_bound", bound(points, |one| one.decode_bound)),
        ("decode_tokens_per_second", known(points, |one| one.decode_tokens_per_second)),
        (
            "decode_tokens_per_second_at_most",
            number(points, |one| one.decode_tokens_per_second_at_most),
        ),
        ("seconds", known(points, |one| seconds(one.seconds))),
        ("at_least_seconds", number(points, |one| one.at_least_seconds.0)),
        ("held", number(points, |one| one.held.0)),
        ("fits", Arc::new(points.iter().map(|one| one.fits).collect::<BooleanArray>())),
    ])
}

/// The same with the number of each point, the first of which is given.
///
/// # Errors
///
/// None that a list of points could have.
pub fn number_lengths(first: u64, points: &[LengthPoint]) -> Result<RecordBatch, ColumnsError> {
    let table = tabulate_lengths(points)?;
    let numbers =
        (first..).take(points.len()).map(|point| i64::try_from(point).unwrap_or(i64::MAX));
    let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values(numbers));
    let names = table.schema_ref().fields().iter().map(|field| field.name().clone());
    let own = names.zip(table.columns().iter().cloned());
    join_arrays([("point".to_owned(), numbers)].into_iter().chain(own))
}
