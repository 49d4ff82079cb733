//! Two processes where one would do: compiled kernels run in the second, so that a kernel that takes its process along
//! leaves somebody who can tell of it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, getppid, kill_process, set_parent_process_death_signal};
use rustix::stdio::{dup2_stdin, dup2_stdout};

use crate::family::{adopt, end_all};
use crate::interrupt::Held;

/// Names, for the second process, the first one.
const VARIABLE: &str = "DERATE_WATCHED_BY";
/// How often the first process looks whether it is asked to end.
const BEAT: Duration = Duration::from_millis(20);
/// What the second process says when it is through.
const THROUGH: &str = ".";

static WATCHER: OnceLock<UnixStream> = OnceLock::new();
static RESULTS: OnceLock<File> = OnceLock::new();

/// What became of the second process.
#[derive(Debug)]
pub struct Watched {
    /// How it ended.
    pub status: ExitStatus,
    /// The compute units that ran when it did, each with its kernel.
    pub running: Vec<String>,
    /// Whether it ended by itself, through with its work.
    pub through: bool,
    /// How long a compute unit was let run, where it was ended because one ran longer.
    pub endless: Option<Duration>,
}

impl Watched {
    /// One sentence about a second process that a kernel ended: it had no chance to say anything itself. `what` is what
    /// it was: `the device`.
    pub fn sentence(&self, what: &str) -> Option<String> {
        if let Some(limit) = self.endless {
            return Some(format!(
                "{what} was ended because compute unit {} had run for {} s: a kernel has to return; look for a loop without an end in its source, or give it longer with --limit",
                self.running.join(", "),
                limit.as_secs()
            ));
        }
        let how = match (self.status.signal(), self.status.code()) {
            (Some(signal), _) => format!("by signal {signal}{}", meaning(signal)),
            (None, _) if self.through => return None,
            (None, code) => format!("with status {}", code.unwrap_or_default()),
        };
        if self.running.is_empty() {
            return Some(format!(
                "{what} ended {how} while no compute unit ran: look for what the kernels' source does before a kernel is called, in the constructors of its globals"
            ));
        }
        let look = match self.status.signal() {
            None => {
                "a kernel has to return: take the call that ends the process, such as exit(), out of its source"
            }
            Some(6) => "look for a failed assert or a call of abort() in its source",
            Some(8) => "look for a division by zero in its source",
            Some(9 | 15) => "somebody ended it, or this machine has no memory left",
            Some(_) => "look for an access beyond an array in its source",
        };
        Some(format!(
            "{what} ended {how} while compute unit {} ran: {look}",
            self.running.join(", ")
        ))
    }
}

fn meaning(signal: i32) -> &'static str {
    match signal {
        4 => " (illegal instruction)",
        6 => " (abort)",
        8 => " (division by zero)",
        9 => " (killed)",
        11 => " (segmentation fault)",
        15 => " (terminated)",
        _ => "",
    }
}

/// Starts a second process, which asks [`is_watched`], and waits for its end. Where this process is asked to end meanwhile,
/// the second ends first; so it does where a compute unit runs longer than `limit`. What the second leaves behind, and
/// whatever else this process has started, ends with it.
pub fn watch(command: &mut Command, limit: Option<Duration>) -> io::Result<Watched> {
    let held = Held::new()?;
    adopt()?;
    let watched = attend(command, limit, &held);
    end_all();
    watched
}

fn attend(command: &mut Command, limit: Option<Duration>, held: &Held) -> io::Result<Watched> {
    let (mut stream, other) = UnixStream::pair()?;
    stream.set_read_timeout(Some(BEAT))?;
    command.env(VARIABLE, std::process::id().to_string()).stdin(Stdio::from(OwnedFd::from(other)));
    let mut process = command.spawn()?;
    // The other end is the second process' alone.
    command.stdin(Stdio::null());
    let id = i32::try_from(process.id()).ok().and_then(Pid::from_raw);
    let (mut journal, mut asked, mut endless) = (Journal::default(), false, None);
    let mut piece = [0; 4096];
    loop {
        match stream.read(&mut piece) {
            Ok(0) => break,
            Ok(count) => journal.hear(piece.get(..count).unwrap_or_default()),
            // Whatever the second process started may hold its end open.
            Err(error) if is_pause(&error) && process.try_wait()?.is_none() => {}
            // It is gone, with something unread perhaps.
            Err(_) => break,
        }
        if held.asked().is_some() && !asked {
            asked = true;
            // It may be gone meanwhile.
            let _ = id.map(|id| kill_process(id, Signal::TERM));
        }
        if endless.is_none() && limit.is_some_and(|limit| journal.longest() > limit) {
            endless = limit;
            let _ = id.map(|id| kill_process(id, Signal::KILL));
        }
    }
    let status = process.wait()?;
    // What it said between the last look and its end.
    stream.set_nonblocking(true)?;
    while let Ok(count @ 1..) = stream.read(&mut piece) {
        journal.hear(piece.get(..count).unwrap_or_default());
    }
    let Journal { running, through, .. } = journal;
    Ok(Watched { status, running: running.into_keys().collect(), through, endless })
}

