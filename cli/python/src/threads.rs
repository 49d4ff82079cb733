//! Threads that work and are kept for the next call: to start one takes longer than many a call's work.

use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};
use std::{io, mem, process, thread};

use crossbeam_channel::{Receiver, Sender, TryRecvError, unbounded};

/// Work that says when it is done and before anybody hears of it, so that the next call finds this thread waiting.
pub(crate) type Job = Box<dyn FnOnce(&mut dyn FnMut()) + Send>;

/// The stack of a thread that works: that of a program's first thread.
const STACK: usize = 8 << 20;

/// More threads than these end when they have nothing to do.
const MOST: usize = 8;

/// A thread that sleeps wakes tens of microseconds late: it stays awake for so long first.
const AWAKE: Duration = Duration::from_micros(100);

/// What comes soon, and `None` for what does not; other threads go first.
pub(crate) fn receive_soon<T>(receive: &Receiver<T>) -> Option<T> {
    let begun = Instant::now();
    while begun.elapsed() < AWAKE {
        match receive.try_recv() {
            Ok(got) => return Some(got),
            Err(TryRecvError::Empty) => thread::yield_now(),
            Err(TryRecvError::Disconnected) => break,
        }
    }
    None
}

/// Threads that wait for a job, of the process that started them: a fork has none.
struct Idle {
    process: u32,
    threads: Vec<Sender<Job>>,
}

static IDLE: Mutex<Idle> = Mutex::new(Idle { process: 0, threads: Vec::new() });

/// The list of this process; `None` where another thread changes it. A fork may have been made in the middle of that, so nobody
/// waits for it.
fn find_idle() -> Option<MutexGuard<'static, Idle>> {
    let mut idle = match IDLE.try_lock() {
        Ok(idle) => idle,
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        Err(TryLockError::WouldBlock) => return None,
    };
    if idle.process != process::id() {
        // These are threads of the parent: their channels are left as they are.
        mem::forget(mem::take(&mut idle.threads));
        idle.process = process::id();
    }
    Some(idle)
}

/// Puts a thread among those that wait; false where there are enough.
fn keep_thread(thread: &Sender<Job>) -> bool {
    let Some(mut idle) = find_idle().filter(|idle| idle.threads.len() < MOST) else { return false };
    idle.threads.push(thread.clone());
    true
}

/// Gives a job to a thread that waits, or to a new one.
///
/// # Errors
///
/// The system starts no thread.
pub(crate) fn hand_over(job: Job) -> io::Result<()> {
    let waiting = find_idle().and_then(|mut idle| idle.threads.pop());
    let job = match waiting {
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
            let wait = || receive_soon(&receive).or_else(|| receive.recv().ok());
            next = if is_kept { wait() } else { None };
        }
    })?;
    Ok(())
}
