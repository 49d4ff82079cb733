//! The roofs of every precision in one picture: as claimed, and as the platform can build them.

use derate_estimate::scenario::{PeakSource, ScenarioKind};
use derate_estimate::{Estimate, PeakRow};
use derate_render::{Axis, Chart, Line, LineStyle};
use derate_units::figures::{rate, significant};
use derate_units::{OpsPerByte, Precision, Roofline};

use crate::chart::{decade_range, roof_line};
use crate::own_roofs::first_peak;

/// The picture; `None` where the claim and what is built are of one precision, and no other is claimed.
pub(super) fn chart_precisions(estimate: &Estimate) -> Option<Chart> {
    let claimed = estimate.scenario(ScenarioKind::Claimed)?;
    let corrected = estimate.scenario(ScenarioKind::DerivedPeak)?;
    let bases = [
        (PeakSource::Claimed, claimed.bandwidth.value, LineStyle::Claimed),
        (PeakSource::Derived, corrected.bandwidth.value, LineStyle::Corrected),
    ];
    let is_claimed = |row: &&PeakRow| row.basis == PeakSource::Claimed;
    let mut compared: Vec<Precision> =
        estimate.peaks.iter().filter(is_claimed).map(|row| row.peak.precision).collect();
    let ceilings = claimed.ceilings.iter().chain(&corrected.ceilings);
    compared.extend(ceilings.map(|ceiling| ceiling.peak.precision));
    compared
        .extend([claimed, corrected].into_iter().filter_map(|s| Precision::parse(&s.precision)));
    let mut precisions: Vec<Precision> = Vec::new();
    for precision in compared {
        if !precisions.contains(&precision) {
            precisions.push(precision);
        }
    }
    if precisions.len() < 2 {
        return None;
    }
    // With their figures in their names: they are those of derate, and follow no input.
    let mut roofs: Vec<(Vec<String>, Precision, Roofline, LineStyle)> = Vec::new();
    for (basis, bandwidth, style) in bases {
        for &precision in &precisions {
            let Some(row) = first_peak(estimate, precision, basis) else { continue };
            let roof = Roofline { peak: row.peak.rate.value, bandwidth };
            let same = |(.., other, of): &&mut (_, _, Roofline, LineStyle)| {
                *of == style && other.peak == roof.peak
            };
            match roofs.iter_mut().find(same) {
                Some((names, ..)) => names.push(precision.to_string()),
                None => roofs.push((vec![precision.to_string()], precision, roof, style)),
            }
        }
    }
    let claims: Vec<String> = estimate
        .peaks
        .iter()
        .filter(is_claimed)
        .filter_map(|row| {
            let precision = row.peak.precision;
            let own = first_peak(estimate, precision, PeakSource::Derived)?;
            let times = row.peak.rate.value / own.peak.rate.value;
            Some(format!("{precision} {} times", significant(times, 2)))
        })
        .collect();
    let caption = match claims.as_slice() {
        [] => "No peak is claimed: these are the roofs that the platform can build.".to_owned(),
        _ => format!(
            "A claim is held against the roof of its own precision. Claimed over what can be built: {}. As derate computed it.",
            claims.join(", ")
        ),
    };
    let x = decade_range(roofs.iter().map(|(_, _, roof, _)| roof.ridge().0))?;
    let ends = |roof: &Roofline| [roof.peak.0, roof.attainable(OpsPerByte(x.0)).0];
    let y = decade_range(roofs.iter().flat_map(|(_, _, roof, _)| ends(roof)))?;
    let axis = |label: &str, unit: &str, (min, max)| Axis {
        label: label.to_owned(),
        unit: unit.to_owned(),
        min,
        max,
    };
    let lines = roofs.iter().map(|(names, first, roof, style)| -> Line {
        let lead = if *style == LineStyle::Claimed { "claimed" } else { "can be built" };
        let name = format!("{lead}, {}: {}", names.join(", "), rate(roof.peak, *first));
        roof_line(name, roof, *style, None, x)
    });
    Some(Chart {
        name: "precision-roofs".to_owned(),
        title: "Roofs of each precision, claimed and as they can be built".to_owned(),
        caption,
        x: axis("Operational intensity", "OP/B", x),
        y: axis("Attainable rate", "OP/s", y),
        lines: lines.collect(),
        points: Vec::new(),
    })
}
