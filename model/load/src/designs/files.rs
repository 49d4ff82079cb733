//! The files that designs are made of: all of a folder, or those that `derate.toml` names.

use std::collections::BTreeSet;
use std::path::PathBuf;

use derate_hls::Sources;
use derate_project::{Claim, Project};

use crate::LoadError;
use crate::matches::find_matches;
use crate::paths::plain;
use crate::search::Search;

/// Sources, reports and v++ configurations.
pub(crate) struct PlanFiles {
    pub(crate) sources: BTreeSet<PathBuf>,
    pub(crate) reports: Vec<PathBuf>,
    pub(crate) connectivity: Vec<PathBuf>,
    /// Whether `derate.toml` names them. Its v++ configuration then is of the designs whose kernels it links.
    pub(crate) are_named: bool,
}

impl PlanFiles {
    /// All of a folder.
    pub(crate) fn found(search: &Search) -> Self {
        let owned = |paths: Vec<&PathBuf>| paths.into_iter().cloned().collect::<Vec<PathBuf>>();
        Self {
            sources: search.list_sources().into_iter().cloned().collect(),
            reports: owned(search.list_reports()),
            connectivity: owned(search.list_connectivity()),
            are_named: false,
        }
    }
}

/// The files that `[hls]` names; `None` where one of them lies beyond the folder.
///
/// # Errors
///
/// A pattern that matches no file.
pub(crate) fn find_named_files(
    search: &Search,
    sources: &Sources,
    project: &Project,
) -> Result<Option<PlanFiles>, LoadError> {
    let listed: BTreeSet<&PathBuf> = search.files.iter().collect();
    let find = |patterns: &[Claim<String>]| -> Result<Option<Vec<PathBuf>>, LoadError> {
        let mut found = Vec::new();
        for pattern in patterns {
            for (_, name) in find_matches(&search.dir, sources, pattern)? {
                let path = search.dir.join(plain(name.as_ref()));
                if !listed.contains(&path) {
                    return Ok(None);
                }
                if !found.contains(&path) {
                    found.push(path);
                }
            }
        }
        Ok(Some(found))
    };
    let hls = &project.hls;
    let all = (find(&hls.sources)?, find(&hls.reports)?, find(hls.connectivity.as_slice())?);
    let (Some(sources), Some(reports), Some(connectivity)) = all else { return Ok(None) };
    let sources = sources.into_iter().collect();
    Ok(Some(PlanFiles { sources, reports, connectivity, are_named: true }))
}
