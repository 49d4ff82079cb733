//! Horizontal bars with a figure at the end of each, and the legend outside the data.

use std::fmt::Write;

use super::super::palette;
use super::AXIS_ROOM;
use super::draw::HALO;
use super::heading::Heading;
use super::ink::{SOFT, TEXT, draw_text, px, text_width, wrap_pixels};
use super::legend::{ROW, flow_entries, push_remark};
use super::linear::Linear;
use crate::{Bars, RenderError, format_number, format_quantity};

/// The size of names and figures.
const SIZE: f64 = 12.5;
/// From one line of a bar's name to the next.
const LINE: f64 = 15.0;
/// A bar alone or of parts, and one of several beside one another.
const THICK: f64 = 26.0;
const THIN: f64 = 17.0;
/// Between one bar and the next.
const GAP: f64 = 14.0;
/// A longer name is broken.
const WIDEST_NAME: f64 = 230.0;

/// Renders a bar chart as SVG 1.1.
pub fn render_bars_svg(chart: &Bars) -> Result<Vec<u8>, RenderError> {
    Ok(draw_bars(chart, &Heading::with_text(&chart.title, &chart.caption)).into_bytes())
}

/// The same without title and caption, for a page that has them, `width` pixels wide.
pub(crate) fn draw_bars_figure(chart: &Bars, width: f64) -> String {
    draw_bars(chart, &Heading::without_text(&chart.title, &chart.caption, width))
}

fn draw_bars(chart: &Bars, heading: &Heading<'_>) -> String {
    let (width, margin) = (heading.width, heading.margin());
    // In a narrow picture, a name is above its bar.
    let above = heading.is_narrow();
    let widest_name = if above { width - 2.0 * margin } else { WIDEST_NAME };
    let names: Vec<_> = chart.bars.iter().map(|bar| wrap_pixels(bar, SIZE, widest_name)).collect();
    let rows: Vec<Vec<BarRow>> = (0..chart.bars.len()).map(|bar| rows_of(chart, bar)).collect();
    let widest = |widths: &mut dyn Iterator<Item = f64>| widths.fold(24.0, f64::max);
    let left = if above {
        margin + 4.0
    } else {
        margin + widest(&mut names.iter().flatten().map(|line| text_width(line, SIZE))) + 12.0
    };
    let ends = rows.iter().flatten();
    let right = width
        - margin
        - 8.0
        - widest(&mut ends.clone().map(|row| text_width(&row.end, SIZE))).min(width * 0.3);
    let axis = Linear::new(ends.flat_map(BarRow::end_values), left, right);

    let top = heading.height();
    let mut y = top + GAP / 2.0;
    let mut plot = String::new();
    for (name, rows) in names.iter().zip(&rows) {
        let thick = if above || rows.len() > 1 { THIN } else { THICK };
        let (used, named) = ((rows.len() as f64) * thick, (name.len() as f64) * LINE);
        let height = if above { used + named + 2.0 } else { used.max(named) };
        let middle = y + height / 2.0;
        let (x, mut down, anchor) = if above {
            (left + 4.0, y + SIZE, HALO)
        } else {
            let first = middle - (named - LINE) / 2.0 + SIZE * 0.35;
            (left - 10.0, first, " text-anchor=\"end\"")
        };
        for line in name {
            plot.push_str(&draw_text(x, down, SIZE, TEXT, line, anchor));
            down += LINE;
        }
        let mut at = if above { y + height - used } else { middle - used / 2.0 };
        for row in rows {
            row.draw_row(&axis, at, thick, &mut plot);
            at += thick;
        }
        y += height + GAP;
    }
    let bottom = y - GAP / 2.0;
    let (legend, legend_height) = draw_bars_legend(chart, width - 2.0 * margin);

    let mut out = heading.begin_picture(bottom + AXIS_ROOM + legend_height + 16.0);
    out.push_str(&axis.draw_grid(chart.format, top, bottom));
    out.push_str(&plot);
    let middle = f64::midpoint(left, right);
    out.push_str(&draw_text(
        middle,
        bottom + 42.0,
        13.0,
        TEXT,
        &chart.axis_name(),
        " text-anchor=\"middle\"",
    ));
    let at = ["translate(", &px(margin), " ", &px(bottom + AXIS_ROOM), ")"].concat();
    out.push_str(
        &["<g transform=\"", &at, "\" fill=\"none\">\n", &legend, "</g>\n</svg>\n"].concat(),
    );
    out
}

/// One bar, or its parts end to end.
struct BarRow {
    /// Rank of the series, where the piece begins and ends, and its figure.
    pieces: Vec<(usize, f64, f64, String)>,
    /// The text at its end.
    end: String,
    known: bool,
}

