//! Native charts: two logarithmic axes, lines without marks, points without lines.

use xlsxwriter::{
    Chart as Native, ChartAxis, ChartAxisCrossing, ChartAxisLabelPosition, ChartDataLabel,
    ChartFont, ChartFormat, ChartLayout, ChartLegendPosition, ChartLine, ChartLineDashType,
    ChartMarker, ChartMarkerType, ChartSolidFill, ChartType, Color,
};

use super::super::hull::Frame;
use super::super::palette::{self, parse_rgb};
use super::super::plain::one_line;
use super::super::wrap::truncate_text;
use super::chart_data::ChartData;
use super::chart_labels::{Leader, place_labels};
use super::number_code::axis_code;
use crate::chart::MarkSize;
use crate::{Axis, Chart, LineStyle, Marker, Point, PointSeries, Position, RenderError};

/// The size of a chart in pixels.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    pub(super) width: u32,
    height: u32,
    /// How high bars are at the least: as high as the figure beside them.
    pub(super) least: u32,
}

impl Extent {
    /// A chart that has its rows for itself.
    pub(super) const ALONE: Self = Self { width: 980, height: 560, least: 0 };
    /// One of two beside each other.
    pub(super) const BESIDE: Self = Self { width: 680, height: 340, least: 340 };

    /// The rows of 20 pixels that it covers, and one to spare.
    pub(super) fn rows(self) -> u32 {
        self.height / 20 + 1
    }
}

/// The colour of a line to a label.
const LEADER: &str = "#8a94a0";

/// What is around the plotting area, in pixels: left, top, right, below.
const AROUND: (f64, f64, f64, f64) = (83.0, 50.0, 25.0, 112.0);

pub(super) struct Drawn {
    pub(super) chart: Native,
    /// A formula that says whether points lie outside of the axes; `None` where no point can move.
    pub(super) outside: Option<String>,
    /// What the sizes mean, and the points without a label; empty if there is nothing to say.
    pub(super) unlabelled: String,
}

