//! Kernels that are built independently, as units of one design.

use crate::{Choice, Cost, Unit};

/// A kernel with the designs of it that were scheduled.
#[derive(Clone, Debug, PartialEq)]
pub struct BuiltKernel {
    /// What it is called.
    pub name: String,
    /// Counts of compute units that it may have, the present one first.
    pub counts: Vec<UnitCount>,
    /// Seconds of an inference that the host takes to call it.
    pub launches: f64,
    /// Designs by what they change, with the cycles of a call and what one unit takes.
    pub designs: Vec<(String, Cost)>,
}

/// A count of compute units with what time it leads to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitCount {
    /// How many.
    pub units: u64,
    /// Seconds that a cycle of a call takes in an inference: the calls that run one after another, over the clock.
    pub seconds_per_cycle: f64,
    /// What they take at least, as they share the memory.
    pub least: f64,
}

impl UnitCount {
    /// What a design costs that has so many units: seconds of an inference, and what all units take.
    #[must_use]
    pub fn cost(&self, one: &Cost, launches: f64) -> Cost {
        let time = (one.objective * self.seconds_per_cycle).max(self.least);
        let count = self.units as f64;
        Cost {
            objective: time + launches,
            usage: one.usage.combine(&one.usage, |amount, _| amount * count),
        }
    }
}

/// A design of a kernel with a count of units.
#[derive(Clone, Debug, PartialEq)]
pub struct BuiltChoice<'a> {
    /// As it is shown.
    pub name: String,
    /// What the design changes.
    pub design: &'a str,
    /// Its units, where they are others than now.
    pub units: Option<u64>,
    /// Seconds of an inference, and what all units take.
    pub cost: Cost,
}

impl BuiltKernel {
    /// Every design with every count of units. Designs of unknown cycles are left out.
    #[must_use]
    pub fn choices(&self) -> Vec<BuiltChoice<'_>> {
        let known = || self.designs.iter().filter(|(_, cost)| !cost.objective.is_nan());
        let of_count = |(at, count): (usize, &UnitCount)| {
            let (count, units) = (*count, (at > 0).then_some(count.units));
            known().map(move |(design, one)| BuiltChoice {
                name: units
                    .map_or_else(|| design.clone(), |units| format!("{design} units={units}")),
                design,
                units,
                cost: count.cost(one, self.launches),
            })
        };
        self.counts.iter().enumerate().flat_map(of_count).collect()
    }
}

/// The kernels as units whose objective is seconds of an inference.
#[must_use]
pub fn join_units(kernels: &[BuiltKernel]) -> Vec<Unit> {
    let unit = |kernel: &BuiltKernel| {
        let choices = kernel.choices().into_iter();
        let choices = choices.map(|one| Choice { name: one.name, cost: one.cost }).collect();
        Unit { name: kernel.name.clone(), choices }
    };
    kernels.iter().map(unit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use derate_machine::Usage;

    #[test]
    fn units_divide_time_multiply_resources_and_share_the_memory() {
        let one = Cost { objective: 1000.0, usage: Usage { dsp: 3.0, ..Usage::default() } };
        let count = |units, seconds_per_cycle| UnitCount { units, seconds_per_cycle, least: 0.3 };
        let kernel = BuiltKernel {
            name: "k".to_owned(),
            counts: vec![count(1, 1e-3), count(2, 5e-4), count(4, 2.5e-4)],
            launches: 0.0,
            designs: vec![("as written".to_owned(), one)],
        };
        let costs: Vec<(f64, f64)> =
            kernel.choices().iter().map(|one| (one.cost.objective, one.cost.usage.dsp)).collect();
        assert_eq!(costs, [(1.0, 3.0), (0.5, 6.0), (0.3, 12.0)]);
        assert_eq!(kernel.choices()[1].name, "as written units=2");
    }
}
