//! Where an `#include` line goes.

use std::collections::BTreeSet;

use derate_hls::{FileId, Header, Sources, Span};

use super::Edit;
use super::claim::line_ending;

/// Adds `#include "path"` to a file, above `user`; nothing where it is included already.
pub fn add_include(sources: &Sources, headers: &[Header], user: Span, path: &str) -> Option<Edit> {
    if does_include(headers, user.file, path, &mut BTreeSet::new()) {
        return None;
    }
    let text = sources.text(user.file);
    let start = insertion_place(headers, text, user);
    let ending = line_ending(text);
    // There is nothing to insert above behind a last line without an end.
    Some(Edit::new(
        Span { file: user.file, start, end: start },
        format!("#include \"{path}\"{ending}"),
    ))
}

/// Whether a file, or one that it includes, includes `path`.
fn does_include(headers: &[Header], file: FileId, path: &str, seen: &mut BTreeSet<FileId>) -> bool {
    seen.insert(file)
        && headers.iter().filter(|header| header.file == file).flat_map(|h| &h.includes).any(
            |include| {
                include.path == path
                    || include.file.is_some_and(|file| does_include(headers, file, path, seen))
            },
        )
}

/// Behind the last `#include` above the file's first declaration whose `#if`s all hold for `user` too; else behind
/// `#pragma once` or the include guard; else at the start.
fn insertion_place(headers: &[Header], text: &str, user: Span) -> usize {
    let Some(header) = headers.iter().find(|header| header.file == user.file) else { return 0 };
    let first = header.aliases.first().map_or(user.start, |alias| alias.span.start.min(user.start));
    let around = open_conditionals(text, user.start);
    header
        .includes
        .iter()
        .filter(|include| include.span.start < first)
        .filter(|include| around.starts_with(&open_conditionals(text, include.span.start)))
        .filter_map(|include| line_after(text, include.span.end))
        .next_back()
        .unwrap_or_else(|| behind_the_guard(text))
        .min(user.start)
}

/// The start of the next line, unless a comment or a backslash runs into it.
fn line_after(text: &str, from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    let line = &rest[..=rest.find('\n')?];
    let runs_on = line.rfind("/*").is_some_and(|open| !line[open..].contains("*/"))
        || line.trim_end().ends_with('\\');
    (!runs_on).then_some(from + line.len())
}

/// The places of the `#if`s and `#else`s that are open at `end`.
fn open_conditionals(text: &str, end: usize) -> Vec<usize> {
    let mut open = Vec::new();
    let mut at = 0;
    for line in text[..end].split_inclusive('\n') {
        let word = line.trim_start().strip_prefix('#').map(str::trim_start).unwrap_or_default();
        if word.starts_with("if") {
            open.push(at);
        } else if word.starts_with("endif") {
            open.pop();
        } else if word.starts_with("el")
            && let Some(last) = open.last_mut()
        {
            *last = at;
        }
        at += line.len();
    }
    open
}

fn behind_the_guard(text: &str) -> usize {
    let mut at = 0;
    let mut guard: Option<&str> = None;
    for line in text.split_inclusive('\n') {
        at += line.len();
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words[..] {
            ["#pragma", "once", ..] => return at,
            ["#ifndef", name] => guard = Some(name),
            ["#define", name, ..] if guard == Some(name) => return at,
            [] => {}
            [word, ..] if word.starts_with("//") => {}
            _ => return 0,
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn included(text: &str) -> String {
        let mut sources = Sources::default();
        let file = sources.add("a.h", text);
        let headers = derate_hls::parse_all(&sources, &[file]);
        let user = headers[0].aliases.iter().find(|a| a.name == "bf16_t").unwrap().span;
        match add_include(&sources, &headers, user, "ap_float.h") {
            Some(edit) => {
                let (before, after) = text.split_at(edit.span.start);
                format!("{before}{}{after}", edit.replacement)
            }
            None => text.to_owned(),
        }
    }

    #[test]
    fn the_line_stands_where_the_alias_always_sees_it() {
        const NEW: &str = "#include \"ap_float.h\"\n";
        for (before, after) in [
            ("#pragma once\n#include <a>\n#include <b> // b\n", "\nusing bf16_t = float;\n"),
            (
                "#ifndef A_H\n#define A_H\n#include <a>\n",
                "#ifdef X\n#include <b>\n#endif\nnamespace n {\nusing bf16_t = float;\n}\n#endif\n",
            ),
            ("// words\n\n#ifndef A_H\n#define A_H\n", "using bf16_t = float;\n#endif\n"),
            ("// words\n#pragma once\n", "using bf16_t = float;\n"),
            ("", "/* words */\nusing bf16_t = float;\n"),
            (
                "#ifdef X\n#include <x>\n#else\n#include <y>\n",
                "using bf16_t = float;\n#endif\n#include <z>\n",
            ),
        ] {
            assert_eq!(included(&format!("{before}{after}")), format!("{before}{NEW}{after}"));
        }
        let there = "#include <ap_float.h>\nusing bf16_t = float;\n";
        assert_eq!(included(there), there);
        assert!(included("#pragma once\r\nusing bf16_t = float;\r\n").contains("float.h\"\r\n"));
    }
}
