//! A program and its device in a session of their own: what XRT does to its whole process group stays in it, and nothing
//! of it is left when it ends.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitOptions, getpid, getppid, getsid, kill_process, set_child_subreaper,
    set_parent_process_death_signal, setsid, wait,
};

use crate::family::family;
use crate::interrupt::Held;

/// Names, for the program's process, the one that waits for it.
const VARIABLE: &str = "DERATE_SESSION_OF";
/// How often running processes are looked at.
const BEAT: Duration = Duration::from_millis(2);
/// What is given to a device, and to a program that was asked to end, to do so; and between two looks at those that stay.
const GRACE: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(50);

/// How a program ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Ended {
    /// With a code of its own.
    Code(u8),
    /// By a signal.
    Signal(i32),
    /// Because this process was asked to end, by this signal.
    Interrupted(i32),
}

/// Makes this process the leader of a session that ends with its parent, and becomes another program. Comes back only with
/// the reason why it could not.
pub fn become_program(command: &mut Command) -> io::Error {
    // A leader already: nothing to do.
    let _ = setsid();
    if let Err(error) = set_parent_process_death_signal(Some(Signal::KILL)) {
        return error.into();
    }
    // A parent that was gone before is not told of any more.
    let waits = std::env::var(VARIABLE).ok();
    if waits.is_some() && waits != getppid().map(|parent| parent.to_string()) {
        return io::Error::other("whoever started it is gone");
    }
    command.env_remove(VARIABLE).exec()
}

/// Whether this process leads a session, as one that [`become_program`] made does: its group is then its own.
pub fn leads_a_session() -> bool {
    getsid(None).is_ok_and(|leader| leader == getpid())
}

/// Ends this process by a signal: XRT takes a device's exit for an orderly end and would wait for answers for ever.
pub fn end_by_signal() -> ! {
    // Without a core file.
    let _ = kill_process(getpid(), Signal::KILL);
    // Not reached: nothing withstands that signal.
    std::process::exit(2)
}

/// Starts a program that calls [`become_program`], and waits until it and all that descends from it is gone. What it left
/// behind in its session ends with it; what has a session of its own, as `setsid` makes one, is waited for. Where this
/// process is asked to end, all of them are.
pub fn session(command: &mut Command) -> io::Result<Ended> {
    let held = Held::new()?;
    if let Some(signal) = held.asked() {
        return Ok(Ended::Interrupted(signal));
    }
    // What outlives its parent is this process' child then.
    set_child_subreaper(Some(getpid()))?;
    let program = command.env(VARIABLE, std::process::id().to_string()).spawn()?;
    let program = Pid::from_child(&program);
    let mut ended = None;
    let mut leave = Leave::default();
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some((id, status))) if id == program => {
                ended = ended.or(match (status.exit_status(), status.terminating_signal()) {
                    (Some(code), _) => Some(Ended::Code(u8::try_from(code).unwrap_or(u8::MAX))),
                    (None, Some(signal)) => Some(Ended::Signal(signal)),
                    // Stopped, which was not asked for.
                    (None, None) => None,
                });
            }
            Ok(Some(_)) | Err(Errno::INTR) => {}
            Ok(None) => {
                leave.ask(program, ended.is_some(), held.asked().is_some());
                sleep(BEAT);
            }
            // Nobody is left.
            Err(Errno::CHILD) => break,
            Err(error) => return Err(error.into()),
        }
    }
    let ended = ended.unwrap_or(Ended::Signal(Signal::KILL.as_raw()));
    Ok(held.asked().map_or(ended, Ended::Interrupted))
}

/// What is done about processes that should not be there any more.
#[derive(Default)]
struct Leave {
    /// Since when: of the session that the program left, and of all.
    session: Option<Instant>,
    all: Option<Instant>,
    looked: Option<Instant>,
}

impl Leave {
    /// Asks those to end whose time has come: first kindly.
    fn ask(&mut self, program: Pid, is_over: bool, is_interrupted: bool) {
        let first = is_interrupted && self.all.is_none();
        if is_over {
            self.session.get_or_insert_with(Instant::now);
        }
        if is_interrupted {
            self.all.get_or_insert_with(Instant::now);
        }
        let is_late = |since: Option<Instant>| since.is_some_and(|since| since.elapsed() > GRACE);
        let (session, all) = (is_late(self.session), is_late(self.all));
        let pause = self.looked.is_some_and(|looked| looked.elapsed() < PAUSE);
        if !first && (pause || !session && !all) {
            return;
        }
        self.looked = Some(Instant::now());
        let own = getpid();
        for id in family(own).into_iter().filter(|id| *id != own) {
            let is_its = || getsid(Some(id)).is_ok_and(|leader| leader == program);
            let signal = if all || session && is_its() {
                Signal::KILL
            } else if first {
                Signal::TERM
            } else {
                continue;
            };
            // It may be gone meanwhile.
            let _ = kill_process(id, signal);
        }
    }
}
