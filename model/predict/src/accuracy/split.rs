//! Which shapes a fit sees: every other one.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use derate_workload::operator::Shape;

/// On which side of the split a shape is.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Half {
    /// The fit saw it.
    Fitted,
    /// It did not.
    Tested,
}

/// The place of a shape among those of its kind: by operations, then by extents.
#[derive(Clone, Debug, Eq, PartialEq, Ord, PartialOrd)]
pub(super) struct ShapeKey {
    /// Operations, whole.
    operations: u128,
    extents: String,
}

impl ShapeKey {
    pub(super) fn of(shape: &Shape, count: u64) -> Self {
        let whole = shape.flops().0 * count as f64;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
        let operations = whole as u128;
        Self { operations, extents: format!("{count} of {}", shape.title()) }
    }
}

/// Every other distinct shape, in their order, is seen by the fit, the first among them. A shape that was run twice is on one
/// side only.
pub(super) fn split_shapes<'a>(
    keys: impl Iterator<Item = &'a ShapeKey>,
) -> BTreeMap<ShapeKey, Half> {
    let distinct: BTreeSet<&ShapeKey> = keys.collect();
    let sides = [Half::Fitted, Half::Tested].into_iter().cycle();
    distinct.into_iter().cloned().zip(sides).collect()
}
