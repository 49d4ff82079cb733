//! The roofline of a prediction: the roofs, where it is modelled, and what was measured.

use derate_measure::points::MeasuredPoint;
use derate_predict::Prediction;
use derate_render::{Axis, Chart, Line, LineStyle, Marker, Point, PointSeries, Position};
use derate_units::figures::{quantity, rate};
use derate_units::{OpsPerSecond, Roofline};

use crate::chart::{decade_range, roof_line};

/// A measured point with its repetitions as an error bar.
pub(crate) fn measured_point(point: &MeasuredPoint) -> Point {
    let range = point.range.map(|(slowest, fastest)| (slowest.0, fastest.0));
    Point {
        label: point.name.clone(),
        at: Position::fixed(point.oi.0, point.rate.0),
        range,
        share: None,
    }
}

/// The slope of the memory alone, over all of the picture.
pub(crate) fn memory_wall(bandwidth: f64, (left, right): (f64, f64)) -> Line {
    let corner = |x: f64| Position::fixed(x, bandwidth * x);
    Line {
        name: format!("memory wall, {}", quantity(derate_units::BytesPerSecond(bandwidth))),
        corners: vec![corner(left), corner(right)],
        style: LineStyle::Reference,
    }
}

/// The picture; `None` where nothing of it is known.
pub(super) fn make_roofline(prediction: &Prediction) -> Option<Chart> {
    let bandwidth = prediction.roofs.bandwidth.value;
    let known =
        prediction.roofs.peaks.iter().filter_map(|peak| Some((peak, peak.rate.as_ref().ok()?)));
    let roofs: Vec<(String, Roofline)> = known
        .map(|(peak, value)| {
            let name = format!("{}: {}", rate(value.value, peak.arithmetic), peak.arithmetic);
            (name, Roofline { peak: value.value, bandwidth })
        })
        .collect();
    let fixed = |label: &str, x: f64, y: f64| Point {
        label: label.to_owned(),
        at: Position::fixed(x, y),
        range: None,
        share: None,
    };
    let modelled = prediction.phases.iter().filter_map(|phase| {
        let seconds = phase.totals.seconds?;
        Some(fixed(phase.name, phase.totals.oi.0, phase.totals.flops.0 / seconds.0))
    });
    let conditional = prediction.phases.iter().filter_map(|phase| {
        let (None, Some(time)) = (phase.totals.seconds, &phase.totals.conditional) else {
            return None;
        };
        let at = |seconds: derate_units::Seconds| phase.totals.flops.0 / seconds.0;
        let range = (time.seconds_from < time.seconds_to)
            .then(|| (at(time.seconds_to), at(time.seconds_from)));
        let place = Position::fixed(phase.totals.oi.0, at(time.seconds_to));
        Some(Point { label: format!("{}, conditional", phase.name), at: place, range, share: None })
    });
    let (flops, bytes) = prediction.work();
    let oi = (flops / bytes).0;
    let run = prediction.language.as_ref().and_then(|of| of.measured.as_ref()).map(|of| of.rate);
    let own: Option<OpsPerSecond> = prediction.measured.as_ref().map(|of| of.rate).or(run);
    let mut measured: Vec<Point> =
        own.map(|own| fixed("measured", oi, own.0)).into_iter().collect();
    if let Some((counted, seconds)) =
        prediction.counted.as_ref().and_then(|of| of.oi.zip(of.seconds))
    {
        measured.push(fixed("counted", counted.0, flops.0 / seconds.0));
    }
    measured.extend(prediction.points.iter().map(measured_point));
    let mut points = vec![
        PointSeries {
            name: "At the roofline".to_owned(),
            points: modelled.collect(),
            marker: Marker::Solid,
        },
        PointSeries {
            name: "Under a condition".to_owned(),
            points: conditional.collect(),
            marker: Marker::Hollow,
        },
        PointSeries { name: "Measured".to_owned(), points: measured, marker: Marker::Measured },
    ];
    points.retain(|series| !series.points.is_empty());
    let all = || points.iter().flat_map(|series| &series.points);
    let ends = |point: &Point| point.range.map_or([point.at.y; 2], |(low, high)| [low, high]);
    let ridges = roofs.iter().map(|(_, roof)| roof.ridge().0);
    let x = decade_range(all().map(|point| point.at.x).chain(ridges))?;
    let y = decade_range(all().flat_map(ends).chain(roofs.iter().map(|(_, roof)| roof.peak.0)))?;
    let axis = |label: &str, unit: &str, (min, max)| Axis {
        label: label.to_owned(),
        unit: unit.to_owned(),
        min,
        max,
    };
    let mut lines: Vec<Line> = roofs
        .into_iter()
        .map(|(name, roof)| roof_line(name, &roof, LineStyle::Corrected, None, x))
        .collect();
    lines.push(memory_wall(bandwidth.0, x));
    Some(Chart {
        name: "roofline".to_owned(),
        title: "Roofline".to_owned(),
        caption: "What is modelled is an upper bound; bars are the slowest and the fastest repetition, or the range of a condition.".to_owned(),
        x: axis("Operational intensity", "OP/B", x),
        y: axis("Rate", "OP/s", y),
        lines,
        points,
    })
}
