//! Diagnostics on one screen: the gravest in full, one line for each of the others.

use std::collections::BTreeSet;
use std::fmt::Write;

use unicode_width::UnicodeWidthStr;

use super::diagnostics::render_diagnostics;
use super::plain::one_line;
use super::screen::{Screen, count_lines};
use super::short_path::ShortPaths;
use super::wrap::cut_at_word;
use crate::{Diagnostic, Label, Level};

/// The columns of a line in a pipe.
const PIPE: usize = 120;

/// At least so many columns of a line are for what is wrong.
const MESSAGE: usize = 56;

/// At least so many lines are left for those that are shown as one line.
const SHORT: usize = 12;

/// Diagnostics in at most `lines` lines, the gravest first: all in full if they fit, else the first ones in full, one line for each
/// other error and warning as far as there is room, one for the rest of each rule, and one for all notes of a rule. A first one that is longer is shown all the same. `None` for the
/// width is a pipe.
pub fn render_diagnostics_screen(
    diagnostics: &[Diagnostic],
    color: bool,
    width: Option<usize>,
    lines: usize,
) -> Screen {
    let full = |some: &[Diagnostic]| render_diagnostics(some, color, width);
    let all = full(diagnostics);
    if count_lines(&all) <= lines {
        return Screen { text: all, is_cut: false };
    }
    let grave = diagnostics.iter().take_while(|one| is_grave(one)).count();
    let mut text = String::new();
    let mut shown = 0;
    while shown < grave.max(usize::from(grave == 0)) {
        let next = full(&diagnostics[shown..=shown]);
        if shown > 0 && count_lines(&text) + count_lines(&next) + SHORT > lines {
            break;
        }
        text.push_str(&next);
        shown += 1;
    }
    let paths = ShortPaths::of(diagnostics);
    let width = width.unwrap_or(PIPE);
    let notes = group_by_rule(diagnostics.get(shown.max(grave)..).unwrap_or_default());
    let mut left = lines.saturating_sub(count_lines(&text));
    let for_notes = notes.len().min(left / 2);
    left -= for_notes;
    let short = diagnostics.get(shown..grave).unwrap_or_default();
    let (alone, rest) = short.split_at(count_alone(short, left));
    let alone = alone.iter().map(|one| (one, Cases::default()));
    let graves: Vec<_> = alone.chain(group_by_rule(rest)).collect();
    let describe = |(first, cases): &(&Diagnostic, Cases<'_>)| {
        let number = cases.number.max(first.cases);
        (describe_line(first, cases, &paths, width), (first.code.clone(), number))
    };
    put_lines(&mut text, graves.iter().map(describe), left, width, "errors and warnings");
    put_lines(&mut text, notes.iter().map(describe), for_notes, width, "notes of other rules");
    text.push('\n');
    Screen { text, is_cut: true }
}

fn is_grave(diagnostic: &Diagnostic) -> bool {
    matches!(diagnostic.level, Level::Error | Level::Warning)
}

/// How often a rule has something to say, and in how many files.
#[derive(Default)]
struct Cases<'a> {
    number: usize,
    files: BTreeSet<&'a str>,
}

/// How many of the first ones have a line each, so that one line for the rest of each rule still fits.
fn count_alone(some: &[Diagnostic], lines: usize) -> usize {
    let fits = |alone: &usize| alone + group_by_rule(&some[*alone..]).len() <= lines;
    (0..=some.len().min(lines)).rev().find(fits).unwrap_or(0)
}

