use thiserror::Error;

/// Why XRT did not do what it was asked for. XRT has no call that says why: its own words are on stderr.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum XrtError {
    /// No such device name.
    #[error("`{0}` is not the name of an XRT device: write xrt:0 for the first card")]
    Name(String),
    /// The library is not there, or cannot be loaded.
    #[error(
        "XRT cannot be loaded ({0}): install AMD's XRT and source /opt/xilinx/xrt/setup.sh, or on Debian `apt install libxrt1`; `--device emu` needs neither"
    )]
    NotInstalled(String),
    /// The library is another one.
    #[error("{library} does not export {symbol}: derate knows XRT 2.13 and later")]
    Symbol {
        /// The library.
        library: String,
        /// What is missing.
        symbol: &'static str,
    },
    /// What XRT needs is not set up; without it, it would end the process.
    #[error("{0}")]
    Setup(String),
    /// The emulation that runs nothing.
    #[error(
        "XCL_EMULATION_MODE=noop runs no kernel and moves no data, so it shows nothing: unset it, or use `derate emu run` for software emulation"
    )]
    Noop,
    /// No such card.
    #[error(
        "XRT has no device {index}: check the card and its driver with `xrt-smi examine` (`xbutil examine` before 2.18), or use `--device emu`"
    )]
    NoDevice {
        /// The position.
        index: u32,
    },
    /// A call failed.
    #[error("XRT could not {0}; what it says of that is above")]
    Call(String),
    /// A run ended otherwise than by being done.
    #[error("kernel {kernel} ended in state {state} ({meaning}) after {seconds} s at most")]
    State {
        /// The kernel.
        kernel: String,
        /// XRT's number.
        state: u32,
        /// What that means.
        meaning: &'static str,
        /// How long was waited.
        seconds: u64,
    },
}
