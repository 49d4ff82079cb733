//! Designs of a search as columns.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::ArrowError;
use derate_explore::{Axis, Cost, Design};
use derate_machine::Usage;
use derate_units::axes::split_index;

use crate::ColumnsError;
use crate::column::join_arrays;

/// Designs with the number of each, the value of each axis, and what it costs: `objective`, `share` of the card and resources.
/// The number counts the combinations of all axes, the last the fastest.
///
/// # Errors
///
/// None that a list of designs could have.
pub fn tabulate_designs(axes: &[Axis], designs: &[Design]) -> Result<RecordBatch, ColumnsError> {
    let numbers = designs.iter().map(|one| number_point(axes, &one.point));
    let mut arrays: Vec<(&str, ArrayRef)> =
        vec![("point", Arc::new(Int64Array::from_iter_values(numbers)))];
    for (place, axis) in axes.iter().enumerate() {
        let text = |one: &Design| axis.values.get(*one.point.get(place)?).map(String::as_str);
        arrays.push((&axis.name, Arc::new(designs.iter().map(text).collect::<StringArray>())));
    }
    let number = |of: &dyn Fn(&Design) -> f64| -> ArrayRef {
        Arc::new(Float64Array::from_iter_values(designs.iter().map(of)))
    };
    arrays.extend([
        ("objective", number(&|one| one.cost.objective)),
        ("share", number(&|one| one.share)),
        ("dsp", number(&|one| one.cost.usage.dsp)),
        ("bram18", number(&|one| one.cost.usage.bram18)),
        ("uram", number(&|one| one.cost.usage.uram)),
        ("lut", number(&|one| one.cost.usage.lut)),
        ("ff", number(&|one| one.cost.usage.ff)),
    ]);
    join_arrays(arrays)
}

fn number_point(axes: &[Axis], point: &[usize]) -> i64 {
    let step = |number: i64, (axis, at): (&Axis, &usize)| {
        let length = i64::try_from(axis.values.len()).unwrap_or(i64::MAX);
        let at = i64::try_from(*at).unwrap_or(i64::MAX);
        number.saturating_mul(length).saturating_add(at)
    };
    axes.iter().zip(point).fold(0, step)
}

/// The designs of a table that [`tabulate_designs`] made of the same axes.
///
/// # Errors
///
/// A column or a value that is not there.
pub fn read_designs(axes: &[Axis], rows: &RecordBatch) -> Result<Vec<Design>, ColumnsError> {
    let lost =
        |name: &str| ColumnsError::from(ArrowError::SchemaError(format!("no column {name}")));
    let column = |name: &str| rows.column_by_name(name).ok_or_else(|| lost(name));
    let number = |name: &str| {
        let values = column(name)?.as_primitive_opt::<Float64Type>().ok_or_else(|| lost(name))?;
        Ok::<_, ColumnsError>(values.values().clone())
    };
    let numbers = column("point")?.as_primitive_opt::<Int64Type>().ok_or_else(|| lost("point"))?;
    let (objective, share) = (number("objective")?, number("share")?);
    let [dsp, bram18, uram, lut, ff] = ["dsp", "bram18", "uram", "lut", "ff"].map(number);
    let (dsp, bram18, uram, lut, ff) = (dsp?, bram18?, uram?, lut?, ff?);
    let lengths: Vec<usize> = axes.iter().map(|axis| axis.values.len()).collect();
    let design = |row: usize| {
        let at = u64::try_from(numbers.value(row)).unwrap_or(0);
        let usage = Usage {
            dsp: dsp[row],
            bram18: bram18[row],
            uram: uram[row],
            lut: lut[row],
            ff: ff[row],
        };
        Design {
            point: split_index(&lengths, at).into_iter().map(|at| at as usize).collect(),
            cost: Cost { objective: objective[row], usage },
            share: share[row],
        }
    };
    Ok((0..rows.num_rows()).map(design).collect())
}
