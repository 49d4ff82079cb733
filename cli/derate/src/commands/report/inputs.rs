//! The files that a report is made from: none of them is written over.

use derate_model::load;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Error, bail};
use derate_model::Analysis;

use super::files;
use crate::args;

/// Their places, without links.
pub(super) struct Inputs(BTreeSet<PathBuf>);

impl Inputs {
    /// Everything that was read of the project, and what the command line names; but for the report of an earlier run
    /// that the new one replaces.
    pub(super) fn new(args: &args::Report, analysis: &Analysis) -> Self {
        let dir = load::project_folder(&args.project);
        let sources = analysis.sources.files().map(|file| analysis.sources.name(file));
        let recordings = analysis.recordings.iter().map(|recording| recording.file.as_str());
        let project = &analysis.project;
        let points = project.points.iter().map(|points| points.value.as_str());
        let named =
            sources.chain(recordings).chain(points).chain([project.platform.value.as_str()]);
        let report = args.out.join(files::REPORT).canonicalize().ok();
        let compare = args.compare.iter().filter(|old| old.canonicalize().ok() != report);
        let given = args.points.iter().chain(compare).cloned();
        let all = named.map(|name| dir.join(name)).chain(given).chain([args.project.clone()]);
        Self::of(all)
    }

    /// These files; those that are not there are none.
    pub(super) fn of(paths: impl Iterator<Item = PathBuf>) -> Self {
        Self(paths.filter_map(|path| path.canonicalize().ok()).collect())
    }

    /// Whether this file was read.
    pub(super) fn contains_file(&self, path: &Path) -> bool {
        path.canonicalize().is_ok_and(|path| self.0.contains(&path))
    }

    /// Refuses a file that was read.
    pub(super) fn refuse_input(&self, path: &Path) -> Result<(), Error> {
        if self.contains_file(path) {
            bail!(
                "{}: that file is read, so it is not written and no file was changed: name another folder with --out",
                path.display()
            );
        }
        Ok(())
    }
}
