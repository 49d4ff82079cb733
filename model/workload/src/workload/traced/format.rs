//! Whose number format the data of a block has.

use crate::workload::FormatOf;
use derate_units::Precision;

/// A format that follows another value or a weight where both are alike, else its own.
pub(super) fn follow(
    own: Precision,
    others: impl Iterator<Item = (Precision, FormatOf)>,
) -> FormatOf {
    let mut alike = others.filter(|(precision, _)| *precision == own && own.is_float());
    alike.next().map_or(FormatOf::Own(own), |(_, format)| format)
}
