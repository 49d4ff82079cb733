//! Results on stdout, everything else on stderr.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, bail};
use derate_host::watch::results;
use derate_reports::Document;
use serde::Serialize;

/// How a command ended that could do its work.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Outcome {
    /// Nothing to object to.
    Clean,
    /// A finding at level error.
    Refused,
    /// A program that was run ended with this status.
    Program(u8),
}

/// A page of text where nobody looks at it is as wide as an editor's.
const WIDTH_OF_A_PIPE: usize = 120;

/// Whether stdout wants colours: a terminal that has them, and neither `NO_COLOR` nor `CLICOLOR=0`.
pub(crate) fn color() -> bool {
    let choice = match results() {
        Some(stdout) => anstream::AutoStream::choice(stdout),
        None => anstream::AutoStream::choice(&io::stdout()),
    };
    choice != anstream::ColorChoice::Never
}

/// Columns of the terminal; `COLUMNS` comes first, as elsewhere.
fn width() -> usize {
    let from_env = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let from_terminal = || {
        results()
            .map_or_else(|| io::stdout().is_terminal(), IsTerminal::is_terminal)
            .then(terminal_size::terminal_size)
            .flatten()
            .map(|(width, _)| usize::from(width.0))
    };
    from_env.or_else(from_terminal).unwrap_or(WIDTH_OF_A_PIPE)
}

/// Bytes to stdout. A reader that has seen enough, such as `head`, is no failure: what was found stays found.
pub(crate) fn put(bytes: &[u8]) -> Result<(), Error> {
    let written = if let Some(mut stdout) = results() {
        stdout.write_all(bytes)
    } else {
        let mut stdout = io::stdout().lock();
        stdout.write_all(bytes).and_then(|()| stdout.flush())
    };
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written.context("the result cannot be written to stdout: check where it goes"),
    }
}

/// JSON to stdout, for people to read too.
pub(crate) fn put_json(value: &impl Serialize) -> Result<(), Error> {
    let mut bytes = serde_json::to_vec_pretty(value)?;
    bytes.push(b'\n');
    put(&bytes)
}

/// A document as text to stdout.
pub(crate) fn put_document(document: &Document) -> Result<(), Error> {
    put(&derate_reports::render_text(document, color(), width())?)
}

/// The words of this run, for whoever wants to see it again.
pub(crate) fn command() -> String {
    derate_model::predict::command(std::env::args().skip(1))
}

/// Refuses to write over what a command reads.
pub(crate) fn is_no_input<'a>(
    out: &Path,
    inputs: impl IntoIterator<Item = &'a PathBuf>,
) -> Result<(), Error> {
    let Ok(target) = out.canonicalize() else { return Ok(()) };
    let same = |input: &&PathBuf| input.canonicalize().is_ok_and(|input| input == target);
    match inputs.into_iter().find(same) {
        Some(_) => {
            bail!("{}: that file is read, so it is not written: name another", out.display())
        }
        None => Ok(()),
    }
}

/// What derate writes, by how it begins.
#[derive(Clone, Copy)]
pub(crate) enum Written {
    /// `derate.measurement/1`, whose form is its first field.
    Measurement,
    /// `derate.comparison/1`, the same.
    Comparison,
    /// What `derate platform measure` writes: its first line is a comment that says so.
    Platform,
    /// A container with a design.
    Xclbin,
}

impl Written {
    /// Of the first bytes of a file.
    fn begins(self, head: &[u8]) -> bool {
        let json = |schema: &str| {
            let text = String::from_utf8_lossy(head);
            text.trim_start().starts_with('{') && text.contains(schema)
        };
        match self {
            Self::Measurement => json("\"derate.measurement/"),
            Self::Comparison => json("\"derate.comparison/"),
            Self::Platform => head.starts_with(MEASURED.as_bytes()),
            Self::Xclbin => head.starts_with(b"xclbin2"),
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Measurement => "no measurement that derate wrote",
            Self::Comparison => "no comparison that derate wrote",
            Self::Platform => "no platform that derate measured",
            Self::Xclbin => "no xclbin",
        }
    }
}

/// How a platform file of `derate platform measure` begins; the command follows.
pub(crate) const MEASURED: &str = "# Measured by `derate ";

/// A file that is there is replaced where it is an earlier one of the same kind, or empty: nobody means to lose another.
pub(crate) fn may_replace(out: &Path, kind: Written) -> Result<(), Error> {
    // What is no plain file holds nothing to lose, and what cannot be read is told when it is written.
    if !out.is_file() {
        return Ok(());
    }
    let Ok(file) = File::open(out) else { return Ok(()) };
    let mut head = Vec::new();
    file.take(HEAD)
        .read_to_end(&mut head)
        .with_context(|| format!("{} cannot be read", out.display()))?;
    if head.is_empty() || kind.begins(&head) {
        return Ok(());
    }
    bail!(
        "{} is there, and is {}: it is not overwritten; name another file, or remove it first",
        out.display(),
        kind.title()
    )
}

/// The form of a file stands within so many bytes.
const HEAD: u64 = 256;

/// A word to whoever watches; not a result.
pub(crate) fn note(text: &str) {
    // Whoever closed stderr does not want it.
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// That a file is not quite what was read.
pub(crate) fn replaced(name: &impl Display) {
    note(&format!("note: {name} is not UTF-8 throughout; the odd bytes were replaced"));
}

/// How far long work is, on a line of its own that the next word takes; an empty text clears it.
pub(crate) fn progress(text: &str) {
    let mut stderr = anstream::stderr();
    let _ = write!(stderr, "\r\u{1b}[K{text}");
    let _ = stderr.flush();
}

/// Why nothing could be done, in one sentence.
pub(crate) fn complain(error: &Error) {
    note(&format!("\u{1b}[1;31merror\u{1b}[0m: {error:#}"));
}
