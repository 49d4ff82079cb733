//! The figures of a roof: its peak, its bandwidth and its ridge point.

use super::super::hull::{Frame, Spot};
use super::place::{Placed, Plan};
use super::scale::Scale;
use crate::{Chart, Line, NumberFormat, format_number, format_quantity};

/// A roof's figures in their places.
pub(super) struct RoofFigures {
    /// The peak along the flat part: the name of the roof.
    pub(super) peak: Option<Placed>,
    /// The bandwidth along the slope, and the ridge point.
    pub(super) others: Vec<Placed>,
    /// From the ridge down to the axis.
    pub(super) drop: (Spot, Spot),
}

/// The ridge point and the bandwidth of a line that is a roof: the only one of its style, with one corner between its ends.
fn read_roof(chart: &Chart, line: &Line) -> Option<([f64; 2], f64)> {
    let [first, ridge, _] = &line.corners[..] else { return None };
    let is_alone = chart.lines.iter().filter(|other| other.style == line.style).count() == 1;
    let is_known = [first.x, first.y, ridge.x, ridge.y].iter().all(|value| *value > 0.0);
    // Operations per byte times bytes per second.
    let is_roofline = chart.x.unit.ends_with("/B");
    (is_alone && is_known && is_roofline).then(|| ([ridge.x, ridge.y], first.y / first.x))
}

/// Places the figures of `line`, whose strokes are the slope and the flat part; `None` where it is not a roof in the frame.
pub(super) fn place_figures(
    plan: &mut Plan,
    (chart, line): (&Chart, &Line),
    frame: Frame,
    (x, y): (Scale, Scale),
    strokes: &[(Spot, Spot)],
) -> Option<RoofFigures> {
    let ([ridge, peak], bandwidth) = read_roof(chart, line)?;
    let at = (x.to_pixel(ridge)?, y.to_pixel(peak)?);
    let (slope, flat) = match strokes {
        [slope, flat] if frame.has_inside(at) => ([*slope], [*flat]),
        _ => return None,
    };
    let three = NumberFormat::Si(3);
    let peak = plan.place_along(&format_quantity(peak, three, &chart.y.unit), &flat);
    let said = format!("ridge {}", format_number(ridge, NumberFormat::Significant(3)));
    let others = [
        plan.place_along(&format_quantity(bandwidth, three, "B/s"), &slope),
        plan.place_at_foot(&said, at.0),
    ];
    let others = others.into_iter().flatten().collect();
    Some(RoofFigures { peak, others, drop: (at, (at.0, frame.bottom)) })
}