/// The first one of each level and rule, and how many it has.
fn group_by_rule(some: &[Diagnostic]) -> Vec<(&Diagnostic, Cases<'_>)> {
    let mut groups: Vec<(&Diagnostic, Cases<'_>)> = Vec::new();
    for one in some {
        let is_its = |first: &Diagnostic| (first.level, &first.code) == (one.level, &one.code);
        let at = groups.iter().position(|(first, _)| is_its(first));
        let at = at.unwrap_or_else(|| {
            groups.push((one, Cases::default()));
            groups.len() - 1
        });
        let cases = &mut groups[at].1;
        cases.number += one.cases;
        cases.files.extend(one.labels.iter().map(|label| label.file.as_str()));
    }
    groups
}

/// `warning[rule] file.cpp:12: what is wrong`, with a count where there are several. Where the path takes too much of the width,
/// it is the file alone, if no other file has its name.
fn describe_line(
    diagnostic: &Diagnostic,
    cases: &Cases<'_>,
    paths: &ShortPaths<'_>,
    width: usize,
) -> String {
    let level = match diagnostic.level {
        Level::Error => "error",
        Level::Warning => "warning",
        _ => "note",
    };
    let mut line = format!("{level}[{}]", diagnostic.code);
    match (cases.number, cases.files.len()) {
        (0 | 1, _) => {}
        (number, 0 | 1) => {
            let _ = write!(line, " {number} times, first");
        }
        (number, files) => {
            let _ = write!(line, " {number} times in {files} files, first");
        }
    }
    if let Some(place) = describe_place(diagnostic, paths) {
        let room = width.saturating_sub(line.width() + " : ".len());
        let message = diagnostic.message.width().min(MESSAGE);
        let file = match place.rsplit_once('/') {
            Some((_, file)) if place.width() + message > room && is_unique(diagnostic, paths) => {
                format!("…/{file}")
            }
            _ => place,
        };
        let _ = write!(line, " {file}");
    }
    let _ = write!(line, ": {}", diagnostic.message);
    one_line(&line)
}

/// What a diagnostic points at.
fn find_label(diagnostic: &Diagnostic) -> Option<&Label> {
    let primary = diagnostic.labels.iter().find(|label| label.primary);
    primary.or(diagnostic.labels.first())
}

fn is_unique(diagnostic: &Diagnostic, paths: &ShortPaths<'_>) -> bool {
    find_label(diagnostic).is_some_and(|label| paths.is_unique(&label.file))
}

/// `file.cpp:12`, where it has a place.
fn describe_place(diagnostic: &Diagnostic, paths: &ShortPaths<'_>) -> Option<String> {
    let label = find_label(diagnostic)?;
    let above = label.text.get(..label.start).unwrap_or_default().matches('\n').count();
    let path = paths.shorten(&label.file, diagnostic.design.as_deref());
    Some(format!("{path}:{}", label.first_line + above))
}

/// At most `most` lines, each with its rule and the number of its cases; the last one counts what is left out, by rule.
fn put_lines(
    text: &mut String,
    lines: impl ExactSizeIterator<Item = (String, (String, usize))>,
    most: usize,
    width: usize,
    noun: &str,
) {
    let count = lines.len();
    let fitting = if count > most { most.saturating_sub(1) } else { count };
    let mut left_out: Vec<(String, usize)> = Vec::new();
    for (at, (line, (rule, cases))) in lines.enumerate() {
        if at < fitting {
            let _ = writeln!(text, "{}", cut_at_word(&line, width));
            continue;
        }
        match left_out.iter_mut().find(|(known, _)| *known == rule) {
            Some((_, number)) => *number += cases,
            None => left_out.push((rule, cases)),
        }
    }
    if fitting < count {
        let number: usize = left_out.iter().map(|(_, cases)| cases).sum();
        let rules = left_out.iter().map(|(rule, cases)| match cases {
            1 => one_line(rule),
            cases => format!("{} {cases} times", one_line(rule)),
        });
        let line = format!("and {number} more {noun}: {}", rules.collect::<Vec<_>>().join(", "));
        let _ = writeln!(text, "{}", cut_at_word(&line, width));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn diagnostic(level: Level, code: &str) -> Diagnostic {
        Diagnostic {
            code: code.to_owned(),
            level,
            message: "a message of some words".to_owned(),
            labels: Vec::new(),
            notes: vec!["a reason".to_owned()],
            help: Some("what to do".to_owned()),
            design: None,
            cases: 1,
        }
    }

    fn screen(diagnostics: &[Diagnostic], lines: usize) -> Screen {
        render_diagnostics_screen(diagnostics, false, None, lines)
    }

    #[test]
    fn what_fits_is_shown_in_full() {
        let few = [diagnostic(Level::Error, "a/b"), diagnostic(Level::Note, "c/d")];
        let shown = screen(&few, 40);
        assert!(!shown.is_cut);
        assert_eq!(shown.text, render_diagnostics(&few, false, None));
    }

    #[test]
    fn errors_come_before_notes_and_notes_are_counted() {
        let mut many = vec![diagnostic(Level::Error, "a/b"); 9];
        many.extend(vec![diagnostic(Level::Note, "c/d"); 200]);
        let shown = screen(&many, 40);
        assert!(shown.is_cut);
        assert_eq!(shown.text.matches("error[a/b]").count(), 9);
        assert!(shown.text.contains("note[c/d] 200 times"), "{}", shown.text);
    }

    fn label(file: &str) -> Label {
        Label {
            file: file.to_owned(),
            first_line: 3,
            text: "x".to_owned(),
            start: 0,
            end: 1,
            message: String::new(),
            primary: true,
        }
    }

    #[test]
    fn a_file_is_named_alone_only_where_no_other_has_its_name() {
        let at = |file: &str| Diagnostic {
            labels: vec![label(file)],
            message: "a message that leaves no room for a path of some length beside it".to_owned(),
            ..diagnostic(Level::Warning, "kernel/interval")
        };
        let mut many = vec![diagnostic(Level::Error, "a/b"); 3];
        many.extend(
            ["one/with/a/long/path", "two/with/a/long/path"].map(|f| at(&format!("{f}/k.cpp"))),
        );
        many.push(at("three/with/a/long/path/only.cpp"));
        let text = render_diagnostics_screen(&many, false, Some(80), 20).text;
        assert!(text.contains(" …/only.cpp:3"), "{text}");
        assert!(text.contains("one/with") && text.contains("two/with"), "{text}");
    }

    #[test]
    fn notes_of_a_rule_are_counted_over_their_files() {
        let note = |file: &str, cases| Diagnostic {
            labels: vec![label(file)],
            cases,
            ..diagnostic(Level::Note, "source/unread")
        };
        let mut many = vec![diagnostic(Level::Error, "a/b"); 9];
        many.extend([note("zip.h", 101), note("unzip.h", 50), note("zip.h", 1)]);
        many.extend(vec![diagnostic(Level::Note, "c/d"); 20]);
        let text = screen(&many, 30).text;
        let line = "note[source/unread] 152 times in 2 files, first zip.h:3: a message";
        assert!(text.contains(line), "{text}");
    }

    #[test]
    fn every_rule_of_the_grave_ones_has_a_line() {
        let mut many = vec![diagnostic(Level::Error, "a/b"); 60];
        many.extend(vec![diagnostic(Level::Warning, "c/d"); 70]);
        many.push(diagnostic(Level::Warning, "e/f"));
        let text = screen(&many, 40).text;
        assert!(text.contains("warning[c/d] 70 times"), "{text}");
        assert!(text.contains("warning[e/f]: a message"), "{text}");
        assert!(!text.contains("more errors"), "{text}");
    }

    #[test]
    fn a_long_path_leaves_room_for_the_message() {
        let grave = |message: &str| Diagnostic {
            labels: vec![label("first/second_part/one_kernel.cpp")],
            message: message.to_owned(),
            ..diagnostic(Level::Warning, "kernel/shared-bundle")
        };
        let second = |message: &str| {
            let all = [grave(&"long ".repeat(400)), grave(message), grave(message)];
            let text = render_diagnostics_screen(&all, false, Some(100), 50).text;
            text.lines()
                .find(|line| line.starts_with("warning[kernel/shared-bundle] "))
                .map(str::to_owned)
        };
        let line =
            second("6 ports of `workload` share the bundle `gmem`, which has one port").unwrap();
        assert!(
            line.starts_with("warning[kernel/shared-bundle] …/one_kernel.cpp:3: 6 ports of"),
            "{line}"
        );
        // A short message leaves room for the folders.
        let line = second("short").unwrap();
        assert!(line.contains(" first/second_part/one_kernel.cpp:3: short"), "{line}");
    }

    proptest! {
        /// Whatever is found, it fits, and every grave one is shown or counted.
        #[test]
        fn a_screen_is_never_longer_than_it_is(errors in 0_usize..60, warnings in 0_usize..60, notes in 0_usize..300, rules in 1_usize..40) {
            let mut all = vec![diagnostic(Level::Error, "a/b"); errors];
            all.extend(vec![diagnostic(Level::Warning, "c/d"); warnings]);
            all.extend((0..notes).map(|at| diagnostic(Level::Note, &format!("n/r{}", at % rules))));
            let shown = screen(&all, 40);
            prop_assert!(count_lines(&shown.text) <= 41, "{}", shown.text);
            let named: usize = shown.text.lines()
                .filter(|line| line.starts_with("error[") || line.starts_with("warning["))
                .map(|line| line.split_once("] ").and_then(|(_, rest)| rest.split_once(" times"))
                    .and_then(|(number, _)| number.parse().ok()).unwrap_or(1))
                .sum();
            let counted: usize = shown.text.lines()
                .filter_map(|line| line.strip_prefix("and ")?.split(" more errors and warnings").next())
                .filter_map(|count| count.parse::<usize>().ok())
                .sum();
            prop_assert_eq!(named + counted, errors + warnings);
        }
    }
}
