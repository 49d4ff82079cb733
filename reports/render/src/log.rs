//! Findings for other programs, such as a code-scanning service or the log of a build.

use crate::Level;

/// One run of a checker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log {
    /// The checker's name.
    pub tool: String,
    /// Its version.
    pub version: String,
    /// Every rule that it has, sorted by code.
    pub rules: Vec<LogRule>,
    /// The findings, the most severe first.
    pub entries: Vec<LogEntry>,
}

/// A rule of the checker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogRule {
    /// Its code, such as `precision/alias-width`.
    pub code: String,
    /// The default severity of its findings.
    pub level: Level,
    /// One sentence.
    pub summary: String,
    /// Its manual page, in Markdown.
    pub manual: String,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEntry {
    /// The rule's code.
    pub code: String,
    /// The severity.
    pub level: Level,
    /// What it is about. It distinguishes the findings of one rule.
    pub subject: String,
    /// What is wrong, in a sentence.
    pub message: String,
    /// What else the reader should know.
    pub notes: Vec<String>,
    /// What to do.
    pub help: String,
    /// The cause first, then the texts that it contradicts.
    pub places: Vec<Place>,
    /// The reason why it is allowed; `None` where it is not.
    pub allowed: Option<String>,
}

/// A region of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file, from the project's folder.
    pub file: String,
    /// Line and column of its first character, from one; columns count characters.
    pub start: (usize, usize),
    /// The same of the character after its last.
    pub end: (usize, usize),
    /// The region's text.
    pub text: String,
    /// A remark about the region.
    pub message: String,
}

impl LogEntry {
    /// The message, the remark at the first place, the notes and the help, one line each.
    pub(crate) fn to_prose(&self) -> String {
        let seen = self.places.first().map(|place| place.message.clone());
        let notes = self.notes.iter().map(|note| format!("note: {note}"));
        let help = (!self.help.is_empty()).then(|| format!("help: {}", self.help));
        let lines = seen.filter(|seen| !seen.is_empty()).into_iter().chain(notes).chain(help);
        std::iter::once(self.message.clone()).chain(lines).collect::<Vec<_>>().join("\n")
    }
}
