//! The roofline figure: claimed roof and kernels, corrected roof and kernels.

use derate_reports::{Axis, Chart, Line, LineStyle, Marker, Point, PointSeries};

use super::figures::{quantity, rate, significant};
use crate::Roofline;
use crate::estimate::{Estimate, ScenarioEstimate};
use crate::units::OpsPerByte;

/// The claim beside what is left of it when precision, bandwidth and peak are corrected at the same tokens; `None`
/// where neither has a peak.
pub(super) fn roofline(estimate: &Estimate) -> Option<Chart> {
    let claimed = estimate.scenarios.first()?;
    let corrected = estimate.scenario("derived-peak")?;
    let tokens = estimate.scenarios.last().filter(|s| s.name != corrected.name);
    let mut lines = Vec::new();
    let mut points = Vec::new();
    for (scenario, style, marker) in [
        (Some(claimed), LineStyle::Claimed, Marker::Hollow),
        (Some(corrected), LineStyle::Corrected, Marker::Solid),
    ] {
        let Some(scenario) = scenario else { continue };
        points.push(kernels(scenario, marker));
        for ceiling in &scenario.ceilings {
            let roof =
                Roofline { peak: ceiling.peak.rate.value, bandwidth: scenario.bandwidth.value };
            let name = format!(
                "{}: {}, {}",
                scenario.name,
                quantity(roof.bandwidth),
                rate(roof.peak, ceiling.peak.precision)
            );
            lines.push((name, roof, style));
        }
    }
    points.extend(
        tokens.map(|s| PointSeries { marker: Marker::Diamond, ..kernels(s, Marker::Diamond) }),
    );
    points.retain(|series| !series.points.is_empty());
    let (x, y) = (
        range(
            points
                .iter()
                .flat_map(|s| &s.points)
                .map(|p| p.x)
                .chain(lines.iter().map(|(_, r, _)| r.ridge().0)),
        )?,
        range(
            points
                .iter()
                .flat_map(|s| &s.points)
                .map(|p| p.y)
                .chain(lines.iter().map(|(_, r, _)| r.peak.0)),
        )?,
    );
    Some(Chart {
        title: "Roofline: what is claimed and what holds".to_owned(),
        caption: caption(claimed, corrected),
        x: Axis {
            label: "Operational intensity".to_owned(),
            unit: "OP/B".to_owned(),
            min: x.0,
            max: x.1,
        },
        y: Axis {
            label: "Attainable rate".to_owned(),
            unit: "OP/s".to_owned(),
            min: y.0,
            max: y.1,
        },
        lines: lines.into_iter().map(|(name, roof, style)| line(name, &roof, style, x)).collect(),
        points,
    })
}

fn kernels(scenario: &ScenarioEstimate, marker: Marker) -> PointSeries {
    let points = scenario.parts.iter().flat_map(|part| &part.kernels).filter_map(|kernel| {
        Some(Point {
            label: kernel.name.clone(),
            x: kernel.totals.oi.0,
            y: kernel.totals.attainable?.0,
        })
    });
    PointSeries {
        name: format!(
            "{}: {}, {} tokens",
            scenario.name, scenario.precision, scenario.tokens.value
        ),
        points: points.collect(),
        marker,
    }
}

/// Whole decades around all values, for axes that a reader can count on.
fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let (low, high) = values
        .filter(|v| v.is_finite() && *v > 0.0)
        .fold((f64::INFINITY, 0.0_f64), |(low, high), v| (low.min(v), high.max(v)));
    (low <= high).then(|| {
        (10_f64.powf((low / 1.5).log10().floor()), 10_f64.powf((high * 1.5).log10().ceil()))
    })
}

/// The roof from the left edge over the ridge to the right edge.
fn line(name: String, roof: &Roofline, style: LineStyle, (left, right): (f64, f64)) -> Line {
    let at = |x: f64| (x, roof.attainable(OpsPerByte(x)).0);
    let ridge = roof.ridge().0;
    let mut points = vec![at(left)];
    if left < ridge && ridge < right {
        points.push((ridge, roof.peak.0));
    }
    points.push(at(right));
    Line { name, points, style }
}

/// What to conclude.
fn caption(claimed: &ScenarioEstimate, corrected: &ScenarioEstimate) -> String {
    let oi = |s: &ScenarioEstimate| s.main_part().map(|p| significant(p.totals.oi.0, 3));
    let ridge = |s: &ScenarioEstimate| s.main_ridge().map(|r| significant(r.0, 3));
    match (oi(claimed), ridge(claimed), oi(corrected), ridge(corrected)) {
        (Some(oi), Some(ridge), Some(true_oi), Some(true_ridge)) => format!(
            "The claim stands at {oi} FLOP/B over a ridge of {ridge}; the design stands at {true_oi} over {true_ridge}. The lower roof, not the memory, is what holds it down where the second is right of its ridge."
        ),
        _ => "A roof or an intensity is unknown; see Assumptions.".to_owned(),
    }
}