/// Draws `chart`; its values go to `data`.
pub(super) fn native_chart(
    chart: &Chart,
    extent: Extent,
    data: &mut ChartData,
) -> Result<Drawn, RenderError> {
    chart.check_axes()?;
    let (x, y) = (axis_decades(&chart.x), axis_decades(&chart.y));
    let mut native = Native::new(ChartType::ScatterStraight);
    native
        .set_width(extent.width)
        .set_height(extent.height)
        .set_alt_text(short_text(&chart.caption));
    native
        .title()
        .set_name(short_text(&chart.title).as_str())
        .set_font(ChartFont::new().set_size(14).set_bold());
    native.legend().set_position(ChartLegendPosition::Bottom);
    let (width, height) = (f64::from(extent.width), f64::from(extent.height));
    let (left, top, right, below) = AROUND;
    let frame = Frame { left, top, right: width - right, bottom: height - below };
    let layout = ChartLayout::new().set_offset(frame.left / width, frame.top / height);
    let layout = layout
        .set_dimensions((frame.right - frame.left) / width, (frame.bottom - frame.top) / height);
    native.plot_area().set_layout(&layout);
    set_up_axis(native.x_axis(), &chart.x, x);
    set_up_axis(native.y_axis(), &chart.y, y);

    // Later series are drawn on top.
    let styles = LineStyle::BACK_TO_FRONT.into_iter();
    for line in styles.flat_map(|style| chart.lines.iter().filter(move |line| line.style == style))
    {
        let corners = extend_line(&line.corners, &chart.x, x);
        let place = data.add_points(chart, &line.name, corners.iter().map(|at| Some(("", at))));
        let series = native.add_series();
        series
            .set_name(short_text(&line.name).as_str())
            .set_categories(place.x_values())
            .set_values(place.y_values());
        series.set_marker(ChartMarker::new().set_none());
        series.set_format(&mut line_look(line.style));
    }
    // A native mark has one size in its series: a series has one of each size.
    let parted = part_by_size(chart);
    let chart = &parted;
    let labels = place_labels(chart, &frame, (x.0, y.0), (x.1, y.1));
    // Below the points, and not in the legend.
    let mut unnamed = Vec::new();
    if !labels.leaders.is_empty() {
        draw_leaders(&mut native, chart, &labels.leaders, data);
        unnamed.push(chart.lines.len());
    }
    let before = chart.lines.len() + usize::from(!labels.leaders.is_empty());
    let first = data.next_row();
    for (index, (series, labels)) in chart.points.iter().zip(&labels.beside).enumerate() {
        let values = series.points.iter().map(|point| Some((point.label.as_str(), &point.at)));
        let is_more =
            |other: &PointSeries| (&other.name, other.marker) == (&series.name, series.marker);
        if chart.points[..index].iter().any(is_more) {
            unnamed.push(before + index);
        }
        let place = data.add_points(chart, &series.name, values);
        let color = point_color(chart, index);
        let native = native.add_series();
        native
            .set_name(short_text(&series.name).as_str())
            .set_categories(place.x_values())
            .set_values(place.y_values());
        native.set_format(ChartFormat::new().set_no_line());
        let size = series.points.first().map_or(MarkSize::Plain, Point::mark_size);
        native.set_marker(&mark_look(series.marker, color, size));
        let custom: Vec<ChartDataLabel> = labels
            .iter()
            .map(|label| match label {
                Some((text, side)) => ChartDataLabel::new()
                    .set_value(short_text(text).as_str())
                    .set_position(*side)
                    .set_font(ChartFont::new().set_size(9).set_color(Color::RGB(color)))
                    .to_custom(),
                None => hidden_label(),
            })
            .collect();
        native.set_data_label(ChartDataLabel::new().show_value());
        native.set_custom_data_labels(&custom);
    }
    native.legend().delete_entries(&unnamed);
    let outside = can_move(chart).then(|| data.outside_formula(first, x, y)).flatten();
    let mut notes = Vec::new();
    if chart.has_sizes() {
        notes.push(MarkSize::LEGEND.to_owned());
    }
    if !labels.unplaced.is_empty() {
        notes.push(format!("No room to label: {}.", labels.unplaced.join(", ")));
    }
    let unlabelled = notes.join(" ");
    Ok(Drawn { chart: native, outside, unlabelled })
}

/// The chart with the points of each size in a series of their own, large ones first, so that small ones lie on them.
fn part_by_size(chart: &Chart) -> Chart {
    let parts = |series: &PointSeries| {
        let of_size = |size: MarkSize| PointSeries {
            points: series
                .points
                .iter()
                .filter(|point| point.mark_size() == size)
                .cloned()
                .collect(),
            name: series.name.clone(),
            marker: series.marker,
        };
        let all = MarkSize::ALL.into_iter().rev().map(of_size);
        let all = all.filter(|part| !part.points.is_empty());
        all.collect::<Vec<_>>()
    };
    Chart { points: chart.points.iter().flat_map(parts).collect(), ..chart.clone() }
}

/// Whether a point may move.
fn can_move(chart: &Chart) -> bool {
    chart.points.iter().flat_map(|series| &series.points).any(|point| point.at.live.is_some())
}

/// The line, extended with its slope to the ends of the drawn axis.
fn extend_line(corners: &[Position], own: &Axis, (low, high): (f64, f64)) -> Vec<Position> {
    let mut all = corners.to_vec();
    let beyond = |end: &Position, next: &Position, to: f64| {
        let slope = (end.y / next.y).log10() / (end.x / next.x).log10();
        let across = to / end.x;
        let up = across.powf(slope);
        let live = end.live.as_deref();
        let live = live.map(|[x, y]| Box::new([x.clone() * across, y.clone() * up]));
        let there = Position { x: to, y: end.y * up, live };
        (there.y.is_finite() && there.y > 0.0).then_some(there)
    };
    let reaches = |end: &Position, limit: f64| (end.x / limit - 1.0).abs() < 1e-9;
    if let [.., next, end] = corners
        && reaches(end, own.max)
        && high > own.max
    {
        all.extend(beyond(end, next, high));
    }
    if let [end, next, ..] = corners
        && reaches(end, own.min)
        && low < own.min
    {
        all.splice(0..0, beyond(end, next, low));
    }
    all
}

