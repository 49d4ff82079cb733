//! An error that a log has, and the line of a source that it names.

use super::log_line::{Line, quoted_after};
use crate::{FileId, Span};

/// What the names of sources end in.
const ENDINGS: [&str; 9] = ["c", "cc", "cpp", "cxx", "h", "hh", "hpp", "hxx", "cl"];

/// An error of a synthesis.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedError {
    /// What the tool says, without its number and the place.
    pub message: String,
    /// The line that it names.
    pub place: Option<LoggedPlace>,
    /// What the line must have in it.
    pub name: Option<MissingName>,
    /// The line of the log.
    pub span: Span,
    /// Whether it only heads the errors that follow.
    pub(super) is_heading: bool,
}

/// A line of a source, as a log names it.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedPlace {
    /// The path on the machine of the log.
    pub path: String,
    /// The line, from one.
    pub line: u32,
    /// The column, from one, where it is named; that of a pragma counts from its sign.
    pub column: Option<u32>,
    /// The file here, once it is found.
    pub file: Option<FileId>,
}

/// A name that the tool does not know.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct MissingName {
    /// The name.
    pub name: String,
    /// Whether a declaration in another place would be enough.
    pub is_undeclared: bool,
}

/// What an error says before a name, and whether nothing declares it.
const NAMING: [(&str, bool); 6] = [
    ("undeclared identifier ", true),
    ("unknown type name ", true),
    ("no template named ", true),
    ("no type named ", true),
    ("no member named ", false),
    ("no matching function for call to ", false),
];

/// What a machine lacks, by the words of an error.
const MACHINE: [&str; 7] = [
    "icense",
    "is not installed",
    "No space left",
    "ermission denied",
    "bad_alloc",
    "ut of memory",
    "not enough memory",
];

/// Whether an error is of the machine: a licence or a part that it lacks, or its memory.
pub(super) fn is_of_machine(message: &str) -> bool {
    MACHINE.iter().any(|words| message.contains(words))
}

impl LoggedError {
    /// `ERROR: [HLS 207-3776] use of undeclared identifier 'x' (f.cpp:15:38)`, `@E [HLS-70] ...`, and the lines of the compiler below
    /// such a one: `f.cpp:12:50: error: ...`. `ERROR:` without a number is not an error of the tool.
    pub(super) fn parse(line: Line<'_>) -> Option<Self> {
        let span = line.locate(line.text).span;
        let said = line.text.strip_prefix("ERROR: ").or_else(|| line.text.strip_prefix("@E "));
        let compiler =
            [": fatal error: ", ": error: "].iter().find_map(|words| line.text.split_once(words));
        if let Some((place, message)) = compiler {
            let place = place.rsplit(' ').next().and_then(LoggedPlace::parse);
            return Some(Self::new(message, place, span));
        }
        let (_, message) = said?.strip_prefix('[')?.split_once("] ")?;
        let words = |at: char| at.is_whitespace() || "()'\",".contains(at);
        let place = message.split(words).rev().find_map(LoggedPlace::parse);
        let mut error = Self::new(cut_place(message, place.as_ref()), place, span);
        if message.starts_with("Compilation errors found") {
            (error.is_heading, error.place) = (true, None);
        }
        Some(error)
    }

    fn new(message: &str, place: Option<LoggedPlace>, span: Span) -> Self {
        let name = NAMING.iter().find_map(|&(words, is_undeclared)| {
            let name = quoted_after(message, words)?.to_owned();
            Some(MissingName { name, is_undeclared })
        });
        Self {
            message: message.trim().trim_end_matches('.').to_owned(),
            place,
            name,
            span,
            is_heading: false,
        }
    }
}

/// A message without the place at its end.
fn cut_place<'a>(message: &'a str, place: Option<&LoggedPlace>) -> &'a str {
    let at = place.and_then(|one| message.rfind(&format!("{}:{}", one.path, one.line)));
    let Some(at) = at else { return message };
    let is_last = !message[at..].contains(' ');
    if is_last { message[..at].trim_end_matches([' ', '(', ':']) } else { message }
}

impl LoggedPlace {
    /// `path:line:column` or `path:line`.
    fn parse(word: &str) -> Option<Self> {
        let word = word.trim_end_matches([':', '.']);
        let (rest, last) = word.rsplit_once(':')?;
        let last = last.parse().ok()?;
        let (path, line, column) = match rest.rsplit_once(':') {
            Some((path, line)) if is_source(path) => (path, line.parse().ok()?, Some(last)),
            _ => (rest, last, None),
        };
        let place = Self { path: path.to_owned(), line, column, file: None };
        (is_source(path) && line > 0).then_some(place)
    }

    /// Whether it is a file of the tool or of the system.
    #[must_use]
    pub fn is_of_tool(&self) -> bool {
        let path = self.path.replace('\\', "/");
        ["/Vitis", "/Vivado", "/Xilinx/", "/tps/", "/usr/", "/autopilot/", "/AMD"]
            .iter()
            .any(|part| path.contains(part))
    }
}

fn is_source(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, end)| ENDINGS.contains(&end))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

    use super::*;
    use crate::Sources;

    fn read(text: &str) -> Option<(String, Option<(String, u32)>)> {
        let file = Sources::default().add("a.log", text);
        let one = LoggedError::parse(Line { text, file, start: 0 })?;
        Some((one.message, one.place.map(|place| (place.path, place.line))))
    }

    #[test]
    fn places_of_all_forms_are_read() {
        let at = |message: &str, path: &str, line| {
            Some((message.to_owned(), Some((path.to_owned(), line))))
        };
        assert_eq!(
            read("ERROR: [HLS 207-1398] unexpected ';' before ')': flat.cpp:48:97"),
            at("unexpected ';' before ')'", "flat.cpp", 48)
        );
        assert_eq!(
            read(
                "ERROR: [HLS 214-124] use of undeclared identifier 'N': E:\\cnn\\headers\\weights.h:11"
            ),
            at("use of undeclared identifier 'N'", "E:\\cnn\\headers\\weights.h", 11)
        );
        let unroll = "Stop unrolling loop 'L' (./conv.h:149) in function 'f' because it may cause large runtime";
        assert_eq!(read(&format!("ERROR: [XFORM 203-504] {unroll}")), at(unroll, "./conv.h", 149));
        assert_eq!(
            read("a/main.cpp:12:50: error: use of undeclared identifier 'x'"),
            at("use of undeclared identifier 'x'", "a/main.cpp", 12)
        );
        let none = |message: &str| Some((message.to_owned(), None));
        assert_eq!(
            read("@E [SYNCHK-79] Cannot find the top function 'f'."),
            none("Cannot find the top function 'f'")
        );
        assert_eq!(read("ERROR: HLS Tcl script does not exist: run.tcl"), None);
        assert_eq!(read("WARNING: [HLS 207-5556] invalid variable expr  (a.cpp:1:2)"), None);
    }

    #[test]
    fn a_file_of_the_tool_is_none_of_the_design() {
        let is_tool = |path: &str| LoggedPlace::parse(&format!("{path}:1:2")).unwrap().is_of_tool();
        assert!(is_tool("C:\\Xilinx\\Vitis_HLS\\2023.2\\tps\\new_allocator.h"));
        assert!(!is_tool("C:\\work\\src\\a.h"));
    }
}
