//! A file of directives, as a command line names it: an `hls_config.cfg`, or Tcl.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use derate_hls::{
    HlsConfig, ScriptProject, ScriptSolution, TclFile, read_heading_version, read_hls_config,
    read_script,
};
use derate_units::Hertz;
use derate_units::figures::list_few;

use crate::designs::{ask_the_same, take_solution};
use crate::search::{NamedPaths, read_clock};
use crate::{ReadError, read_text, split_flags};

/// What a file of directives says.
#[derive(Clone, Debug, Default)]
pub struct GivenDirectives {
    /// Directives and settings.
    pub file: TclFile,
    /// The part.
    pub part: Option<String>,
    /// The clock, as it is written.
    pub clock: Option<String>,
    /// `clock_uncertainty`, as it is written.
    pub clock_uncertainty: Option<String>,
    /// The top function.
    pub top: Option<String>,
    /// The sources.
    pub sources: Vec<PathBuf>,
    /// `-I`
    pub include: Vec<PathBuf>,
    /// `-D`
    pub define: Vec<String>,
    /// Year and release of the tool that wrote the script.
    pub tool: Option<(u16, u16)>,
    /// What was chosen of several things, and what is not there.
    pub notes: Vec<String>,
}

/// Reads a file of directives. Of a script that makes several designs, the one with this top is taken, and of several solutions
/// the first one that has this clock.
///
/// # Errors
///
/// The file cannot be read.
pub fn read_directives(
    path: &Path,
    top: Option<&str>,
    clock: Option<Hertz>,
) -> Result<GivenDirectives, ReadError> {
    let text = read_text(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    if is_config_file(path) {
        return Ok(of_config(read_hls_config(&text), folder));
    }
    let paths = NamedPaths::around(path, None);
    let projects = read_script(&text, &mut |sourced| {
        let found = paths.find(sourced, Path::is_file);
        read_text(&found.unwrap_or_else(|| folder.join(sourced))).ok()
    });
    let all: Vec<(&ScriptProject, &ScriptSolution)> = projects
        .iter()
        .flat_map(|project| project.solutions.iter().map(move |solution| (project, solution)))
        .collect();
    let mut given = GivenDirectives { tool: read_heading_version(&text), ..Default::default() };
    let shown = path.display();
    let has_top =
        |project: &ScriptProject| project.tops.iter().any(|one| Some(one.as_str()) == top);
    let is_named = projects.iter().any(has_top);
    let own: Vec<_> =
        all.iter().copied().filter(|(project, _)| !is_named || has_top(project)).collect();
    let clocks = |(_, solution): &(&ScriptProject, &ScriptSolution)| {
        solution.clocks.iter().filter_map(|clock| read_clock(&clock.period)).collect()
    };
    let Some((project, solution)) = take_solution(&own, clock, clocks) else {
        let project = projects.first().cloned().unwrap_or_default();
        take_project(&mut given, &project, path);
        return Ok(given);
    };
    take_project(&mut given, project, path);
    given.file = solution.asked.clone();
    given.clock = find_agreed(solution.clocks.iter().map(|clock| &clock.period));
    let others: Vec<String> = own
        .iter()
        .filter(|(_, other)| !ask_the_same(&other.asked.directives, &solution.asked.directives))
        .map(|(project, other)| name_solution(project, other))
        .collect();
    if !others.is_empty() {
        given.notes.push(format!(
            "of the solutions of {shown}, `{}` is taken, not {}: --top and --clock choose another one",
            name_solution(project, solution),
            list_names(&others)
        ));
    }
    if !is_named {
        let tops = projects.iter().flat_map(|one| &one.tops);
        let others: BTreeSet<String> =
            tops.filter(|one| Some(*one) != given.top.as_ref()).cloned().collect();
        let others: Vec<String> = others.into_iter().collect();
        if let Some(top) = given.top.as_ref().filter(|_| !others.is_empty()) {
            let others = list_names(&others);
            given.notes.push(format!(
                "of the tops of {shown}, `{top}` is taken, not {others}: --top chooses another one"
            ));
        }
    }
    given.notes.extend(solution.absent.iter().map(|absent| {
        format!("{shown} reads {absent}, which is not there: directives in it are missing")
    }));
    given.notes.extend(solution.undecided.iter().map(|condition| {
        format!(
            "{shown} asks `{condition}`, which only a run decides: all of its branches are read"
        )
    }));
    given.notes.extend(solution.is_cut.then(|| {
        format!(
            "{shown} is too long or too deep: the rest is not read, and what it asks for is missing"
        )
    }));
    Ok(given)
}

/// Whether a file of directives is a configuration such as `hls_config.cfg`, by its name; else it is Tcl.
#[must_use]
pub fn is_config_file(path: &Path) -> bool {
    let ending = path.extension();
    ending.is_some_and(|end| ["cfg", "ini"].iter().any(|config| end.eq_ignore_ascii_case(config)))
}

fn of_config(config: HlsConfig, folder: &Path) -> GivenDirectives {
    let (include, define) = split_flags(&config.cflags);
    GivenDirectives {
        part: config.part,
        clock: config.clock,
        clock_uncertainty: config.clock_uncertainty,
        top: config.top,
        sources: config.sources.iter().map(|source| folder.join(source)).collect(),
        include: include.iter().map(|one| folder.join(one)).collect(),
        define,
        file: config.file,
        ..GivenDirectives::default()
    }
}

fn take_project(given: &mut GivenDirectives, project: &ScriptProject, script: &Path) {
    let paths = NamedPaths::around(script, project.name.as_deref());
    let folder = script.parent().unwrap_or(Path::new(""));
    given.part = find_agreed(project.parts.iter());
    given.top = project.tops.first().cloned();
    let find =
        |named: &String| paths.find(named, Path::is_file).unwrap_or_else(|| folder.join(named));
    given.sources = project.files.iter().map(find).collect();
    let (include, define) = split_flags(&project.cflags);
    let find = |named: &String| {
        let found = paths.find(named, Path::is_dir)?;
        // The folder that derate runs in.
        Some(if found.as_os_str().is_empty() { PathBuf::from(".") } else { found })
    };
    given.include = include.iter().filter_map(find).collect();
    given.define = define;
}

/// What all say, if they say the same.
fn find_agreed<'a>(mut all: impl Iterator<Item = &'a String>) -> Option<String> {
    let first = all.next()?;
    all.all(|other| other == first).then(|| first.clone())
}