/// Draws the labels at a distance, each at the end of a thin line; all lines are one series with gaps.
fn draw_leaders(native: &mut Native, chart: &Chart, leaders: &[Leader], data: &mut ChartData) {
    let mut ends: Vec<Option<(&str, Position)>> = Vec::new();
    let mut custom = Vec::new();
    for leader in leaders {
        let Some(series) = chart.points.get(leader.series) else { continue };
        let Some(point) = series.points.get(leader.point) else { continue };
        let (at, (across, up)) = (&point.at, leader.factors);
        let live = at.live.as_deref().map(|[x, y]| Box::new([x.clone() * across, y.clone() * up]));
        ends.push(Some((point.label.as_str(), at.clone())));
        ends.push(Some((leader.text.as_str(), Position { x: at.x * across, y: at.y * up, live })));
        ends.push(None);
        let color = Color::RGB(point_color(chart, leader.series));
        custom.extend([
            hidden_label(),
            ChartDataLabel::new()
                .set_value(short_text(&leader.text).as_str())
                .set_position(leader.side)
                .set_font(ChartFont::new().set_size(9).set_color(color))
                .to_custom(),
            hidden_label(),
        ]);
    }
    let place = data.add_points(
        chart,
        "Lines to labels",
        ends.iter().map(|end| end.as_ref().map(|(label, at)| (*label, at))),
    );
    let series = native.add_series();
    series
        .set_name("Lines to labels")
        .set_categories(place.x_values())
        .set_values(place.y_values());
    series.set_marker(ChartMarker::new().set_none());
    series.set_format(ChartFormat::new().set_line(&grid_look(LEADER, 0.75)));
    series.set_data_label(ChartDataLabel::new().show_value());
    series.set_custom_data_labels(&custom);
}

fn point_color(chart: &Chart, index: usize) -> u32 {
    let Some(series) = chart.points.get(index) else { return 0 };
    let mut before: Vec<&str> = chart.points[..index]
        .iter()
        .filter(|other| other.marker == series.marker && other.name != series.name)
        .map(|other| other.name.as_str())
        .collect();
    before.dedup();
    let rank = before.len();
    parse_rgb(palette::mark_tint(series.marker, rank).0)
}

/// A label that is not shown.
pub(super) fn hidden_label() -> ChartDataLabel {
    ChartDataLabel::new().set_hidden().to_custom()
}

/// Text on one line, as long as Excel lets charts have it. The writer would take `a!A1` and `=(a)` as references to cells: a
/// joiner without width keeps them texts.
pub(super) fn short_text(text: &str) -> String {
    let text = truncate_text(&one_line(text), 120).replace('!', "!\u{2060}");
    if text.starts_with('=') { format!("\u{2060}{text}") } else { text }
}

/// The powers of ten around an axis: Excel counts the grid from the lower end.
fn axis_decades(axis: &Axis) -> (f64, f64) {
    // Powers by their decimal form are exact, where 10^-3 by multiplication is not.
    let power =
        |exponent: f64| format!("1e{exponent}").parse().unwrap_or_else(|_| 10_f64.powf(exponent));
    let (low, high) = (axis.min.log10().floor(), axis.max.log10().ceil());
    (power(low), power(high.max(low + 1.0)))
}

fn set_up_axis(native: &mut ChartAxis, axis: &Axis, (min, max): (f64, f64)) {
    native
        .set_name(short_text(&axis.name_with_unit()).as_str())
        .set_name_font(ChartFont::new().set_size(10))
        .set_log_base(10)
        .set_min(min)
        .set_max(max)
        .set_major_unit(10)
        .set_crossing(ChartAxisCrossing::Min)
        .set_label_position(ChartAxisLabelPosition::Low)
        .set_num_format(axis_code(max))
        .set_major_gridlines(true)
        .set_major_gridlines_line(&grid_look(palette::GRID, 0.75))
        .set_minor_gridlines(true)
        .set_minor_gridlines_line(&grid_look(palette::FINE_GRID, 0.5));
}

