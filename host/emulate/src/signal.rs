//! Signals that end a process.

mod sys;

use rustix::process::{Signal, getpid, kill_process};
pub(crate) use sys::restore_faults;

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
