//! What LUT or FF one of each counted thing costs.

use serde::de::{Deserialize, Deserializer, Error};
use std::collections::BTreeMap;

/// What a module has that costs LUT or FF.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Counted {
    /// The module itself.
    Start,
    /// A bit of an expression.
    Expression,
    /// A value that an iteration leaves to the next.
    Carried,
    /// A choice of two.
    Pair,
    /// An input of the choice of the next state.
    StateInput,
    /// A port of a memory that several accesses share.
    Shared,
    /// A LUT of choices between banks.
    Choice,
    /// A LUT of registers that keep what a bank was given last.
    ReuseLut,
    /// A FF of them.
    ReuseFf,
    /// A LUT of choices of what an element in a register keeps.
    Element,
    /// A LUT of choices of what a shared operator gets.
    Operand,
    /// A module within the top function's.
    Module,
    /// A pipelined loop.
    Pipeline,
    /// An iteration that begins before the one before it ends.
    Overlap,
    /// A state.
    State,
    /// A number among the arguments of the top function.
    Scalar,
    /// An array behind a bus.
    Bus,
    /// A bit that is kept from one state to another.
    Register,
    /// A shift register of a pipeline.
    Delay,
    /// A bit that is shifted by a distance that data give.
    Shift,
    /// A bit that one block of a function leaves to another.
    Crossing,
    /// A bit of the counter of a loop that is not pipelined.
    OuterCounter,
    /// A LUT of the tables of operators.
    UnitLut,
    /// A FF of them.
    UnitFf,
    /// A divider of doubles.
    Divide64,
    /// A comparison of floating point.
    Compare,
    /// A conversion from or to floating point.
    Convert,
    /// A LUT or FF of memories and queues.
    Memory,
}

/// All of them, by the names in a table.
const COUNTED: [(&str, Counted); 28] = [
    ("start", Counted::Start),
    ("expression", Counted::Expression),
    ("carried", Counted::Carried),
    ("pair", Counted::Pair),
    ("state_input", Counted::StateInput),
    ("shared", Counted::Shared),
    ("choice", Counted::Choice),
    ("reuse_lut", Counted::ReuseLut),
    ("reuse_ff", Counted::ReuseFf),
    ("element", Counted::Element),
    ("operand", Counted::Operand),
    ("module", Counted::Module),
    ("pipeline", Counted::Pipeline),
    ("overlap", Counted::Overlap),
    ("state", Counted::State),
    ("scalar", Counted::Scalar),
    ("bus", Counted::Bus),
    ("register", Counted::Register),
    ("delay", Counted::Delay),
    ("shift", Counted::Shift),
    ("crossing", Counted::Crossing),
    ("outer_counter", Counted::OuterCounter),
    ("unit_lut", Counted::UnitLut),
    ("unit_ff", Counted::UnitFf),
    ("divide64", Counted::Divide64),
    ("compare", Counted::Compare),
    ("convert", Counted::Convert),
    ("memory", Counted::Memory),
];

/// A table of weights that is not complete.
#[derive(Clone, Debug, thiserror::Error)]
enum WeightsError {
    #[error("the weights {0} are not known: remove them")]
    Unknown(String),
    #[error("the weights {0} are missing: add them, with 0 for what costs nothing")]
    Missing(String),
    #[error("the weight `{0}` is {1}: give a finite number that is not below 0")]
    Value(String, f64),
}

/// What one of each costs: a table has all of them and nothing else.
#[derive(Clone, Debug)]
pub struct Weights(BTreeMap<Counted, f64>);

impl Weights {
    /// What one costs.
    #[must_use]
    pub fn of(&self, counted: Counted) -> f64 {
        self.0.get(&counted).copied().unwrap_or(0.0)
    }
}

fn list_names(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

impl<'d> Deserialize<'d> for Weights {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        Self::check(&BTreeMap::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl Weights {
    fn check(table: &BTreeMap<String, f64>) -> Result<Self, WeightsError> {
        let is_known = |name: &&str| COUNTED.iter().any(|(known, _)| known == name);
        let unknown: Vec<&str> =
            table.keys().map(String::as_str).filter(|name| !is_known(name)).collect();
        if !unknown.is_empty() {
            return Err(WeightsError::Unknown(list_names(&unknown)));
        }
        let names = COUNTED.iter().map(|(name, _)| *name);
        let missing: Vec<&str> = names.filter(|name| !table.contains_key(*name)).collect();
        if !missing.is_empty() {
            return Err(WeightsError::Missing(list_names(&missing)));
        }
        if let Some((name, weight)) = table.iter().find(|(_, one)| !one.is_finite() || **one < 0.0)
        {
            return Err(WeightsError::Value(name.clone(), *weight));
        }
        let weight = |(name, counted): &(&str, Counted)| Some((*counted, *table.get(*name)?));
        Ok(Self(COUNTED.iter().filter_map(weight).collect()))
    }
}
