//! A program and its device in a session of their own: what XRT does to its whole process group stays in it, and nothing
//! of it is left when it ends.

use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Signal, WaitOptions, getpid, kill_process, kill_process_group, set_child_subreaper,
    set_parent_process_death_signal, setsid, waitpgid,
};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// How often a running program is looked at.
const BEAT: Duration = Duration::from_millis(2);
/// What is given to a device, and to a program that was asked to end, to do so.
const GRACE: Duration = Duration::from_secs(2);

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
    command.exec()
}

/// Ends this process by a signal: XRT takes a device's exit for an orderly end and would wait for answers for ever.
pub fn end_by_signal() -> ! {
    // Without a core file.
    let _ = kill_process(getpid(), Signal::KILL);
    // Not reached: nothing withstands that signal.
    std::process::exit(2)
}

/// Starts a program that calls [`become_program`], and waits until it and everything in its group is gone.
pub fn session(command: &mut Command) -> io::Result<Ended> {
    let asked = Arc::new(AtomicUsize::new(0));
    for signal in [SIGHUP, SIGINT, SIGTERM] {
        let number = usize::try_from(signal).unwrap_or_default();
        signal_hook::flag::register_usize(signal, Arc::clone(&asked), number)?;
    }
    // The device outlives its parent for a moment, and is ours then.
    set_child_subreaper(Some(getpid()))?;
    let mut program = command.spawn()?;
    let group = i32::try_from(program.id()).ok().and_then(Pid::from_raw);
    let ended = wait(&mut program, &asked, group)?;
    if let Some(group) = group {
        clear(group, if matches!(ended, Ended::Interrupted(_)) { Duration::ZERO } else { GRACE });
    }
    Ok(ended)
}

fn wait(program: &mut Child, asked: &AtomicUsize, group: Option<Pid>) -> io::Result<Ended> {
    let mut since: Option<Instant> = None;
    loop {
        let status = program.try_wait()?;
        let signal = i32::try_from(asked.load(Ordering::Relaxed)).unwrap_or_default();
        if let Some(status) = status {
            let code = status.code().and_then(|code| u8::try_from(code).ok());
            return Ok(match (signal, code) {
                (0, Some(code)) => Ended::Code(code),
                (0, None) => Ended::Signal(status.signal().unwrap_or_default()),
                (signal, _) => Ended::Interrupted(signal),
            });
        }
        if signal != 0 {
            let first = since.is_none();
            let patience = since.get_or_insert_with(Instant::now).elapsed();
            let kind = if patience > GRACE { Signal::KILL } else { Signal::TERM };
            if let Some(group) = group.filter(|_| first || patience > GRACE) {
                // It may be gone meanwhile.
                let _ = kill_process_group(group, kind);
            }
        }
        sleep(BEAT);
    }
}

/// Waits for what is left in a group, and ends what stays.
fn clear(group: Pid, patience: Duration) {
    let begin = Instant::now();
    let mut killed = false;
    // Until there is nobody to wait for.
    while let Ok(gone) = waitpgid(group, WaitOptions::NOHANG) {
        if gone.is_some() {
            continue;
        }
        if !killed && begin.elapsed() > patience {
            killed = true;
            let _ = kill_process_group(group, Signal::KILL);
        }
        sleep(BEAT);
    }
    // What is no child of ours, such as one whose parent still waits for it, is reached all the same.
    let _ = kill_process_group(group, Signal::KILL);
}