fn name_solution(project: &ScriptProject, solution: &ScriptSolution) -> String {
    match (&project.name, &solution.name) {
        (Some(project), Some(solution)) => format!("{project}/{solution}"),
        (Some(name), None) | (None, Some(name)) => name.clone(),
        (None, None) => "the one without a name".to_owned(),
    }
}

fn list_names(names: &[String]) -> String {
    const NAMED: usize = 3;
    let shown: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    list_few(&shown, NAMED)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, clock: Option<f64>) -> GivenDirectives {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.tcl");
        std::fs::write(&path, text).unwrap();
        read_directives(&path, None, clock.map(Hertz)).unwrap()
    }

    #[test]
    fn the_folder_of_a_script_is_a_folder_of_includes() {
        // The script is in the folder that derate runs in, as no folder is named.
        let text = "open_project p\nset_top f\nadd_files f.cpp -cflags \" -I . -I gone -DN=4 \"\n";
        let project = read_script(text, &mut |_| None).remove(0);
        let mut given = GivenDirectives::default();
        take_project(&mut given, &project, Path::new("run.tcl"));
        assert_eq!(given.include, [PathBuf::from(".")]);
        assert_eq!(given.define, ["N=4"]);
    }

    #[test]
    fn the_solution_that_has_the_clock_is_taken() {
        let text = "open_project p\nset_top f\nopen_solution base\ncreate_clock -period 10\n\
                    open_solution fast\ncreate_clock -period 5\nset_directive_unroll f/L1\n";
        let count = |clock| read(text, clock).file.directives.len();
        assert_eq!((count(None), count(Some(100e6)), count(Some(200e6))), (0, 0, 1));
        assert_eq!(read(text, None).notes.len(), 1);
        assert!(read("open_project p\nset_top f\nopen_solution s\n", None).notes.is_empty());
    }

    #[test]
    fn a_script_that_is_read_is_found_from_the_project_and_beside_the_script() {
        let text =
            "open_project p\nset_top f\nopen_solution s1\nsource \"./p/s1/directives.tcl\"\n";
        let read = |place: &str| {
            let folder = tempfile::tempdir().unwrap();
            let solution = folder.path().join("p/s1");
            std::fs::create_dir_all(&solution).unwrap();
            std::fs::create_dir_all(folder.path().join("p/s2")).unwrap();
            std::fs::write(solution.join("script.tcl"), text).unwrap();
            std::fs::write(folder.path().join(place), "set_directive_unroll f/L1\n").unwrap();
            let given = read_directives(&solution.join("script.tcl"), None, None).unwrap();
            (given.file.directives.len(), given.notes.len())
        };
        assert_eq!(read("p/s1/directives.tcl"), (1, 0));
        assert_eq!(read("p/s2/directives.tcl"), (0, 1));
    }

    #[test]
    fn each_other_top_is_listed_once() {
        let tops = ["f", "g", "h", "g", "h"];
        let text = tops
            .iter()
            .map(|top| format!("open_project p\nset_top {top}\nopen_solution s\n"))
            .collect::<Vec<String>>()
            .concat();
        let notes = read(&text, None).notes;
        let note = notes.iter().find(|note| note.contains("of the tops")).unwrap();
        assert_eq!((note.matches("`g`").count(), note.matches("`h`").count()), (1, 1), "{note}");
    }

    #[test]
    fn a_script_that_is_cut_has_a_note() {
        let text = |count: usize| {
            format!("set_top f\ncreate_clock -period 5\n{}", "puts x\n".repeat(count))
        };
        assert!(read(&text(120_000), None).notes.iter().any(|note| note.contains("too long")));
        assert!(read(&text(1_000), None).notes.is_empty());
    }
}
