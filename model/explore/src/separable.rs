//! Designs of units that are built independently and run one after the other.

use crate::{Axis, ChipRegions, Cost, Joining, Region, Space};
use derate_machine::{Budget, ResourceKind, Usage};
use std::cmp::Ordering;

/// Steps in which the price of time is found: each takes a third of what is left.
const PRICE_STEPS: usize = 24;

/// One way to build a unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// As it is shown.
    pub name: String,
    /// The unit's part of the objective, and what it takes of the card.
    pub cost: Cost,
}

/// A unit, such as a kernel, and the ways to build it.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// As it is shown.
    pub name: String,
    /// At least one.
    pub choices: Vec<Choice>,
}

/// Units whose objectives and resources add up: a multiple-choice knapsack.
///
/// A choice that costs at least as much as another of its unit in everything is left out. The bound of a region is the larger
/// of two: the sum of the fastest choices, and the Lagrangian relaxation of the limits (M. L. Fisher, "The Lagrangian
/// Relaxation Method for Solving Integer Programming Problems", 1981), whose prices [`SeparableSpace::with_prices`] finds.
#[derive(Clone, Debug)]
pub struct SeparableSpace {
    axes: Vec<Axis>,
    units: Vec<Vec<Cost>>,
    /// Objective per unit of each resource, and what the limits are worth at these prices.
    prices: Usage,
    worth: f64,
    joining: Joining,
    /// What each region of the chip has, where every unit has to be in one.
    regions: Option<ChipRegions>,
}

impl SeparableSpace {
    /// The space of all combinations of choices. Choices are sorted by their objective.
    #[must_use]
    pub fn new(units: Vec<Unit>) -> Self {
        let kept: Vec<Unit> = units.into_iter().map(drop_dominated).collect();
        let axis = |unit: &Unit| {
            Axis::new(unit.name.clone(), unit.choices.iter().map(|choice| &choice.name))
        };
        Self {
            axes: kept.iter().map(axis).collect(),
            units: kept
                .iter()
                .map(|unit| unit.choices.iter().map(|one| one.cost).collect())
                .collect(),
            prices: Usage::default(),
            worth: 0.0,
            joining: Joining::Sequential,
            regions: None,
        }
    }

    /// Units that run at the same time: the slowest of them decides.
    #[must_use]
    pub fn joined_by(self, joining: Joining) -> Self {
        Self { joining, ..self }
    }

    /// Every unit has to be in one region of the chip. A choice that no region has room for is refused, and so are choices
    /// that are not found a place together: the resource that they take most of refuses them.
    #[must_use]
    pub fn within_regions(self, regions: ChipRegions) -> Self {
        Self { regions: Some(regions), ..self }
    }

    /// Puts prices on the resources by the subgradient method, so that bounds know of the limits.
    #[must_use]
    pub fn with_prices(mut self, limits: &Budget) -> Self {
        if self.joining == Joining::Pipelined {
            return self;
        }
        let fastest: f64 = self.units.iter().map(|unit| least(unit, |cost| cost.objective)).sum();
        let mut best = (fastest, Usage::default(), 0.0);
        let mut step = 1.0;
        let mut since = 0;
        for _ in 0..400 {
            let (relaxed, usage) = self.relax();
            if relaxed - self.worth > best.0 {
                best = (relaxed - self.worth, self.prices, self.worth);
                since = 0;
            } else {
                since += 1;
            }
            if since == 12 {
                (step, since) = (step * 0.6, 0);
                (self.prices, self.worth) = (best.1, best.2);
                continue;
            }
            // Amounts are compared as shares of their limits, so that one step suits all resources.
            let price = |resource: ResourceKind| {
                let Some(limit) = limits.limit(resource).filter(|limit| *limit > 0.0) else {
                    return 0.0;
                };
                let over = usage.amount(resource) / limit - 1.0;
                (self.prices.amount(resource) * limit + step * fastest * over).max(0.0) / limit
            };
            self.prices = Usage {
                dsp: price(ResourceKind::Dsp),
                bram18: price(ResourceKind::Bram18),
                uram: price(ResourceKind::Uram),
                lut: price(ResourceKind::Lut),
                ff: price(ResourceKind::Ff),
            };
            let worth =
                |resource| self.prices.amount(resource) * limits.limit(resource).unwrap_or(0.0);
            self.worth = ResourceKind::ALL.into_iter().map(worth).sum();
        }
        (self.prices, self.worth) = (best.1, best.2);
        self
    }

