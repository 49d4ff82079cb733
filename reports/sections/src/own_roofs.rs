//! Peaks of one precision, and the roofs of the claim's own that what is built has none of.

use derate_estimate::scenario::PeakSource;
use derate_estimate::{Estimate, PeakRow, ScenarioEstimate};
use derate_render::LineStyle;
use derate_units::figures::rate;
use derate_units::{Precision, Roofline};

use crate::live::{Formulas, Roof};

/// The first peak of a precision on a basis: the one that scenarios use.
pub(super) fn first_peak(
    estimate: &Estimate,
    precision: Precision,
    basis: PeakSource,
) -> Option<&PeakRow> {
    estimate.peaks.iter().find(|row| row.basis == basis && row.peak.precision == precision)
}

/// The derivable roof of each precision of the claim that differs from all of `corrected`: a claim is held against its own
/// precision, too.
pub(super) fn roofs_of_the_claim<'a>(
    estimate: &'a Estimate,
    claimed: &'a ScenarioEstimate,
    corrected: &'a ScenarioEstimate,
    formulas: &'a Formulas<'_>,
) -> impl Iterator<Item = (String, Roofline, LineStyle, Option<Roof>)> + 'a {
    let is_there = |precision: Precision, roof: &Roofline| {
        let is_it = |of: Precision, peak| of == precision || peak == roof.peak;
        let mut own = corrected.ceilings.iter().map(|ceiling| &ceiling.peak);
        own.any(|peak| is_it(peak.precision, peak.rate.value))
    };
    let claims = claimed.ceilings.iter().map(|ceiling| ceiling.peak.precision);
    claims.filter_map(move |precision| {
        let row = first_peak(estimate, precision, PeakSource::Derived)?;
        let (peak, bandwidth) = (row.peak.rate.value, corrected.bandwidth.value);
        let roof = Roofline { peak, bandwidth };
        if is_there(precision, &roof) {
            return None;
        }
        let live = formulas.find_roof(precision, PeakSource::Derived, formulas.derated_bandwidth());
        let name = match live {
            Some(_) => format!("can be built at {precision}"),
            None => format!("can be built at {precision}: {}", rate(roof.peak, precision)),
        };
        Some((name, roof, LineStyle::Reference, live))
    })
}
