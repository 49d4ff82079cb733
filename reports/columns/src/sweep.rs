//! Points of an estimate's sweep as columns.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use derate_estimate::sweep::{Axis, SweepPoint};

use crate::ColumnsError;
use crate::column::join_arrays;

/// Points with the number of the first, the value of each axis as it is written, and the fields of [`SweepPoint`].
///
/// # Errors
///
/// None that a list of points could have.
pub fn tabulate_sweep(
    axes: &[Axis],
    first: u64,
    points: &[SweepPoint],
) -> Result<RecordBatch, ColumnsError> {
    let numbers =
        (first..).take(points.len()).map(|point| i64::try_from(point).unwrap_or(i64::MAX));
    let mut arrays: Vec<(&str, ArrayRef)> =
        vec![("point", Arc::new(Int64Array::from_iter_values(numbers)))];
    for (place, axis) in axes.iter().enumerate() {
        let text = |point: &SweepPoint| {
            let at = usize::try_from(*point.at.get(place)?).ok()?;
            axis.texts.get(at).map(String::as_str)
        };
        arrays.push((axis.name(), Arc::new(points.iter().map(text).collect::<StringArray>())));
    }
    let number = |of: &dyn Fn(&SweepPoint) -> Option<f64>| -> ArrayRef {
        Arc::new(points.iter().map(of).collect::<Float64Array>())
    };
    arrays.extend([
        ("flops", number(&|one| one.flops.map(|ops| ops.0))),
        ("elementwise_ops", number(&|one| one.elementwise_ops.map(|ops| ops.0))),
        ("bytes", number(&|one| one.bytes.map(|bytes| bytes.0))),
        ("weight_bytes", number(&|one| one.weight_bytes.map(|bytes| bytes.0))),
        ("oi", number(&|one| one.oi.map(|oi| oi.0))),
        ("throughput_seconds", number(&|one| one.throughput_seconds.map(|time| time.0))),
        ("latency_seconds", number(&|one| one.latency_seconds.map(|time| time.0))),
    ]);
    let notes = points.iter().map(|one| one.note.map(|note| note.to_string()));
    arrays.push(("note", Arc::new(notes.collect::<StringArray>())));
    join_arrays(arrays)
}
