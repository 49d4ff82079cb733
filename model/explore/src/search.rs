//! Branch and bound over regions.

use crate::{Cost, Design, Front, Region, Space};
use derate_machine::{Budget, ResourceKind};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Regions that may wait at a time. Beyond it a region is searched to its end before others are opened.
const MOST_WAITING: usize = 1 << 18;

/// What a search proved.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Certificate {
    /// No design within the limits has a smaller objective in this model.
    Optimal,
    /// The search was stopped: no design has an objective below `bound`.
    Gap {
        /// The smallest objective that is still possible.
        bound: f64,
    },
    /// No design is within the limits.
    Infeasible,
    /// The objective of some designs that may fit is not known: all designs were looked at, or no objective of those that were is
    /// known. One of them may be the best.
    Unknown {
        /// How many.
        designs: u64,
    },
}

/// How far a search is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Designs that were evaluated one by one.
    pub evaluated: u64,
    /// Regions whose bounds were computed.
    pub bounded: u64,
    /// Designs that are settled: evaluated, or dropped with their region.
    pub settled: f64,
    /// Designs of the space.
    pub designs: f64,
    /// Designs whose objective is not known, of those that were evaluated.
    pub unknown: u64,
}

/// A region that waits, with what its designs cost at least.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Waiting {
    #[serde(with = "open_bound")]
    bound: f64,
    share: f64,
    region: Region,
}

/// A bound that is not known is minus infinity, which JSON cannot say.
mod open_bound {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
    pub(super) fn serialize<S: Serializer>(bound: &f64, to: S) -> Result<S::Ok, S::Error> {
        Some(*bound).filter(|bound| bound.is_finite()).serialize(to)
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<f64, D::Error> {
        Ok(Option::deserialize(from)?.unwrap_or(f64::NEG_INFINITY))
    }
}

impl Eq for Waiting {}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The smallest bound is the greatest, as a heap gives the greatest first. Small regions go before large ones, and no two
/// are equal: a search that goes on opens them in the order of one that was never stopped.
impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        let order = other.bound.total_cmp(&self.bound).then(other.share.total_cmp(&self.share));
        let order = order.then_with(|| other.region.designs().total_cmp(&self.region.designs()));
        order.then_with(|| other.region.cmp(&self.region))
    }
}

/// All that a search knows, so that it can go on later.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SearchState {
    waiting: Vec<Waiting>,
    best: Option<Design>,
    front: Front,
    refused: Vec<(ResourceKind, f64)>,
    progress: Progress,
}

/// A search through a space.
pub struct Search<'a, S: Space> {
    space: &'a S,
    limits: Budget,
    wants_front: bool,
    waiting: BinaryHeap<Waiting>,
    best: Option<Design>,
    front: Front,
    refused: Vec<(ResourceKind, f64)>,
    progress: Progress,
}

impl<'a, S: Space> Search<'a, S> {
    /// A search for the design with the smallest objective within the limits.
    pub fn new(space: &'a S, limits: Budget) -> Self {
        let whole = Region::whole(space.axes().iter().map(|axis| axis.values.len()));
        Self::of_region(space, limits, whole)
    }

    /// The same among the designs of a region alone.
    pub fn of_region(space: &'a S, limits: Budget, whole: Region) -> Self {
        let mut search = Self {
            space,
            limits,
            wants_front: false,
            waiting: BinaryHeap::new(),
            best: None,
            front: Front::default(),
            refused: Vec::new(),
            progress: Progress { designs: whole.designs(), ..Progress::default() },
        };
        if whole.designs() > 0.0 {
            let first = search.bound_region(whole);
            search.waiting.extend(first);
        }
        search
    }

    /// Looks for the whole Pareto front over objective and share, not for the best design alone. It takes longer.
    #[must_use]
    pub fn with_front(mut self) -> Self {
        self.wants_front = true;
        self
    }

