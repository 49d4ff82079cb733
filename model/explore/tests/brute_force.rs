//! Branch and bound finds what looking at every design finds.
#![allow(clippy::unwrap_used, reason = "a test")]

use derate_explore::{
    Axis, Certificate, ChipRegions, Choice, Cost, Front, Joining, LeastResource, PartSearch,
    Region, Search, SeparableSpace, Space, Unit,
};
use derate_machine::{Budget, ResourceKind, Usage};
use proptest::prelude::*;

/// A table of costs; the bound of a region is below its least by a slack.
#[derive(Debug)]
struct Table {
    axes: Vec<Axis>,
    costs: Vec<Cost>,
    slack: f64,
}

impl Table {
    fn index(&self, point: &[usize]) -> usize {
        point.iter().zip(&self.axes).fold(0, |sum, (at, axis)| sum * axis.values.len() + at)
    }

    fn points(&self) -> Vec<Vec<usize>> {
        let mut points = vec![Vec::new()];
        for axis in &self.axes {
            let extend = |point: &Vec<usize>| {
                let point = point.clone();
                (0..axis.values.len()).map(move |at| [point.clone(), vec![at]].concat())
            };
            points = points.iter().flat_map(extend).collect();
        }
        points
    }
}

impl Space for Table {
    fn axes(&self) -> &[Axis] {
        &self.axes
    }

    fn evaluate(&self, point: &[usize]) -> Cost {
        self.costs[self.index(point)]
    }

    fn bound(&self, region: &Region) -> Cost {
        let is_inside = |point: &Vec<usize>| {
            point.iter().enumerate().all(|(axis, at)| region.values(axis).contains(at))
        };
        let costs = self.points().into_iter().filter(is_inside).map(|point| self.evaluate(&point));
        let least = costs.reduce(|a, b| Cost {
            objective: a.objective.min(b.objective),
            usage: a.usage.combine(&b.usage, f64::min),
        });
        let least = least.unwrap();
        Cost { objective: least.objective * self.slack, ..least }
    }
}

fn costs(count: usize) -> impl Strategy<Value = Vec<Cost>> {
    // Few different values, so that equal designs are met.
    let cost = (1_u32..30, 0_u32..8, 0_u32..8).prop_map(|(objective, dsp, bram18)| Cost {
        objective: f64::from(objective),
        usage: Usage { dsp: f64::from(dsp), bram18: f64::from(bram18), ..Usage::default() },
    });
    prop::collection::vec(cost, count)
}

fn table() -> impl Strategy<Value = Table> {
    prop::collection::vec(1_usize..5, 1..5).prop_flat_map(|lengths| {
        let axes = lengths.iter().enumerate();
        let axes: Vec<Axis> =
            axes.map(|(at, length)| Axis::new(format!("a{at}"), 0..*length)).collect();
        (costs(lengths.iter().product()), 0.3_f64..=1.0).prop_map(move |(costs, slack)| Table {
            axes: axes.clone(),
            costs,
            slack,
        })
    })
}

fn limits() -> impl Strategy<Value = Budget> {
    (1_u32..9, prop::option::of(1_u32..9)).prop_map(|(dsp, bram18)| Budget {
        dsp: Some(f64::from(dsp)),
        bram18: bram18.map(f64::from),
        ..Budget::default()
    })
}

/// The least objective and share, and the front, of every design within the limits.
fn look_at_all(
    space: &impl Space,
    points: Vec<Vec<usize>>,
    limits: &Budget,
) -> (Option<(f64, f64)>, Front) {
    let mut front = Front::default();
    for point in points {
        let cost = space.evaluate(&point);
        let share = limits.largest_share(&cost.usage).map_or(0.0, |(_, share)| share);
        if limits.refusing_resource(&cost.usage).is_none() {
            front.insert(derate_explore::Design { point, cost, share });
        }
    }
    (front.designs().first().map(|one| (one.cost.objective, one.share)), front)
}

fn outline(front: &Front) -> Vec<(f64, f64)> {
    front.designs().iter().map(|one| (one.cost.objective, one.share)).collect()
}

/// Units of so many choices, whose costs are taken from the pool in turn.
fn make_units(sizes: &[usize], pool: Vec<Cost>) -> Vec<Unit> {
    let mut pool = pool.into_iter().cycle();
    let unit = |(at, size): (usize, &usize)| {
        let choice = |n: usize| Choice { name: n.to_string(), cost: pool.next().unwrap() };
        Unit { name: at.to_string(), choices: (0..*size).map(choice).collect() }
    };
    sizes.iter().enumerate().map(unit).collect()
}

