use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Moved;

/// What a run moved, argument by argument.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Counted {
    /// The compute unit.
    pub unit: String,
    /// Its kernel.
    pub kernel: String,
    /// Each of its pointers.
    pub moved: Vec<Moved>,
    /// How long it took on this machine's clock.
    pub wall: Duration,
}

/// What a model says that a run moves through one argument.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ExpectedTraffic {
    /// The argument.
    pub argument: String,
    /// Bytes read.
    pub read: u64,
    /// Bytes written.
    pub written: u64,
}

/// A finding: a kernel whose arguments move other bytes than the model says, in one unit or in several alike.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TrafficDifference {
    /// The kernel.
    pub kernel: String,
    /// Its compute units that do so; at least one.
    pub units: Vec<String>,
    /// Of each such argument: what the model says, and what was counted. 0 where one of them has no such argument.
    pub arguments: Vec<(ExpectedTraffic, ExpectedTraffic)>,
}

impl TrafficDifference {
    /// Holds the counted traffic of a run against the modelled. Pointers are compared in their order, whatever their names.
    pub fn of(run: &Counted, model: &[ExpectedTraffic]) -> Option<Self> {
        let none =
            |argument: &str| ExpectedTraffic { argument: argument.to_owned(), read: 0, written: 0 };
        let count = run.moved.len().max(model.len());
        let beside = |at: usize| match (model.get(at), run.moved.get(at)) {
            (Some(model), Some(moved)) => {
                let Moved { argument, read, written, .. } = moved.clone();
                (model.clone(), ExpectedTraffic { argument, read, written })
            }
            (Some(model), None) => (model.clone(), none(&model.argument)),
            (None, moved) => {
                let moved = moved.map_or_else(
                    || none(""),
                    |moved| ExpectedTraffic {
                        argument: moved.argument.clone(),
                        read: moved.read,
                        written: moved.written,
                    },
                );
                (none(&moved.argument), moved)
            }
        };
        let differs = |(model, counted): &(ExpectedTraffic, ExpectedTraffic)| {
            (model.read, model.written) != (counted.read, counted.written)
        };
        let arguments: Vec<_> = (0..count).map(beside).filter(differs).collect();
        let (kernel, units) = (run.kernel.clone(), vec![run.unit.clone()]);
        (!arguments.is_empty()).then_some(Self { kernel, units, arguments })
    }

    /// Adds it to others: one that differs alike takes its units.
    pub fn add_to(self, others: &mut Vec<Self>) {
        let alike = |one: &&mut Self| one.kernel == self.kernel && one.arguments == self.arguments;
        match others.iter_mut().find(alike) {
            Some(one) => {
                let new = self.units.into_iter().filter(|unit| !one.units.contains(unit));
                let new: Vec<String> = new.collect();
                one.units.extend(new);
            }
            None => others.push(self),
        }
    }

    /// `krnl_memcpy as krnl_memcpy_1: ...`
    pub fn sentence(&self) -> String {
        let units = match self.units.as_slice() {
            [] => String::new(),
            [one] => format!(" as {one}"),
            [first, rest @ ..] => format!(" as {first} and each of {} other units", rest.len()),
        };
        let arguments: Vec<String> = self
            .arguments
            .iter()
            .map(|(model, counted)| difference_clause(model, counted))
            .collect();
        format!("{}{units}: {}", self.kernel, arguments.join("; "))
    }
}

/// `src` reads 128 bytes, 2.000 times the 64 that the model says
fn difference_clause(model: &ExpectedTraffic, counted: &ExpectedTraffic) -> String {
    let ways = [("reads", counted.read, model.read), ("writes", counted.written, model.written)];
    let said: Vec<String> = ways
        .iter()
        .filter(|(_, counted, model)| counted != model)
        .map(|(verb, counted, model)| match (*counted as f64) / (*model as f64) {
            // A ratio that three digits show as 1 is given in bytes.
            times if times.is_finite() && *counted > 0 && (times - 1.0).abs() >= 5e-4 => {
                format!("{verb} {counted} bytes, {times:.3} times the {model} that the model says")
            }
            _ => format!("{verb} {counted} bytes, and the model says {model}"),
        })
        .collect();
    format!("`{}` {}", counted.argument, said.join(" and "))
}
