//! Grid, axes, lines, marks and labels as SVG elements.

use std::cmp::Reverse;
use std::fmt::Write;

use super::super::hull::{Frame, Spot};
use super::super::palette::{self, FINE_GRID, GRID};
use super::ink::{SOFT, TEXT, draw_text, line_stroke, px};
use super::legend::draw_mark;
use super::place::{Anchor, LINE, Placed, SIZE};
use super::plot::{Plot, Trace};
use super::scale::Tick;
use crate::chart::MarkSize;
use crate::{Chart, LineStyle};

/// Grid lines, tick labels and the frame.
pub(super) fn draw_grid(out: &mut String, frame: Frame, x: &[Tick], y: &[Tick]) {
    let (left, top) = (px(frame.left), px(frame.top));
    let (right, bottom) = (px(frame.right), px(frame.bottom));
    for decade in [false, true] {
        let color = if decade { GRID } else { FINE_GRID };
        let is_drawn = |tick: &&Tick| tick.decade == decade;
        let mut path = String::new();
        path.extend(
            x.iter().filter(is_drawn).map(|tick| format!("M{} {top}V{bottom}", px(tick.at))),
        );
        path.extend(
            y.iter().filter(is_drawn).map(|tick| format!("M{left} {}H{right}", px(tick.at))),
        );
        if !path.is_empty() {
            let _ = writeln!(out, r#"<path d="{path}" stroke="{color}" fill="none"/>"#);
        }
    }
    let (width, height) = (px(frame.right - frame.left), px(frame.bottom - frame.top));
    let _ = writeln!(
        out,
        r##"<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#9aa5b1"/>"##
    );
    for (tick, label) in x.iter().filter_map(|tick| Some((tick, tick.label.as_ref()?))) {
        let y = frame.bottom + 18.0;
        *out += &draw_text(tick.at, y, 12.0, SOFT, label, " text-anchor=\"middle\"");
    }
    for (tick, label) in y.iter().filter_map(|tick| Some((tick, tick.label.as_ref()?))) {
        let x = frame.left - 8.0;
        *out += &draw_text(x, tick.at + 4.2, 12.0, SOFT, label, " text-anchor=\"end\"");
    }
}

/// The names of the axes, with their units.
pub(super) fn draw_axis_names(out: &mut String, frame: Frame, margin: f64, chart: &Chart) {
    let (x, y) = (f64::midpoint(frame.left, frame.right), frame.bottom + 42.0);
    let middle = " text-anchor=\"middle\"";
    *out += &draw_text(x, y, 13.0, TEXT, &chart.x.name_with_unit(), middle);
    let (x, y) = (margin + 4.0, f64::midpoint(frame.top, frame.bottom));
    let turned = format!("{middle} transform=\"rotate(-90 {} {})\"", px(x), px(y));
    *out += &draw_text(x, y, 13.0, TEXT, &chart.y.name_with_unit(), &turned);
}

/// Lines, leaders, marks and labels, in this order, so that text lies on top.
pub(super) fn draw_plot(out: &mut String, plot: &Plot) {
    for style in LineStyle::BACK_TO_FRONT {
        let alike = plot.traces.iter().filter(|trace| trace.style == style);
        out.extend(alike.flat_map(|trace| [draw_drop(trace), draw_trace(trace)]));
    }
    for cloud in &plot.clouds {
        let (color, _) = palette::mark_tint(cloud.marker, cloud.rank);
        let leaders = cloud.labels.iter().filter_map(|label| label.leader);
        out.extend(leaders.map(|(from, to)| {
            let path = format!("M{} {}L{} {}", px(from.0), px(from.1), px(to.0), px(to.1));
            format!(
                "<path d=\"{path}\" stroke=\"{color}\" stroke-width=\"0.8\" opacity=\"0.7\"/>\n"
            )
        }));
    }
    for cloud in &plot.clouds {
        let (color, _) = palette::mark_tint(cloud.marker, cloud.rank);
        out.extend(cloud.bars.iter().map(|(from, to)| draw_bar(*from, *to, color)));
    }
    for cloud in &plot.clouds {
        // A small mark lies on a large one.
        let mut spots = cloud.spots.clone();
        spots.sort_by_key(|(_, size)| Reverse(*size));
        let mark = |(spot, size): &(Spot, MarkSize)| {
            draw_mark(cloud.marker, cloud.rank, *spot, size.scale())
        };
        out.extend(spots.iter().map(mark));
    }
    for trace in &plot.traces {
        let ink = line_stroke(trace.style).ink;
        let labels = trace.label.iter().chain(&trace.figures);
        out.extend(labels.map(|placed| draw_label(placed, ink)));
    }
    for cloud in &plot.clouds {
        let (_, ink) = palette::mark_tint(cloud.marker, cloud.rank);
        out.extend(cloud.labels.iter().map(|placed| draw_label(placed, ink)));
    }
}

/// An error bar: its ends have caps.
fn draw_bar(from: Spot, to: Spot, color: &str) -> String {
    let cap = |(x, y): Spot| format!("M{} {}h8", px(x - 4.0), px(y));
    let path =
        format!("M{} {}L{} {}{}{}", px(from.0), px(from.1), px(to.0), px(to.1), cap(from), cap(to));
    format!("<path d=\"{path}\" stroke=\"{color}\" stroke-width=\"1.3\" fill=\"none\"/>\n")
}

/// A dotted line from a ridge point down to the axis.
fn draw_drop(trace: &Trace) -> String {
    let Some((from, to)) = trace.drop else { return String::new() };
    let (color, path) =
        (line_stroke(trace.style).color, format!("M{} {}V{}", px(from.0), px(from.1), px(to.1)));
    format!("<path d=\"{path}\" stroke=\"{color}\" stroke-dasharray=\"2 3\" fill=\"none\"/>\n")
}

/// The strokes of a line as one path. A dashed line hides the lines below it, because two patterns would make a third.
fn draw_trace(trace: &Trace) -> String {
    let mut path = String::new();
    for (index, (from, to)) in trace.strokes.iter().enumerate() {
        let joined = index > 0 && trace.strokes[index - 1].1 == *from;
        if !joined {
            path.push_str(&["M", &px(from.0), " ", &px(from.1)].concat());
        }
        path.push_str(&["L", &px(to.0), " ", &px(to.1)].concat());
    }
    if path.is_empty() {
        return String::new();
    }
    let look = line_stroke(trace.style);
    let draw = |color: &str, dashes: &str| {
        let width = look.width;
        format!(
            r#"<path d="{path}" fill="none" stroke="{color}" stroke-width="{width}"{dashes} stroke-linejoin="round"/>"#
        ) + "\n"
    };
    match look.dashes {
        "" => draw(look.color, ""),
        dashes => draw("white", "") + &draw(look.color, &format!(" stroke-dasharray=\"{dashes}\"")),
    }
}

/// Separates a label from the grid lines.
pub(super) const HALO: &str =
    r##" stroke="#ffffff" stroke-width="3" stroke-linejoin="round" paint-order="stroke""##;

fn draw_label(placed: &Placed, color: &str) -> String {
    let (x, y) = placed.at;
    let turn = match placed.angle {
        0.0 => String::new(),
        angle => format!(" transform=\"rotate({} {} {})\"", px(angle.to_degrees()), px(x), px(y)),
    };
    let anchor = match placed.anchor {
        Anchor::Start => "",
        Anchor::Middle => " text-anchor=\"middle\"",
        Anchor::End => " text-anchor=\"end\"",
    };
    let more = [HALO, anchor, &turn].concat();
    let above = placed.lines.iter().skip(1).map(|_| LINE / 2.0).sum::<f64>();
    let mut down = y + SIZE * 0.36 - above;
    let mut out = String::new();
    for line in &placed.lines {
        out.push_str(&draw_text(x, down, SIZE, color, line, &more));
        down += LINE;
    }
    out
}