/// What every choice of all units costs together.
fn add_up(units: &[Unit]) -> Vec<Cost> {
    units.iter().fold(vec![Cost::default()], |sums, unit| {
        let add = |sum: &Cost| {
            let sum = *sum;
            unit.choices.iter().map(move |one| Cost {
                objective: sum.objective + one.cost.objective,
                usage: sum.usage + one.cost.usage,
            })
        };
        sums.iter().flat_map(add).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn the_best_design_is_found_and_certified(table in table(), limits in limits()) {
        let (best, _) = look_at_all(&table, table.points(), &limits);
        let mut search = Search::new(&table, limits);
        search.run(|_| true);
        prop_assert_eq!(search.best().map(|one| (one.cost.objective, one.share)), best);
        let certificate = if best.is_some() { Certificate::Optimal } else { Certificate::Infeasible };
        prop_assert_eq!(search.certificate(), certificate);
        let progress = search.progress();
        prop_assert!((progress.settled - progress.designs).abs() < 0.5);
    }

    /// Whatever the parts, their order, and what each knows of the others: what they keep joins to what one search keeps, and
    /// that is what looking at every design keeps.
    #[test]
    fn parts_join_to_the_whole(
        table in table(),
        limits in limits(),
        parts in 1_u64..9,
        top in 0_usize..5,
        last_first in any::<bool>(),
        shares_what_it_finds in any::<bool>(),
    ) {
        let points = table.points();
        let whole = points.len() as u64;
        let mut ranges: Vec<_> =
            (0..parts).map(|at| whole * at / parts..whole * (at + 1) / parts).collect();
        if last_first {
            ranges.reverse();
        }
        let mut kept: Vec<derate_explore::Design> = Vec::new();
        for range in ranges {
            let mut search = PartSearch::new(&table, limits, top, range.clone());
            if shares_what_it_finds {
                search.know(kept.clone());
            }
            prop_assert!(search.run(|_| true));
            let settled = search.progress().settled - (range.end - range.start) as f64;
            prop_assert!(settled.abs() < 0.5);
            kept.extend(search.kept());
        }
        let mut joined = PartSearch::new(&table, limits, top, 0..0);
        joined.know(kept);
        let mut all = PartSearch::new(&table, limits, top, 0..0);
        all.know(points.iter().filter_map(|point| {
            let cost = table.evaluate(point);
            let share = limits.largest_share(&cost.usage).map_or(0.0, |(_, share)| share);
            let fits = limits.refusing_resource(&cost.usage).is_none();
            fits.then(|| derate_explore::Design { point: point.clone(), cost, share })
        }));
        prop_assert_eq!(joined.kept(), all.kept());
        let (_, front) = look_at_all(&table, points, &limits);
        let is_kept = |one: &(f64, f64)| {
            all.kept().iter().any(|design| (design.cost.objective, design.share) == *one)
        };
        prop_assert!(outline(&front).iter().all(is_kept));
    }

    #[test]
    fn the_front_is_found(table in table(), limits in limits()) {
        let (_, front) = look_at_all(&table, table.points(), &limits);
        let mut search = Search::new(&table, limits).with_front();
        search.run(|_| true);
        prop_assert_eq!(outline(search.front()), outline(&front));
    }

    #[test]
    fn a_stopped_search_bounds_the_best_and_goes_on(table in table(), limits in limits(), steps in 1_u32..20) {
        let (best, _) = look_at_all(&table, table.points(), &limits);
        let mut left = steps;
        let mut search = Search::new(&table, limits);
        search.run(|_| { left -= 1; left > 0 });
        if let Certificate::Gap { bound } = search.certificate() {
            prop_assert!(best.is_none_or(|best| bound <= best.0));
        }
        let mut search = Search::new(&table, limits).resume(search.state()).unwrap();
        search.run(|_| true);
        prop_assert_eq!(search.best().map(|one| (one.cost.objective, one.share)), best);
        let mut whole = Search::new(&table, limits);
        whole.run(|_| true);
        prop_assert_eq!(search.best(), whole.best(), "of equal designs always the same one");
    }

    #[test]
    fn units_are_chosen_as_by_looking_at_all(
        sizes in prop::collection::vec(1_usize..5, 1..5),
        pool in costs(20),
        limits in limits(),
    ) {
        let units = make_units(&sizes, pool);
        let limits = Budget { dsp: limits.dsp.map(|dsp| 2.0 * dsp), ..limits };
        let space = SeparableSpace::new(units.clone()).with_prices(&limits);
        let all = add_up(&units);
        let fitting = all.iter().filter(|cost| limits.refusing_resource(&cost.usage).is_none());
        let best = fitting.map(|cost| cost.objective).min_by(f64::total_cmp);
        let mut search = Search::new(&space, limits);
        search.run(|_| true);
        prop_assert_eq!(search.best().map(|one| one.cost.objective), best);
    }

    #[test]
    fn the_least_of_a_resource_within_a_time_is_found(
        table in table(),
        limits in limits(),
        most in 1_u32..30,
    ) {
        let most = f64::from(most);
        let costs = table.points().into_iter().map(|point| table.evaluate(&point));
        let fitting = costs.filter(|cost| limits.refusing_resource(&cost.usage).is_none());
        let fast = fitting.filter(|cost| cost.objective <= most);
        let best = fast.map(|cost| cost.usage.dsp).reduce(f64::min);
        let small = LeastResource::new(&table, ResourceKind::Dsp, most);
        let mut search = Search::new(&small, limits);
        search.run(|_| true);
        prop_assert_eq!(search.best().map(|one| one.cost.objective), best);
        let certificate = if best.is_some() { Certificate::Optimal } else { Certificate::Infeasible };
        prop_assert_eq!(search.certificate(), certificate);
    }

    #[test]
    fn units_take_the_least_of_a_resource_within_a_time(
        sizes in prop::collection::vec(1_usize..5, 1..5),
        pool in costs(20),
        limits in limits(),
        most in 1_u32..80,
    ) {
        let most = f64::from(most);
        let units = make_units(&sizes, pool);
        let limits = Budget { dsp: limits.dsp.map(|dsp| 2.0 * dsp), ..limits };
        let space = SeparableSpace::new(units.clone()).with_prices(&limits);
        let all = add_up(&units);
        let fitting = all.iter().filter(|cost| limits.refusing_resource(&cost.usage).is_none());
        let fast = fitting.filter(|cost| cost.objective <= most);
        let best = fast.map(|cost| cost.usage.dsp).reduce(f64::min);
        let small = LeastResource::new(&space, ResourceKind::Dsp, most);
        let mut search = Search::new(&small, limits);
        search.run(|_| true);
        prop_assert_eq!(search.best().map(|one| one.cost.objective), best);
    }

    #[test]
    fn units_of_a_pipeline_are_chosen_within_their_regions(
        sizes in prop::collection::vec(1_usize..4, 1..4),
        pool in costs(16),
        limits in limits(),
        count in 1_usize..4,
    ) {
        let units = make_units(&sizes, pool);
        let limits = Budget { dsp: limits.dsp.map(|dsp| 3.0 * dsp), ..limits };
        let regions = ChipRegions::share(count, &limits);
        let space = SeparableSpace::new(units.clone())
            .joined_by(Joining::Pipelined)
            .within_regions(regions)
            .with_prices(&limits);
        let mut all: Vec<Vec<Cost>> = vec![Vec::new()];
        for unit in &units {
            let add = |chosen: &Vec<Cost>| {
                let chosen = chosen.clone();
                unit.choices.iter().map(move |one| [chosen.clone(), vec![one.cost]].concat())
            };
            all = all.iter().flat_map(add).collect();
        }
        let best = all.iter().filter_map(|chosen| {
            let usages: Vec<Usage> = chosen.iter().map(|cost| cost.usage).collect();
            let sum = usages.iter().fold(Usage::default(), |sum, one| sum + *one);
            let fits = limits.refusing_resource(&sum).is_none() && regions.place(&usages).is_some();
            fits.then(|| chosen.iter().map(|cost| cost.objective).fold(0.0, f64::max))
        });
        let best = best.min_by(f64::total_cmp);
        let mut search = Search::new(&space, limits);
        search.run(|_| true);
        prop_assert_eq!(search.best().map(|one| one.cost.objective), best);
    }

    #[test]
    fn more_of_a_resource_never_makes_the_best_worse(table in table(), limits in limits(), more in 0_u32..5) {
        let wide = Budget { dsp: limits.dsp.map(|dsp| dsp + f64::from(more)), ..limits };
        let best = |limits| {
            let mut search = Search::new(&table, limits);
            search.run(|_| true);
            search.best().map_or(f64::INFINITY, |one| one.cost.objective)
        };
        prop_assert!(best(wide) <= best(limits));
    }
}

#[test]
fn what_is_not_known_is_neither_infeasible_nor_beaten() {
    let unknown = Cost { objective: f64::NAN, ..Cost::default() };
    let known = Cost { objective: 3.0, ..Cost::default() };
    for costs in [vec![unknown], vec![unknown, known]] {
        let axes = vec![Axis::new("a", 0..costs.len())];
        let table = Table { axes, costs, slack: 0.0 };
        let mut search = Search::new(&table, Budget::default());
        search.run(|_| true);
        assert_eq!(search.certificate(), Certificate::Unknown { designs: 1 });
    }
}
