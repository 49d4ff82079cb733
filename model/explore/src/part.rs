//! An exact search of a part of a space: the best designs and the front, whatever the part and the order.

use std::cmp::Ordering;
use std::ops::Range;

use crate::{Cost, Design, Progress, Region, Space};
use derate_machine::Budget;

/// Searches a part of a space to its end.
///
/// It keeps the `top` best designs by objective, share and point, and the designs that no other beats in both objective and
/// share; of equal ones the first point. As no two designs are equal, the results of parts join to those of the whole space:
/// what a part drops, a design that it keeps or knows beats.
pub struct PartSearch<'a, S: Space> {
    space: &'a S,
    limits: Budget,
    top: usize,
    waiting: Vec<(f64, f64, Region)>,
    best: Vec<Design>,
    front: Vec<Design>,
    progress: Progress,
}

/// By objective, share and point.
fn order_designs(a: &Design, b: &Design) -> Ordering {
    let order = a.cost.objective.total_cmp(&b.cost.objective);
    order.then(a.share.total_cmp(&b.share)).then_with(|| a.point.cmp(&b.point))
}

impl<'a, S: Space> PartSearch<'a, S> {
    /// A search of the designs whose numbers are in `range`: the combinations of all axes, the last the fastest.
    pub fn new(space: &'a S, limits: Budget, top: usize, range: Range<u64>) -> Self {
        let lengths: Vec<u64> = space.axes().iter().map(|axis| axis.values.len() as u64).collect();
        let mut search = Self {
            space,
            limits,
            top,
            waiting: Vec::new(),
            best: Vec::new(),
            front: Vec::new(),
            progress: Progress {
                designs: range.end.saturating_sub(range.start) as f64,
                ..Progress::default()
            },
        };
        let mut regions = Vec::new();
        list_regions(&lengths, range, &mut Vec::new(), &mut regions);
        // The first region is on top.
        for region in regions.into_iter().rev() {
            search.wait(region);
        }
        search
    }

    /// Takes in designs that are known of other parts: what they beat is not searched.
    pub fn know(&mut self, designs: impl IntoIterator<Item = Design>) {
        designs.into_iter().for_each(|design| self.take_in(design));
    }

    /// Searches until nothing is left, or until `goes_on` says no; says whether nothing is left.
    pub fn run(&mut self, mut goes_on: impl FnMut(&Progress) -> bool) -> bool {
        while let Some((objective, share, region)) = self.waiting.pop() {
            if self.is_hopeless(objective, share, &region) {
                self.progress.settled += region.designs();
            } else if let Some(point) = region.point() {
                self.evaluate(point);
            } else if let Some(axis) = self.space.choose_axis(&region) {
                let [first, second] = region.halves(axis);
                let before = self.waiting.len();
                self.wait(second);
                self.wait(first);
                // The better half is searched first.
                self.waiting[before..]
                    .sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)));
            }
            if !goes_on(&self.progress) {
                return self.waiting.is_empty();
            }
        }
        true
    }

    /// The designs that are kept, ordered by point: the best ones, and the front.
    #[must_use]
    pub fn kept(&self) -> Vec<Design> {
        let mut kept: Vec<Design> = self.best.iter().chain(&self.front).cloned().collect();
        kept.sort_by(|a, b| a.point.cmp(&b.point));
        kept.dedup_by(|a, b| a.point == b.point);
        kept
    }

    /// How far it is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.progress
    }

    fn wait(&mut self, region: Region) {
        let Cost { objective, usage } = self.space.bound(&region);
        self.progress.bounded += 1;
        let is_beyond = self.limits.refusing_resource(&usage).is_some();
        // What takes forever is not a design.
        if is_beyond || objective == f64::INFINITY {
            self.progress.settled += region.designs();
            return;
        }
        // What is not known bounds nothing.
        let objective = if objective.is_nan() { f64::NEG_INFINITY } else { objective };
        let share = self.limits.largest_share(&usage).map_or(0.0, |(_, share)| share);
        self.waiting.push((objective, share, region));
    }

    fn evaluate(&mut self, point: Vec<usize>) {
        let cost = self.space.evaluate(&point);
        self.progress.evaluated += 1;
        self.progress.settled += 1.0;
        if cost.objective.is_nan() {
            self.progress.unknown += 1;
        } else if cost.objective.is_finite() && self.limits.refusing_resource(&cost.usage).is_none()
        {
            let share = self.limits.largest_share(&cost.usage).map_or(0.0, |(_, share)| share);
            self.take_in(Design { point, cost, share });
        }
    }

    fn take_in(&mut self, design: Design) {
        let at = self.best.binary_search_by(|one| order_designs(one, &design));
        if let Err(at) = at
            && at < self.top
        {
            self.best.insert(at, design.clone());
            self.best.truncate(self.top);
        }
        let beats = |one: &Design, other: &Design| {
            one.cost.objective <= other.cost.objective
                && one.share <= other.share
                && order_designs(one, other).is_lt()
        };
        if !self.front.iter().any(|one| beats(one, &design) || one.point == design.point) {
            self.front.retain(|one| !beats(&design, one));
            self.front.push(design);
        }
    }

    /// Whether no design of a region that costs at least this much can be kept.
    fn is_hopeless(&self, objective: f64, share: f64, region: &Region) -> bool {
        let first = Design {
            point: region.first_point(),
            cost: Cost { objective, ..Cost::default() },
            share,
        };
        let is_full = self.best.len() >= self.top;
        let is_worse =
            is_full && self.best.last().is_none_or(|worst| order_designs(worst, &first).is_lt());
        let is_beaten = self.front.iter().any(|one| {
            one.cost.objective <= objective
                && one.share <= share
                && order_designs(one, &first).is_lt()
        });
        is_worse && is_beaten
    }
}

/// The regions that have the combinations of `range`, in order; `fixed` has the values of the first axes.
fn list_regions(
    lengths: &[u64],
    range: Range<u64>,
    fixed: &mut Vec<usize>,
    into: &mut Vec<Region>,
) {
    if range.is_empty() {
        return;
    }
    let place = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let rest = lengths.get(fixed.len() + 1..).unwrap_or_default();
    let each: u64 = rest.iter().product();
    if fixed.len() == lengths.len() || each == 0 {
        into.push(Region::of_prefix(fixed, None, lengths));
        return;
    }
    // Whole values of this axis are one region; a part of a value is cut along the next axes.
    let (first, last) = (range.start.div_ceil(each), range.end / each);
    if first > last {
        let value = range.start / each;
        let base = value * each;
        fixed.push(place(value));
        list_regions(lengths, range.start - base..range.end - base, fixed, into);
        fixed.pop();
        return;
    }
    if range.start < first * each {
        let base = (first - 1) * each;
        fixed.push(place(first - 1));
        list_regions(lengths, range.start - base..each, fixed, into);
        fixed.pop();
    }
    if first < last {
        into.push(Region::of_prefix(fixed, Some(place(first)..place(last)), lengths));
    }
    if last * each < range.end {
        fixed.push(place(last));
        list_regions(lengths, 0..range.end - last * each, fixed, into);
        fixed.pop();
    }
}
