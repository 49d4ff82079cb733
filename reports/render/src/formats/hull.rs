//! Convex outlines in the picture's plane, and whether they touch.

/// A place in the picture: right and down, in pixels.
pub(crate) type Spot = (f64, f64);

/// How much nearer a label lies to its own mark than to another.
const CLEAR: f64 = 4.0;

/// A convex outline: its corners in order. Two corners are a stroke without width.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Hull(pub(super) Vec<Spot>);

impl Hull {
    /// An upright rectangle from its upper left corner.
    pub(crate) fn from_corner(x: f64, y: f64, width: f64, height: f64) -> Self {
        Self(vec![(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
    }

    pub(crate) fn square_around(center: Spot, radius: f64) -> Self {
        Self::from_corner(center.0 - radius, center.1 - radius, 2.0 * radius, 2.0 * radius)
    }

    /// The outline turned about `pivot` by `angle` in radians.
    pub(crate) fn rotate_about(&self, pivot: Spot, angle: f64) -> Self {
        let (sin, cos) = angle.sin_cos();
        let turn = |&(x, y): &Spot| {
            let (dx, dy) = (x - pivot.0, y - pivot.1);
            (pivot.0 + dx * cos - dy * sin, pivot.1 + dx * sin + dy * cos)
        };
        Self(self.0.iter().map(turn).collect())
    }

    /// How far a place lies from the upright rectangle that `self` is, or that encloses it; zero within.
    pub(crate) fn distance_to(&self, spot: Spot) -> f64 {
        let off = |axis, value: f64| {
            let (low, high) = self.project_onto(axis);
            (low - value).max(value - high).max(0.0)
        };
        off((1.0, 0.0), spot.0).hypot(off((0.0, 1.0), spot.1))
    }

    /// Whether an upright rectangle without a line to `own` is clearly nearer to it than to any of `marks` elsewhere: a
    /// reader takes a label for that of the nearest mark.
    pub(crate) fn belongs_to(&self, own: Spot, marks: &[Spot], same: f64) -> bool {
        let reach = self.distance_to(own) + CLEAR;
        let foreign = |mark: &&Spot| (mark.0 - own.0).hypot(mark.1 - own.1) >= same;
        marks.iter().filter(foreign).all(|mark| self.distance_to(*mark) > reach)
    }

    /// Whether every corner of `self` lies in the upright rectangle `frame`.
    pub(crate) fn lies_in(&self, frame: &Frame) -> bool {
        self.0.iter().all(|&spot| frame.has_inside(spot))
    }

    /// Whether two outlines share a point: no line parallel to an edge separates them (separating axis theorem).
    pub(crate) fn touches(&self, other: &Self) -> bool {
        let mut axes = self.separating_axes().chain(other.separating_axes());
        axes.all(|axis| {
            let (low, high) = self.project_onto(axis);
            let (other_low, other_high) = other.project_onto(axis);
            low <= other_high && other_low <= high
        })
    }

    /// The normals of the edges; a stroke's own direction too, for strokes on one line.
    fn separating_axes(&self) -> impl Iterator<Item = Spot> {
        let edges = self.0.iter().zip(self.0.iter().cycle().skip(1));
        let stroke =
            (self.0.len() == 2).then(|| (self.0[1].0 - self.0[0].0, self.0[1].1 - self.0[0].1));
        edges.map(|(a, b)| (a.1 - b.1, b.0 - a.0)).chain(stroke)
    }

    /// The interval that the outline covers along `axis`.
    fn project_onto(&self, axis: Spot) -> (f64, f64) {
        self.0
            .iter()
            .map(|(x, y)| x * axis.0 + y * axis.1)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)))
    }
}

/// The plotting area.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
}

impl Frame {
    pub(crate) fn has_inside(&self, (x, y): Spot) -> bool {
        (self.left..=self.right).contains(&x) && (self.top..=self.bottom).contains(&y)
    }

    /// The part of a stroke that lies inside (Liang and Barsky).
    pub(crate) fn clip_stroke(&self, from: Spot, to: Spot) -> Option<(Spot, Spot)> {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        let sides = [
            (-dx, from.0 - self.left),
            (dx, self.right - from.0),
            (-dy, from.1 - self.top),
            (dy, self.bottom - from.1),
        ];
        for (speed, distance) in sides {
            if speed == 0.0 {
                if distance < 0.0 {
                    return None;
                }
            } else if speed < 0.0 {
                enter = enter.max(distance / speed);
            } else {
                leave = leave.min(distance / speed);
            }
        }
        let at = |t: f64| (from.0 + t * dx, from.1 + t * dy);
        (enter < leave).then(|| (at(enter), at(leave)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outlines_touch_or_not() {
        let square = Hull::from_corner(0.0, 0.0, 10.0, 10.0);
        assert!(square.touches(&Hull::from_corner(9.0, 9.0, 5.0, 5.0)));
        assert!(!square.touches(&Hull::from_corner(11.0, 0.0, 5.0, 5.0)));
        assert!(square.touches(&Hull(vec![(-5.0, 5.0), (15.0, 6.0)])));
        assert!(!square.touches(&Hull(vec![(-5.0, 8.0), (8.0, 25.0)])));
        assert!(!Hull(vec![(0.0, 0.0), (1.0, 1.0)]).touches(&Hull(vec![(2.0, 2.0), (3.0, 3.0)])));
        let diamond = Hull::square_around((16.0, 16.0), 5.0)
            .rotate_about((16.0, 16.0), std::f64::consts::FRAC_PI_4);
        assert!(!square.touches(&diamond), "{diamond:?}");
    }

    #[test]
    fn a_label_belongs_to_the_nearest_mark() {
        // The edge of "wq, wo" is 3 px left of its own mark and 21 px right of another.
        let label = Hull::from_corner(600.0, 290.0, 205.0, 12.0);
        let own = (808.0, 308.0);
        assert!((label.distance_to(own) - 6.0_f64.hypot(3.0)).abs() < 1e-9);
        assert!(!label.belongs_to(own, &[own, (784.0, 308.0)], 5.0));
        assert!(label.belongs_to(own, &[own, (814.0, 308.0)], 5.0));
        assert!(
            label.belongs_to(own, &[own, (806.0, 305.0)], 5.0),
            "marks at one place share a label"
        );
    }

    #[test]
    fn a_stroke_is_cut_at_the_frame() {
        let frame = Frame { left: 0.0, top: 0.0, right: 10.0, bottom: 10.0 };
        assert_eq!(frame.clip_stroke((-5.0, 5.0), (15.0, 5.0)), Some(((0.0, 5.0), (10.0, 5.0))));
        assert_eq!(frame.clip_stroke((-5.0, 11.0), (15.0, 11.0)), None);
        assert_eq!(frame.clip_stroke((-5.0, 4.0), (-1.0, 5.0)), None);
    }
}
