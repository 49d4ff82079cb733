//! Places labels so that none overlaps another, a mark, a line or the frame.
//!
//! Greedy: each label takes the first free place of its candidates. The legend names a label without a place.

use super::super::hull::{Frame, Hull, Spot};
use super::ink::text_width;

/// The size of labels.
pub(super) const SIZE: f64 = 12.0;

/// A label in its place.
#[derive(Debug, Clone)]
pub(super) struct Placed {
    pub(super) lines: Vec<String>,
    /// The anchor of the text, at half of its height.
    pub(super) at: Spot,
    /// The end of the text at this place.
    pub(super) anchor: Anchor,
    /// In radians, clockwise.
    pub(super) angle: f64,
    /// A thin line to the point, for a label at a distance.
    pub(super) leader: Option<(Spot, Spot)>,
}

/// The end of a text that is next to its point: the width of the text is only estimated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// The picture so far: what a label must not cover.
pub(super) struct Plan {
    frame: Frame,
    strokes: Vec<Hull>,
    marks: Vec<Spot>,
    labels: Vec<Hull>,
    leaders: Vec<Hull>,
}

/// From one line of a label to the next.
pub(super) const LINE: f64 = 14.0;

/// Half the size of a mark, with some air.
const MARK: f64 = 6.0;

/// The air around a label.
const AIR: f64 = 2.0;

/// Points whose marks lie on each other share one label.
pub(super) const SAME: f64 = 5.0;

/// A label nearer to its point needs no leader.
const NEAR: f64 = 12.0;

/// A leader that crosses no line may be this long.
const FAR: f64 = 50.0;

/// How far off its point a label is tried.
const RINGS: [f64; 14] =
    [8.5, 11.5, 16.0, 22.0, 29.0, 37.0, 46.0, 56.0, 68.0, 82.0, 98.0, 116.0, 136.0, 160.0];

/// In which directions, the most natural first: right and up, then left, then below.
const DIRECTIONS: [Spot; 20] = [
    (1.0, -0.7),
    (0.0, -1.0),
    (-1.0, -0.7),
    (1.0, 0.7),
    (0.0, 1.0),
    (-1.0, 0.7),
    (1.0, 0.0),
    (-1.0, 0.0),
    (0.35, -1.0),
    (-0.35, -1.0),
    (0.35, 1.0),
    (-0.35, 1.0),
    (1.0, -0.3),
    (-1.0, -0.3),
    (1.0, 0.3),
    (-1.0, 0.3),
    (0.1, -1.0),
    (-0.1, -1.0),
    (0.1, 1.0),
    (-0.1, 1.0),
];

impl Plan {
    /// A picture with strokes and marks, and no labels yet.
    pub(super) fn new(frame: Frame, strokes: &[(Spot, Spot)], marks: Vec<Spot>) -> Self {
        let strokes = strokes.iter().map(|&(from, to)| Hull(vec![from, to])).collect();
        Self { frame, strokes, marks, labels: Vec::new(), leaders: Vec::new() }
    }

    /// Puts a label along one of the `strokes`, the last of them (a plateau) first.
    pub(super) fn place_along(&mut self, text: &str, strokes: &[(Spot, Spot)]) -> Option<Placed> {
        let width = text_width(text, SIZE);
        for &(from, to) in strokes.iter().rev() {
            let (dx, dy) = (to.0 - from.0, to.1 - from.1);
            let length = dx.hypot(dy);
            let room = length - width - 16.0;
            if room < 0.0 || dx <= 0.0 {
                continue;
            }
            let angle = dy.atan2(dx);
            for side in [-1.0, 1.0] {
                let off = side * (SIZE * 0.5 + AIR + 3.0);
                for step in 0..=12 {
                    // From the far end backwards.
                    let along = 8.0 + width + room * (1.0 - f64::from(step) / 12.0);
                    let at = (
                        from.0 + along * dx / length - off * dy / length,
                        from.1 + along * dy / length + off * dx / length,
                    );
                    let hull = text_hull((at.0 - width, at.1), width).rotate_about(at, angle);
                    if self.is_free(&hull) {
                        self.labels.push(hull);
                        return Some(Placed {
                            lines: vec![text.to_owned()],
                            at,
                            anchor: Anchor::End,
                            angle,
                            leader: None,
                        });
                    }
                }
            }
        }
        None
    }

