//! The sources that the project around a folder of reports names.

use std::path::{Path, PathBuf};

use derate_hls::{Sources, parse, read_hls_config};
use derate_model::load;

/// Reports are so many folders below the project at most: `project/solution1/syn/report`.
const ABOVE: usize = 5;

/// What a project says of its sources.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ProjectFiles {
    pub(super) sources: Vec<PathBuf>,
    pub(super) directives: Option<PathBuf>,
}

/// The project around a folder: the nearest `hls_config.cfg` or `hls.app` above it whose sources are all there.
pub(super) fn find_project(reports: &Path) -> Option<ProjectFiles> {
    let here = std::env::current_dir().ok()?;
    let absolute = here.join(reports);
    // Names are shown as they are seen from here.
    let seen = |folder: &Path| folder.strip_prefix(&here).unwrap_or(folder).to_owned();
    let above: Vec<PathBuf> = absolute.ancestors().take(ABOVE).map(seen).collect();
    let directives = above.iter().map(|one| one.join("directives.tcl")).find(|one| one.is_file());
    above.iter().find_map(|folder| {
        let config = folder.join("hls_config.cfg");
        if let Ok(text) = load::read_text(&config) {
            let named = read_hls_config(&text).sources;
            let sources = find_all(&named, folder)?;
            return Some(ProjectFiles { sources, directives: Some(config) });
        }
        let apps = ["hls.app", "vitis_hls.app", "vivado_hls.app"];
        let text = apps.iter().find_map(|name| load::read_text(&folder.join(name)).ok())?;
        let named = list_sources(&text);
        // Names are seen from the folder in which the project was made, which is around it.
        let around = if folder == Path::new("") { Some(Path::new("..")) } else { folder.parent() };
        let around = around.and_then(|around| find_all(&named, around));
        let sources = around
            .or_else(|| find_all(&named, folder))
            .or_else(|| find_renamed(&text, &named, folder))?;
        Some(ProjectFiles { sources, directives: directives.clone() })
    })
}

/// The files below a folder; `None` unless all are there.
fn find_all(names: &[String], folder: &Path) -> Option<Vec<PathBuf>> {
    let paths: Vec<PathBuf> = names.iter().map(|name| folder.join(name)).collect();
    (!paths.is_empty() && paths.iter().all(|path| path.is_file())).then_some(paths)
}

/// The sources where the folder of the project has another name now than the project, or a source is gone: those that
/// are there.
fn find_renamed(app: &str, names: &[String], folder: &Path) -> Option<Vec<PathBuf>> {
    let (_, rest) = app.split_once("<project ")?;
    let project = attribute(rest.split('>').next()?, "name")?;
    let below = |name: &String| match name.split_once('/') {
        Some((first, rest)) if first == project => folder.join(rest),
        _ => folder.join(name),
    };
    let paths: Vec<PathBuf> = names.iter().map(below).filter(|path| path.is_file()).collect();
    (!paths.is_empty()).then_some(paths)
}

/// More files are not looked into, nor deeper folders.
const FILES: usize = 500;
const DEEPEST: usize = 3;

/// The only source near a solution that defines its top: below the project's folder, else beside it.
pub(super) fn find_definition(reports: &Path, top: &str) -> Option<ProjectFiles> {
    let solution = reports.ancestors().find(|one| one.join("syn").is_dir())?;
    let directives = Some(solution.join("directives.tcl")).filter(|path| path.is_file());
    let folder = |path: &Path| if path == Path::new("") { PathBuf::from(".") } else { path.into() };
    let project = match solution.parent() {
        Some(project) => folder(project),
        None => PathBuf::from(".."),
    };
    let around = project.parent().map(folder);
    let places = [(Some(project), DEEPEST), (around, 1)];
    for (place, depth) in places {
        let Some(place) = place else { continue };
        let mut files = Vec::new();
        list_cpp(&place, solution, depth, &mut files);
        let mut defining = files.into_iter().filter(|path| defines(path, top));
        match (defining.next(), defining.next()) {
            (Some(only), None) => return Some(ProjectFiles { sources: vec![only], directives }),
            (Some(_), Some(_)) => return None,
            _ => {}
        }
    }
    None
}

/// The C++ files below a folder, but those of the solution, sorted.
fn list_cpp(folder: &Path, solution: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.filter_map(Result::ok).map(|one| one.path()).collect();
    paths.sort();
    for path in paths {
        let hidden =
            path.file_name().and_then(|name| name.to_str()).is_none_or(|one| one.starts_with('.'));
        let is_tool = path.join("syn").is_dir() || path.as_path() == solution;
        if hidden || path.is_symlink() || found.len() >= FILES {
            continue;
        }
        if path.is_dir() {
            if depth > 0 && !is_tool {
                list_cpp(&path, solution, depth - 1, found);
            }
        } else if is_source(&path.to_string_lossy()) {
            found.push(path);
        }
    }
}

fn defines(path: &Path, top: &str) -> bool {
    let Ok((text, _)) = load::read_source(path) else { return false };
    if !text.contains(top) {
        return false;
    }
    let mut sources = Sources::default();
    let file = sources.add(path.to_string_lossy(), text);
    parse(&sources, file).functions.iter().any(|one| one.name == top && one.body.is_some())
}

fn is_source(name: &str) -> bool {
    let endings = [".cpp", ".cc", ".cxx", ".c"];
    endings.iter().any(|ending| name.to_ascii_lowercase().ends_with(ending))
}

fn attribute(piece: &str, name: &str) -> Option<String> {
    let (_, rest) = piece.split_once(&format!("{name}=\""))?;
    rest.split('"').next().map(str::to_owned)
}

/// The C++ files of a project but those of its test bench: `<file name="src/top.cpp" tb="false" .../>`.
fn list_sources(text: &str) -> Vec<String> {
    let files = text.split("<file ").skip(1).filter_map(|piece| piece.split('>').next());
    files
        .filter(|piece| !matches!(attribute(piece, "tb").as_deref(), Some("1" | "true")))
        .filter_map(|piece| attribute(piece, "name"))
        .filter(|name| is_source(name))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_bench_is_no_source() {
        let text = "<project name=\"p\" top=\"f\"><files>\
            <file name=\"../../f_tb.cpp\" sc=\"0\" tb=\"1\" cflags=\"\"/>\
            <file name=\"src/f.cpp\" sc=\"0\" tb=\"false\" cflags=\"\"/>\
            <file name=\"src/f.h\" sc=\"0\" tb=\"false\"/></files></project>";
        assert_eq!(list_sources(text), ["src/f.cpp"]);
    }
}
