//! Workflow commands of GitHub Actions: each finding becomes an annotation at its line.

use std::fmt::Write;

use super::plain::plain_text;
use crate::{Level, Log, LogEntry, Place};

/// Renders a command per finding; allowed findings are not shown. `base` is the
/// path from the root of the repository to the folder of the project.
pub fn render_github(log: &Log, base: &str) -> Vec<u8> {
    let base = base.trim_end_matches('/');
    let mut out = String::new();
    for entry in log.entries.iter().filter(|entry| entry.allowed.is_none()) {
        let place = entry.places.first().map(|place| place_properties(base, place));
        let _ = writeln!(
            out,
            "::{} {}title={}::{}",
            command_name(entry.level),
            place.unwrap_or_default(),
            escape_property(&entry.code),
            escape_data(&annotation_text(base, entry))
        );
    }
    out.into_bytes()
}

/// The file's name from the repository's root.
fn file_path(base: &str, place: &Place) -> String {
    let file = &place.file;
    if base.is_empty() || file.starts_with('/') { file.clone() } else { format!("{base}/{file}") }
}

fn command_name(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note | Level::Help | Level::Ok => "notice",
    }
}

/// File and region. GitHub takes columns only where the region lies on one line; its last column is within.
fn place_properties(base: &str, place: &Place) -> String {
    let Place { start, end, .. } = place;
    let mut out = format!("file={},line={}", escape_property(&file_path(base, place)), start.0);
    if start.0 == end.0 {
        let last = end.1.saturating_sub(1).max(start.1);
        let _ = write!(out, ",endLine={},col={},endColumn={last}", end.0, start.1);
    } else {
        // A region that ends at column 1 does not include that line.
        let _ = write!(out, ",endLine={}", if end.1 == 1 { end.0 - 1 } else { end.0 });
    }
    out.push(',');
    out
}

/// The message and the other places, because an annotation has only one place.
fn annotation_text(base: &str, entry: &LogEntry) -> String {
    let others =
        entry.places.iter().skip(1).map(|place| {
            format!("\n{}:{}: {}", file_path(base, place), place.start.0, place.message)
        });
    std::iter::once(entry.to_prose()).chain(others).collect()
}

/// Escapes the text after the second `::`.
fn escape_data(text: &str) -> String {
    plain_text(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the text after a `=`.
fn escape_property(text: &str) -> String {
    escape_data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(file: &str, message: &str, end: (usize, usize)) -> Log {
        let place = |file: &str, message: &str| Place {
            file: file.to_owned(),
            start: (3, 5),
            end,
            text: String::new(),
            message: message.to_owned(),
        };
        Log {
            tool: "t".to_owned(),
            version: "1".to_owned(),
            rules: Vec::new(),
            entries: vec![LogEntry {
                code: "a/b".to_owned(),
                level: Level::Note,
                subject: String::new(),
                message: message.to_owned(),
                notes: vec!["n".to_owned()],
                help: "h".to_owned(),
                places: vec![place(file, "seen"), place("c.toml", "claimed")],
                allowed: None,
            }],
        }
    }

    fn text(log: &Log, base: &str) -> String {
        String::from_utf8(render_github(log, base)).unwrap()
    }

    #[test]
    fn one_line_per_finding_whatever_it_says() {
        let nasty = log("a,b:c%.h", "50 %: a, b\r\n::error::no", (3, 9));
        assert_eq!(
            text(&nasty, ""),
            "::notice file=a%2Cb%3Ac%25.h,line=3,endLine=3,col=5,endColumn=8,title=a/b\
             ::50 %25: a, b%0A::error::no%0Aseen%0Anote: n%0Ahelp: h%0Ac.toml:3: claimed\n"
        );
    }

    #[test]
    fn a_region_of_many_lines_has_no_columns() {
        let long = log("a.h", "m", (7, 1));
        assert!(
            text(&long, "hw/").starts_with("::notice file=hw/a.h,line=3,endLine=6,title=a/b::m")
        );
    }

    #[test]
    fn what_is_allowed_and_what_has_no_place() {
        let mut log = log("a.h", "m", (3, 6));
        log.entries[0].places.clear();
        assert_eq!(text(&log, ""), "::notice title=a/b::m%0Anote: n%0Ahelp: h\n");
        log.entries[0].allowed = Some("because".to_owned());
        assert_eq!(text(&log, ""), "");
    }
}
