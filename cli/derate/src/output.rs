//! Results on stdout, everything else on stderr.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, bail};
use derate_host::watch::stdout_for_results;
use derate_reports::{Document, plain_text, render_text_screen, wrap_text};
use serde::Serialize;

use crate::args::Format;
use crate::session;

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

/// The width of text that goes to a pipe or a file.
const WIDTH_OF_A_PIPE: usize = 120;

/// Whether stdout wants colours: a terminal that has them, and neither `NO_COLOR` nor `CLICOLOR=0`.
pub(crate) fn wants_color() -> bool {
    let choice = match stdout_for_results() {
        Some(stdout) => anstream::AutoStream::choice(stdout),
        None => anstream::AutoStream::choice(&io::stdout()),
    };
    choice != anstream::ColorChoice::Never
}

/// Columns of the terminal; `COLUMNS` comes first, as elsewhere.
pub(crate) fn terminal_width() -> usize {
    find_width().unwrap_or(WIDTH_OF_A_PIPE)
}

/// The columns that are asked for or that the terminal has; a pipe has none.
pub(crate) fn find_width() -> Option<usize> {
    let from_env = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    // Nothing fits in no columns: a terminal that says 0 does not know.
    let from_env = from_env.filter(|columns: &usize| *columns > 0);
    let from_terminal = || {
        stdout_for_results()
            .map_or_else(|| io::stdout().is_terminal(), IsTerminal::is_terminal)
            .then(terminal_size::terminal_size)
            .flatten()
            .map(|(width, _)| usize::from(width.0))
    };
    from_env.or_else(from_terminal)
}

/// Sentences, wrapped to the terminal; in a pipe, a line each. Names of files may be in them, which must not
/// control a terminal.
pub(crate) fn fit_lines(text: &str) -> String {
    let text = plain_text(text);
    match find_width() {
        Some(width) => wrap_text(&text, width),
        None => text.into_owned(),
    }
}

/// Lines of a summary, wrapped to the terminal, or to the width of a pipe.
pub(crate) fn wrap_lines(text: &str) -> String {
    wrap_text(&plain_text(text), terminal_width())
}

/// Bytes to stdout. A reader that closes the pipe early, such as `head`, does not change the outcome.
pub(crate) fn put_bytes(bytes: &[u8]) -> Result<(), Error> {
    // What is printed for people is in the document.
    if session::is_recorded() {
        return Ok(());
    }
    let written = if let Some(mut stdout) = stdout_for_results() {
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
    put_bytes(&write_json(value)?)
}

/// A document as text to stdout.
pub(crate) fn put_document(document: &Document) -> Result<(), Error> {
    put_bytes(&derate_reports::render_text(document, wants_color(), terminal_width())?)
}

/// Lines of a screen.
pub(crate) const SCREEN: usize = 40;

/// How a screen says where the rest is.
const HOW: &str = "--detail shows all.";

/// A document as text to stdout, with `closing` below it: on one screen, or all of it if `detail` asks for that.
pub(crate) fn put_screen(document: &Document, detail: bool, closing: &str) -> Result<(), Error> {
    if detail {
        return put_document(document);
    }
    let width = terminal_width();
    let color = wants_color();
    let screen = render_text_screen(document, color, width, SCREEN, HOW, closing);
    put_bytes(screen.text.as_bytes())
}

/// A document as text to stdout, in at most `widest` columns.
pub(crate) fn put_document_within(document: &Document, widest: usize) -> Result<(), Error> {
    let width = terminal_width().min(widest);
    put_bytes(&derate_reports::render_text(document, wants_color(), width)?)
}

/// Gives both forms of a result to a program in this process; false where there is none.
pub(crate) fn record_bytes(json: Vec<u8>, document: impl FnOnce() -> Document) -> bool {
    session::is_recorded() && {
        let document = Some(document());
        session::record(|recording| (recording.json, recording.document) = (json, document))
    }
}

/// The bytes of a result as JSON, for people to read too.
fn write_json(value: &impl Serialize) -> Result<Vec<u8>, Error> {
    let mut bytes = serde_json::to_vec_pretty(value)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// A result as JSON, or as a document for people.
pub(crate) fn put_as(
    format: Format,
    data: &impl Serialize,
    document: impl FnOnce() -> Document,
) -> Result<(), Error> {
    if session::is_recorded() {
        record_bytes(write_json(data)?, document);
        return Ok(());
    }
    match format {
        Format::Json => put_json(data),
        Format::Text => put_document(&document()),
    }
}

/// A result as JSON, or as a document for people, on one screen unless `detail` asks for all of it.
pub(crate) fn put_screen_as(
    format: Format,
    detail: bool,
    data: &impl Serialize,
    document: impl FnOnce() -> Document,
) -> Result<(), Error> {
    if session::is_recorded() {
        record_bytes(write_json(data)?, document);
        return Ok(());
    }
    match format {
        Format::Json => put_json(data),
        Format::Text => put_screen(&document(), detail, ""),
    }
}

/// The command line of this run, for the outputs that quote it.
pub(crate) fn command_line() -> String {
    derate_model::predict::join_command(session::words())
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

/// A kind of output file, known by its first bytes.
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
    /// Tcl of `derate explore`: its first line is a comment that says so.
    Directives,
    /// A search of `derate explore` that can go on.
    Search,
    /// Points of a search that merge.
    #[cfg_attr(not(feature = "parquet"), allow(dead_code, reason = "what it is for is a feature"))]
    Points,
    /// A unified diff.
    Diff,
}

impl Written {
    /// Whether a file with these first bytes is of this kind.
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
            Self::Directives => head.starts_with(EXPLORED.as_bytes()),
            Self::Search => json("\"derate.search/"),
            Self::Points => head.starts_with(b"PAR1"),
            Self::Diff => head.starts_with(b"--- "),
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Measurement => "not a measurement that derate wrote",
            Self::Comparison => "not a comparison that derate wrote",
            Self::Platform => "not a platform that derate measured",
            Self::Xclbin => "not an xclbin",
            Self::Directives => "not Tcl that `derate explore` wrote",
            Self::Points => "not a Parquet file",
            Self::Diff => "not a diff",
            Self::Search => "not a search that `derate explore` can go on with",
        }
    }
}