impl BarRow {
    /// Every value that the axis must hold.
    fn end_values(&self) -> impl Iterator<Item = f64> {
        self.pieces.iter().flat_map(|(_, from, to, _)| [*from, *to])
    }

    fn draw_row(&self, axis: &Linear, y: f64, thick: f64, out: &mut String) {
        let mut right = axis.to_pixel(0.0);
        for (rank, from, to, figure) in &self.pieces {
            let (fill, ink) = palette::bar_tint(*rank);
            let (a, b) = (axis.to_pixel(from.min(*to)), axis.to_pixel(from.max(*to)));
            right = right.max(b);
            if a >= b {
                continue;
            }
            let (x, top) = (px(a), px(y + 1.0));
            let (width, height) = (px(b - a), px(thick - 2.0));
            // A white edge separates neighbours in print.
            let _ = writeln!(
                out,
                r##"<rect x="{x}" y="{top}" width="{width}" height="{height}" fill="{fill}" stroke="#ffffff" stroke-width="0.8"/>"##
            );
            if text_width(figure, 11.5) + 6.0 < b - a {
                let (x, y) = (f64::midpoint(a, b), y + thick / 2.0 + 4.0);
                out.push_str(&draw_text(x, y, 11.5, ink, figure, " text-anchor=\"middle\""));
            }
        }
        let (color, more) = if self.known { (TEXT, "") } else { (SOFT, " font-style=\"italic\"") };
        out.push_str(&draw_text(right + 7.0, y + thick / 2.0 + 4.4, SIZE, color, &self.end, more));
    }
}

fn rows_of(chart: &Bars, bar: usize) -> Vec<BarRow> {
    let lengths =
        chart.series.iter().enumerate().map(|(rank, _)| (rank, known_length(chart, rank, bar)));
    let said = |value: f64| format_quantity(value, chart.format, &chart.unit);
    if !chart.stacked {
        return lengths
            .map(|(rank, length)| match length {
                Some(value) => BarRow {
                    pieces: vec![(rank, 0.0, value, String::new())],
                    end: said(value),
                    known: true,
                },
                None => BarRow { pieces: Vec::new(), end: "unknown".to_owned(), known: false },
            })
            .collect();
    }
    let (mut row, mut total) =
        (BarRow { pieces: Vec::new(), end: String::new(), known: true }, 0.0);
    for (rank, length) in lengths {
        match length {
            Some(value) => {
                let figure = format_number(value, chart.format);
                row.pieces.push((rank, total, total + value, figure));
                total += value;
            }
            None => row.known = false,
        }
    }
    row.end = match (row.known, row.pieces.is_empty()) {
        (true, _) => said(total),
        (false, true) => "unknown".to_owned(),
        (false, false) => format!("{} + unknown", said(total)),
    };
    // A single piece needs no figure: the end of the bar has it.
    if let [(.., figure)] = &mut row.pieces[..] {
        figure.clear();
    }
    vec![row]
}

/// A length that is known.
fn known_length(chart: &Bars, series: usize, bar: usize) -> Option<f64> {
    let length = chart.series.get(series)?.lengths.get(bar)?.as_ref()?;
    length.value.is_finite().then_some(length.value)
}

/// The meaning of the colours, if there are several, and the unknown parts of each bar.
fn draw_bars_legend(chart: &Bars, width: f64) -> (String, f64) {
    let entries = chart.series.iter().enumerate().map(|(rank, series)| {
        let (fill, _) = palette::bar_tint(rank);
        let sample = move |x: f64, y: f64| {
            let (x, y) = (px(x + 8.0), px(y - 6.0));
            format!("<rect x=\"{x}\" y=\"{y}\" width=\"20\" height=\"12\" fill=\"{fill}\"/>\n")
        };
        (series.name.clone(), sample)
    });
    let several = chart.series.len() > 1;
    let (mut out, mut row) =
        if several { flow_entries(entries, width) } else { (String::new(), 0.0) };
    let unknown = chart.bars.iter().enumerate().filter_map(|(bar, name)| {
        let missing: Vec<&str> = (0..chart.series.len())
            .filter(|series| known_length(chart, *series, bar).is_none())
            .map(|series| chart.series[series].name.as_str())
            .collect();
        let told = chart.stacked && !missing.is_empty() && missing.len() < chart.series.len();
        told.then(|| format!("{name}: {}", missing.join(", ")))
    });
    let unknown: Vec<String> = unknown.collect();
    if !unknown.is_empty() {
        push_remark(&format!("Unknown of {}", unknown.join("; of ")), width, &mut out, &mut row);
    }
    (out, row * ROW)
}
