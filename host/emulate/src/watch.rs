//! Two processes where one would do: compiled kernels run in the second, so that a kernel that takes its process along
//! leaves somebody who can tell of it.

mod journal;
mod second;
mod watched;

use std::io::{self, ErrorKind, Read};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::family::{adopt_orphans, end_all};
use crate::interrupt::HeldSignals;
use journal::Journal;
pub use second::{is_left, is_through, is_watched, stdout_for_results};
pub(crate) use second::{note_end, note_start};
pub use watched::Watched;

/// Names, for the second process, the first one.
const VARIABLE: &str = "DERATE_WATCHED_BY";
/// How often the first process looks whether it is asked to end.
const BEAT: Duration = Duration::from_millis(20);
/// What the second is given to end when it is asked to.
const GRACE: Duration = Duration::from_secs(10);
/// A compute unit that runs longer is reported.
const LONG: Duration = Duration::from_secs(60);

/// Starts a second process, which asks [`is_watched`], and waits for its end. Where this process is asked to end meanwhile,
/// the second ends first; so it does where a compute unit runs longer than `limit`. `note` hears, once, of a unit that runs
/// for more than a minute. What the second leaves behind, and whatever else this process has started, ends with it.
pub fn run_watched(
    command: &mut Command,
    limit: Option<Duration>,
    note: &mut dyn FnMut(&str),
) -> io::Result<Watched> {
    let held = HeldSignals::new()?;
    adopt_orphans()?;
    let watched = Attendance { limit, long: LONG, note, held: &held }.attend_process(command);
    end_all();
    watched
}

/// How a second process is looked after.
struct Attendance<'a> {
    limit: Option<Duration>,
    long: Duration,
    note: &'a mut dyn FnMut(&str),
    held: &'a HeldSignals,
}

impl Attendance<'_> {
    fn attend_process(self, command: &mut Command) -> io::Result<Watched> {
        let (mut stream, other) = UnixStream::pair()?;
        stream.set_read_timeout(Some(BEAT))?;
        command.env(VARIABLE, std::process::id().to_string());
        command.stdin(Stdio::from(OwnedFd::from(other)));
        let mut process = command.spawn()?;
        // The other end is the second process' alone.
        command.stdin(Stdio::null());
        let id = Pid::from_child(&process);
        let (mut journal, mut endless, mut said) = (Journal::default(), None, false);
        let mut asked: Option<Instant> = None;
        let mut piece = [0; 4096];
        loop {
            match stream.read(&mut piece) {
                Ok(0) => break,
                Ok(count) => journal.hear_bytes(piece.get(..count).unwrap_or_default()),
                // Whatever the second process started may hold its end open.
                Err(error) if is_pause(&error) && process.try_wait()?.is_none() => {}
                // It is gone, with something unread perhaps.
                Err(_) => break,
            }
            // It may have ended meanwhile.
            if self.held.asked().is_some() && asked.is_none() {
                asked = Some(Instant::now());
                let _ = kill_process(id, Signal::TERM);
            }
            let longest = journal.longest_running();
            let is_endless = longest.zip(self.limit).is_some_and(|((_, time), limit)| time > limit);
            if is_endless || asked.is_some_and(|since| since.elapsed() > GRACE) {
                endless = self.limit.filter(|_| is_endless);
                let _ = kill_process(id, Signal::KILL);
                break;
            }
            if let Some((unit, time)) = longest.filter(|(_, time)| *time > self.long)
                && !said
            {
                said = true;
                (self.note)(&long_run_note(unit, time, self.limit));
            }
        }
        let status = process.wait()?;
        // What it said between the last look and its end.
        stream.set_nonblocking(true)?;
        while let Ok(count @ 1..) = stream.read(&mut piece) {
            journal.hear_bytes(piece.get(..count).unwrap_or_default());
        }
        let Journal { running, through, left, .. } = journal;
        Ok(Watched { status, running: running.into_keys().collect(), through, left, endless })
    }
}

fn is_pause(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

/// That a unit runs long, and what ends it.
fn long_run_note(unit: &str, time: Duration, limit: Option<Duration>) -> String {
    let end = match limit {
        Some(limit) => format!("it is ended after {} s (--limit)", limit.as_secs()),
        None => {
            "interrupt derate to end it, or start with --limit SECONDS, which ends it".to_owned()
        }
    };
    format!("compute unit {unit} has run for {} s and has not returned: {end}", time.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With a limit that no busy machine reaches.
    fn watched(script: &str) -> Watched {
        limited(script, Duration::from_secs(50))
    }

    fn limited(script: &str, limit: Duration) -> Watched {
        attended(script, Some(limit), &mut |_| {})
    }

    fn attended(script: &str, limit: Option<Duration>, note: &mut dyn FnMut(&str)) -> Watched {
        let (held, long) = (HeldSignals::new().unwrap(), Duration::from_millis(300));
        let attendance = Attendance { limit, long, note, held: &held };
        attendance.attend_process(Command::new("sh").args(["-c", script])).unwrap()
    }

    /// Its last word may come in the same moment as its end.
    #[test]
    fn the_last_word_is_heard() {
        for _ in 0..50 {
            let orderly = watched("sleep 0.02; echo . >&0");
            assert!(orderly.through && orderly.sentence("the device").is_none());
        }
    }

    /// A unit may still run, or have ended, when the program that it ran for is gone.
    #[test]
    fn nobody_is_blamed_for_a_program_that_left() {
        let left =
            watched("echo '+a of kernel k' >&0; echo ! >&0; echo '-a of kernel k' >&0; kill -9 $$");
        assert!(left.left && left.sentence("the device").is_none());
        let through =
            watched("echo '+a of kernel k' >&0; echo . >&0; echo '-a of kernel k' >&0; exit 3");
        assert!(through.through && through.sentence("the device").is_none());
        let late = watched("echo . >&0; kill -SEGV $$").sentence("the bench").unwrap();
        assert!(late.ends_with("in the destructors of its globals"), "{late}");
    }

    #[test]
    fn a_unit_that_runs_long_is_told_once() {
        let mut said = Vec::new();
        let script = "echo '+a of kernel k' >&0; sleep 1; echo '-a of kernel k' >&0; echo . >&0";
        let orderly = attended(script, None, &mut |text| said.push(text.to_owned()));
        assert!(orderly.through);
        let [one] = said.as_slice() else { panic!("{said:?}") };
        assert!(one.starts_with("compute unit a of kernel k has run for "), "{one}");
        assert!(one.ends_with("start with --limit SECONDS, which ends it"), "{one}");
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
        let endless =
            limited("echo '+a of kernel k' >&0; exec sleep 600", Duration::from_millis(500));
        let endless = endless.sentence("the bench");
        let said = "the bench was ended because compute unit a of kernel k had run for 0 s: ";
        assert!(endless.unwrap().starts_with(said));
        let script = "echo '+a of kernel k' >&0; echo '-a of kernel k' >&0; sleep 3; echo . >&0";
        let returns = limited(script, Duration::from_secs(2));
        assert!(returns.sentence("the bench").is_none());
        let early = watched("exit 3").sentence("the bench").unwrap();
        assert!(early.starts_with("the bench ended with status 3 while no compute unit ran"));
    }
}
