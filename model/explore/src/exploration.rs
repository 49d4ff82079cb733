//! What a search found: `derate.exploration/1`.

use crate::{Axis, Certificate, Design, Search, Space};
use derate_machine::{Budget, ResourceKind, Usage};
use serde::Serialize;

/// A design with its values by name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FoundDesign {
    /// The value of each axis, in the order of the axes.
    pub values: Vec<String>,
    /// Cycles of one call.
    pub cycles: f64,
    /// What it takes of the card.
    pub usage: Usage,
    /// The largest share of a limited resource that it takes; 1 is all of it.
    pub share: f64,
}

/// A row of a table of designs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankedDesign {
    /// The row, from one, without the line of names.
    pub row: usize,
    /// The design; `None` where its cycles are not known.
    pub design: Option<FoundDesign>,
    /// The resource that refuses it; `None` where it fits.
    pub refused_by: Option<ResourceKind>,
}

/// Designs that a resource refused.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Refusal {
    /// The resource.
    pub resource: ResourceKind,
    /// How many designs exceed it more than any other.
    pub designs: f64,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Exploration {
    /// `derate.exploration/1`.
    pub schema: &'static str,
    /// The command that gives it again.
    pub command: String,
    /// The top function.
    pub top: String,
    /// The part.
    pub part: String,
    /// The period of the clock, ns.
    pub clock_ns: f64,
    /// How much of each resource a design may take.
    pub limits: Budget,
    /// What is open.
    pub axes: Vec<Axis>,
    /// Designs of the space.
    pub designs: f64,
    /// Designs that were scheduled.
    pub evaluated: u64,
    /// What is proved of the best.
    pub certificate: Certificate,
    /// The source as it is written.
    pub start: Option<FoundDesign>,
    /// The best design that fits.
    pub best: Option<FoundDesign>,
    /// Designs that no other beats in both cycles and share, the fastest first.
    pub front: Vec<FoundDesign>,
    /// What refused designs.
    pub refused: Vec<Refusal>,
    /// The rows of a table, the best first; empty where no table was given.
    pub ranking: Vec<RankedDesign>,
}

impl FoundDesign {
    /// A design with its values by name.
    #[must_use]
    pub fn of_design(axes: &[Axis], design: &Design) -> Self {
        let value = |(axis, at): (&Axis, &usize)| axis.values.get(*at).cloned().unwrap_or_default();
        Self {
            values: axes.iter().zip(&design.point).map(value).collect(),
            cycles: design.cost.objective,
            usage: design.cost.usage,
            share: design.share,
        }
    }
}

/// Costs of listed designs: first those that fit, by cycles and share, then the rest by share, then the unknown.
pub fn rank_designs<S: Space>(
    space: &S,
    limits: &Budget,
    points: &[Vec<usize>],
) -> Vec<RankedDesign> {
    let rank = |(at, point): (usize, &Vec<usize>)| {
        let cost = space.evaluate(point);
        let share = limits.largest_share(&cost.usage).map_or(0.0, |(_, share)| share);
        let design = Design { point: point.clone(), cost, share };
        let design =
            (!cost.objective.is_nan()).then(|| FoundDesign::of_design(space.axes(), &design));
        RankedDesign { row: at + 1, design, refused_by: limits.refusing_resource(&cost.usage) }
    };
    let mut ranking: Vec<RankedDesign> = points.iter().enumerate().map(rank).collect();
    let key = |one: &RankedDesign| match (&one.design, one.refused_by) {
        (Some(design), None) => (0, design.cycles, design.share),
        (Some(design), Some(_)) => (1, design.share, design.cycles),
        (None, _) => (2, 0.0, 0.0),
    };
    ranking.sort_by(|a, b| {
        let (a, b) = (key(a), key(b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.total_cmp(&b.2))
    });
    ranking
}

/// The front and the refusals of a search, by name.
pub fn list_found<S: Space>(
    search: &Search<'_, S>,
    axes: &[Axis],
) -> (Vec<FoundDesign>, Vec<Refusal>) {
    let front = search.front().designs().iter();
    let refused = search.refused().into_iter();
    (
        front.map(|design| FoundDesign::of_design(axes, design)).collect(),
        refused.map(|(resource, designs)| Refusal { resource, designs }).collect(),
    )
}
