//! Loads what `derate audit` is given: a project with its model, or a folder as far as its files show it.

use std::path::Path;

use derate_estimate::DesignFiles;
use derate_hls::Sources;

use crate::project::{open, read_code, read_platform};
use crate::{FILE, LoadError, LoadedFolder, LoadedProject, Preprocess, load_folder, load_project};

/// What is audited.
pub enum LoadedAudit {
    /// A project whose model is known.
    Project(Box<LoadedProject>),
    /// The designs of a folder, without a model.
    Folder(Box<LoadedFolder>),
}

/// Reads a project, or a folder that has no `derate.toml`, or whose `derate.toml` names no dump.
///
/// # Errors
///
/// The first file that is named and is not what it should be, or a folder in which there is nothing to audit.
pub fn load_audit(place: &Path, preprocess: &Preprocess) -> Result<LoadedAudit, LoadError> {
    if place.is_dir() && !place.join(FILE).exists() {
        return Ok(LoadedAudit::Folder(Box::new(load_folder(place, preprocess)?)));
    }
    match load_project(place, preprocess) {
        Ok(project) => Ok(LoadedAudit::Project(Box::new(project))),
        Err(LoadError::NoDump(_)) => {
            Ok(LoadedAudit::Folder(Box::new(load_described(place, preprocess)?)))
        }
        Err(error) => Err(error),
    }
}

/// A project without a model: its `[hls]`, its card and its claims; where `[hls]` names nothing, what its folder has.
fn load_described(place: &Path, preprocess: &Preprocess) -> Result<LoadedFolder, LoadError> {
    let (mut sources, mut replaced) = (Sources::default(), Vec::new());
    let (dir, project) = open(place, &mut sources)?;
    let platform = read_platform(&dir, &sources, &project.platform)?;
    let clock = project.claims.clock.as_ref().map_or(platform.clock.value, |claim| claim.value);
    let hls = &project.hls;
    if hls.sources.is_empty() && hls.reports.is_empty() && hls.connectivity.is_none() {
        let mut folder = load_folder(&dir, preprocess)?;
        for design in &mut folder.designs {
            design.set_platform(&platform, clock);
        }
        let toml = folder.sources.add(sources.name(project.file), sources.text(project.file));
        folder.project = Some(derate_project::Project::parse(&folder.sources, toml)?);
        return Ok(folder);
    }
    let (code, build) = read_code(&dir, &mut sources, &project, preprocess, None, &mut replaced)?;
    let mut design = DesignFiles::new(".", code, build);
    design.set_platform(&platform, clock);
    Ok(LoadedFolder {
        sources,
        project: Some(project),
        designs: vec![design],
        options: preprocess.command_words(&dir),
        replaced,
        not_audited: Vec::new(),
    })
}
