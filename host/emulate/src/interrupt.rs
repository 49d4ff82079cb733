//! Signals that ask this process to end, held back while there is something to put in order.

use std::fs;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::{flag, low_level};

/// As long as one is held, such a signal does nothing but to be remembered; when the last one goes, it does what it does
/// to every process.
#[derive(Debug)]
pub struct HeldSignals(&'static State);

#[derive(Debug)]
struct State {
    asked: Arc<AtomicUsize>,
    free: Arc<AtomicBool>,
    holders: Mutex<usize>,
}

static STATE: LazyLock<io::Result<State>> = LazyLock::new(|| {
    let state = State { asked: Arc::default(), free: Arc::default(), holders: Mutex::default() };
    for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM].into_iter().filter(|&one| !is_ignored(one)) {
        let number = usize::try_from(signal).unwrap_or_default();
        flag::register_usize(signal, Arc::clone(&state.asked), number)?;
        flag::register_conditional_default(signal, Arc::clone(&state.free))?;
    }
    Ok(state)
});

/// Whether whoever started this process has set a signal aside, as `nohup` does.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask & 1 << (signal - 1) != 0
}

impl HeldSignals {
    /// Holds them back. The error is the system's, which takes no handler.
    pub fn new() -> io::Result<Self> {
        let state = STATE.as_ref().map_err(|error| io::Error::from(error.kind()))?;
        let mut holders = state.holders.lock().unwrap_or_else(PoisonError::into_inner);
        *holders += 1;
        state.free.store(false, Ordering::SeqCst);
        Ok(Self(state))
    }

    /// The last signal that came.
    pub fn asked(&self) -> Option<i32> {
        i32::try_from(self.0.asked.load(Ordering::SeqCst)).ok().filter(|&signal| signal != 0)
    }
}

impl Drop for HeldSignals {
    fn drop(&mut self) {
        let (asked, state) = (self.asked(), self.0);
        let mut holders = state.holders.lock().unwrap_or_else(PoisonError::into_inner);
        *holders -= 1;
        if *holders == 0 {
            state.free.store(true, Ordering::SeqCst);
            if let Some(signal) = asked {
                // It ends this process; where it cannot, the work goes on.
                let _ = low_level::emulate_default_handler(signal);
            }
        }
    }
}
