//! Places the labels of a native chart.
//!
//! Excel puts a label on one of four sides of its point and lets labels overlap; so points that lie on each other share one
//! label, and a label that fits on no side is at the end of a thin line. On logarithmic axes a distance is a factor, so that
//! the label moves with its point.

use xlsxwriter::ChartDataLabelPosition;

use super::super::hull::{Frame, Hull, Spot};
use super::super::svg::ink::text_width;
use crate::{Chart, Marker, Position};

/// The size of labels, in pixels.
const SIZE: f64 = 12.0;

/// Points nearer than this lie on each other and share a label: one of neighbours would be read as one of them.
const NEAR: f64 = 6.0;

/// Half the size of a mark, with some air.
const MARK: f64 = 5.0;

/// Wider labels are broken into lines.
const LINE: f64 = 180.0;

/// How far blanks move a label off its point.
const PAD: f64 = 9.0;

/// The distances between a point and its label, in pixels, the nearest first.
const AWAY: [f64; 7] = [26.0, 44.0, 62.0, 84.0, 110.0, 140.0, 175.0];
const ASIDE: [f64; 9] = [0.0, 40.0, -40.0, 90.0, -90.0, 150.0, -150.0, 220.0, -220.0];

/// The label beside a point, and its side.
pub(super) type SidedLabel = Option<(String, ChartDataLabelPosition)>;

/// A label at the end of a line from its point.
pub(super) struct Leader {
    pub(super) series: usize,
    pub(super) point: usize,
    pub(super) text: String,
    /// The side of the line's end on which the label is.
    pub(super) side: ChartDataLabelPosition,
    /// The end of the line, as factors of the point's values.
    pub(super) factors: (f64, f64),
}

pub(super) struct Labels {
    /// The labels beside their points, for every series.
    pub(super) beside: Vec<Vec<SidedLabel>>,
    /// The labels at a distance.
    pub(super) leaders: Vec<Leader>,
    /// The labels without a place, with their series.
    pub(super) unplaced: Vec<String>,
}

