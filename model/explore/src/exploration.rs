//! What a search found: `derate.exploration/1`.

use crate::kernel::{ChangedArgument, NotOpened};
use crate::{Axis, Certificate, Design, Objective, Search, Space};
use derate_machine::{Budget, ResourceKind, Usage};
use derate_units::{Figure, Seconds};
use serde::Serialize;

/// A design with its values by name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FoundDesign {
    /// The value of each axis, in the order of the axes.
    pub values: Vec<String>,
    /// The objective: see [`Exploration::objective`].
    pub objective: f64,
    /// How long it takes, where the objective is a resource: seconds, or cycles of one call of a kernel.
    pub time: Option<f64>,
    /// What it takes of the card.
    pub usage: Usage,
    /// The largest share of a limited resource that it takes; 1 is all of it.
    pub share: f64,
    /// The arguments of a kernel whose ports are others than in the source: who calls the kernel has to change too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed_arguments: Vec<ChangedArgument>,
}

/// The longest that a design may take.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TimeLimit {
    /// Cycles of one call of a kernel.
    Cycles(f64),
    /// Seconds of an inference.
    Seconds(f64),
}

impl TimeLimit {
    /// The number, in its own unit.
    #[must_use]
    pub const fn value(self) -> f64 {
        match self {
            Self::Cycles(most) | Self::Seconds(most) => most,
        }
    }
}

/// A row of a table of designs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankedDesign {
    /// The row, from one, without the line of names.
    pub row: usize,
    /// The design; `None` where its objective is not known.
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
    /// What is designed: the top function, or the workload.
    pub subject: String,
    /// The part, or the card.
    pub part: String,
    /// The period of the clock, ns.
    pub clock_ns: f64,
    /// What is to be small.
    pub objective: Objective,
    /// How much of each resource a design may take.
    pub limits: Budget,
    /// How long a design may take; where the objective is a resource.
    pub time_limit: Option<TimeLimit>,
    /// What is open.
    pub axes: Vec<Axis>,
    /// The value of each axis in the source as it is written, whether the axis has it or not; `None` where it is not known. Of a
    /// kernel.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub written: Vec<Option<String>>,
    /// What could be open, and is not; of a kernel.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_opened: Vec<NotOpened>,
    /// Designs of the space.
    pub designs: f64,
    /// Designs that were scheduled.
    pub evaluated: u64,
    /// What is proved of the best.
    pub certificate: Certificate,
    /// The design as it is written. An axis that has no value of it has `as-written`.
    pub start: Option<FoundDesign>,
    /// What `derate.toml` claims of the objective, with the words of the claim; of a project.
    pub claimed: Option<Figure<Seconds>>,
    /// The best design that fits.
    pub best: Option<FoundDesign>,
    /// Designs that no other beats in both cycles and share, the fastest first.
    pub front: Vec<FoundDesign>,
    /// The best design for each value of the first axis; of a project whose array is searched.
    pub best_of: Vec<FoundDesign>,
    /// What refused designs.
    pub refused: Vec<Refusal>,
    /// What the figures assume, in sentences; of a project.
    pub assumed: Vec<String>,
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
            objective: design.cost.objective,
            time: None,
            usage: design.cost.usage,
            share: design.share,
            changed_arguments: Vec::new(),
        }
    }

    /// The same of a design whose cost has its time: where the objective is a resource, its amount is the objective.
    #[must_use]
    pub fn of_timed(axes: &[Axis], design: &Design, objective: &Objective) -> Self {
        let found = Self::of_design(axes, design);
        match objective {
            Objective::Resource(resource) => Self {
                objective: found.usage.amount(*resource),
                time: Some(found.objective),
                ..found
            },
            _ => found,
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
        (Some(design), None) => (0, design.objective, design.share),
        (Some(design), Some(_)) => (1, design.share, design.objective),
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
