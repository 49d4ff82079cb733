//! A file and a line of it, by name.

use std::fmt::{self, Display};

/// What an error blames: a file, and the line where it is known.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct FilePlace {
    /// The name of the file.
    pub file: String,
    /// The line, from one.
    pub line: Option<usize>,
}

impl FilePlace {
    /// A file as a whole.
    pub fn of_file(file: impl Into<String>) -> Self {
        Self { file: file.into(), line: None }
    }

    /// A line of a file.
    pub fn at_line(file: impl Into<String>, line: usize) -> Self {
        Self { file: file.into(), line: Some(line) }
    }
}

/// `file:line`, or the file alone.
impl Display for FilePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}", self.file),
            None => f.write_str(&self.file),
        }
    }
}
