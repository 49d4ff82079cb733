//! What a guard says: whether the formulas of a scenario hold, and what to do where they do not.

use derate_render::Formula;
use derate_render::formula::text;

use super::name::name_for;
use derate_estimate::scenario::ScenarioKind;
use derate_project::Schedule;

pub(crate) const YES: &str = "yes";
/// What a caption says only where formulas may cease to hold.
pub(super) const HOLDING: &str = ", and whether its formulas still hold";
/// In short, where there is no room for the reason.
pub(crate) const NO: &str = "no: see Assumptions";

/// What a reader has to do where the formulas do not follow.
pub(super) fn advise_run(reason: &str, command: &str) -> String {
    format!("no: {reason}; write the change into derate.toml and run {command}")
}

pub(super) fn refuse(reason: &str, command: &str) -> Formula {
    text(advise_run(reason, command))
}

/// The name of the cell that says whether the formulas of a scenario hold under a schedule.
pub(super) fn guard_name(scenario: ScenarioKind, schedule: Schedule) -> String {
    // Here it is not a sign.
    name_for("follows", &format!("{scenario} {}", schedule.name()).replace('-', " "))
}
