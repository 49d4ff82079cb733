//! Measured points on the roofline, and what they are of the roofs.

use derate_render::{
    Block, Cell, Chart, Column, Document, Formula, LineStyle, Marker, NumberFormat, PointSeries,
    Position, Section, Table, formula,
};

use super::live::{Roof, UNKNOWN, follow_cell, name};
use super::prediction::figure::measured_point;
use derate_estimate::scenario::ScenarioKind;
use derate_estimate::{Estimate, ScenarioEstimate};
use derate_measure::points::MeasuredPoint;
use derate_units::figures::{mixed_rate, quantity, significant};
use derate_units::{OpsPerSecond, Roofline};

/// Where the table of measured points is.
const SECTION: &str = "Roofs";

/// Operations per second in a TOP/s.
const TERA: f64 = 1e12;

/// Adds `points` to the roofline and a table of them below it.
pub(crate) fn add_points(document: &mut Document, points: &[MeasuredPoint], estimate: &Estimate) {
    if points.is_empty() {
        return;
    }
    let mut live = None;
    for block in document.sections.iter_mut().flat_map(|section| &mut section.blocks) {
        if let Block::Chart(chart) = block {
            live = live.or_else(|| live_roof(chart));
            draw_points(chart, points);
        }
    }
    let said = describe_impossible(points, estimate).into_iter().map(Block::Prose);
    let blocks: Vec<Block> =
        std::iter::once(Block::Table(tabulate_points(points, estimate, live.as_ref())))
            .chain(said)
            .collect();
    match document.sections.iter_mut().find(|section| section.name == SECTION) {
        Some(section) => drop(section.blocks.splice(0..0, blocks)),
        // A document in short has no such section.
        None => document.sections.push(Section::new(SECTION, "What was measured", blocks)),
    }
}

/// A series of its own; the axes hold it.
fn draw_points(chart: &mut Chart, points: &[MeasuredPoint]) {
    for point in points {
        let (x, y) = (point.oi.0, point.rate.0);
        chart.y.min = chart.y.min.min(decade_below(y));
        chart.y.max = chart.y.max.max(decade_above(y));
        let (left, right) = (chart.x.min.min(decade_below(x)), chart.x.max.max(decade_above(x)));
        if left < chart.x.min || right > chart.x.max {
            lengthen_axis(chart, left, right);
        }
    }
    let points = points.iter().map(measured_point);
    let series = PointSeries {
        name: "Measured".to_owned(),
        points: points.collect(),
        marker: Marker::Measured,
    };
    chart.points.push(series);
}

fn decade_below(value: f64) -> f64 {
    10_f64.powf((value / 1.5).log10().floor())
}

fn decade_above(value: f64) -> f64 {
    10_f64.powf((value * 1.5).log10().ceil())
}

/// Roofs go on to the new ends of the axis: the left end of a slope keeps its slope, a flat end stays flat.
fn lengthen_axis(chart: &mut Chart, left: f64, right: f64) {
    for line in &mut chart.lines {
        let slopes = |a: &Position, b: &Position| (a.y / b.y - 1.0).abs() > 1e-9;
        if let [first, second, ..] = &line.corners[..] {
            let factor = if slopes(first, second) { left / first.x } else { 1.0 };
            let corner = move_corner(first, left, factor);
            line.corners[0] = corner;
        }
        if let [.., second, last] = &line.corners[..] {
            let factor = if slopes(second, last) { right / last.x } else { 1.0 };
            let corner = move_corner(last, right, factor);
            let end = line.corners.len() - 1;
            line.corners[end] = corner;
        }
    }
    (chart.x.min, chart.x.max) = (left, right);
}

/// A corner at another place of the axis, still following its tables.
fn move_corner(corner: &Position, x: f64, factor: f64) -> Position {
    let y = corner.y * factor;
    match &corner.live {
        Some(live) => {
            let [_, height] = live.as_ref().clone();
            Position::live(x, y, [formula::number(x), height * formula::number(factor)])
        }
        None => Position::fixed(x, y),
    }
}

/// The highest rate that a scenario's roofs allow at the point's intensity.
fn find_roof(scenario: &ScenarioEstimate, point: &MeasuredPoint) -> Option<OpsPerSecond> {
    let rates = scenario.ceilings.iter().map(|ceiling| {
        let peak = ceiling.peak.rate.value;
        Roofline { peak, bandwidth: scenario.bandwidth.value }.attainable(point.oi).0
    });
    rates.reduce(f64::max).map(OpsPerSecond)
}

/// A rate beside the roofs of scenarios, in the unit of their arithmetic.
fn show_rate<'a>(
    rate: OpsPerSecond,
    scenarios: impl IntoIterator<Item = &'a ScenarioEstimate>,
) -> String {
    let ceilings = scenarios.into_iter().flat_map(|scenario| &scenario.ceilings);
    mixed_rate(rate, ceilings.map(|ceiling| ceiling.peak.precision))
}

