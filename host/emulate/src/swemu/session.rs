//! A program and its device in a session of their own: what XRT does to its whole process group stays in it, and nothing
//! of it is left when it ends.

use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, WaitStatus, getpid, getppid,
    set_parent_process_death_signal, setsid, wait, waitid, waitpid,
};

use super::leave::Leave;
use crate::family::adopt_orphans;
use crate::interrupt::HeldSignals;
use crate::process::Process;
use crate::signal::restore_faults;

/// Names, for the program's process, the one that waits for it.
const VARIABLE: &str = "DERATE_SESSION_OF";
/// How often running processes are looked at.
const BEAT: Duration = Duration::from_millis(2);
/// What the first process of a device is called, so that it is known when it is dead.
const DEVICE: &str = "derate-device";

/// How a program ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Ended {
    /// With a code of its own.
    Code(u8),
    /// By a signal of its own: what XRT's handlers sent after it, to the whole group, is not asked.
    Signal(i32),
    /// By XRT, because the device was gone.
    DeviceGone,
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
    // A parent that was gone before sends no signal any more.
    let waits = std::env::var(VARIABLE).ok();
    if waits.is_some() && waits != getppid().map(|parent| parent.to_string()) {
        return io::Error::other("whoever started it is gone");
    }
    command.env_remove(VARIABLE).exec()
}

/// Whether this process leads a session, as one that [`become_program`] made does: its group is then its own. It is taken to,
/// where the system shows no processes.
pub fn leads_a_session() -> bool {
    let own = getpid();
    Process::of(own).is_none_or(|one| one.session == own.as_raw_nonzero().get())
}

/// Makes this process known as a device's to whoever waits for the program, and lets the signals end it that XRT's handlers
/// send after a fault of the program.
pub fn become_device() {
    restore_faults();
    // Without that, the program's own status has to do.
    let _ = fs::write("/proc/self/comm", DEVICE);
}

/// Starts a program that calls [`become_program`], and waits until it and all that descends from it is gone. What it left
/// behind in its session ends with it; what has a session of its own, as `setsid` makes one, is waited for, and `note` hears
/// of it. Where this process is asked to end, all of them are.
pub fn run_session(command: &mut Command, note: &mut dyn FnMut(&str)) -> io::Result<Ended> {
    let held = HeldSignals::new()?;
    if let Some(signal) = held.asked() {
        return Ok(Ended::Interrupted(signal));
    }
    // What outlives its parent is this process' child then.
    adopt_orphans()?;
    let program = command.env(VARIABLE, std::process::id().to_string()).spawn()?;
    let program = Pid::from_child(&program);
    let (mut ended, mut device) = (None, None);
    let mut leave = Leave::of(program);
    loop {
        match waitid(
            WaitId::All,
            WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT,
        ) {
            Ok(Some(_)) => {
                for (id, name, status) in reap_children()? {
                    if id == program {
                        ended = ended.or(Some(status));
                    } else if name == DEVICE {
                        device = status.terminating_signal().or(device);
                    }
                }
            }
            Err(Errno::INTR) => {}
            Ok(None) => {
                leave.ask_to_end(ended.is_some(), held.asked().is_some(), note);
                sleep(BEAT);
            }
            // No process is left.
            Err(Errno::CHILD) => break,
            Err(error) => return Err(error.into()),
        }
    }
    Ok(held.asked().map_or_else(|| judge_end(ended, device), Ended::Interrupted))
}

/// The children that are dead, with their names.
fn reap_children() -> io::Result<Vec<(Pid, String, WaitStatus)>> {
    let own = getpid().as_raw_nonzero().get();
    let dead = Process::list_all().filter(|one| one.parent == own && !one.lives);
    let mut reaped = Vec::new();
    for Process { id, name, .. } in dead {
        reaped
            .extend(waitpid(Some(id), WaitOptions::NOHANG)?.map(|(id, status)| (id, name, status)));
    }
    if reaped.is_empty() {
        // Where the system shows no processes, theirs are not known.
        reaped.extend(wait(WaitOptions::NOHANG)?.map(|(id, status)| (id, String::new(), status)));
    }
    Ok(reaped)
}

/// How a program ended, by its status and by the signal that ended its device.
///
/// XRT's handlers, which are the program's, answer its SIGSEGV and SIGABRT by sending the same to the whole group. The device
/// dies of that, and XRT answers a device's death with a SIGTERM to the group: so does the program then. A device that ends of
/// itself is killed, as [`end_by_signal`](crate::end_by_signal) does it, and the program dies of whichever of three comes first: that SIGTERM, an
/// assertion of XRT's, a write to the socket that is gone.
fn judge_end(program: Option<WaitStatus>, device: Option<i32>) -> Ended {
    let [abort, fault, killed, pipe, term] =
        [Signal::ABORT, Signal::SEGV, Signal::KILL, Signal::PIPE, Signal::TERM].map(Signal::as_raw);
    let Some(program) = program else { return Ended::Signal(killed) };
    match (program.exit_status(), program.terminating_signal(), device) {
        (Some(code), ..) => Ended::Code(u8::try_from(code).unwrap_or(u8::MAX)),
        (_, Some(_), Some(own)) if own == abort || own == fault => Ended::Signal(own),
        (_, Some(signal), Some(own)) if own == killed && [abort, pipe, term].contains(&signal) => {
            Ended::DeviceGone
        }
        (_, signal, _) => Ended::Signal(signal.unwrap_or(killed)),
    }
}
