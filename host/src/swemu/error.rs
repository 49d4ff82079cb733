use thiserror::Error;

/// Why the device behind XRT's software emulation cannot go on. Each is a sentence.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum SwemuError {
    /// The environment of a device is missing.
    #[error(
        "{0} is not set: this is the device that XRT starts; use `derate emu run -- PROGRAM` to start a program with it"
    )]
    Variable(&'static str),
    /// Nobody listens.
    #[error("the program's socket {path} cannot be reached: {reason}")]
    Connect {
        /// The socket.
        path: String,
        /// What the system says.
        reason: String,
    },
    /// Reading or writing failed.
    #[error("the socket to the program failed: {0}")]
    Socket(String),
    /// The host went away within a message.
    #[error(
        "the program closed its socket within a message: it died, or somebody cut the connection"
    )]
    Cut,
    /// Not XRT, or an XRT that frames otherwise.
    #[error("what came through the socket is no call of XRT's software emulation")]
    Frame,
    /// A call that derate does not know.
    #[error(
        "XRT makes call {0}, which derate's device does not know: tell which XRT it is in an issue"
    )]
    Call(u32),
    /// A file that XRT names cannot be used.
    #[error("{path}, which XRT wrote, cannot be used: {reason}")]
    Design {
        /// The file.
        path: String,
        /// What is wrong.
        reason: String,
    },
    /// A kernel of the design has no code.
    #[error("kernel {kernel} of the design has no code: {reason}")]
    Kernel {
        /// The kernel.
        kernel: String,
        /// What to do.
        reason: String,
    },
    /// The memory of the device.
    #[error("{0}")]
    Memory(String),
    /// A run that went wrong.
    #[error("compute unit {unit}: {reason}")]
    Run {
        /// The compute unit.
        unit: String,
        /// What went wrong.
        reason: String,
    },
    /// XRT, or the folder for it, cannot be set up.
    #[error("{0}")]
    Setup(String),
}
