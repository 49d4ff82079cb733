//! Kernels that are built independently, as units of one design.

use crate::{Choice, Cost, Unit};

/// A kernel with the designs of it that were scheduled.
#[derive(Clone, Debug, PartialEq)]
pub struct BuiltKernel {
    /// What it is called.
    pub name: String,
    /// The first kernel that is the same hardware; its own name where no other one is.
    pub hardware: String,
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

/// The kernels as units whose objective is seconds of an inference. Kernels that are one hardware are one unit: it has the
/// designs that each of them has, takes the time of all and the most that any takes.
#[must_use]
pub fn join_units(kernels: &[BuiltKernel]) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    for kernel in kernels {
        let choices = kernel.choices().into_iter();
        let choices = choices.map(|one| Choice { name: one.name, cost: one.cost }).collect();
        match units.iter_mut().find(|unit| unit.name == kernel.hardware) {
            Some(unit) => unit.choices = join_choices(&unit.choices, choices),
            None => units.push(Unit { name: kernel.hardware.clone(), choices }),
        }
    }
    units
}

/// The choices that two kernels of one hardware have both.
fn join_choices(own: &[Choice], others: Vec<Choice>) -> Vec<Choice> {
    let join = |other: Choice| {
        let same = own.iter().find(|one| one.name == other.name)?;
        let objective = same.cost.objective + other.cost.objective;
        let usage = same.cost.usage.combine(&other.cost.usage, f64::max);
        Some(Choice { cost: Cost { objective, usage }, ..other })
    };
    others.into_iter().filter_map(join).collect()
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
            hardware: "k".to_owned(),
            counts: vec![count(1, 1e-3), count(2, 5e-4), count(4, 2.5e-4)],
            launches: 0.0,
            designs: vec![("as written".to_owned(), one)],
        };
        let costs: Vec<(f64, f64)> =
            kernel.choices().iter().map(|one| (one.cost.objective, one.cost.usage.dsp)).collect();
        assert_eq!(costs, [(1.0, 3.0), (0.5, 6.0), (0.3, 12.0)]);
        assert_eq!(kernel.choices()[1].name, "as written units=2");
    }

    #[test]
    fn kernels_of_one_hardware_have_one_design_and_take_their_room_once() {
        let cost = |objective, dsp| Cost { objective, usage: Usage { dsp, ..Usage::default() } };
        let kernel = |name: &str, designs: Vec<(String, Cost)>| BuiltKernel {
            name: name.to_owned(),
            hardware: "up".to_owned(),
            counts: vec![UnitCount { units: 1, seconds_per_cycle: 1e-3, least: 0.0 }],
            launches: 0.0,
            designs,
        };
        let design = |name: &str, cost| (name.to_owned(), cost);
        let up = vec![
            design("as written", cost(1000.0, 3.0)),
            design("unroll=2", cost(500.0, 6.0)),
            design("unroll=4", cost(250.0, 12.0)),
        ];
        let down =
            vec![design("as written", cost(3000.0, 4.0)), design("unroll=2", cost(1500.0, 6.0))];
        let units = join_units(&[kernel("up", up), kernel("down", down)]);
        assert_eq!(units.len(), 1);
        let costs: Vec<(&str, f64, f64)> = units[0]
            .choices
            .iter()
            .map(|one| (one.name.as_str(), one.cost.objective, one.cost.usage.dsp))
            .collect();
        assert_eq!(costs, [("as written", 4.0, 4.0), ("unroll=2", 2.0, 6.0)]);
    }
}
