//! Signals that end a process.

#![allow(unsafe_code, reason = "no safe library gives a fault its default action")]

use rustix::process::{Signal, getpid, kill_process};

/// What a signal means, in brackets after a space; empty for those that rarely end a process.
pub fn explain_signal(signal: i32) -> &'static str {
    match signal {
        4 => " (illegal instruction)",
        6 => " (abort)",
        7 => " (bus error)",
        8 => " (division by zero)",
        9 => " (killed)",
        11 => " (segmentation fault)",
        13 => " (broken pipe)",
        15 => " (terminated)",
        _ => "",
    }
}

/// Ends this process by a signal that nothing withstands, without a core file and without a last word of the kernels that may
/// run in it. XRT takes a device's exit for an orderly end and would wait for answers for ever.
pub fn end_by_signal() -> ! {
    let _ = kill_process(getpid(), Signal::KILL);
    // Not reached.
    std::process::exit(2)
}

/// Lets a segmentation fault and a bus error end this process, also where another process sends them. Rust's runtime has
/// handlers for both, which look for an overflow of the stack and take the first signal that comes without ending.
pub(crate) fn restore_faults() {
    for signal in [libc::SIGSEGV, libc::SIGBUS] {
        // SAFETY: the default action runs no code of this process.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
}
