//! The second process' side.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::OnceLock;

use crate::signal::end_by_signal;
use rustix::process::{Signal, getppid, set_parent_process_death_signal};
use rustix::stdio::{dup2_stdin, dup2_stdout};

use super::VARIABLE;
use super::journal::{LEFT, THROUGH};

static WATCHER: OnceLock<UnixStream> = OnceLock::new();
static RESULTS: OnceLock<File> = OnceLock::new();

/// Whether this is a second process; from then on the first one hears of every compute unit that starts and ends. Its
/// input, which was the way to the first, is empty afterwards, and it does not outlive the first. What kernels print goes to
/// stderr: the way to stdout is [`stdout_for_results`].
pub fn is_watched() -> bool {
    let parent = getppid().map(|parent| parent.as_raw_nonzero().to_string());
    if parent.is_none() || std::env::var(VARIABLE).ok() != parent {
        return false;
    }
    WATCHER.get().is_some() || join_watcher().is_ok_and(|stream| WATCHER.set(stream).is_ok())
}

fn join_watcher() -> io::Result<UnixStream> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    let stream = io::stdin().as_fd().try_clone_to_owned()?;
    dup2_stdin(File::open("/dev/null")?)?;
    let results = io::stdout().as_fd().try_clone_to_owned()?;
    dup2_stdout(io::stderr())?;
    let _ = RESULTS.set(File::from(results));
    Ok(UnixStream::from(stream))
}

/// The stdout of a second process; `None` in any other, whose stdout is where it always is.
pub fn stdout_for_results() -> Option<&'static File> {
    RESULTS.get()
}

/// A compute unit starts.
pub(crate) fn note_start(unit: &str, kernel: &str) {
    tell_watcher(&format!("+{unit} of kernel {kernel}"));
}

/// A compute unit has ended.
pub(crate) fn note_end(unit: &str, kernel: &str) {
    tell_watcher(&format!("-{unit} of kernel {kernel}"));
}

/// The work is done, and this process ends of its own will.
pub fn is_through() {
    tell_watcher(THROUGH);
}

/// Whoever the work was for is gone, and this process ends now, with all that still runs in it.
pub fn is_left() -> ! {
    tell_watcher(LEFT);
    end_by_signal()
}

fn tell_watcher(word: &str) {
    if let Some(mut stream) = WATCHER.get() {
        // One write, so that two threads do not mix. Whoever watched may be gone.
        let _ = stream.write_all(format!("{word}\n").as_bytes());
    }
}
