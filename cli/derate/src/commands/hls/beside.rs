//! The sources that the project around a folder of reports names.

use std::path::{Path, PathBuf};

use derate_hls::read_hls_config;
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
        let sources = around.or_else(|| find_all(&named, folder))?;
        Some(ProjectFiles { sources, directives: directives.clone() })
    })
}

/// The files below a folder; `None` unless all are there.
fn find_all(names: &[String], folder: &Path) -> Option<Vec<PathBuf>> {
    let paths: Vec<PathBuf> = names.iter().map(|name| folder.join(name)).collect();
    (!paths.is_empty() && paths.iter().all(|path| path.is_file())).then_some(paths)
}

/// The C++ files of a project but those of its test bench: `<file name="src/top.cpp" tb="false" .../>`.
fn list_sources(text: &str) -> Vec<String> {
    let files = text.split("<file ").skip(1).filter_map(|piece| piece.split('>').next());
    let attribute = |piece: &str, name: &str| {
        let (_, rest) = piece.split_once(&format!("{name}=\""))?;
        rest.split('"').next().map(str::to_owned)
    };
    let is_source = |name: &String| {
        let endings = [".cpp", ".cc", ".cxx", ".c"];
        endings.iter().any(|ending| name.to_ascii_lowercase().ends_with(ending))
    };
    files
        .filter(|piece| !matches!(attribute(piece, "tb").as_deref(), Some("1" | "true")))
        .filter_map(|piece| attribute(piece, "name"))
        .filter(is_source)
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
