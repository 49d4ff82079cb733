//! From a folder to an analysis.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, anyhow, bail};
use derate_hls::{FileId, Sources};
use derate_model::audit::check_rule_codes;
use derate_model::measurement::Recording;
use derate_model::points::{self, MeasuredPoint};
use derate_model::{Analysis, Build, Claim, Code, ModelShape, Named, Platform, Project};

use crate::args::Preprocess;
use crate::includes::{self, Disk};
use crate::{output, read};

/// The file that holds the claims.
pub(crate) const FILE: &str = "derate.toml";

/// The project file alone, with its folder and its card.
pub(crate) fn claims(
    place: &Path,
    sources: &mut Sources,
) -> Result<(PathBuf, Project, Platform), Error> {
    let (dir, project) = open(place, sources)?;
    let platform = platform(&dir, sources, &project.platform)?;
    Ok((dir, project, platform))
}

/// The project file and its folder.
fn open(place: &Path, sources: &mut Sources) -> Result<(PathBuf, Project), Error> {
    let file = if place.is_dir() { place.join(FILE) } else { place.to_owned() };
    if !file.exists() {
        bail!(
            "there is no {}: run `derate init` in the project's folder, or name the folder that has one",
            file.display()
        );
    }
    let dir = file.parent().map_or_else(|| PathBuf::from("."), Path::to_owned);
    let name = file
        .file_name()
        .map_or_else(|| FILE.to_owned(), |name| name.to_string_lossy().into_owned());
    let toml = sources.add(name, read::text(&file)?);
    let project = Project::parse(sources, toml)?;
    check_rule_codes(sources, &project)?;
    Ok((dir, project))
}

/// Reads everything that the project's `derate.toml` names.
pub(crate) fn load(place: &Path, preprocess: &Preprocess) -> Result<Analysis, Error> {
    let mut sources = Sources::default();
    let (dir, project) = open(place, &mut sources)?;
    let recordings = recordings(&dir, &sources, &project)?;

    let Some(shapes) = &project.model.shapes else {
        bail!(
            "{}: no dump of the model is named: add `[model] shapes = \"model_shape.txt\"`; without one, only \
             `derate validate` has something to say",
            sources.name(project.file)
        );
    };
    let dump =
        read::dump(&dir.join(&shapes.value)).map_err(|error| at(&sources, shapes, &error))?;
    let dump = sources.add(shapes.value.clone(), dump);
    let shape = ModelShape::parse(&sources, dump, None)?;

    let platform = platform(&dir, &sources, &project.platform)?;
    let headers = files(&dir, &mut sources, &project.hls.sources)?;
    let headers: Vec<FileId> = headers.into_iter().map(|named| named.file).collect();
    let build = build(&dir, &mut sources, &project)?;
    let mut disk = disk(&dir, &sources, &project, preprocess)?;
    for &header in &headers {
        let name = sources.name(header);
        disk.know(name, &dir.join(name));
    }
    let given = project.hls.defines.iter().map(|define| define.value.clone());
    // What the command line says comes last, and so counts.
    let defines: Vec<_> = given.chain(includes::defines(preprocess)?).collect();
    let code = Code::new(&mut sources, &headers, &defines, &mut disk, Some(&shape));
    let mut analysis = Analysis::new(sources, project, shape, code, platform, build)?;
    analysis.options = includes::command_words(preprocess, &dir);
    analysis.recordings = recordings;
    Ok(analysis)
}

/// Finds the includes of the project's sources: the folders of the command line go before those of `[hls] include`.
fn disk(
    dir: &Path,
    sources: &Sources,
    project: &Project,
    preprocess: &Preprocess,
) -> Result<Disk, Error> {
    let mut disk = Disk::new(dir, Some(dir));
    for folder in &preprocess.include {
        disk.search(folder).context("-I")?;
    }
    for folder in &project.hls.include {
        disk.search(&dir.join(&folder.value)).map_err(|error| at(sources, folder, &error))?;
    }
    Ok(disk)
}

/// `file:line: reason`, the line being the one that named the file.
fn at(sources: &Sources, claim: &Claim<String>, reason: &impl std::fmt::Display) -> Error {
    anyhow!("{}:{}: {reason:#}", sources.name(claim.span.file), sources.position(claim.span).line)
}