    /// Goes on where another search of the same space and limits ended; `None` if the state is of another space.
    #[must_use]
    pub fn resume(mut self, state: SearchState) -> Option<Self> {
        let lengths = self.lengths();
        let fits = |point: &[usize]| {
            point.len() == lengths.len() && point.iter().zip(&lengths).all(|(at, most)| at < most)
        };
        let designs = state.best.iter().chain(state.front.designs());
        let is_own = state.waiting.iter().all(|one| one.region.is_within(&lengths))
            && designs.into_iter().all(|design| fits(&design.point));
        self.waiting = state.waiting.into();
        (self.best, self.front) = (state.best, state.front);
        (self.refused, self.progress) = (state.refused, state.progress);
        is_own.then_some(self)
    }

    /// All that it knows.
    #[must_use]
    pub fn state(&self) -> SearchState {
        SearchState {
            waiting: self.waiting.clone().into_sorted_vec(),
            best: self.best.clone(),
            front: self.front.clone(),
            refused: self.refused.clone(),
            progress: self.progress,
        }
    }

    /// Searches until nothing is left, or until `goes_on` says no. It is asked after every region.
    pub fn run(&mut self, mut goes_on: impl FnMut(&Progress) -> bool) {
        while let Some(region) = self.waiting.pop() {
            if self.is_hopeless(region.bound, region.share) {
                self.progress.settled += region.region.designs();
            } else if self.waiting.len() < MOST_WAITING {
                let halves = self.open_region(&region.region);
                self.waiting.extend(halves);
            } else if !self.search_deep(region, &mut goes_on) {
                return;
            }
            if !goes_on(&self.progress) {
                return;
            }
        }
    }

    /// Searches one region to its end, the better half first. False where it was stopped; what is left waits again.
    fn search_deep(
        &mut self,
        region: Waiting,
        goes_on: &mut impl FnMut(&Progress) -> bool,
    ) -> bool {
        let mut stack = vec![region];
        while let Some(region) = stack.pop() {
            if self.is_hopeless(region.bound, region.share) {
                self.progress.settled += region.region.designs();
                continue;
            }
            let mut halves = self.open_region(&region.region);
            halves.sort();
            stack.extend(halves);
            if !goes_on(&self.progress) {
                self.waiting.extend(stack);
                return false;
            }
        }
        true
    }

    /// Evaluates the one design of a region, or gives its halves that are left.
    fn open_region(&mut self, region: &Region) -> Vec<Waiting> {
        if let Some(point) = region.point() {
            self.evaluate(point);
            return Vec::new();
        }
        if region.designs() <= self.batch() as f64 {
            let points = region.points();
            self.prepare(points.clone());
            for point in points {
                self.evaluate(point);
            }
            return Vec::new();
        }
        let Some(axis) = self.space.choose_axis(region) else { return Vec::new() };
        region.halves(axis).into_iter().filter_map(|half| self.bound_region(half)).collect()
    }

    fn evaluate(&mut self, point: Vec<usize>) {
        let cost = self.space.evaluate(&point);
        self.progress.evaluated += 1;
        self.progress.settled += 1.0;
        if cost.objective.is_nan() {
            self.progress.unknown += 1;
        } else if !self.is_refused(&cost, 1.0) {
            self.take_in(point, cost);
        }
    }

    /// Evaluates the listed designs, each once, in place of the whole space.
    pub fn run_listed(&mut self, points: &[Vec<usize>], mut progressed: impl FnMut(&Progress)) {
        self.waiting.clear();
        self.progress.designs = points.len() as f64;
        for points in points.chunks(self.batch()) {
            self.prepare(points.to_vec());
            for point in points {
                self.evaluate(point.clone());
                progressed(&self.progress);
            }
        }
    }

    /// Evaluates a design that another method proposes, and takes it in if it is better. The smaller of two ranks is better:
    /// first what fits, by objective and share, then the rest by share.
    pub fn offer(&mut self, point: &[usize]) -> [f64; 3] {
        let cost = self.space.evaluate(point);
        self.progress.evaluated += 1;
        let share = self.share(&cost);
        if !cost.objective.is_finite() {
            return [f64::INFINITY; 3];
        }
        if self.limits.refusing_resource(&cost.usage).is_some() {
            return [1.0, share, cost.objective];
        }
        self.take_in(point.to_vec(), cost);
        [0.0, cost.objective, share]
    }

    /// How many designs are worth evaluating at once.
    pub(crate) fn batch(&self) -> usize {
        self.space.batch().max(1)
    }

