//! A run whose time is modelled.

use derate_model::Figure;
use derate_model::units::Cycles;

use super::Moved;

/// One run, for the model of its time.
#[derive(Clone, Copy, Debug)]
pub struct TimedRun<'a> {
    /// The compute unit: runs of one unit follow each other.
    pub unit: &'a str,
    /// What it moved.
    pub moved: &'a [Moved],
    /// The cycles that it computes, where they are modelled.
    pub cycles: Option<&'a Figure<Cycles>>,
}
