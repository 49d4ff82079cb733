//! Native bar charts: horizontal bars from top to bottom, each with its figure, and the legend below.

use xlsxwriter::{
    Chart as Native, ChartAxisLabelPosition, ChartAxisTickType, ChartDataLabel,
    ChartDataLabelPosition, ChartFont, ChartFormat, ChartLayout, ChartLegendPosition, ChartLine,
    ChartSolidFill, ChartType, Color,
};

use super::super::palette::{self, parse_rgb};
use super::super::svg::ink::text_width;
use super::chart::{Extent, grid_look, hidden_label, short_text};
use super::chart_data::{ChartData, bar_name};
use super::live_code::live_code;
use super::look;
use crate::{BarSeries, Bars};

/// The height of a bar, of the gap between two, and of everything else, in pixels.
const BAR: usize = 14;
const GAP: usize = 12;
const FRAME: usize = 136;

/// A thinner bar has no room for its figure.
const THINNEST: usize = 10;

/// A chart is neither lower nor higher; a printed page holds so much of it with its caption.
const LOWEST: usize = 240;
const ON_A_PAGE: usize = 580;
const HIGHEST: usize = 1200;

/// The size of names, and the room that they get, in pixels; longer ones are broken.
const NAME: f64 = 13.0;
const WIDEST: f64 = 280.0;

/// The room of the title, in pixels.
const TITLE: f64 = 48.0;

/// The legend of the figure after a bar.
const SUM: &str = "sum, in bold";

/// A part shorter than this share of the longest bar has no room for a figure.
const ROOM: f64 = 0.08;

/// Draws `chart`; its values go to `data`.
pub(super) fn native_bars(chart: &Bars, extent: Extent, data: &mut ChartData) -> Native {
    let kind = if chart.stacked { ChartType::BarStacked } else { ChartType::Bar };
    let mut native = Native::new(kind);
    native
        .set_width(extent.width)
        .set_height(chart_height(chart).max(extent.least))
        .set_alt_text(short_text(&chart.caption));
    native
        .title()
        .set_name(short_text(&chart.title).as_str())
        .set_font(ChartFont::new().set_size(14).set_bold());
    native.plot_area().set_layout(&plot_layout(chart, extent));
    if chart.series.len() > 1 {
        native.legend().set_position(ChartLegendPosition::Bottom);
    } else {
        native.legend().set_hidden();
    }
    // Excel draws the first bar at the bottom.
    native
        .y_axis()
        .set_reverse()
        .set_font(ChartFont::new().set_size(10))
        .set_major_gridlines(false)
        .set_major_tick_type(ChartAxisTickType::None);
    let magnitude = longest_bar(chart);
    native
        .x_axis()
        .set_name(short_text(&chart.axis_name()).as_str())
        .set_name_font(ChartFont::new().set_size(10))
        .set_min(0)
        .set_format(ChartFormat::new().set_no_line())
        .set_major_tick_type(ChartAxisTickType::None)
        .set_label_position(ChartAxisLabelPosition::High)
        .set_num_format("General")
        .set_major_gridlines(true)
        .set_major_gridlines_line(&grid_look(palette::GRID, 0.75));

    for (rank, series) in chart.series.iter().enumerate() {
        let place = data.add_bars(chart, series);
        let (fill, ink) = palette::bar_tint(rank);
        let drawn = native.add_series();
        drawn
            .set_name(short_text(&series.name).as_str())
            .set_categories(place.names())
            .set_values(place.x_values())
            .set_gap(60);
        if chart.stacked {
            drawn.set_overlap(100);
        }
        let mut fill_look = ChartFormat::new();
        fill_look.set_solid_fill(ChartSolidFill::new().set_color(Color::RGB(parse_rgb(fill))));
        fill_look.set_border(ChartLine::new().set_color(Color::White).set_width(0.75));
        drawn.set_format(&mut fill_look);
        let mut label = ChartDataLabel::new();
        label.show_value().set_num_format(live_code(magnitude, chart.format));
        let color = if chart.stacked { Color::RGB(parse_rgb(ink)) } else { look::INK };
        label.set_font(ChartFont::new().set_size(9).set_color(color));
        label.set_position(if chart.stacked {
            ChartDataLabelPosition::Center
        } else {
            ChartDataLabelPosition::OutsideEnd
        });
        drawn.set_data_label(&label);
        drawn.set_custom_data_labels(&hidden_labels(chart, series, magnitude));
    }
    if chart.stacked && chart.series.len() > 1 {
        draw_sums(&mut native, chart, magnitude, data);
    }
    native
}

