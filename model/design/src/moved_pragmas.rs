//! Pragmas that reports give a line for, and the source has elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::ReportedPragma;

use crate::moved_lines::file_name;

/// Lines up and down in which a pragma may have moved: what was put in or taken out above it is no other version.
const NEAR: usize = 3;

/// What the tool writes into the list by itself, for structs and vectors at the interface, at lines that hold something else.
const OF_THE_TOOL: &str = "aggregate";

/// Pragmas that the reports give a line for, where the source has none near it in the order of the reports.
pub(crate) fn moved_pragmas<'a>(
    pragmas: impl Iterator<Item = &'a ReportedPragma>,
    texts: &[(String, String)],
) -> Option<String> {
    let mut places: BTreeMap<&str, BTreeSet<(usize, &str)>> = BTreeMap::new();
    for pragma in pragmas {
        let place = pragma.location.as_ref().and_then(|place| place.value.rsplit_once(':'));
        let Some((path, number)) = place else { continue };
        let kind = pragma.kind.value.as_str();
        if let Ok(number @ 1..) = number.trim().parse::<usize>()
            && kind != OF_THE_TOOL
        {
            places.entry(path).or_default().insert((number, kind));
        }
    }
    let mut moved = Vec::new();
    for (path, places) in places {
        let file = file_name(path);
        let Some(text) = only_text(texts, path) else { continue };
        let lines: Vec<String> = text.lines().map(str::to_ascii_lowercase).collect();
        let lost = list_lost(&places, &lines);
        moved.extend(
            lost.map(|(number, kind)| format!("{file}:{number} has no `pragma HLS {kind}`")),
        );
    }
    let first = moved.first()?;
    Some(match moved.len() {
        1 => format!("{first}, which the reports have there"),
        count => format!(
            "{first}, which the reports have there, nor are {} other pragmas at their lines",
            count - 1
        ),
    })
}

/// The places that no line of the file is left for, once each before it has the first line that fits.
fn list_lost<'a>(
    places: &'a BTreeSet<(usize, &'a str)>,
    lines: &'a [String],
) -> impl Iterator<Item = (usize, &'a str)> {
    let mut last = (0, 0);
    places.iter().copied().filter(move |(number, kind)| {
        let is_at = |at: &usize| {
            // A macro may hold the pragma, and several.
            let is_free = *at > last.1 || (*at == last.1 && *number == last.0);
            let Some(line) = lines.get(*at - 1).filter(|_| is_free) else { return false };
            let has = [line.contains("pragma"), line.contains(kind)];
            has == [true, true] || (at == number && has != [false, false])
        };
        let found = (number.saturating_sub(NEAR).max(1)..=number.saturating_add(NEAR)).find(is_at);
        last = found.map_or(last, |at| (*number, at));
        found.is_none()
    })
}

/// The text of the only file of a name. A header of the tree in another folder than the report names may be another project's.
fn only_text<'a>(texts: &'a [(String, String)], reported: &str) -> Option<&'a str> {
    let name = file_name(reported);
    let mut named = texts.iter().filter(|(path, _)| file_name(path) == name);
    let (only, None) = (named.next()?, named.next()) else { return None };
    let folders = [folder_name(reported), folder_name(&only.0)];
    let is_header = [".h", ".hpp", ".hh", ".hxx", ".cuh"].iter().any(|end| name.ends_with(end));
    let is_elsewhere = matches!(folders, [Some(one), Some(other)] if one != other);
    (!is_header || !is_elsewhere).then_some(&only.1)
}

/// The folder that a file lies in, where its path names it.
fn folder_name(path: &str) -> Option<&str> {
    let above = path.rsplit(['/', '\\']).nth(1)?;
    (!matches!(above, "" | "." | "..")).then_some(above)
}

/// Whether the reports have a pragma in a file of this name.
pub(crate) fn is_in_file(pragma: &ReportedPragma, file: &str) -> bool {
    let place = pragma.location.as_ref().map(|place| place.value.as_str());
    let path = place.and_then(|place| place.rsplit_once(':')).map(|(path, _)| path);
    path.is_some_and(|path| file_name(path) == file_name(file))
}

#[cfg(test)]
mod tests {
    use super::{is_in_file, moved_pragmas, only_text};

    use derate_hls::{Located, ReportedPragma, Sources, Span};

    #[test]
    fn a_pragma_that_has_moved_is_of_its_own_file() {
        let file = Sources::default().add("csynth.rpt", "");
        let span = Span { file, start: 0, end: 0 };
        let word = |text: &str| Located { value: text.to_owned(), span };
        let pragma = ReportedPragma {
            status: word("valid"),
            kind: word("pipeline"),
            options: word("II=1"),
            location: Some(word("../src/top.cpp:2")),
            function: None,
            message: None,
        };
        let texts = [("src/top.cpp".to_owned(), "\nint x;\n".to_owned())];
        let moved = |text: &str| {
            let texts = [("src/top.cpp".to_owned(), text.to_owned())];
            moved_pragmas(std::iter::once(&pragma), &texts)
        };
        assert!(moved("\nint x;\n").is_some());
        // A line was taken out above it; one of another kind is another one.
        assert!(moved("#pragma HLS PIPELINE II=1\nint x;\n").is_none());
        assert!(moved("#pragma HLS UNROLL\nint x;\n").is_some());
        // What the tool adds for a struct is at the line of something else.
        let kind = word("aggregate");
        let added = ReportedPragma { kind, ..pragma.clone() };
        assert!(moved_pragmas(std::iter::once(&added), &texts).is_none());
        assert!(is_in_file(&pragma, "src/top.cpp") && !is_in_file(&pragma, "src/inner.cpp"));
    }

    #[test]
    fn a_header_of_another_folder_is_not_the_one_of_the_report() {
        for (reported, path, is_it) in [
            ("/home/u/deps/lib/conv.h", "app/src/conv.h", false),
            ("/home/u/deps/lib/conv.h", "app/lib/conv.h", true),
            ("/home/u/deps/lib/conv.h", "conv.h", true),
            ("../conv.h", "app/src/conv.h", true),
            // A source was moved, or is of a checkout of another name.
            ("/home/u/deps/lib/top.cpp", "app/src/top.cpp", true),
            ("D:\\deps\\lib\\conv.hpp", "app/src/conv.hpp", false),
        ] {
            let texts = [(path.to_owned(), "int x;\n".to_owned())];
            assert_eq!(only_text(&texts, reported).is_some(), is_it, "{reported} {path}");
        }
    }
}