    /// Puts a label beside a vertical line, as low in the frame as there is room.
    pub(super) fn place_at_foot(&mut self, text: &str, x: f64) -> Option<Placed> {
        let width = text_width(text, SIZE);
        let rows = (0..6_u8).map(|row| self.frame.bottom - LINE * (0.75 + f64::from(row)));
        let sides = [(x + 5.0, Anchor::Start, 0.0), (x - 5.0, Anchor::End, width)];
        let places = rows.flat_map(|y| sides.map(|(x, anchor, held)| ((x, y), anchor, held)));
        let hull = |(x, y): Spot, held: f64| text_hull((x - held, y), width);
        let (at, anchor, held) =
            places.into_iter().find(|(at, _, held)| self.is_free(&hull(*at, *held)))?;
        self.labels.push(hull(at, held));
        Some(Placed { lines: vec![text.to_owned()], at, anchor, angle: 0.0, leader: None })
    }

    /// Puts a label beside a point: best on the point's own side of every line, and in few lines of text.
    pub(super) fn place_beside(&mut self, names: &[String], point: Spot) -> Option<Placed> {
        let room = [30.0, 18.0, 0.0].map(|ems| ems * SIZE * 0.63);
        let tries = [false, true].into_iter().flat_map(|across| room.map(|room| (across, room)));
        // A name may itself be of several that coincide.
        let names: Vec<&str> = names.iter().flat_map(|name| name.split(", ")).collect();
        let (hull, placed) = tries.into_iter().find_map(|(across, room)| {
            self.find_place(&stack_names(&names, room), point, across)
        })?;
        self.labels.push(hull);
        self.leaders.extend(placed.leader.map(|(from, to)| Hull(vec![from, to])));
        Some(placed)
    }

    /// The first free place around a point, with what the label covers there; `across` lets its leader cross lines.
    fn find_place(&self, lines: &[String], point: Spot, across: bool) -> Option<(Hull, Placed)> {
        let width = lines.iter().map(|line| text_width(line, SIZE)).fold(0.0, f64::max);
        let half = lines.iter().skip(1).map(|_| LINE).sum::<f64>() / 2.0 + SIZE / 2.0;
        // A long way around a line is no better than a short one across.
        for ring in RINGS.into_iter().filter(|ring| across || *ring < FAR) {
            for (right, down) in DIRECTIONS {
                let (anchor, held) = match right {
                    r if r > 0.0 => (Anchor::Start, 0.0),
                    r if r < 0.0 => (Anchor::End, width),
                    _ => (Anchor::Middle, width / 2.0),
                };
                let x = point.0 + right * ring - held;
                let y = point.1 + down * ring + if down == 0.0 { 0.0 } else { half.copysign(down) };
                let hull = Hull::from_corner(
                    x - AIR,
                    y - half - AIR,
                    width + 2.0 * AIR,
                    2.0 * (half + AIR),
                );
                if !self.is_free(&hull) {
                    continue;
                }
                let nearest = (point.0.clamp(x, x + width), point.1.clamp(y - half, y + half));
                let leader = (ring > NEAR).then_some((point, nearest));
                if leader.is_none() && !hull.belongs_to(point, &self.marks, SAME) {
                    continue;
                }
                if leader.is_some_and(|leader| {
                    self.is_barred(point, leader) || !across && self.crosses_stroke(leader)
                }) {
                    continue;
                }
                let at = (x + held, y);
                return Some((
                    hull,
                    Placed { lines: lines.to_vec(), at, anchor, angle: 0.0, leader },
                ));
            }
        }
        None
    }

    /// Whether a leader crosses a line other than where its point lies on it.
    fn crosses_stroke(&self, (from, to): (Spot, Spot)) -> bool {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let skip = (MARK / dx.hypot(dy)).min(1.0);
        let stroke = Hull(vec![(from.0 + skip * dx, from.1 + skip * dy), to]);
        self.strokes.iter().any(|other| stroke.touches(other))
    }

    fn is_free(&self, hull: &Hull) -> bool {
        hull.lies_in(&self.frame)
            && !self
                .strokes
                .iter()
                .chain(&self.labels)
                .chain(&self.leaders)
                .any(|other| hull.touches(other))
            && !self.marks.iter().any(|mark| hull.touches(&Hull::square_around(*mark, MARK)))
    }

    /// Whether something is between a point and its label; marks right at the point do not count.
    fn is_barred(&self, point: Spot, leader: (Spot, Spot)) -> bool {
        let stroke = Hull(vec![leader.0, leader.1]);
        let far = |mark: &&Spot| (mark.0 - point.0).hypot(mark.1 - point.1) > 3.0 * MARK;
        self.labels.iter().chain(&self.leaders).any(|other| stroke.touches(other))
            || self
                .marks
                .iter()
                .filter(far)
                .any(|mark| stroke.touches(&Hull::square_around(*mark, MARK)))
    }
}

/// What a text covers whose left edge has its middle at `at`.
fn text_hull(at: Spot, width: f64) -> Hull {
    Hull::from_corner(at.0 - AIR, at.1 - SIZE * 0.5 - AIR, width + 2.0 * AIR, SIZE + 2.0 * AIR)
}