/// Writes the sum of its parts after every bar: invisible bars on hidden axes. The figure is
/// the value of its bar, because some engines do not update a label that takes its text from a cell.
fn draw_sums(native: &mut Native, chart: &Bars, magnitude: f64, data: &mut ChartData) {
    let place = data.add_sums(chart);
    let known = |bar: usize, series: &BarSeries| matches!(series.lengths.get(bar), Some(Some(length)) if length.value.is_finite());
    let labels: Vec<ChartDataLabel> = (0..chart.bars.len())
        .map(|bar| {
            if chart.series.iter().all(|series| known(bar, series)) {
                ChartDataLabel::default()
            } else {
                hidden_label()
            }
        })
        .collect();
    let mut sums = Native::new(ChartType::Bar);
    let drawn = sums.add_series();
    // It stays in the legend: engines count the entries of horizontal bars from different ends, so none can be left out.
    drawn.set_name(SUM).set_categories(place.names()).set_values(place.x_values());
    drawn.set_secondary_axis(true).set_gap(60);
    drawn.set_format(ChartFormat::new().set_no_fill().set_no_border());
    let mut label = ChartDataLabel::new();
    label.show_value().set_num_format(live_code(magnitude, chart.format));
    label.set_position(ChartDataLabelPosition::OutsideEnd);
    label.set_font(ChartFont::new().set_size(9).set_bold().set_color(look::INK));
    drawn.set_data_label(&label).set_custom_data_labels(&labels);
    native.combine(&sums);
    // Both scales begin at 0 and end by the longest bar, which is as long on either. The library takes the values of a second
    // axis of bars to be categories, which have no beginning, unless they are dates; what it writes is an axis of values.
    native.y2_axis().set_reverse().set_hidden(true);
    native.x2_axis().set_date_axis(true).set_min(0).set_hidden(true);
}

/// The rows of 20 pixels that a chart covers, and one to spare.
pub(super) fn bar_rows(chart: &Bars) -> u32 {
    chart_height(chart) / 20 + 1
}

fn chart_height(chart: &Bars) -> u32 {
    let beside = if chart.stacked { 1 } else { chart.series.len().max(1) };
    let all = |bar: usize, gap: usize| {
        chart.bars.len().saturating_mul(beside * bar + gap).saturating_add(FRAME)
    };
    // A chart that cannot fit a page is as high as it must be.
    let most = if all(THINNEST, THINNEST) > ON_A_PAGE { HIGHEST } else { ON_A_PAGE };
    u32::try_from(all(BAR, GAP).clamp(LOWEST, most)).unwrap_or(0)
}

/// The plotting area, with room for the names at its left, and below it for the axis and the legend.
fn plot_layout(chart: &Bars, extent: Extent) -> ChartLayout {
    let (width, height) =
        (f64::from(extent.width), f64::from(chart_height(chart).max(extent.least)));
    let names = (0..chart.bars.len()).map(|at| text_width(&bar_name(chart, at), NAME));
    let left = (names.fold(40.0, f64::max) + 24.0).min(WIDEST);
    let below = if chart.series.len() > 1 { 92.0 } else { 62.0 };
    ChartLayout::new()
        .set_offset(left / width, TITLE / height)
        .set_dimensions((width - left - 60.0) / width, (height - TITLE - below) / height)
}

fn longest_bar(chart: &Bars) -> f64 {
    let of = |series: &BarSeries, bar: usize| {
        let length = series.lengths.get(bar).and_then(Option::as_ref);
        length.map(|length| length.value).filter(|value| value.is_finite()).unwrap_or(0.0)
    };
    let lengths = (0..chart.bars.len()).map(|bar| {
        let parts = chart.series.iter().map(|series| of(series, bar));
        if chart.stacked { parts.sum() } else { parts.fold(0.0, f64::max) }
    });
    lengths.fold(0.0, f64::max)
}

/// The labels that are hidden: an unknown length is noted in the bar's name, and a short bar has no room.
fn hidden_labels(chart: &Bars, series: &BarSeries, longest: f64) -> Vec<ChartDataLabel> {
    let label = |bar: usize| match series.lengths.get(bar).and_then(Option::as_ref) {
        Some(length)
            if length.value.is_finite() && !(chart.stacked && length.value < ROOM * longest) =>
        {
            ChartDataLabel::default()
        }
        _ => hidden_label(),
    };
    (0..chart.bars.len()).map(label).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NumberFormat;

    fn of(bars: usize, series: usize) -> u32 {
        let one = BarSeries { name: "a".to_owned(), lengths: Vec::new() };
        chart_height(&Bars {
            name: "a".to_owned(),
            title: "a".to_owned(),
            caption: String::new(),
            label: "a".to_owned(),
            unit: "a".to_owned(),
            format: NumberFormat::Integer,
            bars: vec!["a".to_owned(); bars],
            series: vec![one; series],
            stacked: false,
        })
    }

    #[test]
    fn a_page_holds_a_chart_whose_bars_have_room_there() {
        assert_eq!((of(1, 1), of(4, 4)), (240, 408));
        // 12 formats of two bars are squeezed; no page holds 40.
        assert_eq!(of(12, 2), 580);
        assert!(of(40, 2) == 1200 && of(20, 2) > 580);
    }
}
