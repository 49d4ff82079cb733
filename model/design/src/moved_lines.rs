//! Lines that were put in or taken out above what a report names in a file.

use std::borrow::Cow;
use std::collections::BTreeMap;

use derate_hls::{Synthesis, split_words};
use derate_kernel::ir::Program;

use crate::moved_steps::Steps;
use crate::pairs::is_copy_of;

/// What the tool calls a loop without a label, before its line.
const UNNAMED: &str = "VITIS_LOOP_";

/// Lines may have moved by so many.
const FAR: i64 = 200;

/// Fewer places may fit elsewhere by chance.
const PLACES: usize = 3;

/// The synthesis with the lines that the sources have today. Where all pragmas and loops of a file are at their kind of line again
/// once they are moved by one number of lines, or by more from loop to loop, that is no other version. `texts` are the sources,
/// each with its path.
#[must_use]
pub fn follow_lines<'a>(
    synthesis: &'a Synthesis,
    program: &Program,
    texts: &[(String, String)],
) -> Cow<'a, Synthesis> {
    let mut moved = Cow::Borrowed(synthesis);
    for (path, text) in texts {
        let name = file_name(path);
        let is_only = texts.iter().filter(|(other, _)| file_name(other) == name).count() == 1;
        let is_own = |function: &str| {
            let mut all = program.functions.iter().filter(|one| is_copy_of(function, &one.name));
            all.any(|one| program.files.get(usize::from(one.place.file)) == Some(path))
        };
        let Some(places) = find_places(synthesis, name, text, is_own).filter(|_| is_only) else {
            continue;
        };
        let moved = moved.to_mut();
        for pragma in &mut moved.pragmas {
            if let Some(place) = &mut pragma.location
                && let Some(line) = line_in(&place.value, name)
                && let Some(now) = places.get(&(line, Some(pragma.kind.value.clone())))
            {
                place.value = format!("{name}:{now}");
            }
        }
        for one in moved.loops.iter_mut().filter(|one| is_own(&one.function)) {
            one.label =
                map_lines(&one.label, |line| places.get(&(line, None)).copied().unwrap_or(line));
        }
    }
    moved
}

/// A line of the report and the kind of a pragma there, `None` for a loop.
type Place = (i64, Option<String>);

/// Where all places of a file are today; `None` where they have not moved, or not as one code.
fn find_places(
    synthesis: &Synthesis,
    name: &str,
    text: &str,
    is_own: impl Fn(&str) -> bool,
) -> Option<BTreeMap<Place, i64>> {
    let pragmas = synthesis.pragmas.iter().filter_map(|pragma| {
        Some((line_in(&pragma.location.as_ref()?.value, name)?, Some(pragma.kind.value.clone())))
    });
    let mut places: Vec<Place> = pragmas.collect();
    for one in synthesis.loops.iter().filter(|one| is_own(&one.function)) {
        map_lines(&one.label, |line| {
            places.push((line, None));
            line
        });
    }
    let lines: Vec<String> = text.lines().map(str::to_ascii_lowercase).collect();
    let is_at = |line: i64, kind: Option<&str>| {
        let line = usize::try_from(line.saturating_sub(1)).ok().and_then(|at| lines.get(at));
        line.is_some_and(|line| match kind {
            Some(kind) => line.contains("pragma") && line.contains(kind),
            None => split_words(line).any(|word| matches!(word, "for" | "while" | "do")),
        })
    };
    let fits = |by: &i64| {
        places.iter().all(|(line, kind)| is_at(line.saturating_add(*by), kind.as_deref()))
    };
    if places.len() < PLACES || fits(&0) {
        return None;
    }
    if let Some(by) = (1..=FAR).flat_map(|by| [by, -by]).find(fits) {
        let moved = |place: Place| (place.clone(), place.0.saturating_add(by));
        return Some(places.into_iter().map(moved).collect());
    }
    let loops = places.iter().filter(|(_, kind)| kind.is_none()).map(|(line, _)| *line);
    let steps = Steps::find(loops.collect(), &lines)?;
    let moved = places.into_iter().map(|(line, kind)| {
        let now = match &kind {
            None => steps.line_of_loop(line),
            Some(kind) => steps.find_line(line, |now| is_at(now, Some(kind))),
        };
        Some(((line, kind), now?))
    });
    moved.collect()
}

/// The line of a place in a file of that name: 16 of `src/top.cpp:16`.
fn line_in(place: &str, name: &str) -> Option<i64> {
    let (path, line) = place.rsplit_once(':')?;
    line.trim().parse().ok().filter(|_| file_name(path) == name)
}

/// The last part of a path of any system.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// A label with the lines in it changed: `rows_VITIS_LOOP_12_1`.
fn map_lines(label: &str, mut change: impl FnMut(i64) -> i64) -> String {
    let mut pieces = label.split(UNNAMED);
    let mut changed = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let digits = piece.bytes().take_while(u8::is_ascii_digit).count();
        let (line, rest) = piece.split_at(digits);
        let line = line.parse().map_or_else(|_| line.to_owned(), |line| change(line).to_string());
        changed.extend([UNNAMED, line.as_str(), rest]);
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_keeps_all_but_its_lines() {
        let moved = |label| map_lines(label, |line| line + 3);
        assert_eq!(
            moved("rows_VITIS_LOOP_12_1_VITIS_LOOP_14_2"),
            "rows_VITIS_LOOP_15_1_VITIS_LOOP_17_2"
        );
        assert_eq!(moved("Loop 1.2"), "Loop 1.2");
        assert_eq!(line_in("../src/top.cpp:16", "top.cpp"), Some(16));
        assert_eq!(line_in("../src/top.cpp:16", "op.cpp"), None);
    }
}