pub(super) fn grid_look(color: &str, width: f64) -> ChartLine {
    let mut line = ChartLine::new();
    line.set_color(Color::RGB(parse_rgb(color))).set_width(width);
    line
}

fn line_look(style: LineStyle) -> ChartFormat {
    let mut line = ChartLine::new();
    line.set_color(Color::RGB(parse_rgb(palette::line_tint(style).0)));
    match style {
        LineStyle::Claimed => line.set_width(1.5).set_dash_type(ChartLineDashType::Dash),
        LineStyle::Corrected => line.set_width(2.5),
        LineStyle::Design => line.set_width(2.0).set_dash_type(ChartLineDashType::DashDot),
        LineStyle::Reference => line.set_width(1.25).set_dash_type(ChartLineDashType::RoundDot),
    };
    let mut format = ChartFormat::new();
    format.set_line(&line);
    format
}

fn mark_look(marker: Marker, color: u32, size: MarkSize) -> ChartMarker {
    let mut format = ChartFormat::new();
    // Hollow marks are pale rather than white: LibreOffice draws no border around them.
    let fill = if matches!(marker, Marker::Hollow | Marker::WhatIf) {
        lighten_color(color)
    } else {
        color
    };
    format.set_solid_fill(ChartSolidFill::new().set_color(Color::RGB(fill)));
    format.set_border(ChartLine::new().set_color(Color::RGB(color)).set_width(1.5));
    let shape = match marker {
        Marker::Diamond | Marker::WhatIf => ChartMarkerType::Diamond,
        Marker::Measured => ChartMarkerType::Triangle,
        Marker::Hollow | Marker::Solid => ChartMarkerType::Circle,
    };
    let mut mark = ChartMarker::new();
    let points = match size {
        MarkSize::Small => 5,
        MarkSize::Plain => 7,
        MarkSize::Large => 11,
    };
    mark.set_type(shape).set_size(points).set_format(&mut format);
    mark
}

/// The colour mixed with as much white.
fn lighten_color(color: u32) -> u32 {
    [16, 8, 0].iter().fold(0, |pale, shift| {
        let channel = color >> shift & 0xFF;
        pale | u32::midpoint(channel, 0xFF) << shift
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(min: f64, max: f64) -> Axis {
        Axis { label: String::new(), unit: String::new(), min, max }
    }

    #[test]
    fn axes_are_those_of_the_page_in_whole_decades() {
        assert_eq!(axis_decades(&axis(0.1, 1000.0)), (0.1, 1000.0));
        assert_eq!(axis_decades(&axis(0.2, 500.0)), (0.1, 1000.0));
        assert_eq!(axis_decades(&axis(5.0, 5.0)), (1.0, 10.0));
    }

    #[test]
    fn a_roof_goes_on_to_the_ends_of_its_axis() {
        let roof = [
            Position::fixed(0.1, 1.0),
            Position::fixed(10.0, 100.0),
            Position::fixed(1000.0, 100.0),
        ];
        let near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-9;
        let all = extend_line(&roof, &axis(0.1, 1000.0), (0.01, 10_000.0));
        assert_eq!(all.len(), 5);
        assert!(near(all[0].x, 0.01) && near(all[0].y, 0.1), "{all:?}");
        assert!(near(all[4].x, 10_000.0) && near(all[4].y, 100.0), "{all:?}");
        assert_eq!(extend_line(&roof, &axis(0.1, 1000.0), (0.1, 1000.0)), roof);
        // A line that ends of its own ends there.
        assert_eq!(extend_line(&roof, &axis(0.01, 5000.0), (0.01, 10_000.0)), roof);
    }
}
