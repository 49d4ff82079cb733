//! What a command gives to a program in this process.

use anyhow::Error;
use clap::Parser;
use derate_hls::FilePlace;
use derate_reports::Document;

#[cfg(feature = "parquet")]
use {
    crate::args::{Predict, PredictWorkload},
    crate::commands,
    derate_columns::RecordBatch,
    derate_model::language::Generation,
};

use crate::args::{Args, Command};
use crate::output::Outcome;
use crate::place::find_place;
use crate::run_command;
use crate::session::{Recording, Watch, record_command};

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
    let command = parse_words(&words)?;
    let (done, recording) = record_command(words, watch, || run_command(command));
    let outcome = done.map_err(|error| refuse_command(&error))?;
    let Recording { json, document, notes, .. } = recording;
    Ok(Answer { json, document, notes, is_refused: outcome == Outcome::Refused })
}

/// Many runs of the decoder that the words of a `predict llm` name, a row each.
///
/// # Errors
///
/// Words that are not of `predict llm`, what the binary would refuse of them, and a run of no tokens.
#[cfg(feature = "parquet")]
pub fn tabulate_runs(
    words: Vec<String>,
    runs: &[Generation],
    threads: Option<usize>,
) -> Result<RecordBatch, CommandError> {
    let Command::Predict(Predict { workload: PredictWorkload::Llm(args) }) = parse_words(&words)?
    else {
        return Err(refuse_usage("runs are of `predict llm`"));
    };
    let work = || commands::predict::tabulate_runs(&args, runs, threads);
    record_command(words, Watch::default(), work).0.map_err(|error| refuse_command(&error))
}

fn parse_words(words: &[String]) -> Result<Command, CommandError> {
    let with_name = std::iter::once("derate").chain(words.iter().map(String::as_str));
    Args::try_parse_from(with_name).map(|args| args.command).map_err(|refused| {
        // What the command line shows below it is the usage of the binary.
        let text = refused.render().to_string();
        let first = text.split("\n\n").next().unwrap_or_default();
        refuse_usage(first.strip_prefix("error: ").unwrap_or(first))
    })
}

fn refuse_usage(reason: &str) -> CommandError {
    CommandError { reason: reason.to_owned(), place: None, is_usage: true }
}

fn refuse_command(error: &Error) -> CommandError {
    CommandError { reason: format!("{error:#}"), place: find_place(error), is_usage: false }
}
