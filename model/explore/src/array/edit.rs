//! A chosen array as a change of `derate.toml`.

use super::axes::{KEYS, ROWS};
use derate_project::{DesignSection, Project};
use std::ops::Range;

/// A text in place of a range of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Insertion {
    /// What goes; empty where nothing does.
    pub range: Range<usize>,
    /// What comes.
    pub text: String,
}

/// The changes of `derate.toml` that write the values of the axes into `[design]`, in the order of their places.
#[must_use]
pub fn write_design(text: &str, project: &Project, values: &[String]) -> Vec<Insertion> {
    let mut edits = Vec::new();
    let mut new = String::new();
    for (at, (key, value)) in KEYS.iter().zip(values).enumerate() {
        let value = if at < ROWS { format!("\"{value}\"") } else { value.clone() };
        match find_value(&project.design, key) {
            Some(range) => edits.push(Insertion { range, text: value }),
            None => new.push_str(&[key, " = ", &value, "\n"].concat()),
        }
    }
    if !new.is_empty() {
        edits.push(if let Some(at) = end_of_header(text) {
            Insertion { range: at..at, text: new }
        } else {
            let gap = if text.is_empty() || text.ends_with('\n') { "\n" } else { "\n\n" };
            let end = text.len();
            Insertion { range: end..end, text: format!("{gap}[design]\n{new}") }
        });
    }
    edits.sort_by_key(|edit| edit.range.start);
    edits
}

/// Where the value of a key is.
fn find_value(design: &DesignSection, key: &str) -> Option<Range<usize>> {
    let span = match key {
        "precision" => design.precision.as_ref()?.span,
        "schedule" => design.schedule.as_ref()?.span,
        "buffer" => design.buffer.as_ref()?.span,
        "rows" => design.rows.as_ref()?.span,
        "columns" => design.columns.as_ref()?.span,
        "unroll" => design.unroll.as_ref()?.span,
        _ => return None,
    };
    Some(span.start..span.end)
}

/// The place after the line `[design]`.
fn end_of_header(text: &str) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        at += line.len();
        let bare = line.split('#').next().unwrap_or_default();
        if bare.split_whitespace().collect::<String>() == "[design]" && line.ends_with('\n') {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use derate_hls::Sources;

    fn change(text: &str) -> String {
        let mut sources = Sources::default();
        let file = sources.add("derate.toml", text.to_owned());
        let project = Project::parse(&sources, file).unwrap();
        let values = ["int8", "block", "8 MiB", "16", "32", "2"].map(str::to_owned);
        let mut out = text.to_owned();
        for edit in write_design(text, &project, &values).into_iter().rev() {
            out.replace_range(edit.range, &edit.text);
        }
        let file = sources.add("derate.toml", out.clone());
        let design = Project::parse(&sources, file).unwrap().design;
        let size = [design.rows, design.columns, design.unroll].map(|one| one.unwrap().value);
        assert_eq!(size, [16, 32, 2], "{out}");
        out
    }

    #[test]
    fn values_are_replaced_and_what_is_missing_is_added() {
        let head = "[platform]\nname = \"u280\"\n";
        let none = change(head);
        assert!(none.starts_with(head) && none.contains("\n[design]\nprecision = \"int8\"\n"));
        let some = change(&format!(
            "{head}[design] # ours\nrows = 8 # few\ncolumns = 8\n\n[claims]\nbatch = 1\n"
        ));
        assert!(some.contains("rows = 16 # few\ncolumns = 32\n\n[claims]"), "{some}");
        assert!(some.contains("[design] # ours\nprecision"), "{some}");
    }
}
