//! The designs of a folder, as its files show them: which sources, reports and scripts belong together.

mod choice;
mod design;
mod files;
mod link;
mod place;
mod plan;
mod script;
mod software;
#[cfg(test)]
mod testing;

pub(crate) use place::design_folder;
pub use script::read_clock;

pub(crate) use choice::{UnknownTarget, choose_clock, choose_named, choose_part};
pub(crate) use design::DesignPlan;
pub(crate) use files::{PlanFiles, find_named_files};
pub(crate) use plan::plan_designs;
pub(crate) use script::{BuildScript, find_named_card};
pub(crate) use software::set_software_aside;
