use thiserror::Error;

/// Why the device behind XRT's software emulation cannot go on. Each is a sentence.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum SwemuError {
    /// The environment of a device is missing.
    #[error(
        "{0} is not set: this is the device that XRT starts; use `derate emu run -- PROGRAM` to start a program with it"
    )]
    Variable(&'static str),
    /// A card beyond those that there are.
    #[error("{}", no_card(*index, *cards))]
    NoCard {
        /// The position that was asked for.
        index: u64,
        /// How many there are.
        cards: u64,
    },
    /// The socket does not answer.
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
        "the program closed its socket within a message: it died, it left without waiting for its runs, or somebody cut the connection"
    )]
    Cut,
    /// Not XRT, or an XRT that frames otherwise.
    #[error("what came through the socket is not a call of XRT's software emulation")]
    Frame,
    /// A call that derate does not know.
    #[error(
        "XRT makes call {0}, which derate's device does not know: report the version of XRT in an issue"
    )]
    Call(u32),
    /// A call that derate knows, and has nothing behind.
    #[error(
        "the program {0} (xrt::bo of an export handle), and with XCL_EMULATION_MODE=sw_emu its devices share no memory: set it to hw_emu, or give --coherent"
    )]
    NotEmulated(&'static str),
    /// A file that XRT names cannot be used.
    #[error("{path}, which XRT wrote, cannot be used: {reason}")]
    Design {
        /// The file.
        path: String,
        /// What is wrong.
        reason: String,
    },
    /// A design for another card.
    #[error(
        "the design is made for {board}, and the card here is {card}: that has {wanted} where this has {own}; start with --platform for the design's card, or make the design for this one"
    )]
    OtherCard {
        /// The design's.
        board: String,
        /// The first bank that differs, there.
        wanted: String,
        /// The one that is emulated.
        card: String,
        /// And here.
        own: String,
    },
    /// A design that derate did not make, or was asked to make without code.
    #[error(
        "the design carries no code for its kernels: make it of their sources with `derate emu xclbin`, without --without-code; `derate emu inspect` shows whether the file is whole"
    )]
    NoCode,
    /// A design that is not what its maker wrote.
    #[error(
        "the design that the program loads is damaged, or is for another derate: {0}; look at it with `derate emu inspect`, and make it again with `derate emu xclbin`"
    )]
    Damaged(String),
    /// The host left a unit that runs.
    #[error(
        "the program's socket ended while compute unit {0} ran: it died, it left without waiting for the run, or somebody cut the connection"
    )]
    Left(String),
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

impl SwemuError {
    /// Whether it is the program that ended or closed its socket: nothing of the device's.
    pub fn is_the_programs(&self) -> bool {
        matches!(self, Self::Left(_) | Self::Cut | Self::Socket(_))
    }
}

/// That software emulation has no such card.
pub fn no_card(index: u64, cards: u64) -> String {
    format!(
        "there is no card {index}: software emulation has {cards}, counted from 0 (`NumDevices` in emconfig.json), though XRT opens any number; open device 0"
    )
}
