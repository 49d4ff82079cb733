//! Loads what a command names, and says which files are not UTF-8 throughout.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Error;
use derate_hls::{FileId, Sources};
use derate_model::Analysis;
use derate_model::load::{self, Disk, Exclude, LoadedAudit, Selection};

use crate::args::Preprocess;
use crate::output;

/// A project with everything that its `derate.toml` names.
pub(crate) fn load_project(place: &Path, preprocess: &Preprocess) -> Result<Analysis, Error> {
    let loaded = load::load_project(place, &preprocess.options())?;
    loaded.replaced.iter().for_each(output::note_replaced);
    // Kernels may have one script.
    let models = loaded.analysis.kernels.iter().filter_map(|kernel| kernel.source());
    let notes: BTreeSet<&String> = models.flat_map(|model| &model.notes).collect();
    for note in notes {
        output::note(&format!("note: {note}"));
    }
    Ok(loaded.analysis)
}

/// A project with its model, or the designs of a folder.
pub(crate) fn load_audit(
    place: &Path,
    preprocess: &Preprocess,
    exclude: &[String],
    solution: Option<&str>,
) -> Result<LoadedAudit, Error> {
    let selection =
        Selection { exclude: Exclude::parse(exclude)?, solution: solution.map(str::to_owned) };
    let loaded = load::load_audit(place, &preprocess.options(), &selection)?;
    let replaced = match &loaded {
        LoadedAudit::Project(project) => &project.replaced,
        LoadedAudit::Folder(folder) => &folder.replaced,
    };
    replaced.iter().for_each(output::note_replaced);
    Ok(loaded)
}

/// The files of a command line, and where what they include may be.
pub(crate) fn read_named(
    sources: &mut Sources,
    paths: &[PathBuf],
    preprocess: &Preprocess,
) -> Result<(Disk, Vec<FileId>), Error> {
    let named = load::read_named(sources, paths, &preprocess.include)?;
    named.replaced.iter().for_each(output::note_replaced);
    Ok((named.disk, named.files))
}
