//! What of a folder is not audited: what the user leaves out, and third-party libraries.

use std::collections::BTreeMap;

use derate_model::NotAuditedReport;
use derate_model::load::LoadedFolder;
use derate_model::units::figures::{count, list_few};

use super::NAMED;

/// One line for the third-party libraries, in which so many findings are not shown.
pub(super) fn say_libraries(folder: &LoadedFolder, hidden: usize) -> Option<String> {
    let names: Vec<&str> = folder.vendored.list().map(|(library, _)| library).collect();
    let (what, whose) = match names.as_slice() {
        [] => return None,
        [_] => ("third-party library", "it"),
        _ => ("third-party libraries", "them"),
    };
    let hidden = match hidden {
        0 => String::new(),
        1 => format!("; 1 finding in {whose} is not shown"),
        some => format!("; {some} findings in {whose} are not shown"),
    };
    let names = list_few(&names, NAMED);
    Some(format!(
        "not audited: {names}: {what}; derate reads what designs include of {whose}{hidden}; to audit one, name its folder\n"
    ))
}

/// The designs that are written for tools of other vendors, a line for each tool.
pub(super) fn say_other_tools(folder: &LoadedFolder) -> String {
    let mut tools: BTreeMap<&str, (&str, Vec<&str>)> = BTreeMap::new();
    for design in &folder.designs {
        if let Some(tool) = design.find_other_tool(&folder.sources) {
            tools.entry(tool.name).or_insert((tool.shown_by, Vec::new())).1.push(&design.name);
        }
    }
    let line = |(name, (shown_by, designs)): (&str, (&str, Vec<&str>))| {
        format!(
            "written for {name}: {} (`{shown_by}`); derate reads the code, and knows neither the directives of {name} nor what it builds\n",
            list_few(&designs, NAMED)
        )
    };
    tools.into_iter().map(line).collect()
}

/// The third-party libraries, a folder each.
pub(super) fn list_libraries(
    folder: &LoadedFolder,
) -> impl Iterator<Item = NotAuditedReport> + use<'_> {
    folder.vendored.list().map(|(library, sources)| NotAuditedReport {
        file: library.to_owned(),
        reason: format!(
            "third-party library with {}; derate reads what designs include of it",
            count(sources, "source")
        ),
    })
}

/// What `--exclude` leaves out, a word each.
pub(super) fn list_left_out(folder: &LoadedFolder) -> Vec<NotAuditedReport> {
    let report = |(word, files): (&str, &usize)| NotAuditedReport {
        file: word.to_owned(),
        reason: format!("--exclude leaves out {}", count(*files, "file")),
    };
    folder.exclude.words().zip(&folder.left_out).map(report).collect()
}
