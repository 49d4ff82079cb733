//! Which part of a preprocessed text is the user's, and changes to it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

/// The text with blanks for what comes from system headers, so that all places stay.
pub(super) fn keep_own_text(preprocessed: &str) -> String {
    let mut own = String::with_capacity(preprocessed.len());
    let mut is_system = false;
    for line in preprocessed.split_inclusive('\n') {
        let is_marker = is_line_marker(line);
        if is_marker {
            // `# 12 "file.h" 1 3`: 3 is a system header.
            let flags = line.rsplit('"').next().unwrap_or_default();
            is_system = flags.split_whitespace().any(|flag| flag == "3");
        }
        if is_system || is_marker {
            own.extend(line.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        } else {
            own.push_str(line);
        }
    }
    own
}

fn is_line_marker(line: &str) -> bool {
    line.strip_prefix("# ").is_some_and(|rest| rest.starts_with(|sign: char| sign.is_ascii_digit()))
}

/// Changes, none of which overlaps another.
#[derive(Debug, Default)]
pub(super) struct Edits(BTreeMap<usize, Vec<(Range<usize>, String)>>);

impl Edits {
    pub(super) fn replace(&mut self, range: Range<usize>, text: String) {
        self.0.entry(range.start).or_default().push((range, text));
    }

    pub(super) fn insert(&mut self, at: usize, text: &str) {
        self.replace(at..at, text.to_owned());
    }

    /// The changed text; `None` where nothing changes or two changes meet.
    pub(super) fn apply(&self, text: &str) -> Option<String> {
        if self.0.is_empty() {
            return None;
        }
        let mut changed = String::with_capacity(text.len() + text.len() / 8);
        let mut done = 0;
        for edits in self.0.values() {
            // What is inserted is in front of what is replaced.
            let (inserted, replaced): (Vec<_>, Vec<_>) =
                edits.iter().partition(|(range, _)| range.is_empty());
            for (range, with) in inserted.into_iter().chain(replaced) {
                changed.push_str(text.get(done..range.start)?);
                let lines = text.get(range.clone())?.matches('\n').count();
                let _ = write!(changed, "{with}{}", "\n".repeat(lines));
                done = range.end;
            }
        }
        changed.push_str(text.get(done..)?);
        Some(changed)
    }
}
