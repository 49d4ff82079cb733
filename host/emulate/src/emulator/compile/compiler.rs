//! The C++ compiler, and what it says.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use super::CompileError;
use crate::Scratch;
use crate::emulator::hint::find_hint;
use crate::family::{adopt_orphans, end_all};

/// How often a running compiler is looked at.
const BEAT: Duration = Duration::from_millis(2);

/// A compiler as `CXX` names it, which works in a folder.
pub(super) struct Compiler<'f> {
    program: String,
    words: Vec<String>,
    folder: &'f Scratch,
}

impl<'f> Compiler<'f> {
    pub(super) fn of_environment(folder: &'f Scratch) -> Self {
        let named = std::env::var("CXX").unwrap_or_default();
        let (program, words) = split_compiler(&named);
        let words = words.map(str::to_owned).collect();
        Self { program: program.to_owned(), words, folder }
    }

    /// How it is called, as far as that decides what it makes.
    pub(super) fn name(&self) -> String {
        [&[self.program.clone()][..], &self.words].concat().join(" ")
    }

    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.words).env("TMPDIR", self.folder.path()).env("LC_ALL", "C");
        command
    }

    /// Runs commands side by side. What they say on stderr is in a file of each.
    pub(super) fn run_all(&self, commands: Vec<Command>) -> Result<Vec<Said>, CompileError> {
        let mut running = Vec::new();
        for (at, mut command) in commands.into_iter().enumerate() {
            let path = self.folder.path().join(format!("said-{at}"));
            let unmade = |error| CompileError::Temporary { path: path.clone(), error };
            command.stdin(Stdio::null()).stdout(Stdio::null());
            command.stderr(File::create(&path).map_err(unmade)?);
            let compiler = self.program.clone();
            let child =
                command.spawn().map_err(|error| CompileError::NoCompiler { compiler, error })?;
            running.push((child, path));
        }
        let mut said = Vec::new();
        for (mut child, path) in running {
            let failed = |error| CompileError::Temporary { path: path.clone(), error };
            let succeeded = loop {
                if let Some(status) = child.try_wait().map_err(failed)? {
                    break status.success();
                }
                // Where this process is asked to end, the compilers end first, and all else that it has started.
                if self.folder.asked().is_some() {
                    adopt_orphans().map_err(failed)?;
                    end_all();
                    child.wait().map_err(failed)?;
                    break false;
                }
                sleep(BEAT);
            };
            let text = fs::read(&path).map_err(failed)?;
            said.push(Said { succeeded, text: String::from_utf8_lossy(&text).into_owned() });
        }
        Ok(said)
    }
}

/// What became of a call.
#[derive(Debug)]
pub(super) struct Said {
    pub(super) succeeded: bool,
    pub(super) text: String,
}

impl Said {
    /// As an error; a header that is nowhere has one of its own.
    pub(super) fn into_error(self) -> CompileError {
        find_missing_header(&self.text).unwrap_or_else(|| {
            let hint = find_hint(&self.text).map(|hint| format!("\n{hint}")).unwrap_or_default();
            CompileError::Refused(format!("{}{hint}", indent_lines(&self.text)))
        })
    }

    /// The first complaint: `k.cpp:12: no match for ...`.
    pub(super) fn first_complaint(&self) -> Option<String> {
        let line = self.text.lines().find(|line| line.contains(": error: "))?;
        let (place, complaint) = line.split_once(": error: ")?;
        let mut parts = place.rsplitn(2, ':');
        let (last, rest) = (parts.next()?, parts.next().unwrap_or_default());
        let place = if last.bytes().all(|byte| byte.is_ascii_digit()) { rest } else { place };
        let name = Path::new(place).file_name()?.to_string_lossy().into_owned();
        Some(format!("{name}: {complaint}"))
    }
}

/// What to start, and its first arguments, from `CXX` as make takes it: `ccache g++`, `clang++ -stdlib=libc++`.
fn split_compiler(named: &str) -> (&str, impl Iterator<Item = &str>) {
    let mut words = named.split_whitespace();
    (words.next().unwrap_or("c++"), words)
}

/// The header that a compiler misses: `mine.cpp:2:10: fatal error: ap_fixed.h: No such file or directory`.
fn find_missing_header(said: &str) -> Option<CompileError> {
    let line = said.lines().find(|line| line.ends_with(": No such file or directory"))?;
    let (place, rest) = line.split_once(": fatal error: ")?;
    let (header, _) = rest.split_once(": ")?;
    let place = place.rsplit_once(':').map_or(place, |(place, _column)| place);
    Some(CompileError::MissingHeader { place: place.to_owned(), header: header.to_owned() })
}

fn indent_lines(text: &str) -> String {
    text.lines().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")
}

/// The bytes of a file that a compiler made.
pub(super) fn read_made(path: &Path) -> Result<Vec<u8>, CompileError> {
    fs::read(path)
        .map_err(|error: io::Error| CompileError::Temporary { path: path.to_owned(), error })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compiler_may_have_words_of_its_own() {
        let words = |named| {
            let (program, words) = split_compiler(named);
            [&[program][..], &words.collect::<Vec<_>>()].concat()
        };
        assert_eq!(words("ccache g++ -fuse-ld=gold"), ["ccache", "g++", "-fuse-ld=gold"]);
        assert_eq!((words(" "), words("g++")), (vec!["c++"], vec!["g++"]));
    }

    #[test]
    fn a_complaint_has_a_place() {
        let text = "In file\n/a/k.cpp:12:7: error: no match\nx".to_owned();
        let said = Said { succeeded: false, text };
        assert_eq!(said.first_complaint().as_deref(), Some("k.cpp:12: no match"));
    }
}