/// GOP/s that the chart's corrected roofs allow at the intensity of the row, the highest of them; `None` where one of
/// them does not follow its inputs.
fn live_roof(chart: &Chart) -> Option<Formula> {
    let corrected = chart.lines.iter().filter(|line| line.style == LineStyle::Corrected);
    let roofs = corrected.map(|line| {
        // The corner between slope and flat is the one at the peak.
        let [_, ridge, _] = &line.corners[..] else { return None };
        let [_, peak] = ridge.live.as_deref()?;
        let bandwidth =
            formula::name(name::name_for("used_bandwidth", ScenarioKind::DerivedPeak.name()));
        Some(Roof { peak: peak.clone() / TERA, bandwidth }.write_attainable(formula::column("oi")))
    });
    let roofs: Option<Vec<Formula>> = roofs.collect();
    let highest = roofs?.into_iter().reduce(formula::max)?;
    Some(formula::known(highest, formula::text(UNKNOWN)))
}

/// Where each is from, and what share of the corrected roof it reaches.
fn tabulate_points(points: &[MeasuredPoint], estimate: &Estimate, live: Option<&Formula>) -> Table {
    let corrected = estimate.scenario(ScenarioKind::DerivedPeak);
    let rows = points.iter().map(|point| {
        let roof = corrected.and_then(|scenario| find_roof(scenario, point));
        let unknown = || Cell::Unknown("no peak is known".to_owned());
        let giga = |rate: OpsPerSecond| Cell::number(rate.0 / 1e9, NumberFormat::Significant(4));
        let (allowed, share) = match (roof, live) {
            (roof, Some(live)) => {
                let share = formula::column("rate") / formula::column("roof");
                let share = formula::known(share, formula::text(UNKNOWN));
                let of = |roof: OpsPerSecond| point.rate.0 / roof.0;
                (
                    follow_cell(
                        roof.map(|r| r.0 / 1e9),
                        live.clone(),
                        NumberFormat::Significant(4),
                    ),
                    follow_cell(roof.map(of), share, NumberFormat::Percent(1)),
                )
            }
            (Some(roof), None) => {
                (giga(roof), Cell::number(point.rate.0 / roof.0, NumberFormat::Percent(1)))
            }
            (None, None) => (unknown(), unknown()),
        };
        vec![
            Cell::text(&point.name),
            Cell::number(point.oi.0, NumberFormat::Significant(4)),
            giga(point.rate),
            allowed,
            share,
            Cell::text(&point.source),
        ]
    });
    Table {
        name: "measured-points".to_owned(),
        caption: "Measured points, and the corrected roof at their intensity".to_owned(),
        columns: vec![
            Column::text("point", "Measured"),
            Column::number("oi", "OI", "OP/B"),
            Column::number("rate", "Rate", "GOP/s"),
            Column::number("roof", "Corrected roof", "GOP/s"),
            Column::number("share", "Share of it", ""),
            Column::text("source", "Source"),
        ],
        rows: rows.collect(),
    }
}

/// A sentence for each point that lies above every roof, above the corrected one, or above that of the design.
fn describe_impossible(points: &[MeasuredPoint], estimate: &Estimate) -> Vec<String> {
    let above = |point: &MeasuredPoint| {
        let roofs = estimate.scenarios.iter().filter_map(|scenario| find_roof(scenario, point));
        let highest = roofs.map(|roof| roof.0).reduce(f64::max)?;
        if point.rate.0 <= highest {
            return beyond_the_corrected(point, estimate)
                .or_else(|| beyond_the_design(point, estimate));
        }
        Some(format!(
            "{} lies above every roof: {} was measured where, at {} OP/B, the highest of them allows {}. Either its operations, bytes or time are wrong, or bandwidth or peak are.",
            point.name,
            show_rate(point.rate, &estimate.scenarios),
            significant(point.oi.0, 4),
            show_rate(OpsPerSecond(highest), &estimate.scenarios)
        ))
    };
    points.iter().filter_map(above).collect()
}

/// What a point above the corrected roof says, where a claim allows it.
fn beyond_the_corrected(point: &MeasuredPoint, estimate: &Estimate) -> Option<String> {
    let corrected = estimate.scenario(ScenarioKind::DerivedPeak)?;
    let allowed = find_roof(corrected, point)?;
    (point.rate.0 > allowed.0).then(|| format!(
        "{} lies above what can be built by these figures: {} was measured where, at {} OP/B, the corrected roof allows {}. That roof (its bandwidth, its clock or the cost of a multiply-add) or the measurement is wrong.",
        point.name,
        show_rate(point.rate, [corrected]),
        significant(point.oi.0, 4),
        show_rate(allowed, [corrected])
    ))
}

/// What a point above the design's roof says of it: what is measured is not slower than its roof.
fn beyond_the_design(point: &MeasuredPoint, estimate: &Estimate) -> Option<String> {
    let design = estimate.design()?;
    let allowed = find_roof(design, point).filter(|allowed| point.rate.0 > allowed.0)?;
    Some(format!(
        "{} lies above the roof of the design: {} was measured where, at {} OP/B, the design's {} and peak allow {}. If it was measured on that design, its ports, clock or array are not what derate takes them to be, or its operations, bytes or time are wrong.",
        point.name,
        show_rate(point.rate, [design]),
        significant(point.oi.0, 4),
        quantity(design.bandwidth.value),
        show_rate(allowed, [design])
    ))
}
