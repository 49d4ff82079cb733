//! The designs of a folder, as its files show them: which sources, reports and scripts belong together.

mod place;
mod plan;
mod script;

pub(crate) use place::design_folder;
pub use script::read_clock;

pub(crate) use plan::{DesignPlan, plan_designs};
pub(crate) use script::{BuildScript, find_named_card};
