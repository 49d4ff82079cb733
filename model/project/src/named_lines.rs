//! The lines of the code that a log or a report names.

use derate_hls::{FileId, ScheduledOperation, Sources, Span, find_words};

use crate::Code;

/// The first line of a list (file and number, as the tool prints them) that is in the code. The tool may have run in another
/// folder: of files with the same name the one whose path has most folders in common counts, and none where two have.
#[must_use]
pub fn find_named_line(code: &Code, sources: &Sources, named: &[(String, u32)]) -> Option<Span> {
    named.iter().find_map(|(path, line)| {
        let file = find_named_file(code, sources, path)?;
        sources.line_span(file, *line).filter(|span| !sources.slice(*span).trim().is_empty())
    })
}

/// The place of an operation of a log in words, a line of the code where it is one: `filter.cpp:31`. Copies in other folders have the
/// same words.
#[must_use]
pub fn say_place(code: &Code, sources: &Sources, operation: &ScheduledOperation) -> Option<String> {
    let own = find_named_line(code, sources, &operation.places);
    let (file, line) = if let Some(span) = own {
        (sources.name(span.file), sources.line(span))
    } else {
        let (file, line) = operation.find_place()?;
        (file.as_str(), usize::try_from(*line).ok()?)
    };
    Some(format!("{}:{line}", file.rsplit(['/', '\\']).next().unwrap_or(file)))
}

fn find_named_file(code: &Code, sources: &Sources, path: &str) -> Option<FileId> {
    let parts =
        |path: &str| -> Vec<String> { path.split(['/', '\\']).rev().map(str::to_owned).collect() };
    let wanted = parts(path);
    let common = |file: FileId| {
        let own = parts(sources.name(file));
        own.iter().zip(&wanted).take_while(|(a, b)| a == b).count()
    };
    let files = code.all_headers().iter().map(|header| header.file);
    let known: Vec<(usize, FileId)> =
        files.map(|file| (common(file), file)).filter(|(common, _)| *common > 0).collect();
    let most = known.iter().map(|(common, _)| *common).max()?;
    let mut nearest = known.iter().filter(|(common, _)| *common == most).map(|(_, file)| *file);
    let first = nearest.next()?;
    nearest.all(|other| other == first).then_some(first)
}

/// The variable of a name that the tool made of one: `mid` of `mid.V` and of `mid_V`, `out` of `out_r`.
#[must_use]
pub fn plain_variable(name: &str) -> &str {
    let name = name.split('.').next().unwrap_or(name);
    let name = name.strip_suffix("_V").unwrap_or(name);
    name.strip_suffix("_r").unwrap_or(name)
}

/// Whether a line has a name of the tool as a word, or the name that it is made of.
#[must_use]
pub fn names_variable(line: &str, name: &str) -> bool {
    let mut name = plain_variable(name);
    loop {
        if find_words(line, name).next().is_some() {
            return true;
        }
        match name.rsplit_once('_') {
            Some((rest, number))
                if !rest.is_empty() && number.bytes().all(|sign| sign.is_ascii_digit()) =>
            {
                name = rest;
            }
            _ => return false,
        }
    }
}

/// Whether a file declares a variable as `volatile`.
#[must_use]
pub fn is_volatile(sources: &Sources, file: FileId, name: &str) -> bool {
    let name = plain_variable(name);
    sources.text(file).lines().any(|line| {
        let code = line.split("//").next().unwrap_or_default();
        code.match_indices("volatile").any(|(at, word)| {
            let (before, rest) = (&code[..at], &code[at + word.len()..]);
            // A parameter ends at its comma, also in a list of several lines.
            let is_parameter = before.contains('(') || rest.contains(')') || !rest.contains(';');
            let ends: &[char] = if is_parameter { &[',', ')', '(', '='] } else { &['(', '='] };
            find_words(rest.split(ends).next().unwrap_or_default(), name).next().is_some()
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Recorded;

    fn find(files: &[&str], named: &str) -> Option<String> {
        let mut sources = Sources::default();
        let text = "int a;\n\nint b;\n";
        let ids: Vec<FileId> = files.iter().map(|name| sources.add(*name, text)).collect();
        let code = Code::new(&mut sources, &ids, &[], &mut Recorded::default(), None);
        let span = find_named_line(&code, &sources, &[(named.to_owned(), 3)])?;
        Some(format!("{}:{}", sources.name(span.file), sources.line(span)))
    }

    #[test]
    fn a_line_of_another_machine_is_found_by_its_file() {
        let files = ["a/src/f.cpp", "a/g.cpp"];
        assert_eq!(find(&files, "../../Users/me/f.cpp").as_deref(), Some("a/src/f.cpp:3"));
        assert_eq!(find(&files, "h.cpp"), None);
        let twice = ["a/src/f.cpp", "b/f.cpp"];
        assert_eq!(find(&twice, "/x/f.cpp"), None, "two are as near");
        assert_eq!(find(&twice, "/x/src/f.cpp").as_deref(), Some("a/src/f.cpp:3"));
    }

    #[test]
    fn names_of_the_tool_are_those_of_the_code_or_made_of_them() {
        assert!(names_variable("mid[i] = x;", "mid.V"));
        assert!(names_variable("y = channel_data[0][i];", "channel_data_0"));
        assert!(!names_variable("y = channel[i];", "channel_data_0"));
    }

    #[test]
    fn a_volatile_variable_is_known_by_its_declaration() {
        let mut sources = Sources::default();
        let file = sources.add("f.cpp", "  volatile pixel_t pixel, q;\n  int x = read(pixel2);\n");
        assert!(is_volatile(&sources, file, "pixel") && is_volatile(&sources, file, "q"));
        let text = "void f(volatile int *p, int q, volatile int *r)\nvoid g(int a,\n  volatile int *b, int c,\n";
        let list = sources.add("g.cpp", text);
        for (name, is) in [("p", true), ("q", false), ("r", true), ("b", true), ("c", false)] {
            assert_eq!(is_volatile(&sources, list, name), is, "{name}");
        }
        assert!(!is_volatile(&sources, file, "x") && !is_volatile(&sources, file, "pixel2"));
    }
}
