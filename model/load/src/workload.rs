//! Reads the file of a workload: the operations of a model, and the parameters that they read.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use derate_dump::ModelShape;
use derate_hls::Sources;
use derate_project::{Claim, Project};
use derate_workload::graph::{Dimensions, Graph, SCHEMA};

use crate::hls4ml::{find_project, read_project};
use crate::{LoadError, ReadError, read_bytes, read_text};

/// A file that gives the operations of a model.
pub struct LoadedWorkload {
    /// The operations.
    pub graph: Graph,
    /// The parameters.
    pub shape: ModelShape,
}

/// Whether `[model] workload` names a file, not a workload of derate's own.
fn is_file(name: &str) -> bool {
    let extension = Path::new(name).extension();
    extension.is_some_and(|e| ["json", "onnx"].iter().any(|known| e.eq_ignore_ascii_case(known)))
}

/// Whether a name is that of hls4ml's configuration.
fn is_config(name: &str) -> bool {
    let extension = Path::new(name).extension();
    extension.is_some_and(|e| ["yml", "yaml"].iter().any(|known| e.eq_ignore_ascii_case(known)))
}

fn is_onnx(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|e| e.eq_ignore_ascii_case("onnx"))
}

/// Whether a text is a recorded workload.
fn is_recorded(text: &str) -> bool {
    let begin = text.trim_start().strip_prefix('{').map_or("", str::trim_start);
    begin.starts_with("\"schema\"")
        && begin.chars().take(80).collect::<String>().contains("derate.workload/")
}

/// The workload in a file; `None` for a file of another kind. `dimensions` are the sizes that an ONNX file leaves open.
///
/// # Errors
///
/// A file that cannot be read, or a workload whose shapes contradict one another.
pub fn read_workload(
    path: &Path,
    name: &str,
    dimensions: &Dimensions,
    sources: &mut Sources,
) -> Result<Option<LoadedWorkload>, LoadError> {
    if let Some(folder) = find_project(path) {
        return read_generated(&folder, name, sources).map(Some);
    }
    if !is_file(name) {
        return Ok(None);
    }
    if is_onnx(name) {
        let title = Path::new(name).file_stem().map_or(name.into(), |stem| stem.to_string_lossy());
        let graph = Graph::parse_onnx(&title, read_bytes(path)?, dimensions)
            .map_err(|error| ReadError::new(path, format!("is not a workload: {error}")))?;
        return Ok(Some(list_own(graph, name, sources)));
    }
    let text = read_text(path)?;
    if !is_recorded(&text) {
        return Ok(None);
    }
    let graph = Graph::parse(&text)
        .map_err(|error| ReadError::new(path, format!("is not a workload: {error}")))?;
    // A model without parameters is one, too.
    let shape = if graph.list_parameters().next().is_none() {
        ModelShape::list(sources, name, std::iter::empty())
    } else {
        let file = sources.add(name.to_owned(), text);
        ModelShape::parse(sources, file, None)?
    };
    Ok(Some(LoadedWorkload { graph, shape }))
}

/// A graph with the parameters that it names.
fn list_own(graph: Graph, name: &str, sources: &mut Sources) -> LoadedWorkload {
    let tensors = graph.list_parameters().map(|(name, at)| {
        let value = &graph.values[at];
        (name, value.shape.as_slice(), value.dtype)
    });
    let shape = ModelShape::list(sources, name, tensors);
    LoadedWorkload { graph, shape }
}

/// The workload of a project that hls4ml wrote into `folder`.
fn read_generated(
    folder: &Path,
    name: &str,
    sources: &mut Sources,
) -> Result<LoadedWorkload, LoadError> {
    let root = if is_config(name) {
        Path::new(name).parent().map_or(Cow::Borrowed(""), Path::to_string_lossy)
    } else {
        Cow::Borrowed(name)
    };
    let root = if root.is_empty() { "." } else { root.as_ref() };
    let files = read_project(folder, root, sources)?;
    let last = folder.file_name().map_or(name.into(), |last| last.to_string_lossy());
    let graph = Graph::read_hls4ml(&last, sources, &files)
        .map_err(|error| ReadError::new(folder, format!("is not a workload: {error}")))?;
    Ok(list_own(graph, name, sources))
}

/// What the file has that `[model] workload` names; `None` where it names none.
pub(crate) fn load_workload(
    dir: &Path,
    sources: &mut Sources,
    project: &Project,
) -> Result<Option<LoadedWorkload>, LoadError> {
    let is_read = |claim: &&Claim<String>| {
        is_file(&claim.value) || find_project(&dir.join(&claim.value)).is_some()
    };
    let Some(claim) = project.model.workload.as_ref().filter(is_read) else {
        return Ok(None);
    };
    let wrong = |sources: &Sources, error: LoadError, claim: &Claim<String>| match error {
        LoadError::Read(error) => LoadError::at(sources, claim, &error),
        other => other,
    };
    let dimensions = &project.model.dimensions;
    let loaded = read_workload(&dir.join(&claim.value), &claim.value, dimensions, sources)
        .map_err(|error| wrong(sources, error, claim))?;
    if loaded.is_some() {
        return Ok(loaded);
    }
    let reason = format!(
        "{} does not begin with {{\"schema\":\"{SCHEMA}\"}}: record it with derate.trace, or name an ONNX file",
        claim.value
    );
    Err(LoadError::at(sources, claim, &reason))
}

/// The model of a project: its dump, and the operations where a file gives them.
pub(crate) fn load_model(
    dir: &Path,
    sources: &mut Sources,
    project: &Project,
) -> Result<(ModelShape, Option<Arc<Graph>>), LoadError> {
    let loaded = load_workload(dir, sources, project)?;
    let Some(shapes) = &project.model.shapes else {
        let Some(LoadedWorkload { graph, shape }) = loaded else {
            return Err(LoadError::NoDump(sources.name(project.file).to_owned()));
        };
        return Ok((shape, Some(Arc::new(graph))));
    };
    let dump = crate::read_dump(&dir.join(&shapes.value))
        .map_err(|error| LoadError::at(sources, shapes, &error))?;
    let dump = sources.add(shapes.value.clone(), dump);
    let shape = ModelShape::parse(sources, dump, None)?;
    Ok((shape, loaded.map(|loaded| Arc::new(loaded.graph))))
}
