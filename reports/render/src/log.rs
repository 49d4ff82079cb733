//! What a checker has to say to other programs: a code-scanning service, the log of a build.

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
    /// What it found, the gravest first.
    pub entries: Vec<LogEntry>,
}

/// A rule of the checker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogRule {
    /// Its code, such as `precision/alias-width`.
    pub code: String,
    /// How much its findings matter, where nobody says otherwise.
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
    /// How much it matters.
    pub level: Level,
    /// What it is about: it tells findings of one rule apart.
    pub subject: String,
    /// What is wrong, in a sentence.
    pub message: String,
    /// What else the reader should know.
    pub notes: Vec<String>,
    /// What to do.
    pub help: String,
    /// The offender first, then what it contradicts.
    pub places: Vec<Place>,
    /// Why it is allowed, where somebody allowed it.
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
    /// What is to be seen there.
    pub message: String,
}

impl LogEntry {
    /// Message, what is to be seen at the offender, notes and help, a paragraph or line each.
    pub(crate) fn prose(&self) -> String {
        let seen = self.places.first().map(|place| place.message.clone());
        let notes = self.notes.iter().map(|note| format!("note: {note}"));
        let help = (!self.help.is_empty()).then(|| format!("help: {}", self.help));
        let lines = seen.filter(|seen| !seen.is_empty()).into_iter().chain(notes).chain(help);
        std::iter::once(self.message.clone()).chain(lines).collect::<Vec<_>>().join("\n")
    }
}
