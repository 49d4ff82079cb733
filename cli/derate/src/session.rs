//! The command that a thread runs: its words, and who takes what it gives.

use std::cell::RefCell;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use derate_reports::Document;

/// How a program in this process watches a command that it runs.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    is_stopped: AtomicBool,
    progress: Mutex<(String, Option<f64>)>,
}

impl Watch {
    /// Asks the command to end soon. A search ends with what it has; other work ends with an error or to its end.
    pub fn stop(&self) {
        self.shared.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Whether [`Watch::stop`] was called.
    pub fn is_stopped(&self) -> bool {
        self.shared.is_stopped.load(Ordering::Relaxed)
    }

    /// How far the command is: in words, empty where it says nothing, and as a share of its work where that is known.
    pub fn progress(&self) -> (String, Option<f64>) {
        self.shared.progress.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn show(&self, text: &str, share: Option<f64>) {
        *self.shared.progress.lock().unwrap_or_else(PoisonError::into_inner) =
            (text.to_owned(), share);
    }
}

/// What a command gives to a program in this process.
#[derive(Debug, Default)]
pub(crate) struct Recording {
    pub(crate) watch: Watch,
    pub(crate) json: Vec<u8>,
    pub(crate) document: Option<Document>,
    pub(crate) notes: Vec<String>,
}

#[derive(Debug, Default)]
struct Session {
    words: Vec<String>,
    recording: Option<Recording>,
}

thread_local! {
    static SESSION: RefCell<Session> = RefCell::default();
}

/// The words of the program that prints, without its name.
pub(crate) fn start_program(words: Vec<OsString>) {
    let words = words.into_iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    SESSION.set(Session { words, recording: None });
}

/// Runs `work` on this thread as the command of `words`, and gives what it would print.
pub(crate) fn record_command<T>(
    words: Vec<String>,
    watch: Watch,
    work: impl FnOnce() -> T,
) -> (T, Recording) {
    let recording = Some(Recording { watch, ..Recording::default() });
    let before = SESSION.replace(Session { words, recording });
    let done = work();
    let session = SESSION.replace(before);
    (done, session.recording.unwrap_or_default())
}

/// The words of this thread's command.
pub(crate) fn words() -> Vec<String> {
    SESSION.with_borrow(|session| session.words.clone())
}

/// Whether a program in this process takes the result, in place of stdout.
pub(crate) fn is_recorded() -> bool {
    SESSION.with_borrow(|session| session.recording.is_some())
}

/// Lets the program in this process have something, where there is one.
pub(crate) fn record(give: impl FnOnce(&mut Recording)) -> bool {
    SESSION.with_borrow_mut(|session| session.recording.as_mut().map(give).is_some())
}

/// How this thread's command is watched, where a program in this process runs it.
pub(crate) fn watch() -> Option<Watch> {
    SESSION.with_borrow(|session| session.recording.as_ref().map(|one| one.watch.clone()))
}

/// Whether the program in this process asks the command to end.
pub(crate) fn is_stopped() -> bool {
    SESSION
        .with_borrow(|session| session.recording.as_ref().is_some_and(|one| one.watch.is_stopped()))
}

/// Shows how far a command is to the program that runs it.
pub(crate) fn show_progress(text: &str, share: Option<f64>) -> bool {
    watch().inspect(|watch| watch.show(text, share)).is_some()
}

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Names the file that starts this program, where that is not the executable of this process. The first call counts.
pub fn set_program(path: PathBuf) {
    let _ = PROGRAM.set(path);
}

/// The file that starts this program.
pub(crate) fn program() -> io::Result<PathBuf> {
    PROGRAM.get().map_or_else(std::env::current_exe, |path| Ok(path.clone()))
}
