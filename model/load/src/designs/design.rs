//! The files of one design, as they are planned.

use std::collections::BTreeSet;
use std::path::PathBuf;

use derate_machine::NamedPart;

use crate::paths::{folder_of, is_within};
use crate::search::BuildScript;

/// The files of one design.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct DesignPlan {
    /// Its folder from the one that is searched, with the name of its project where a folder has several; `.` for the
    /// folder itself.
    pub(crate) name: String,
    pub(crate) sources: BTreeSet<PathBuf>,
    pub(crate) reports: Vec<PathBuf>,
    /// The reports of its solutions, where these are designs of their own.
    pub(crate) solutions: Vec<PathBuf>,
    pub(crate) connectivity: Option<PathBuf>,
    pub(crate) scripts: Vec<BuildScript>,
    /// What Makefiles, `CMake` and shell scripts name, of its folder or of the nearest one around it: each file with its parts.
    pub(crate) named: Vec<(String, Vec<NamedPart>)>,
    /// Its folder.
    pub(super) folder: String,
}

impl DesignPlan {
    /// Its folder.
    pub(crate) fn folder(&self) -> &str {
        &self.folder
    }

    /// Takes over what another plan has; the folder is the one around both.
    pub(crate) fn join(&mut self, other: Self) {
        self.sources.extend(other.sources);
        self.reports.extend(other.reports);
        self.connectivity = self.connectivity.take().or(other.connectivity);
        self.solutions.extend(other.solutions);
        self.scripts.extend(other.scripts);
        self.named.extend(other.named);
        while !is_within(&other.folder, &self.folder) {
            self.folder = folder_of(&self.folder).to_owned();
        }
    }
}