/// The labels of `chart`, whose axes span from `low` to `high` over `frame`.
pub(super) fn place_labels(chart: &Chart, frame: &Frame, low: Spot, high: Spot) -> Labels {
    let share = |value: f64, low: f64, high: f64| (value / low).log10() / (high / low).log10();
    let spot = |at: &Position| {
        let (x, y) = (at.x, at.y);
        let across = frame.left + share(x, low.0, high.0) * (frame.right - frame.left);
        let down = frame.bottom - share(y, low.1, high.1) * (frame.bottom - frame.top);
        (across.is_finite() && down.is_finite()).then_some((across, down))
    };
    let mut taken: Vec<Hull> = Vec::new();
    for line in &chart.lines {
        let corners: Vec<Spot> = line.corners.iter().filter_map(spot).collect();
        let strokes = corners.windows(2).filter_map(|pair| frame.clip_stroke(pair[0], pair[1]));
        taken.extend(strokes.map(|(from, to)| Hull(vec![from, to])));
    }
    let places: Vec<Vec<Option<Spot>>> = chart
        .points
        .iter()
        .map(|series| {
            series
                .points
                .iter()
                .map(|point| spot(&point.at).filter(|at| frame.has_inside(*at)))
                .collect()
        })
        .collect();
    let marks: Vec<Spot> = places.iter().flatten().flatten().copied().collect();
    taken.extend(marks.iter().map(|at| Hull::square_around(*at, MARK)));

    let mut beside: Vec<Vec<SidedLabel>> =
        chart.points.iter().map(|series| vec![None; series.points.len()]).collect();
    let mut leaders = Vec::new();
    let mut unplaced = Vec::new();
    // The labels and lines that no line to a label may cross.
    let mut texts: Vec<Hull> = Vec::new();
    // What-if points are labelled last.
    for tried in [false, true] {
        let mut crowded = Vec::new();
        let mut order: Vec<_> = chart.points.iter().zip(&places).enumerate().collect();
        order.retain(|(_, (series, _))| (series.marker == Marker::WhatIf) == tried);
        order.sort_by_key(|(_, (series, _))| series.marker != Marker::Measured);
        for (index, (series, places)) in order {
            for group in group_points(places) {
                let mut names: Vec<&str> = Vec::new();
                for name in group.iter().map(|&index| series.points[index].label.as_str()) {
                    if !name.is_empty() && !names.contains(&name) {
                        names.push(name);
                    }
                }
                let text = names.join(", ");
                let Some(&holder) = group.first() else { continue };
                let Some(at) = places[holder] else { continue };
                if text.is_empty() {
                    continue;
                }
                let free =
                    label_sides(at, text_width(&text, SIZE)).into_iter().find(|(_, hull)| {
                        hull.lies_in(frame)
                            && !taken.iter().any(|other| hull.touches(other))
                            && hull.belongs_to(at, &marks, NEAR)
                    });
                match free {
                    Some((side, hull)) => {
                        taken.push(hull.clone());
                        texts.push(hull);
                        beside[index][holder] = Some((pad_label(&text, side), side));
                    }
                    None => crowded.push((index, holder, at, text)),
                }
            }
        }
        // Labels at a distance come after all labels beside their points.
        for (series, point, at, text) in crowded {
            let width = text_width(&text, SIZE);
            let mut ends = AWAY.iter().flat_map(|away| {
                ASIDE.iter().flat_map(move |aside| [(*aside, -away), (*aside, *away)])
            });
            let free = ends.find_map(|(right, down)| {
                let end = (at.0 + right, at.1 + down);
                let [above, _, _, below] = label_sides(end, width);
                let (side, hull) = if down < 0.0 { above } else { below };
                let line = Hull(vec![at, end]);
                let foreign = |mark: &&Spot| (mark.0 - at.0).hypot(mark.1 - at.1) >= NEAR;
                let mut others =
                    marks.iter().filter(foreign).map(|mark| Hull::square_around(*mark, MARK));
                let fits = hull.lies_in(frame)
                    && !taken.iter().any(|other| hull.touches(other))
                    && !texts.iter().any(|other| line.touches(other))
                    && !others.any(|other| line.touches(&other));
                fits.then_some((side, hull, line, right, down))
            });
            if let Some((side, hull, line, right, down)) = free {
                taken.extend([hull.clone(), line.clone()]);
                texts.extend([hull, line]);
                let factor = |low: f64, high: f64, share: f64| (high / low).powf(share);
                let factors = (
                    factor(low.0, high.0, right / (frame.right - frame.left)),
                    factor(low.1, high.1, -down / (frame.bottom - frame.top)),
                );
                leaders.push(Leader { series, point, text, side, factors });
            } else {
                unplaced.push(format!("{text} ({})", chart.points[series].name));
            }
        }
    }
    Labels { beside, leaders, unplaced }
}