    /// Evaluates designs that will be asked for, if the space does so at once.
    pub(crate) fn prepare(&self, points: Vec<Vec<usize>>) {
        if self.batch() > 1 {
            self.space.prepare(points);
        }
    }

    /// What a design may take.
    #[must_use]
    pub fn limits(&self) -> &Budget {
        &self.limits
    }

    /// How many values each axis has.
    #[must_use]
    pub fn lengths(&self) -> Vec<usize> {
        self.space.axes().iter().map(|axis| axis.values.len()).collect()
    }

    fn take_in(&mut self, point: Vec<usize>, cost: Cost) {
        // What takes forever is not a design.
        if cost.objective.is_infinite() {
            return;
        }
        let share = self.share(&cost);
        let design = Design { point, cost, share };
        self.front.insert(design.clone());
        let is_better = self.best.as_ref().is_none_or(|best| {
            let order = cost.objective.total_cmp(&best.cost.objective);
            order.then(share.total_cmp(&best.share)).is_lt()
        });
        if is_better {
            self.best = Some(design);
        }
    }

    /// Bounds a region; `None` where it holds nothing of use.
    fn bound_region(&mut self, region: Region) -> Option<Waiting> {
        let mut cost = self.space.bound(&region);
        self.progress.bounded += 1;
        if cost.objective.is_nan() {
            // What is not known bounds nothing.
            cost.objective = f64::NEG_INFINITY;
        }
        let (designs, share) = (region.designs(), self.share(&cost));
        // What takes forever is not a design.
        let is_endless = cost.objective == f64::INFINITY;
        if self.is_refused(&cost, designs) || is_endless || self.is_hopeless(cost.objective, share)
        {
            self.progress.settled += designs;
            return None;
        }
        Some(Waiting { bound: cost.objective, share, region })
    }

    fn share(&self, cost: &Cost) -> f64 {
        self.limits.largest_share(&cost.usage).map_or(0.0, |(_, share)| share)
    }

    /// Whether a resource refuses all of so many designs; they are counted under it.
    fn is_refused(&mut self, cost: &Cost, designs: f64) -> bool {
        let Some(resource) = self.limits.refusing_resource(&cost.usage) else { return false };
        match self.refused.iter_mut().find(|(one, _)| *one == resource) {
            Some((_, count)) => *count += designs,
            None => self.refused.push((resource, designs)),
        }
        true
    }

    /// Whether designs that cost at least this much cannot be of use.
    fn is_hopeless(&self, objective: f64, share: f64) -> bool {
        if self.wants_front {
            return self.front.dominates(objective, share);
        }
        self.best.as_ref().is_some_and(|best| {
            let order = objective.total_cmp(&best.cost.objective);
            order.then(share.total_cmp(&best.share)).is_ge()
        })
    }

    /// The best design so far.
    #[must_use]
    pub fn best(&self) -> Option<&Design> {
        self.best.as_ref()
    }

    /// The front over the designs that were evaluated. It is that of the space after [`Search::with_front`] and a search
    /// that was not stopped.
    #[must_use]
    pub fn front(&self) -> &Front {
        &self.front
    }

    /// How many designs each resource refused, the one that refused most first. Designs dropped for another reason are not
    /// looked at.
    #[must_use]
    pub fn refused(&self) -> Vec<(ResourceKind, f64)> {
        let mut refused = self.refused.clone();
        refused.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        refused
    }

    /// How far it is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// What is proved of the best design.
    #[must_use]
    pub fn certificate(&self) -> Certificate {
        let left = self.waiting.iter().filter(|one| !self.is_hopeless(one.bound, one.share));
        match (left.map(|one| one.bound).min_by(f64::total_cmp), &self.best) {
            (Some(bound), best) => {
                let bound = best.as_ref().map_or(bound, |best| bound.min(best.cost.objective));
                Certificate::Gap { bound }
            }
            (None, _) if self.progress.unknown > 0 => {
                Certificate::Unknown { designs: self.progress.unknown }
            }
            (None, Some(_)) => Certificate::Optimal,
            (None, None) => Certificate::Infeasible,
        }
    }
}
