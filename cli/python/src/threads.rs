//! Threads that work and are kept for the next call: to start one takes longer than many a call's work.

use std::io;
use std::process;
use std::sync::{Mutex, PoisonError};
use std::thread;

use crossbeam_channel::{Sender, unbounded};

/// Work that says when it is done and before anybody hears of it, so that the next call finds this thread waiting.
pub(crate) type Job = Box<dyn FnOnce(&mut dyn FnMut()) + Send>;

/// The stack of a thread that works: that of a program's first thread.
const STACK: usize = 8 << 20;

/// More threads than these end when they have nothing to do.
const MOST: usize = 8;

/// Threads that wait for a job, of the process that started them: a fork has none.
struct Idle {
    process: u32,
    threads: Vec<Sender<Job>>,
}

static IDLE: Mutex<Idle> = Mutex::new(Idle { process: 0, threads: Vec::new() });

/// A thread that waits; `None` where there is none, or where a fork has left the list in the middle of a change.
fn take_thread() -> Option<Sender<Job>> {
    let mut idle = match IDLE.try_lock() {
        Ok(idle) => idle,
        Err(std::sync::TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        Err(std::sync::TryLockError::WouldBlock) => return None,
    };
    if idle.process != process::id() {
        // These are threads of the parent: their channels are left as they are.
        std::mem::forget(std::mem::take(&mut idle.threads));
        idle.process = process::id();
    }
    idle.threads.pop()
}

/// Puts a thread among those that wait; false where there are enough.
fn keep_thread(thread: &Sender<Job>) -> bool {
    let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
    let is_kept = idle.process == process::id() && idle.threads.len() < MOST;
    if is_kept {
        idle.threads.push(thread.clone());
    }
    is_kept
}

/// Gives a job to a thread that waits, or to a new one.
///
/// # Errors
///
/// The system starts no thread.
pub(crate) fn hand_over(job: Job) -> io::Result<()> {
    let job = match take_thread() {
        Some(thread) => match thread.send(job) {
            Ok(()) => return Ok(()),
            Err(refused) => refused.into_inner(),
        },
        None => job,
    };
    let (send, receive) = unbounded::<Job>();
    thread::Builder::new().stack_size(STACK).spawn(move || {
        let mut next = Some(job);
        while let Some(job) = next {
            let mut is_kept = false;
            job(&mut || is_kept = keep_thread(&send));
            next = if is_kept { receive.recv().ok() } else { None };
        }
    })?;
    Ok(())
}
