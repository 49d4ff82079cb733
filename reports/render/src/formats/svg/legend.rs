//! The legend below the axes: the meaning of marks and strokes, and the labels without room.

use super::super::palette;
use super::ink::{SOFT, TEXT, draw_text, line_stroke, px, text_width, wrap_pixels};
use super::plot::Plot;
use crate::chart::MarkSize;
use crate::{Chart, LineStyle, Marker};

/// The size of its text.
const SIZE: f64 = 12.5;

/// From the middle of a row down to the baseline of its text.
const DROP: f64 = SIZE * 0.35;

/// From one row to the next.
pub(super) const ROW: f64 = 20.0;

/// The room of a mark or a stroke before its name.
const SAMPLE: f64 = 34.0;

/// The legend's elements, the top left corner at the origin, and its height.
pub(super) fn draw_legend(chart: &Chart, plot: &Plot, width: f64) -> (String, f64) {
    let samples = list_entries(chart, plot)
        .into_iter()
        .map(|(name, sample)| (name, move |x: f64, y: f64| sample.draw_sample(x, y)));
    let (mut out, mut row) = flow_entries(samples, width);
    if chart.has_sizes() {
        push_remark(MarkSize::LEGEND, width, &mut out, &mut row);
    }
    for (lead, names) in
        [("No room to label: ", &plot.unlabelled), ("Beyond the axes: ", &plot.outside)]
    {
        if names.is_empty() {
            continue;
        }
        push_remark(&format!("{lead}{}", names.join(", ")), width, &mut out, &mut row);
    }
    (out, row * ROW)
}

/// A sentence in rows of its own.
pub(super) fn push_remark(said: &str, width: f64, out: &mut String, row: &mut f64) {
    for line in wrap_pixels(said, SIZE, width) {
        out.push_str(&draw_text(0.0, *row * ROW + ROW / 2.0 + DROP, SIZE, SOFT, &line, ""));
        *row += 1.0;
    }
}

/// Entries beside one another in as many rows as they need, and how many rows that is.
pub(super) fn flow_entries<S: Fn(f64, f64) -> String>(
    entries: impl Iterator<Item = (String, S)>,
    width: f64,
) -> (String, f64) {
    let mut out = String::new();
    let (mut x, mut row) = (0.0, 0.0);
    for (name, sample) in entries {
        let entry = SAMPLE + text_width(&name, SIZE) + 22.0;
        if x > 0.0 && x + entry > width {
            x = 0.0;
            row += 1.0;
        }
        let y = row * ROW + ROW / 2.0;
        out.push_str(&sample(x, y));
        out.push_str(&draw_text(x + SAMPLE, y + DROP, SIZE, TEXT, &name, ""));
        x += entry;
    }
    if x > 0.0 {
        row += 1.0;
    }
    (out, row)
}

enum Sample {
    Mark(Marker, usize),
    Stroke(LineStyle),
}

impl Sample {
    fn draw_sample(&self, x: f64, y: f64) -> String {
        match self {
            Self::Mark(marker, rank) => draw_mark(*marker, *rank, (x + 17.0, y), 1.0),
            Self::Stroke(style) => {
                let look = line_stroke(*style);
                format!(
                    r#"<path d="M{} {y}h28" stroke="{}" stroke-width="{}" stroke-dasharray="{}"/>"#,
                    px(x),
                    look.color,
                    look.width,
                    if look.dashes.is_empty() { "none" } else { look.dashes },
                    y = px(y),
                ) + "\n"
            }
        }
    }
}

/// The entries: every series, every style of line by the name of its only line or else by its meaning, and lines that
/// have no label of their own.
fn list_entries(chart: &Chart, plot: &Plot) -> Vec<(String, Sample)> {
    let series = chart.points.iter().zip(&plot.clouds);
    let mut entries: Vec<_> = series
        .map(|(series, cloud)| (series.name.clone(), Sample::Mark(cloud.marker, cloud.rank)))
        .collect();
    // If all lines have one style, the style distinguishes nothing.
    let styles = chart.lines.windows(2).any(|pair| pair[0].style != pair[1].style);
    for style in [LineStyle::Claimed, LineStyle::Corrected, LineStyle::Design, LineStyle::Reference]
    {
        if !styles || !plot.traces.iter().any(|trace| trace.style == style && trace.label.is_some())
        {
            continue;
        }
        let mut alike = chart.lines.iter().filter(|line| line.style == style);
        let name = match (alike.next(), alike.next()) {
            (Some(only), None) => only.name.clone(),
            _ => line_stroke(style).meaning.to_owned(),
        };
        entries.push((name, Sample::Stroke(style)));
    }
    for (line, trace) in chart.lines.iter().zip(&plot.traces) {
        if trace.label.is_none() && !trace.strokes.is_empty() {
            entries.push((line.name.clone(), Sample::Stroke(line.style)));
        }
    }
    entries
}

/// A mark, so many times as large as a plain one.
pub(super) fn draw_mark(marker: Marker, rank: usize, (x, y): (f64, f64), scale: f64) -> String {
    let (color, _) = palette::mark_tint(marker, rank);
    let (r, ring) = (px(4.6 * scale), px(4.2 * scale));
    let (d, up, side, down) = (px(5.5 * scale), px(6.5 * scale), px(6.2 * scale), px(10.8 * scale));
    let wide = px(12.4 * scale);
    let (x, y) = (px(x), px(y));
    let mark = match marker {
        Marker::Hollow => format!(
            r#"<circle cx="{x}" cy="{y}" r="{ring}" fill="white" stroke="{color}" stroke-width="1.8"/>"#
        ),
        Marker::Solid => format!(
            r#"<circle cx="{x}" cy="{y}" r="{r}" fill="{color}" stroke="white" stroke-width="1"/>"#
        ),
        Marker::Measured => {
            format!(
                r#"<path d="M{x} {y}m0 -{up}l{side} {down}h-{wide}z" fill="{color}" stroke="white"/>"#
            )
        }
        Marker::Diamond | Marker::WhatIf => format!(
            r#"<path d="M{x} {y}m0 -{d}l{d} {d}l-{d} {d}l-{d} -{d}z" fill="{color}" stroke="white"/>"#
        ),
    };
    mark + "\n"
}