fn is_pause(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

/// What the second process has said so far.
#[derive(Default)]
struct Journal {
    /// The units that run, and since when.
    running: BTreeMap<String, Instant>,
    through: bool,
    line: Vec<u8>,
}

impl Journal {
    /// How long the unit has run that has run longest.
    fn longest(&self) -> Duration {
        self.running.values().map(Instant::elapsed).max().unwrap_or_default()
    }

    fn hear(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if byte != b'\n' {
                self.line.push(byte);
                continue;
            }
            let line = std::mem::take(&mut self.line);
            let line = String::from_utf8_lossy(&line);
            self.through = line == THROUGH;
            if let Some(unit) = line.strip_prefix('+') {
                self.running.insert(unit.to_owned(), Instant::now());
            } else if let Some(unit) = line.strip_prefix('-') {
                self.running.remove(unit);
            }
        }
    }
}

/// Whether this is a second process; from then on the first one hears of every compute unit that starts and ends. Its
/// input, which was the way to the first, is empty afterwards, and it does not outlive the first. What kernels print goes to
/// stderr: the way to stdout is [`results`].
pub fn is_watched() -> bool {
    let parent = getppid().map(|parent| parent.as_raw_nonzero().to_string());
    if parent.is_none() || std::env::var(VARIABLE).ok() != parent {
        return false;
    }
    WATCHER.get().is_some() || join().is_ok_and(|stream| WATCHER.set(stream).is_ok())
}

fn join() -> io::Result<UnixStream> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    let stream = io::stdin().as_fd().try_clone_to_owned()?;
    dup2_stdin(File::open("/dev/null")?)?;
    let results = io::stdout().as_fd().try_clone_to_owned()?;
    dup2_stdout(io::stderr())?;
    let _ = RESULTS.set(File::from(results));
    Ok(UnixStream::from(stream))
}

/// The stdout of a second process; `None` in any other, whose stdout is where it always is.
pub fn results() -> Option<&'static File> {
    RESULTS.get()
}

/// A compute unit starts.
pub(crate) fn starts(unit: &str, kernel: &str) {
    tell(&format!("+{unit} of kernel {kernel}"));
}

/// A compute unit has ended.
pub(crate) fn ends(unit: &str, kernel: &str) {
    tell(&format!("-{unit} of kernel {kernel}"));
}

/// The work is done, and this process ends of its own will.
pub fn is_through() {
    tell(THROUGH);
}

fn tell(word: &str) {
    if let Some(mut stream) = WATCHER.get() {
        // One write, so that two threads do not mix. Whoever watched may be gone.
        let _ = stream.write_all(format!("{word}\n").as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watched(script: &str) -> Watched {
        let held = Held::new().unwrap();
        let limit = Some(Duration::from_millis(500));
        attend(Command::new("sh").args(["-c", script]), limit, &held).unwrap()
    }

    #[test]
    fn only_the_last_word_makes_an_end_orderly() {
        let orderly = watched("echo '+a of kernel k' >&0; echo '-a of kernel k' >&0; echo . >&0");
        assert!(orderly.through && orderly.sentence("the device").is_none());
        let exits = watched("echo '+a of kernel k' >&0; exit 0").sentence("the device").unwrap();
        let expected = "the device ended with status 0 while compute unit a of kernel k ran: ";
        assert!(exits.starts_with(expected), "{exits}");
        let aborts = watched("echo '+a of kernel k' >&0; kill -ABRT $$").sentence("the bench");
        let aborts = aborts.unwrap();
        assert!(aborts.starts_with("the bench ended by signal 6 (abort) while compute unit a"));
        assert!(aborts.ends_with("a failed assert or a call of abort() in its source"));
        let endless = watched("echo '+a of kernel k' >&0; exec sleep 60").sentence("the bench");
        let said = "the bench was ended because compute unit a of kernel k had run for 0 s: ";
        assert!(endless.unwrap().starts_with(said));
        let returns =
            watched("echo '+a of kernel k' >&0; echo '-a of kernel k' >&0; sleep 1; echo . >&0");
        assert!(returns.sentence("the bench").is_none());
        let early = watched("exit 3").sentence("the bench").unwrap();
        assert!(early.starts_with("the bench ended with status 3 while no compute unit ran"));
    }
}