/// Points that lie on each other, from left to right.
fn group_points(places: &[Option<Spot>]) -> Vec<Vec<usize>> {
    let mut order: Vec<(usize, Spot)> =
        places.iter().enumerate().filter_map(|(index, at)| at.map(|at| (index, at))).collect();
    order.sort_by(|(_, a), (_, b)| a.0.total_cmp(&b.0));
    let mut groups: Vec<(Spot, Vec<usize>)> = Vec::new();
    for (index, at) in order {
        let near = |last: &Spot| (at.0 - last.0).hypot(at.1 - last.1) < NEAR;
        match groups.iter_mut().rev().find(|(last, _)| near(last)) {
            Some((_, group)) => group.push(index),
            None => groups.push((at, vec![index])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Excel has no setting for the distance between a point and its label; no-break spaces add one.
fn pad_label(text: &str, side: ChartDataLabelPosition) -> String {
    let blanks = "\u{a0}\u{a0}\u{a0}";
    match side {
        ChartDataLabelPosition::Left => text.to_owned() + blanks,
        ChartDataLabelPosition::Right => blanks.to_owned() + text,
        _ => text.to_owned(),
    }
}

/// The sides of a point, and what a label covers there.
fn label_sides((x, y): Spot, width: f64) -> [(ChartDataLabelPosition, Hull); 4] {
    let off = MARK + 1.0;
    let beside = off + PAD;
    let lines = (width / LINE).ceil().max(1.0);
    let width = width.min(LINE);
    let tall = lines * SIZE + 3.0;
    [
        (
            ChartDataLabelPosition::Above,
            Hull::from_corner(x - width / 2.0, y - off - tall, width, tall),
        ),
        (
            ChartDataLabelPosition::Left,
            Hull::from_corner(x - beside - width, y - lines * SIZE / 2.0, width, lines * SIZE),
        ),
        (
            ChartDataLabelPosition::Right,
            Hull::from_corner(x + beside, y - lines * SIZE / 2.0, width, lines * SIZE),
        ),
        (ChartDataLabelPosition::Below, Hull::from_corner(x - width / 2.0, y + off, width, tall)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, Point, PointSeries};

    const FRAME: Frame = Frame { left: 0.0, top: 0.0, right: 900.0, bottom: 400.0 };

    /// Points across a roof at the middle of three decades by three.
    fn chart(points: &[(f64, &str)]) -> Chart {
        let axis = || Axis { label: String::new(), unit: String::new(), min: 1.0, max: 1000.0 };
        let points = points.iter().map(|(x, label)| Point {
            label: (*label).to_owned(),
            at: Position::fixed(*x, 30.0),
            range: None,
            share: None,
        });
        Chart {
            name: String::new(),
            title: String::new(),
            caption: String::new(),
            x: axis(),
            y: axis(),
            lines: Vec::new(),
            points: vec![PointSeries {
                name: "kernels".to_owned(),
                points: points.collect(),
                marker: Marker::Solid,
            }],
        }
    }

    fn set(points: &[(f64, &str)]) -> (Vec<(usize, String)>, Vec<String>) {
        let labels = place_labels(&chart(points), &FRAME, (1.0, 1.0), (1000.0, 1000.0));
        let beside = labels.beside[0].iter().enumerate();
        let beside =
            beside.filter_map(|(at, label)| Some((at, label.as_ref()?.0.trim().to_owned())));
        let far = labels.leaders.into_iter().map(|leader| (leader.point, leader.text));
        (beside.chain(far).collect(), labels.unplaced)
    }

    #[test]
    fn a_label_names_its_own_point_and_no_neighbour() {
        let (mut said, unplaced) =
            set(&[(28.0, "head"), (48.6, "attn.q_proj, k_proj"), (60.0, "mlp.fc1, fc2")]);
        said.sort();
        let expected = [(0, "head"), (1, "attn.q_proj, k_proj"), (2, "mlp.fc1, fc2")];
        assert_eq!(said, expected.map(|(at, text)| (at, text.to_owned())));
        assert!(unplaced.is_empty());
        let (together, _) = set(&[(30.0, "a"), (30.1, "b")]);
        assert_eq!(together, [(0, "a, b".to_owned())], "they lie on each other");
    }

    #[test]
    fn what_finds_no_place_is_told() {
        let names: Vec<String> =
            (0..120).map(|at| format!("a kernel of a long name, number {at}")).collect();
        let crowd: Vec<(f64, &str)> = (0..)
            .zip(&names)
            .map(|(at, name)| (30.0 * 1.012_f64.powi(at), name.as_str()))
            .collect();
        let (said, unplaced) = set(&crowd);
        let all = said.iter().map(|(_, text)| text).chain(&unplaced).cloned().collect::<String>();
        assert!(!unplaced.is_empty() && names.iter().all(|name| all.contains(name)));
    }
}