/// How a platform file of `derate platform measure` begins; the command follows.
pub(crate) const MEASURED: &str = "# Measured by `derate ";

/// How the Tcl of `derate explore` begins; the command follows.
pub(crate) const EXPLORED: &str = "# Written by `derate explore`";

/// Refuses to replace a file that is neither empty nor an earlier output of the same kind.
pub(crate) fn may_replace(out: &Path, kind: Written) -> Result<(), Error> {
    // A device or a pipe has no content to lose. A file that cannot be read fails when it is written.
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

/// The schema of a file is in its first bytes.
const HEAD: u64 = 256;

/// A line for the person at the terminal; not a result.
pub(crate) fn note(text: &str) {
    put_note("", text);
}

/// A line with what goes before it. Names of files and tensors may be in it, which must not control a terminal.
fn put_note(lead: &str, text: &str) {
    let line = format!("{lead}{}", plain_text(text));
    if session::record(|recording| recording.notes.push(line.clone())) {
        return;
    }
    // A closed stderr is not an error.
    let _ = writeln!(anstream::stderr(), "{line}");
}

/// Says that bytes of a file were replaced.
pub(crate) fn note_replaced(name: &impl Display) {
    note(&format!("note: {name} is not UTF-8 throughout; the odd bytes were replaced"));
}

/// The progress of long work, on a line that the next output replaces; an empty text clears it. Only a terminal shows it.
pub(crate) fn show_progress(text: &str) {
    show_share(text, None);
}

/// The same with the share of the work that is done.
pub(crate) fn show_share(text: &str, share: Option<f64>) {
    if session::show_progress(text, share) || !io::stderr().is_terminal() {
        return;
    }
    let mut stderr = anstream::stderr();
    let _ = write!(stderr, "\r\u{1b}[K{text}");
    let _ = stderr.flush();
}

/// Whether somebody sees progress: a terminal, or a program in this process.
pub(crate) fn shows_progress() -> bool {
    session::is_recorded() || io::stderr().is_terminal()
}

/// Prints an error as one sentence.
pub(crate) fn print_error(error: &Error) {
    put_note("\u{1b}[1;31merror\u{1b}[0m: ", &format!("{error:#}"));
}
