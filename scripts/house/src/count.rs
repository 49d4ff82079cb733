//! Counts of code: lines, names of functions, and words that the style avoids.
//!
//! Code is all Rust without `tests/`, `benches/`, `fuzz/`, `fixtures/`, `examples/`, files called `tests.rs`, and modules
//! behind `#[cfg(test)]`. Lines of all kinds count, comments and blank ones too.

use std::fs;
use std::io;
use std::path::Path;

const TEST_FOLDERS: [&str; 2] = ["tests", "benches"];
const LEFT_OUT: [&str; 4] = ["target", "fixtures", "fuzz", "examples"];

/// What is counted in a folder.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Count {
    /// Lines of code.
    pub code: usize,
    /// Lines of tests and benches.
    pub tests: usize,
    /// Functions in the code.
    pub functions: usize,
    /// Functions whose name is one word.
    pub one_word: usize,
    /// Lines of comments with "stand" or "stands".
    pub stand: usize,
    /// `Result<_, String>`.
    pub text_errors: usize,
}

impl Count {
    /// Adds another folder's.
    pub fn add(&mut self, other: &Self) {
        self.code += other.code;
        self.tests += other.tests;
        self.functions += other.functions;
        self.one_word += other.one_word;
        self.stand += other.stand;
        self.text_errors += other.text_errors;
    }
}

/// Counts the code below `folder`.
///
/// # Errors
///
/// A folder or file that cannot be read.
pub fn count_code(folder: &Path) -> io::Result<Count> {
    let mut count = Count::default();
    count_folder(folder, false, &mut count)?;
    Ok(count)
}

fn count_folder(folder: &Path, in_tests: bool, count: &mut Count) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if !LEFT_OUT.contains(&name.as_str()) {
                let is_test = in_tests || TEST_FOLDERS.contains(&name.as_str());
                count_folder(&path, is_test, count)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path)?;
            if in_tests || name == "tests.rs" {
                count.tests += text.lines().count();
            } else {
                count_file(&text, count);
            }
        }
    }
    Ok(())
}

fn count_file(text: &str, count: &mut Count) {
    let all = text.lines().count();
    let code = without_test_modules(text);
    count.code += code.len();
    count.tests += all - code.len();
    for line in &code {
        count_names(line, count);
        let comment = line.find("//").map(|at| &line[at..]);
        count.stand += usize::from(comment.is_some_and(has_stand));
    }
    let joined = code.join("\n");
    count.text_errors +=
        joined.match_indices(", String>").filter(|(at, _)| is_result(&joined[..*at])).count();
}

/// Whether the text before `, String>` opens a `Result`.
fn is_result(before: &str) -> bool {
    let start = before.rfind("Result<");
    start.is_some_and(|start| !before[start..].contains([';', '{']))
}

fn count_names(line: &str, count: &mut Count) {
    let mut rest = line;
    while let Some(at) = rest.find("fn ") {
        let is_word =
            rest[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric() && c != '_');
        rest = &rest[at + 3..];
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        if is_word && !name.is_empty() {
            count.functions += 1;
            count.one_word += usize::from(!name.contains('_'));
        }
    }
}

fn has_stand(comment: &str) -> bool {
    comment.split(|c: char| !c.is_alphanumeric()).any(|word| word == "stand" || word == "stands")
}

/// The lines outside `#[cfg(test)] mod name { .. }`.
fn without_test_modules(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().collect();
    let mut kept = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        if let Some(end) = test_module_end(&lines, at) {
            at = end;
        } else {
            kept.push(lines[at]);
        }
        at += 1;
    }
    kept
}

/// The last line of a test module whose `#[cfg(test)]` is line `at`.
fn test_module_end(lines: &[&str], at: usize) -> Option<usize> {
    if lines[at].trim() != "#[cfg(test)]" {
        return None;
    }
    let attributes = lines[at..].iter().take_while(|line| line.trim().starts_with("#[")).count();
    let head = lines.get(at + attributes)?;
    let is_module = head.trim_start().trim_start_matches("pub(crate) ").starts_with("mod ");
    if !is_module {
        return None;
    }
    if head.ends_with(';') {
        return Some(at + attributes);
    }
    let indent = &head[..head.len() - head.trim_start().len()];
    let closing = format!("{indent}}}");
    let body = lines[at + attributes..].iter().position(|line| *line == closing)?;
    Some(at + attributes + body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_and_names_are_counted_apart() {
        let text = "/// It stands.\nfn one() -> Result<u8, String> {\n}\nfn two_words() {}\n#[cfg(test)]\nmod tests {\n    fn x() {}\n}\n";
        let mut count = Count::default();
        count_file(text, &mut count);
        let expected =
            Count { code: 4, tests: 4, functions: 2, one_word: 1, stand: 1, text_errors: 1 };
        assert_eq!(count, expected);
    }
}
