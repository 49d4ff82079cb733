//! Loads a project: from a folder to an analysis.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use derate_audit::check_rule_codes;
use derate_design::{find_built_formats, join_kernels, refuse_claim};
use derate_dump::ModelShape;
use derate_estimate::Analysis;
use derate_hls::{FileId, Sources};
use derate_machine::Platform;
use derate_measure::Recording;
use derate_measure::points::{self, MeasuredPoint};
use derate_project::{Build, Claim, Code, Named, Project, ProjectError};

use crate::design_kernels::read_design_kernels;
use crate::matches::find_matches;
use crate::times::read_times;
use crate::unbuilt::find_unbuilt;
use crate::workload::load_model;
use crate::{Disk, LoadError, Preprocess, read_source, read_text};

/// The file that holds the claims.
pub const FILE: &str = "derate.toml";

/// The project file alone, with its folder and its card.
pub fn load_claims(
    place: &Path,
    sources: &mut Sources,
) -> Result<(PathBuf, Project, Platform), LoadError> {
    let (dir, project) = open(place, sources)?;
    let platform = read_platform(&dir, sources, &project.platform)?;
    Ok((dir, project, platform))
}

/// The project file and its folder.
pub(crate) fn open(place: &Path, sources: &mut Sources) -> Result<(PathBuf, Project), LoadError> {
    let file = if place.is_dir() { place.join(FILE) } else { place.to_owned() };
    if !file.exists() {
        return Err(LoadError::NoProject(file));
    }
    if file.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case("toml")) {
        return Err(LoadError::NotAProject(file));
    }
    let dir = file.parent().map_or_else(|| PathBuf::from("."), Path::to_owned);
    let name = file
        .file_name()
        .map_or_else(|| FILE.to_owned(), |name| name.to_string_lossy().into_owned());
    let toml = sources.add(name, read_text(&file)?);
    let project = Project::parse(sources, toml)?;
    check_rule_codes(sources, &project)?;
    Ok((dir, project))
}

/// A project as it was loaded.
pub struct LoadedProject {
    /// The project with its sources.
    pub analysis: Analysis,
    /// Files that are not UTF-8 throughout; their odd bytes were replaced.
    pub replaced: Vec<String>,
}

/// The sources, reports and v++ configuration that `[hls]` names.
pub(crate) fn read_code(
    dir: &Path,
    sources: &mut Sources,
    project: &Project,
    preprocess: &Preprocess,
    shape: Option<&ModelShape>,
    replaced: &mut Vec<String>,
) -> Result<(Code, Build), LoadError> {
    let headers = read_files(dir, sources, &project.hls.sources, replaced)?;
    let headers: Vec<FileId> = headers.into_iter().map(|named| named.file).collect();
    let build = read_build(dir, sources, project, replaced)?;
    let mut disk = open_disk(dir, sources, project, preprocess)?;
    for &header in &headers {
        let name = sources.name(header);
        disk.know(name, &dir.join(name));
    }
    let given = project.hls.defines.iter().map(|define| define.value.clone());
    // What the command line says comes last, and so counts.
    let defines: Vec<_> = given.chain(preprocess.macros()?).collect();
    let code = Code::new(sources, &headers, &defines, &mut disk, shape);
    replaced.extend_from_slice(disk.replaced());
    Ok((code, build))
}

/// Reads everything that the project's `derate.toml` names; `place` is the project's folder or that file.
///
/// # Errors
///
/// The first file that is not there or not what it should be, with the line that names it.
pub fn load_project(place: &Path, preprocess: &Preprocess) -> Result<LoadedProject, LoadError> {
    let (mut sources, mut replaced) = (Sources::default(), Vec::new());
    let (dir, project) = open(place, &mut sources)?;
    let recordings = read_recordings(&dir, &sources, &project)?;

    let (shape, graph) = load_model(&dir, &mut sources, &project)?;

    let platform = read_platform(&dir, &sources, &project.platform)?;
    let (code, build) =
        read_code(&dir, &mut sources, &project, preprocess, Some(&shape), &mut replaced)?;
    let mut analysis = Analysis::with_graph(sources, project, shape, graph, code, platform, build)?;
    analysis.options = preprocess.command_words(&dir);
    analysis.recordings = recordings;
    analysis.kernels = read_design_kernels(&dir, &mut analysis, preprocess, &mut replaced)?;
    analysis.times = read_times(dir.as_path(), &analysis)?;
    join_kernels(&analysis)?;
    for claim in &analysis.project.claims.figures {
        if let Some(reason) = refuse_claim(&analysis, &claim.value) {
            let span = claim.value.of.as_ref().map_or(claim.span, |of| of.span);
            return Err(ProjectError::at(&analysis.sources, span, reason).into());
        }
    }
    analysis.set_unbuilt(find_unbuilt(dir.as_path(), &analysis));
    analysis.built = find_built_formats(&analysis);
    Ok(LoadedProject { analysis, replaced })
}

