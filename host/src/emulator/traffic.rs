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
pub struct Expected {
    /// The argument.
    pub argument: String,
    /// Bytes read.
    pub read: u64,
    /// Bytes written.
    pub written: u64,
}

/// A finding: an argument that moves other bytes than the model says.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TrafficDifference {
    /// The compute unit.
    pub unit: String,
    /// Its kernel.
    pub kernel: String,
    /// What the model says.
    pub modelled: Expected,
    /// What was counted; 0 where the kernel has no such argument.
    pub counted: Expected,
}

impl TrafficDifference {
    /// `krnl_memcpy_1: ...`
    pub fn sentence(&self) -> String {
        let Self { unit, kernel, modelled, counted } = self;
        let ways =
            [("reads", counted.read, modelled.read), ("writes", counted.written, modelled.written)];
        let said: Vec<String> = ways
            .iter()
            .filter(|(_, counted, modelled)| counted != modelled)
            .map(|(verb, counted, modelled)| match (*counted as f64) / (*modelled as f64) {
                times if times.is_finite() && *counted > 0 => format!(
                    "{verb} {counted} bytes, {times:.3} times the {modelled} that the model says"
                ),
                _ => format!("{verb} {counted} bytes, and the model says {modelled}"),
            })
            .collect();
        format!("{kernel} as {unit}: `{}` {}", modelled.argument, said.join(" and "))
    }
}

/// Holds the modelled traffic of a run against the counted.
pub fn differences(run: &Counted, model: &[Expected]) -> Vec<TrafficDifference> {
    let none = |argument: &str| Expected { argument: argument.to_owned(), read: 0, written: 0 };
    let counted: Vec<Expected> = run
        .moved
        .iter()
        .map(|moved| Expected {
            argument: moved.argument.clone(),
            read: moved.read,
            written: moved.written,
        })
        .collect();
    let beside = |list: &[Expected], argument: &str| {
        list.iter().find(|one| one.argument == argument).cloned().unwrap_or_else(|| none(argument))
    };
    let of_model = model.iter().map(|one| (one.clone(), beside(&counted, &one.argument)));
    let unknown = counted.iter().filter(|one| model.iter().all(|m| m.argument != one.argument));
    let of_run = unknown.map(|one| (none(&one.argument), one.clone()));
    of_model
        .chain(of_run)
        .filter(|(modelled, counted)| modelled != counted)
        .map(|(modelled, counted)| TrafficDifference {
            unit: run.unit.clone(),
            kernel: run.kernel.clone(),
            modelled,
            counted,
        })
        .collect()
}