    /// The smallest sum of objective and price, and what its choices take.
    fn relax(&self) -> (f64, Usage) {
        let cheapest = |unit: &Vec<Cost>| {
            let mut costs = unit.iter().map(|cost| (self.priced(cost), cost.usage));
            let first = costs.next()?;
            Some(costs.fold(first, |least, one| if one.0 < least.0 { one } else { least }))
        };
        let costs = self.units.iter().filter_map(cheapest);
        costs.fold((0.0, Usage::default()), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    }

    fn priced(&self, cost: &Cost) -> f64 {
        let price = |resource| self.prices.amount(resource) * cost.usage.amount(resource);
        cost.objective + ResourceKind::ALL.into_iter().map(price).sum::<f64>()
    }
}

fn least(costs: &[Cost], of: impl Fn(&Cost) -> f64) -> f64 {
    costs.iter().map(of).fold(f64::INFINITY, f64::min)
}

/// Sorts by objective and leaves out what another choice beats or equals in everything.
fn drop_dominated(mut unit: Unit) -> Unit {
    let total =
        |cost: &Cost| ResourceKind::ALL.into_iter().map(|one| cost.usage.amount(one)).sum::<f64>();
    unit.choices.sort_by(|a, b| {
        let order = a.cost.objective.total_cmp(&b.cost.objective);
        order.then(total(&a.cost).total_cmp(&total(&b.cost)))
    });
    let mut kept: Vec<Choice> = Vec::new();
    for choice in unit.choices {
        let beats = |other: &Choice| {
            other.cost.objective <= choice.cost.objective
                && ResourceKind::ALL.into_iter().all(|resource| {
                    other.cost.usage.amount(resource) <= choice.cost.usage.amount(resource)
                })
        };
        if !kept.iter().any(beats) {
            kept.push(choice);
        }
    }
    Unit { choices: kept, ..unit }
}

impl Space for SeparableSpace {
    fn axes(&self) -> &[Axis] {
        &self.axes
    }

    fn evaluate(&self, point: &[usize]) -> Cost {
        let costs: Vec<Cost> = self.units.iter().zip(point).map(|(unit, at)| unit[*at]).collect();
        let mut all = costs.iter().fold(Cost::default(), |sum, one| Cost {
            objective: self.joining.join(sum.objective, one.objective),
            usage: sum.usage + one.usage,
        });
        if let Some(regions) = &self.regions {
            let usages: Vec<Usage> = costs.iter().map(|cost| cost.usage).collect();
            if regions.place(&usages).is_none() {
                all.usage = regions.refuse(&all.usage);
            }
        }
        all
    }

    fn bound(&self, region: &Region) -> Cost {
        let (mut fastest, mut relaxed, mut usage) = (0.0, -self.worth, Usage::default());
        for (axis, unit) in self.units.iter().enumerate() {
            let costs = &unit[region.values(axis)];
            fastest = self.joining.join(fastest, least(costs, |cost| cost.objective));
            relaxed += least(costs, |cost| self.priced(cost));
            let cheapest = costs.iter().map(|cost| cost.usage);
            let cheapest = cheapest.reduce(|a, b| a.combine(&b, f64::min)).unwrap_or_default();
            usage = usage + cheapest;
        }
        // Sums in another order differ in their last digits; a bound may not be above what it bounds.
        let relaxed = if self.joining == Joining::Sequential { relaxed } else { 0.0 };
        let objective = fastest.max(relaxed) * (1.0 - 1e-12);
        Cost { objective, usage: usage.combine(&usage, |amount, _| amount * (1.0 - 1e-12)) }
    }

    /// The Lagrangian relaxation of the limit on the time: with a price on time, each unit takes its cheapest choice. The bound is
    /// concave in the price, so that thirds find its best.
    fn bound_resource(&self, region: &Region, resource: ResourceKind, most_time: f64) -> f64 {
        let least_of = |price: f64| {
            let unit = |(axis, unit): (usize, &Vec<Cost>)| {
                least(&unit[region.values(axis)], |cost| {
                    cost.usage.amount(resource) + price * cost.objective
                })
            };
            self.units.iter().enumerate().map(unit).sum::<f64>() - price * most_time
        };
        let amounts = self.units.iter().flatten().map(|cost| cost.usage.amount(resource));
        let most: f64 = amounts.fold(0.0, f64::max);
        if self.joining != Joining::Sequential || most_time <= 0.0 || most <= 0.0 {
            return least_of(0.0) * (1.0 - 1e-12);
        }
        // The scale of a price is an amount over a time, times up to a million either way.
        let price = |log: f64| most / most_time * log.exp2();
        let (mut low, mut high) = (-20.0, 20.0);
        for _ in 0..PRICE_STEPS {
            let third = (high - low) / 3.0;
            let (left, right) = (low + third, high - third);
            if least_of(price(left)) < least_of(price(right)) {
                low = left;
            } else {
                high = right;
            }
        }
        least_of(price(low)).max(least_of(0.0)) * (1.0 - 1e-9)
    }

    /// The axis whose choices differ most at the prices.
    fn choose_axis(&self, region: &Region) -> Option<usize> {
        let spread = |axis: usize| {
            let costs = &self.units[axis][region.values(axis)];
            let priced = costs.iter().map(|cost| self.priced(cost));
            priced.fold(f64::NEG_INFINITY, f64::max) - least(costs, |cost| self.priced(cost))
        };
        let open = (0..self.units.len()).filter(|axis| region.values(*axis).len() > 1);
        open.map(|axis| (axis, spread(axis)))
            .max_by(|a, b| {
                a.1.total_cmp(&b.1).then(if a.0 < b.0 { Ordering::Greater } else { Ordering::Less })
            })
            .map(|(axis, _)| axis)
    }
}
