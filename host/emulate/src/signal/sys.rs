//! Signal actions of the system.

#![allow(unsafe_code, reason = "no safe library gives a fault its default action")]

/// Lets a segmentation fault and a bus error end this process, also where another process sends them. Rust's runtime has
/// handlers for both, which look for an overflow of the stack and take the first signal that comes without ending.
pub(crate) fn restore_faults() {
    for signal in [libc::SIGSEGV, libc::SIGBUS] {
        // SAFETY: the default action runs no code of this process.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
}
