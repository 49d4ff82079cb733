use thiserror::Error;

/// Why a GPU did not do what it was asked for.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum CudaError {
    /// No such device name.
    #[error("`{0}` is not the name of a GPU: write cuda:0 for the first one")]
    Name(String),
    /// A library is not there, or cannot be loaded.
    #[error(
        "{what} cannot be loaded ({why}): {remedy}; `--device cpu` needs no library of NVIDIA's"
    )]
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
        /// The driver, cuBLAS or NVRTC.
        library: &'static str,
        /// What was asked.
        what: &'static str,
        /// The library's own number of the failure.
        status: i32,
        /// In its words.
        why: String,
    },
    /// A failure before this one left the GPU of no use to this process.
    #[error(
        "the GPU answers nothing since an earlier failure ({0}): start derate again, and see `nvidia-smi` if that does not help"
    )]
    Lost(String),
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

impl CudaError {
    /// Whether the same may work at another time. What a library does not take, or what ended on the GPU by its own doing,
    /// ends so again; whatever is not known to be so may pass.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Call { library, status, .. } => match *library {
                CUBLAS | CUBLAS_LT => !CUBLAS_LASTING.contains(status),
                NVRTC => *status == NVRTC_NO_MEMORY,
                _ => !DRIVER_LASTING.contains(status),
            },
            Self::Room { .. } | Self::Lost(_) => true,
            Self::Name(_)
            | Self::NotInstalled { .. }
            | Self::Symbol { .. }
            | Self::NoDevice { .. }
            | Self::Setup(_) => false,
        }
    }
}

/// What each library is called in its errors.
pub(crate) const DRIVER: &str = "driver";
pub(crate) const CUBLAS: &str = "cuBLAS";
pub(crate) const CUBLAS_LT: &str = "cuBLASLt";
pub(crate) const NVRTC: &str = "NVRTC";

/// `CUresult`: a value, an image or PTX that it does not take, what the GPU or the driver has not, and launches that ended in a
/// wrong address, instruction or alignment, or otherwise by their own doing. A link, memory or a stack that fails, and a display's
/// limit of time, are not the launch's doing.
const DRIVER_LASTING: [i32; 20] = [
    1, 200, 209, 215, 218, 221, 222, 223, 224, 500, 700, 701, 710, 715, 716, 717, 718, 719, 720,
    801,
];

/// `cublasStatus_t`: a value that it does not take, what the GPU has not, work that failed there, and what it does not support.
const CUBLAS_LASTING: [i32; 4] = [7, 8, 13, 15];

/// `nvrtcResult`: a source that does not compile never does.
const NVRTC_NO_MEMORY: i32 = 1;

#[cfg(test)]
mod tests {
    use super::*;

    /// As `cuda.h` numbers them.
    const LASTING: [i32; 20] = [
        1,   // INVALID_VALUE
        200, // INVALID_IMAGE
        209, // NO_BINARY_FOR_GPU
        215, // UNSUPPORTED_LIMIT
        218, // INVALID_PTX
        221, // JIT_COMPILER_NOT_FOUND
        222, // UNSUPPORTED_PTX_VERSION
        223, // JIT_COMPILATION_DISABLED
        224, // UNSUPPORTED_EXEC_AFFINITY
        500, // NOT_FOUND
        700, // ILLEGAL_ADDRESS
        701, // LAUNCH_OUT_OF_RESOURCES
        710, // ASSERT
        715, // ILLEGAL_INSTRUCTION
        716, // MISALIGNED_ADDRESS
        717, // INVALID_ADDRESS_SPACE
        718, // INVALID_PC
        719, // LAUNCH_FAILED
        720, // COOPERATIVE_LAUNCH_TOO_LARGE
        801, // NOT_SUPPORTED
    ];

    #[test]
    fn what_ends_so_again_is_told_from_what_passes() {
        let call =
            |library, status| CudaError::Call { library, what: "", status, why: String::new() };
        for (library, most, lasting) in [
            (DRIVER, 1000, &LASTING[..]),
            // An invalid value, an architecture, work that failed, what is not supported.
            (CUBLAS, 20, &[7, 8, 13, 15]),
            (CUBLAS_LT, 20, &[7, 8, 13, 15]),
            // All but memory that is short.
            (NVRTC, 13, &[0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
        ] {
            for status in 0..most {
                let passes = !lasting.contains(&status);
                assert_eq!(call(library, status).is_passing(), passes, "{library} {status}");
            }
        }
        // A link's, a stack's and a memory's failure, and a time limit, by name.
        for status in [214, 220, 702, 714] {
            assert!(call(DRIVER, status).is_passing(), "{status}");
        }
        assert!(CudaError::Lost(String::new()).is_passing());
        assert!(!CudaError::Setup(String::new()).is_passing());
    }
}
