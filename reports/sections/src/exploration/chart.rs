//! The designs against their front.

use derate_explore::{Exploration, FoundDesign};
use derate_render::{Axis, Chart, Line, LineStyle, Marker, Point, PointSeries, Position};

use super::cells::{is_in_cycles, name_time, time_of};
use crate::chart::decade_range;

/// Time against the largest share of a resource: all designs of the front, the best, and the design as it is written.
pub(super) fn plot_designs(found: &Exploration) -> Option<Chart> {
    let place = |design: &FoundDesign| {
        let x = if is_in_cycles(found) { time_of(design) } else { 1e3 * time_of(design) };
        (design.share > 0.0 && x > 0.0).then(|| Position::fixed(x, 100.0 * design.share))
    };
    let series = |name: &str, marker, designs: &[(&str, &FoundDesign)]| PointSeries {
        name: name.to_owned(),
        points: designs
            .iter()
            .filter_map(|(label, design)| {
                Some(Point {
                    label: (*label).to_owned(),
                    at: place(design)?,
                    range: None,
                    share: None,
                })
            })
            .collect(),
        marker,
    };
    let ranked = found.ranking.iter().filter_map(|one| one.design.as_ref());
    let listed: Vec<(&str, &FoundDesign)> = ranked.map(|one| ("", one)).collect();
    let front: Vec<(&str, &FoundDesign)> = found.front.iter().map(|one| ("", one)).collect();
    let start: Vec<_> = found.start.iter().map(|one| ("as written", one)).collect();
    let best: Vec<_> = found.best.iter().map(|one| ("best", one)).collect();
    let mut points = vec![
        series("Designs of the table", Marker::Diamond, &listed),
        series("Front", Marker::Solid, &front),
        series("As written", Marker::Hollow, &start),
        series("Best", Marker::Measured, &best),
    ];
    points.retain(|one| !one.points.is_empty());
    let all = || points.iter().flat_map(|one| &one.points);
    let x = decade_range(all().map(|point| point.at.x))?;
    let y = decade_range(all().map(|point| point.at.y).chain([100.0]))?;
    let line =
        |name: &str, corners: Vec<Position>, style| Line { name: name.to_owned(), corners, style };
    let limit = vec![Position::fixed(x.0, 100.0), Position::fixed(x.1, 100.0)];
    let steps = found.front.iter().filter_map(place).collect();
    let (label, unit) = match name_time(found) {
        (_, "") => ("Cycles of a call", ""),
        other => other,
    };
    Some(Chart {
        name: "designs".to_owned(),
        title: "Designs and their front".to_owned(),
        caption: "Designs to the left are faster, designs below are smaller. What is above the line does not fit.".to_owned(),
        x: Axis { label: label.to_owned(), unit: unit.to_owned(), min: x.0, max: x.1 },
        y: Axis {
            label: "Largest share of a resource".to_owned(),
            unit: "%".to_owned(),
            min: y.0,
            max: y.1,
        },
        lines: vec![
            line("All of it", limit, LineStyle::Claimed),
            line("Front", steps, LineStyle::Corrected),
        ],
        points,
    })
}
