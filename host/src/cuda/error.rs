use thiserror::Error;

/// Why a GPU did not do what it was asked for.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum CudaError {
    /// No such device name.
    #[error("`{0}` is no GPU: write cuda:0 for the first one")]
    Name(String),
    /// A library is not there, or cannot be loaded.
    #[error("{what} cannot be loaded ({why}): {remedy}; `--device cpu` needs neither")]
    NotInstalled {
        /// Which.
        what: &'static str,
        /// The loader's words.
        why: String,
        /// Where it comes from.
        remedy: &'static str,
    },
    /// The library is another one.
    #[error("{library} does not export {symbol}: derate knows those of CUDA 11.4 and later")]
    Symbol {
        /// The library.
        library: &'static str,
        /// What is missing.
        symbol: &'static str,
    },
    /// No such GPU.
    #[error(
        "there is no GPU {index}: the driver shows {count}; see `nvidia-smi -L`, and CUDA_VISIBLE_DEVICES"
    )]
    NoDevice {
        /// The position.
        index: u16,
        /// How many there are.
        count: i32,
    },
    /// A call failed.
    #[error("the GPU's {library} could not {what}: {why}")]
    Call {
        /// The driver, or cuBLAS.
        library: &'static str,
        /// What was asked.
        what: &'static str,
        /// In its words.
        why: String,
    },
    /// What the GPU's memory does not hold.
    #[error(
        "{what} takes {bytes} bytes of the GPU's memory, of which {free} are free: give a smaller one"
    )]
    Room {
        /// What it is for.
        what: String,
        /// How much that is.
        bytes: u64,
        /// How much there is.
        free: u64,
    },
    /// What cannot be measured.
    #[error("{0}")]
    Setup(String),
}