/// A name of the catalogue, or a path to a file of its form.
fn platform(dir: &Path, sources: &Sources, claim: &Claim<String>) -> Result<Platform, Error> {
    let name = &claim.value;
    let is_path = Path::new(name).extension().is_some_and(|e| e.eq_ignore_ascii_case("toml"));
    let platform = if is_path {
        Platform::parse(
            name,
            &read::text(&dir.join(name)).map_err(|error| at(sources, claim, &error))?,
        )
    } else {
        Platform::named(name)
    };
    platform.map_err(|error| at(sources, claim, &error))
}

/// The v++ configuration and the reports.
fn build(dir: &Path, sources: &mut Sources, project: &Project) -> Result<Build, Error> {
    let reports = files(dir, sources, &project.hls.reports)?;
    let connectivity = match &project.hls.connectivity {
        Some(path) => files(dir, sources, std::slice::from_ref(path))?.into_iter().next(),
        None => None,
    };
    Ok(Build::read(sources, &reports, connectivity)?)
}

/// The files that one pattern matches, sorted; the error is that there are none.
fn matches(
    dir: &Path,
    sources: &Sources,
    pattern: &Claim<String>,
) -> Result<Vec<(PathBuf, String)>, Error> {
    let from = glob::Pattern::escape(&dir.to_string_lossy());
    let full = Path::new(&from).join(&pattern.value);
    let paths = glob::glob(&full.to_string_lossy()).map_err(|error| {
        at(sources, pattern, &format!("`{}` is no pattern: {}", pattern.value, error.msg))
    })?;
    // Names are the project's own, whatever folder derate was started from.
    let named = |path: PathBuf| {
        let name = path.strip_prefix(dir).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        (path, name)
    };
    let found: Vec<(PathBuf, String)> =
        paths.filter_map(Result::ok).filter(|path| path.is_file()).map(named).collect();
    if found.is_empty() {
        return Err(at(
            sources,
            pattern,
            &format!("`{}` matches no file: mend the path, or take it out", pattern.value),
        ));
    }
    Ok(found)
}

/// What `[measurements] files` names, each file once.
pub(crate) fn recordings(
    dir: &Path,
    sources: &Sources,
    project: &Project,
) -> Result<Vec<Recording>, Error> {
    let mut seen = BTreeSet::new();
    let mut recordings = Vec::new();
    for pattern in &project.measurements {
        for (path, name) in matches(dir, sources, pattern)? {
            if seen.insert(name.clone()) {
                let text = read::text(&path).map_err(|error| at(sources, pattern, &error))?;
                recordings.push(Recording::parse(&name, &text)?);
            }
        }
    }
    Ok(recordings)
}

/// The folder that names in the project stand below.
pub(crate) fn folder(place: &Path) -> &Path {
    if place.is_dir() { place } else { place.parent().unwrap_or(place) }
}

/// The measured points that `[measurements] points` names, then those of `more`.
pub(crate) fn points(
    place: &Path,
    analysis: &Analysis,
    more: Option<&Path>,
) -> Result<Vec<MeasuredPoint>, Error> {
    let dir = folder(place);
    let mut all = Vec::new();
    if let Some(claim) = &analysis.project.points {
        let text = read::text(&dir.join(&claim.value))
            .map_err(|error| at(&analysis.sources, claim, &error))?;
        all.extend(points::points(&claim.value, &text)?);
    }
    if let Some(path) = more {
        all.extend(points::points(&path.display().to_string(), &read::text(path)?)?);
    }
    Ok(all)
}

/// The files that patterns of `[hls]` name, each once, in the order of their patterns and sorted within.
fn files(
    dir: &Path,
    sources: &mut Sources,
    patterns: &[Claim<String>],
) -> Result<Vec<Named>, Error> {
    let mut seen = BTreeSet::new();
    let mut files = Vec::new();
    for pattern in patterns {
        for (path, name) in matches(dir, sources, pattern)? {
            if seen.insert(name.clone()) {
                let (text, replaced) =
                    read::source(&path).map_err(|error| at(sources, pattern, &error))?;
                if replaced {
                    output::replaced(&name);
                }
                let by_pattern = patterns.iter().all(|pattern| pattern.value != name);
                let file = sources.add(name, text);
                files.push(Named { file, by: pattern.clone(), by_pattern });
            }
        }
    }
    Ok(files)
}
