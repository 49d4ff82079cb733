//! Loads what `derate audit` is given: a project with its model, or a folder as far as its files show it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use derate_estimate::DesignFiles;
use derate_hls::{FileId, Sources};
use derate_project::{KernelOrigin, Project};

use crate::designs::{DesignPlan, ToolPlan, find_named_files, plan_designs, set_target};
use crate::folder::{list_cards, load_searched, read_designs};
use crate::given::Given;
use crate::matches::find_matches;
use crate::project::{list_include_folders, open, read_code, read_platform};
use crate::search::{Exclude, LibraryFolders, Search, find_named_card};
use crate::{FILE, LoadError, LoadedFolder, LoadedProject, Preprocess, Selection, load_project};

/// What is audited.
pub enum LoadedAudit {
    /// A project whose model is known.
    Project(Box<LoadedProject>),
    /// The designs of a folder, without a model.
    Folder(Box<LoadedFolder>),
}

/// Reads a project, or a folder that has no `derate.toml`, or whose `derate.toml` names no dump. `selection` leaves files
/// out of the search of a folder, and chooses a solution.
///
/// # Errors
///
/// The first file that is named and is not what it should be, a folder in which there is nothing to audit, or files to leave
/// out of a project that names its own.
pub fn load_audit(
    place: &Path,
    preprocess: &Preprocess,
    selection: &Selection,
) -> Result<LoadedAudit, LoadError> {
    if place.is_dir() && !place.join(FILE).exists() {
        let folder = load_searched(place, preprocess, selection, &Given::default())?;
        return Ok(LoadedAudit::Folder(Box::new(folder)));
    }
    match load_project(place, preprocess) {
        Ok(_) if !selection.is_all() => Err(LoadError::NamesFiles(place.to_owned())),
        Ok(project) => Ok(LoadedAudit::Project(Box::new(project))),
        Err(LoadError::NoDump(_)) => {
            Ok(LoadedAudit::Folder(Box::new(load_described(place, preprocess, selection)?)))
        }
        Err(error) => Err(error),
    }
}

/// A project without a model: what its `[hls]` names, or where that is nothing, what its folder has. Its designs are
/// separated as those of a folder are.
fn load_described(
    place: &Path,
    preprocess: &Preprocess,
    selection: &Selection,
) -> Result<LoadedFolder, LoadError> {
    let (mut sources, mut replaced) = (Sources::default(), Vec::new());
    let (dir, project) = open(place, &mut sources)?;
    let given = find_given(&dir, &sources, &project)?;
    let hls = &project.hls;
    if hls.sources.is_empty() && hls.reports.is_empty() && hls.connectivity.is_none() {
        return attach_project(
            load_searched(&dir, preprocess, selection, &given)?,
            &sources,
            &project,
        );
    }
    if !selection.is_all() {
        return Err(LoadError::NamesFiles(place.to_owned()));
    }
    // A folder too large to be searched is what its project says: one design.
    let planned = match Search::new(&dir) {
        Ok(search) => find_named_files(&search, &sources, &project)?
            .map(|files| (plan_designs(&search, &files), search)),
        Err(LoadError::TooManyFiles { .. }) => None,
        Err(error) => return Err(error),
    };
    let (plans, search) = planned.map_or((Vec::new(), None), |(plans, one)| (plans, Some(one)));
    if let Some(search) = &search
        && plans.iter().filter(|plan| plan.is_compiled()).count() > 1
    {
        let folder = read_designs(search, plans, preprocess, &given)?;
        return attach_project(folder, &sources, &project);
    }
    let (code, build) = read_code(&dir, &mut sources, &project, preprocess, None, &mut replaced)?;
    let mut design = DesignFiles::new(".", code, build);
    let mut plan = DesignPlan::default();
    for other in plans {
        plan.join(other);
    }
    plan.name.clone_from(&design.name);
    let headers = design.code.all_headers().iter();
    let files: BTreeMap<&str, FileId> =
        headers.map(|header| (sources.name(header.file), header.file)).collect();
    let id = |path: &PathBuf| {
        let name = path.strip_prefix(&dir).unwrap_or(path).to_string_lossy();
        files.get(name.as_ref()).copied()
    };
    let together = plan.scripts.iter().map(|script| &script.files).chain(&given.kernels);
    let builds = together.map(|files| files.iter().filter_map(id).collect()).collect();
    design.builds = builds;
    design.tops = plan.scripts.iter().flat_map(|script| script.tops.iter().cloned()).collect();
    if let Some(platform) = &given.platform {
        design.set_platform(platform, given.clock.unwrap_or(platform.clock.value));
    } else {
        let link = design.build.connectivity.as_ref();
        let cards = list_cards();
        let card = link.and_then(|(file, _)| {
            find_named_card(sources.name(*file), sources.text(*file), &cards)
        });
        let readme = search.as_ref().and_then(Search::find_readme_part);
        set_target(&mut design, &plan, (card, readme.as_ref()), &given, &cards, &sources);
    }
    let mut designs = vec![design];
    if let Some(search) = &search {
        ToolPlan::of(&[plan]).settle(&mut designs, search);
    }
    Ok(LoadedFolder {
        sources,
        project: Some(project),
        designs,
        options: preprocess.command_words(&dir),
        replaced,
        not_audited: Vec::new(),
        exclude: Exclude::default(),
        left_out: Vec::new(),
        vendored: LibraryFolders::default(),
    })
}

/// What a project says of its designs beside the files.
fn find_given(dir: &Path, sources: &Sources, project: &Project) -> Result<Given, LoadError> {
    let named = (!project.assumes_platform).then_some(&project.platform);
    let mut kernels = Vec::new();
    for section in &project.kernels {
        if let KernelOrigin::Source(source) = &section.origin {
            let mut files = BTreeSet::new();
            for pattern in &source.files {
                files
                    .extend(find_matches(dir, sources, pattern)?.into_iter().map(|(path, _)| path));
            }
            kernels.push(files);
        }
    }
    Ok(Given {
        platform: named.map(|name| read_platform(dir, sources, name)).transpose()?,
        clock: project.claims.clock.as_ref().map(|claim| claim.value),
        include: list_include_folders(dir, sources, project)?,
        defines: project.hls.defines.iter().map(|define| define.value.clone()).collect(),
        kernels,
    })
}

/// The designs with the project, whose places are those in their texts.
fn attach_project(
    mut folder: LoadedFolder,
    sources: &Sources,
    project: &Project,
) -> Result<LoadedFolder, LoadError> {
    let toml = folder.sources.add(sources.name(project.file), sources.text(project.file));
    folder.project = Some(Project::parse(&folder.sources, toml)?);
    Ok(folder)
}
