//! A chart in pixels: clipped lines, gathered points, labels in their places.

use std::cmp::Reverse;

use super::super::hull::{Frame, Spot};
use super::place::{Placed, Plan, SAME};
use super::roof::place_figures;
use super::scale::Scale;
use crate::chart::MarkSize;
use crate::{Chart, LineStyle, Marker, Point, Position};

/// A line in the frame.
pub(super) struct Trace {
    pub(super) style: LineStyle,
    pub(super) strokes: Vec<(Spot, Spot)>,
    pub(super) label: Option<Placed>,
    /// Further figures of a roof, and the line from its ridge point to the axis.
    pub(super) figures: Vec<Placed>,
    pub(super) drop: Option<(Spot, Spot)>,
}

/// A series in the frame.
pub(super) struct Cloud {
    pub(super) marker: Marker,
    /// How many series before it have the same marker.
    pub(super) rank: usize,
    pub(super) spots: Vec<(Spot, MarkSize)>,
    /// Error bars, from end to end.
    pub(super) bars: Vec<(Spot, Spot)>,
    pub(super) labels: Vec<Placed>,
}

/// Everything in the frame, and the labels and points that are not in it.
pub(super) struct Plot {
    pub(super) traces: Vec<Trace>,
    pub(super) clouds: Vec<Cloud>,
    pub(super) unlabelled: Vec<String>,
    /// Points beyond the axes.
    pub(super) outside: Vec<String>,
}

/// Some points at one place.
struct PointGroup {
    at: Spot,
    spots: Vec<(Spot, MarkSize)>,
    labels: Vec<String>,
}

impl Plot {
    pub(super) fn new(chart: &Chart, frame: Frame, x: Scale, y: Scale) -> Self {
        let y_axis = &y;
        let spot = |at: &Position| x.to_pixel(at.x).zip(y_axis.to_pixel(at.y));
        let mut traces: Vec<Trace> = chart
            .lines
            .iter()
            .map(|line| {
                let corners: Vec<Spot> = line.corners.iter().filter_map(&spot).collect();
                let strokes = corners
                    .windows(2)
                    .filter_map(|pair| frame.clip_stroke(pair[0], pair[1]))
                    .collect();
                Trace { style: line.style, strokes, label: None, figures: Vec::new(), drop: None }
            })
            .collect();
        let mut outside = Vec::new();
        let groups: Vec<Vec<PointGroup>> = chart
            .points
            .iter()
            .map(|series| {
                let mut groups: Vec<PointGroup> = Vec::new();
                for point in &series.points {
                    match spot(&point.at).filter(|at| frame.has_inside(*at)) {
                        Some(at) => add_to_group(&mut groups, at, point),
                        None => outside.push(format!("{} ({})", point.label, series.name)),
                    }
                }
                groups.sort_by(|a, b| a.at.0.total_cmp(&b.at.0));
                groups
            })
            .collect();

        let strokes: Vec<_> = traces.iter().flat_map(|trace| trace.strokes.clone()).collect();
        let marks = groups.iter().flatten().flat_map(|group| &group.spots);
        let marks = marks.map(|(spot, _)| *spot).collect();
        let mut plan = Plan::new(frame, &strokes, marks);
        let has_styles = chart.lines.windows(2).any(|pair| pair[0].style != pair[1].style);
        // Lines on top are labelled first.
        for style in LineStyle::BACK_TO_FRONT.into_iter().rev() {
            for (trace, line) in
                traces.iter_mut().zip(&chart.lines).filter(|(_, line)| line.style == style)
            {
                // Where styles differ, the legend has the names.
                let figures = has_styles.then(|| {
                    place_figures(&mut plan, (chart, line), frame, (x, y), &trace.strokes)
                });
                match figures.flatten() {
                    Some(figures) => {
                        trace.label = figures.peak;
                        trace.figures = figures.others;
                        trace.drop = Some(figures.drop);
                    }
                    None => trace.label = plan.place_along(&line.name, &trace.strokes),
                }
            }
        }
        let mut clouds: Vec<Cloud> = Vec::new();
        for (series, groups) in chart.points.iter().zip(&groups) {
            let rank = clouds.iter().filter(|cloud| cloud.marker == series.marker).count();
            let spots = groups.iter().flat_map(|group| group.spots.clone()).collect();
            let bars = series.points.iter().filter_map(|point| {
                let (low, high) = point.range?;
                let end = |y: f64| x.to_pixel(point.at.x).zip(y_axis.to_pixel(y));
                frame.clip_stroke(end(low)?, end(high)?)
            });
            let bars = bars.collect();
            clouds.push(Cloud { marker: series.marker, rank, spots, bars, labels: Vec::new() });
        }
        // What was measured is labelled first, then what takes most of the time.
        let mut order: Vec<(usize, &PointGroup)> = Vec::new();
        for marker in [Marker::Measured, Marker::Solid, Marker::Diamond, Marker::Hollow] {
            let series = groups.iter().enumerate().zip(&chart.points);
            let series = series.filter(|(_, series)| series.marker == marker);
            order.extend(series.flat_map(|((at, own), _)| own.iter().map(move |one| (at, one))));
        }
        let largest = |group: &PointGroup| group.spots.iter().map(|(_, size)| *size).max();
        order.sort_by_key(|(at, group)| {
            (chart.points[*at].marker != Marker::Measured, Reverse(largest(group)))
        });
        let mut unlabelled = Vec::new();
        for (at, group) in order {
            if let Some(label) = plan.place_beside(&group.labels, group.at) {
                clouds[at].labels.push(label);
            } else {
                let (names, series) = (group.labels.join(", "), &chart.points[at].name);
                unlabelled.push(format!("{names} ({series})"));
            }
        }
        Self { traces, clouds, unlabelled, outside }
    }
}

/// Adds a point to the group at its place.
fn add_to_group(groups: &mut Vec<PointGroup>, at: Spot, point: &Point) {
    let (label, size) = (&point.label, point.mark_size());
    let near = |group: &&mut PointGroup| (group.at.0 - at.0).hypot(group.at.1 - at.1) < SAME;
    let Some(group) = groups.iter_mut().find(near) else {
        groups.push(PointGroup { at, spots: vec![(at, size)], labels: vec![label.clone()] });
        return;
    };
    if !group.spots.contains(&(at, size)) {
        group.spots.push((at, size));
    }
    if !label.is_empty() && !group.labels.contains(label) {
        group.labels.push(label.clone());
    }
}