/// Finds the includes of the project's sources: the folders of the command line go before those of `[hls] include`.
pub(crate) fn open_disk(
    dir: &Path,
    sources: &Sources,
    project: &Project,
    preprocess: &Preprocess,
) -> Result<Disk, LoadError> {
    let mut disk = Disk::new(dir, Some(dir));
    for folder in &preprocess.include {
        disk.search(folder)?;
    }
    for folder in list_include_folders(dir, sources, project)? {
        disk.search(&folder)?;
    }
    Ok(disk)
}

/// The folders of `[hls] include`.
pub(crate) fn list_include_folders(
    dir: &Path,
    sources: &Sources,
    project: &Project,
) -> Result<Vec<PathBuf>, LoadError> {
    let found = project.hls.include.iter().map(|folder| {
        let path = dir.join(&folder.value);
        if path.is_dir() {
            return Ok(path);
        }
        let reason = format!("{} is not a folder: check the path", path.display());
        Err(LoadError::at(sources, folder, &reason))
    });
    found.collect()
}

/// A name of the catalogue, or a path to a file of its form.
pub(crate) fn read_platform(
    dir: &Path,
    sources: &Sources,
    claim: &Claim<String>,
) -> Result<Platform, LoadError> {
    let name = &claim.value;
    let is_path = Path::new(name).extension().is_some_and(|e| e.eq_ignore_ascii_case("toml"));
    let platform = if is_path {
        Platform::parse(
            name,
            &read_text(&dir.join(name)).map_err(|error| LoadError::at(sources, claim, &error))?,
        )
    } else {
        Platform::named(name)
    };
    platform.map_err(|error| LoadError::at(sources, claim, &error))
}

/// The v++ configuration and the reports.
pub(crate) fn read_build(
    dir: &Path,
    sources: &mut Sources,
    project: &Project,
    replaced: &mut Vec<String>,
) -> Result<Build, LoadError> {
    let reports = read_files(dir, sources, &project.hls.reports, replaced)?;
    let connectivity = match &project.hls.connectivity {
        Some(path) => {
            read_files(dir, sources, std::slice::from_ref(path), replaced)?.into_iter().next()
        }
        None => None,
    };
    let scripts = read_files(dir, sources, &project.hls.scripts, replaced)?;
    Ok(Build::read(sources, &reports, connectivity)?.with_scripts(sources, &scripts))
}

/// What `[measurements] files` names, each file once.
pub fn read_recordings(
    dir: &Path,
    sources: &Sources,
    project: &Project,
) -> Result<Vec<Recording>, LoadError> {
    let mut seen = BTreeSet::new();
    let mut recordings = Vec::new();
    for pattern in &project.measurements {
        for (path, name) in find_matches(dir, sources, pattern)? {
            if seen.insert(name.clone()) {
                let text =
                    read_text(&path).map_err(|error| LoadError::at(sources, pattern, &error))?;
                recordings.push(Recording::parse(&name, &text)?);
            }
        }
    }
    Ok(recordings)
}

/// The folder of a project, which its names are spelt from.
pub fn project_folder(place: &Path) -> &Path {
    if place.is_dir() { place } else { place.parent().unwrap_or(place) }
}

/// The measured points that `[measurements] points` names, then those of `more`.
pub fn read_points(
    place: &Path,
    analysis: &Analysis,
    more: Option<&Path>,
) -> Result<Vec<MeasuredPoint>, LoadError> {
    let dir = project_folder(place);
    let mut all = Vec::new();
    if let Some(claim) = &analysis.project.points {
        let text = read_text(&dir.join(&claim.value))
            .map_err(|error| LoadError::at(&analysis.sources, claim, &error))?;
        all.extend(points::read_points(&claim.value, &text)?);
    }
    if let Some(path) = more {
        all.extend(points::read_points(&path.display().to_string(), &read_text(path)?)?);
    }
    Ok(all)
}

/// The files that patterns of `[hls]` name, each once, in the order of their patterns and sorted within.
pub(crate) fn read_files(
    dir: &Path,
    sources: &mut Sources,
    patterns: &[Claim<String>],
    replaced: &mut Vec<String>,
) -> Result<Vec<Named>, LoadError> {
    let mut seen = BTreeSet::new();
    let mut files = Vec::new();
    for pattern in patterns {
        for (path, name) in find_matches(dir, sources, pattern)? {
            if seen.insert(name.clone()) {
                let (text, odd_bytes) =
                    read_source(&path).map_err(|error| LoadError::at(sources, pattern, &error))?;
                if odd_bytes {
                    replaced.push(name.clone());
                }
                let by_pattern = patterns.iter().all(|pattern| pattern.value != name);
                let file = sources.add(name, text);
                files.push(Named { file, by: pattern.clone(), by_pattern });
            }
        }
    }
    Ok(files)
}
