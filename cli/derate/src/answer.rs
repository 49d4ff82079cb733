//! What a command gives to a program in this process.

use anyhow::Error;
use clap::Parser;
use derate_hls::FilePlace;
use derate_reports::Document;

use crate::args::Args;
use crate::output::Outcome;
use crate::session::{Recording, Watch, record_command};
use crate::{find_place, run_command};

/// What a command gives to a program in this process.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The bytes that `--format json` prints.
    pub json: Vec<u8>,
    /// The same for people, where there is something to show.
    pub document: Option<Document>,
    /// Lines that the binary prints to stderr, each a sentence.
    pub notes: Vec<String>,
    /// Whether the binary exits with 1: a finding at level error, or a claim that is refused.
    pub is_refused: bool,
}

/// Why a command could not run: what the binary prints to stderr before it exits with 2.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{reason}")]
pub struct CommandError {
    /// One sentence: what, where, what to do.
    pub reason: String,
    /// The file, and the line in it, where one is at fault.
    pub place: Option<FilePlace>,
    /// Whether the words of the command are at fault.
    pub is_usage: bool,
}

/// Runs the command of these words, without the program's name, as the binary does: the same code, the same bytes.
///
/// # Errors
///
/// What the binary would refuse with exit status 2.
pub fn answer_command(words: Vec<String>, watch: Watch) -> Result<Answer, CommandError> {
    let with_name = std::iter::once("derate").chain(words.iter().map(String::as_str));
    let args = Args::try_parse_from(with_name).map_err(|refused| CommandError {
        reason: refused.to_string().trim_end().to_owned(),
        place: None,
        is_usage: true,
    })?;
    let (done, recording) = record_command(words, watch, || run_command(args.command));
    let outcome = done.map_err(|error| refuse_command(&error))?;
    let Recording { json, document, notes, .. } = recording;
    Ok(Answer { json, document, notes, is_refused: outcome == Outcome::Refused })
}

fn refuse_command(error: &Error) -> CommandError {
    CommandError { reason: format!("{error:#}"), place: find_place(error), is_usage: false }
}
