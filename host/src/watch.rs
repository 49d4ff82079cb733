//! Two processes where one would do: compiled kernels run in the second, so that a kernel that takes its process along
//! leaves somebody who can tell of it.

use std::collections::BTreeSet;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use rustix::process::{Pid, Signal, getppid, kill_process, set_parent_process_death_signal};
use rustix::stdio::dup2_stdin;

use crate::interrupt::Held;

/// Names, for the second process, the first one.
const VARIABLE: &str = "DERATE_WATCHED_BY";
/// How often the first process looks whether it is asked to end.
const BEAT: Duration = Duration::from_millis(20);
/// What the second process says when it is through.
const THROUGH: &str = ".";

static WATCHER: OnceLock<UnixStream> = OnceLock::new();

/// What became of the second process.
#[derive(Debug)]
pub struct Watched {
    /// How it ended.
    pub status: ExitStatus,
    /// The compute units that ran when it did, each with its kernel.
    pub running: Vec<String>,
    /// Whether it ended by itself, through with its work.
    pub through: bool,
}

impl Watched {
    /// One sentence about a second process that a kernel ended: it had no chance to say anything itself. `what` is what
    /// it was: `the device`.
    pub fn sentence(&self, what: &str) -> Option<String> {
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
/// the second ends first.
pub fn watch(command: &mut Command) -> io::Result<Watched> {
    let held = Held::new()?;
    let (mut stream, other) = UnixStream::pair()?;
    stream.set_read_timeout(Some(BEAT))?;
    command.env(VARIABLE, std::process::id().to_string()).stdin(Stdio::from(OwnedFd::from(other)));
    let mut process = command.spawn()?;
    // The other end is the second process' alone.
    command.stdin(Stdio::null());
    let id = i32::try_from(process.id()).ok().and_then(Pid::from_raw);
    let (mut journal, mut asked) = (Journal::default(), false);
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
    }
    let status = process.wait()?;
    let Journal { running, through, .. } = journal;
    Ok(Watched { status, running: running.into_iter().collect(), through })
}

fn is_pause(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

/// What the second process has said so far.
#[derive(Default)]
struct Journal {
    running: BTreeSet<String>,
    through: bool,
    line: Vec<u8>,
}

impl Journal {
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
                self.running.insert(unit.to_owned());
            } else if let Some(unit) = line.strip_prefix('-') {
                self.running.remove(unit);
            }
        }
    }
}

/// Whether this is a second process; from then on the first one hears of every compute unit that starts and ends. Its
/// input, which was the way to the first, is empty afterwards, and it does not outlive the first.
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
    dup2_stdin(std::fs::File::open("/dev/null")?)?;
    Ok(UnixStream::from(stream))
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
        watch(Command::new("sh").args(["-c", script])).unwrap()
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
        let early = watched("exit 3").sentence("the bench").unwrap();
        assert!(early.starts_with("the bench ended with status 3 while no compute unit ran"));
    }
}
