//! What is done about processes that should not be there any more.

use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, getpid, kill_process};

use crate::family::list_family;
use crate::process::Process;

/// What is given to a device, and to a program that was asked to end, to do so; and between two looks at those that stay.
const GRACE: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(50);

pub(super) struct Leave {
    program: Pid,
    /// Since when: of the session that the program left, and of all.
    session: Option<Instant>,
    all: Option<Instant>,
    looked: Option<Instant>,
    /// Whether it was said who is waited for.
    said: bool,
}

impl Leave {
    /// For a program that leads a session.
    pub(super) fn of(program: Pid) -> Self {
        Self { program, session: None, all: None, looked: None, said: false }
    }

    /// Asks those to end whose time has come, first kindly, and tells of those that are waited for.
    pub(super) fn ask_to_end(
        &mut self,
        is_over: bool,
        is_interrupted: bool,
        note: &mut dyn FnMut(&str),
    ) {
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
        let mut others = Vec::new();
        for id in list_family(own).into_iter().filter(|id| *id != own) {
            let program = self.program.as_raw_nonzero().get();
            let is_its = || Process::of(id).is_some_and(|one| one.session == program);
            let signal = if all || session && is_its() {
                Signal::KILL
            } else if first {
                Signal::TERM
            } else {
                others.push(id);
                continue;
            };
            // It may have ended meanwhile.
            let _ = kill_process(id, signal);
        }
        if !self.said && !others.is_empty() {
            self.said = true;
            note(&waiting_note(&others));
        }
    }
}

/// Whom derate waits for, and what the user can do about it.
fn waiting_note(processes: &[Pid]) -> String {
    let name = |id: &Pid| match Process::of(*id) {
        Some(process) => format!("{id} ({})", process.name),
        None => id.to_string(),
    };
    let names: Vec<String> = processes.iter().map(name).collect();
    let ids: Vec<String> = processes.iter().map(Pid::to_string).collect();
    format!(
        "the program has ended, and what it started in another session still runs: waiting for process {}; `kill {}` ends it, and an interrupt of derate does",
        names.join(", "),
        ids.join(" ")
    )
}
