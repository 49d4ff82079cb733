//! The designs of a folder, as its files show them: which sources, reports and scripts belong together.

mod builds;
mod choice;
mod clock;
mod design;
mod directives;
mod files;
mod link;
mod named_parts;
mod place;
mod plan;
mod readme_part;
mod settings;
mod software;
mod solution;
mod target;
mod tool;

pub(crate) use place::{design_folder, solution_folder};

pub(crate) use design::DesignPlan;
pub(crate) use directives::{ask_the_same, take_solution};
pub(crate) use files::{PlanFiles, find_named_files};
pub(crate) use link::defines;
pub(crate) use plan::plan_designs;
pub(crate) use software::{explain_program, find_only_program, set_software_aside};
pub(crate) use solution::keep_solution;
pub(crate) use target::set_target;
pub(crate) use tool::ToolPlan;
