//! Lanes over time: a bar for each span, and the legend outside the data.

use std::fmt::Write;

use super::super::palette;
use super::heading::Heading;
use super::ink::{SOFT, TEXT, draw_text, px, text_width, wrap_pixels};
use super::legend::{ROW, flow_entries};
use super::linear::Linear;
use super::{AXIS_ROOM, MARGIN, WIDTH};
use crate::NumberFormat;
use crate::table::name_with_unit;
use crate::timeline::{Timeline, TimelineLane};

const SIZE: f64 = 12.5;
const LINE: f64 = 15.0;
/// A lane, and from one to the next.
const THICK: f64 = 22.0;
const GAP: f64 = 10.0;
const WIDEST_NAME: f64 = 230.0;
/// Spans of one colour that are nearer to each other than this are drawn as one, in pixels.
const NEAR: f64 = 0.3;
/// A span is drawn at least so wide.
const NARROWEST: f64 = 0.6;

/// Draws a timeline as SVG 1.1, for a page that has its title and caption.
pub(crate) fn draw_timeline_figure(chart: &Timeline) -> String {
    let heading = Heading::without_text(&chart.title, &chart.caption, WIDTH);
    let names: Vec<_> =
        chart.lanes.iter().map(|lane| wrap_pixels(&lane.name, SIZE, WIDEST_NAME)).collect();
    let widest = |widths: &mut dyn Iterator<Item = f64>| widths.fold(24.0, f64::max);
    let left =
        MARGIN + widest(&mut names.iter().flatten().map(|line| text_width(line, SIZE))) + 12.0;
    let ends = widest(&mut chart.lanes.iter().map(|lane| text_width(&lane.end, SIZE)));
    let right = WIDTH - MARGIN - 8.0 - ends.min(WIDTH * 0.3);
    let all = chart.lanes.iter().flat_map(|lane| &lane.spans).map(|span| span.to);
    let axis = Linear::new(all, left, right);

    let top = heading.height();
    let mut y = top + GAP / 2.0;
    let mut plot = String::new();
    for (lane, name) in chart.lanes.iter().zip(&names) {
        let height = THICK.max((name.len() as f64) * LINE);
        let middle = y + height / 2.0;
        let mut down = middle - ((name.len() as f64) - 1.0) * LINE / 2.0 + SIZE * 0.35;
        for line in name {
            plot.push_str(&draw_text(left - 10.0, down, SIZE, TEXT, line, " text-anchor=\"end\""));
            down += LINE;
        }
        draw_lane(lane, axis, middle - THICK / 2.0, &mut plot);
        plot.push_str(&draw_text(right + 8.0, middle + 4.4, SIZE, SOFT, &lane.end, ""));
        y += height + GAP;
    }
    let bottom = y - GAP / 2.0;
    let kinds = chart.kinds.iter().enumerate().map(|(rank, kind)| {
        let (fill, _) = palette::bar_tint(rank);
        let sample = move |x: f64, y: f64| {
            let (x, y) = (px(x + 8.0), px(y - 6.0));
            format!("<rect x=\"{x}\" y=\"{y}\" width=\"20\" height=\"12\" fill=\"{fill}\"/>\n")
        };
        (kind.clone(), sample)
    });
    let (legend, rows) = flow_entries(kinds, WIDTH - 2.0 * MARGIN);
    let mut out = heading.begin_picture(bottom + AXIS_ROOM + rows * ROW + 16.0);
    out.push_str(&axis.draw_grid(NumberFormat::Significant(4), top, bottom));
    out.push_str(&plot);
    let name = name_with_unit("Time", &chart.unit);
    let middle = f64::midpoint(left, right);
    out.push_str(&draw_text(middle, bottom + 42.0, 13.0, TEXT, &name, " text-anchor=\"middle\""));
    let at = ["translate(", &px(MARGIN), " ", &px(bottom + AXIS_ROOM), ")"].concat();
    out + &["<g transform=\"", &at, "\" fill=\"none\">\n", &legend, "</g>\n</svg>\n"].concat()
}

/// The spans of a lane; thousands of them are as many as the pixels have room for.
fn draw_lane(lane: &TimelineLane, axis: Linear, y: f64, out: &mut String) {
    let mut drawn: Vec<(usize, f64, f64, Option<&str>)> = Vec::new();
    for span in &lane.spans {
        let (from, to) = (axis.to_pixel(span.from), axis.to_pixel(span.to));
        match drawn.last_mut() {
            Some((kind, start, end, name))
                if *kind == span.kind
                    && from - *end < NEAR
                    && (to - from < 2.0 || *end - *start < 2.0) =>
            {
                (*end, *name) = (end.max(to), None);
            }
            _ => drawn.push((span.kind, from, to, Some(&span.name))),
        }
    }
    for (kind, from, to, name) in drawn {
        let (fill, ink) = palette::bar_tint(kind);
        let width = (to - from).max(NARROWEST);
        // A white edge separates neighbours, where it leaves something of them.
        let edge = if width > 4.0 { " stroke=\"#ffffff\" stroke-width=\"0.8\"" } else { "" };
        let (x, top, wide, high) = (px(from), px(y), px(width), px(THICK));
        let _ = writeln!(
            out,
            r#"<rect x="{x}" y="{top}" width="{wide}" height="{high}" fill="{fill}"{edge}/>"#
        );
        if let Some(name) = name.filter(|name| text_width(name, 11.5) + 6.0 < width) {
            let (x, y) = (f64::midpoint(from, to), y + THICK / 2.0 + 4.0);
            out.push_str(&draw_text(x, y, 11.5, ink, name, " text-anchor=\"middle\""));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::TimelineSpan;

    fn timeline(spans: usize) -> Timeline {
        let span = |at: usize| TimelineSpan {
            kind: 0,
            name: "run".to_owned(),
            from: at as f64,
            to: at as f64 + 0.9,
        };
        let spans = (0..spans).map(span).collect();
        let lane = TimelineLane { name: "k_1".to_owned(), end: "90 % busy".to_owned(), spans };
        Timeline {
            name: "card".to_owned(),
            title: "A card".to_owned(),
            caption: String::new(),
            unit: "ms".to_owned(),
            kinds: vec!["runs".to_owned()],
            lanes: vec![lane],
        }
    }

    /// A name is drawn where it fits, and a picture does not grow with what nobody could see.
    #[test]
    fn spans_are_named_while_there_is_room_and_joined_where_there_is_none() {
        let few = draw_timeline_figure(&timeline(4));
        assert_eq!(few.matches(">run<").count(), 4, "{few}");
        let many = draw_timeline_figure(&timeline(100_000));
        assert!(many.len() < 200_000 && !many.contains(">run<"), "{}", many.len());
    }
}
