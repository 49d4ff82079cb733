//! What is asked of a project.

use std::path::Path;

use derate_model::explore::{Objective, TimeLimit};
use derate_model::{Analysis, Budget, ResourceKind};

use crate::args::Explore;

/// What is asked of a project.
pub(super) struct Asked<'a> {
    pub(super) args: &'a Explore,
    pub(super) place: &'a Path,
    pub(super) analysis: &'a Analysis,
    pub(super) objective: Objective,
    /// What the designs may take.
    pub(super) limits: Budget,
    /// How long they may take, where a resource is to be small.
    pub(super) time_limit: Option<TimeLimit>,
    /// The resource that is to be small, with the longest time.
    pub(super) least: Option<(ResourceKind, f64)>,
}

impl Asked<'_> {
    /// All that the project is read from: a search goes on only where it is the same.
    pub(super) fn texts(&self) -> Vec<&str> {
        let sources = &self.analysis.sources;
        sources.files().map(|file| sources.text(file)).collect()
    }
}