/// Names behind one another, in lines that end when they are wider than `room`.
fn stack_names(names: &[&str], room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for name in names {
        match lines.last_mut() {
            Some(line) if text_width(line, SIZE) + text_width(name, SIZE) <= room => {
                line.push_str(", ");
                line.push_str(name);
            }
            Some(line) => {
                line.push(',');
                lines.push((*name).to_owned());
            }
            None => lines.push((*name).to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FRAME: Frame = Frame { left: 0.0, top: 0.0, right: 600.0, bottom: 400.0 };

    #[test]
    fn a_lonely_point_has_its_label_beside_it() {
        let mut plan = Plan::new(FRAME, &[], vec![(300.0, 200.0)]);
        let label = plan.place_beside(&["Q".to_owned()], (300.0, 200.0)).unwrap();
        assert!(label.leader.is_none());
        assert!(label.at.0 > 300.0 && label.at.1 < 200.0);
    }

    #[test]
    fn a_label_without_a_leader_is_no_neighbours() {
        let roof = ((0.0, 308.0), (600.0, 308.0));
        let marks = [(484.0, 308.0), (508.0, 308.0), (514.0, 308.0), (516.3, 308.0)];
        let mut plan = Plan::new(FRAME, &[roof], marks.to_vec());
        let label = plan.place_beside(&["layers.*.attention.wq, wo".to_owned()], marks[1]).unwrap();
        assert!(label.leader.is_some(), "it would cover the first mark: {label:?}");
    }

    #[test]
    fn many_names_of_one_place_stand_below_each_other_between_neighbours() {
        let roof = ((0.0, 217.0), (600.0, 217.0));
        let marks = [(307.0, 217.0), (356.0, 217.0), (376.0, 217.0)];
        let mut plan = Plan::new(FRAME, &[roof], marks.to_vec());
        assert!(plan.place_beside(&["head".to_owned()], marks[0]).is_some());
        // One label that was joined before, wider than the picture.
        let many =
            ["query", "key", "value", "out"].map(|end| format!("encoder.layers.*.attn.{end}"));
        let label = plan.place_beside(&[many.join(", ")], marks[1]).unwrap();
        assert_eq!(label.lines.len(), 4, "{:?}", label.lines);
    }

    #[test]
    fn a_plateau_has_its_label_at_its_end() {
        let plateau = [((0.0, 300.0), (200.0, 100.0)), ((200.0, 100.0), (600.0, 100.0))];
        let mut plan = Plan::new(FRAME, &plateau, vec![]);
        let first = plan.place_along("5.41 TFLOP/s", &plateau).unwrap();
        let second = plan.place_along("again the same", &plateau).unwrap();
        assert!(first.at.1 < 100.0 && first.at.0 > 400.0);
        assert_eq!(second.anchor, Anchor::End);
        assert!(!plan.labels[0].touches(&plan.labels[1]));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn labels_never_overlap(
            points in prop::collection::vec(("[A-Za-z ]{1,14}", 0.0_f64..600.0, 0.0_f64..400.0), 1..60),
            strokes in prop::collection::vec((0.0_f64..600.0, 0.0_f64..400.0, 0.0_f64..600.0, 0.0_f64..400.0), 0..5),
        ) {
            let strokes: Vec<_> = strokes.into_iter().map(|(a, b, c, d)| ((a, b), (c, d))).collect();
            let marks = points.iter().map(|(_, x, y)| (*x, *y)).collect::<Vec<_>>();
            let mut plan = Plan::new(FRAME, &strokes, marks.clone());
            let mut placed: Vec<Placed> = strokes.iter().filter_map(|stroke| plan.place_along("a ceiling", &[*stroke])).collect();
            placed.extend(points.iter().filter_map(|(text, x, y)| plan.place_beside(&[text.clone(), text.clone()], (*x, *y))));
            let hulls = plan.labels.iter().zip(&placed).enumerate();
            prop_assert_eq!(plan.labels.len(), placed.len());
            for (index, (hull, label)) in hulls {
                prop_assert!(hull.lies_in(&FRAME));
                prop_assert!(!plan.labels[..index].iter().any(|other| other.touches(hull)));
                prop_assert!(!marks.iter().any(|mark| hull.touches(&Hull::square_around(*mark, MARK))));
                prop_assert!(!strokes.iter().any(|(from, to)| hull.touches(&Hull(vec![*from, *to]))));
                let leaders = placed.iter().filter_map(|other| other.leader);
                for (from, to) in leaders.filter(|leader| Some(*leader) != label.leader) {
                    prop_assert!(!hull.touches(&Hull(vec![from, to])));
                }
            }
        }
    }
}
