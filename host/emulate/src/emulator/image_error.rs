//! Why compiled kernels cannot be loaded.

/// Why compiled kernels cannot be loaded. Each is a sentence.
#[derive(Debug, thiserror::Error)]
pub enum ImageError {
    /// This machine has no memory for the object.
    #[error("this machine gives no {bytes} bytes for the compiled kernels: {error}")]
    Memory {
        /// Size of the object.
        bytes: usize,
        /// The system's error.
        error: std::io::Error,
    },
    /// The loader refuses the object.
    #[error("the compiled kernels cannot be loaded: {0}")]
    Load(#[from] libloading::Error),
    /// An entry of the object's list of kernels lacks a part: its position, the part.
    #[error("the compiled kernels cannot be loaded: kernel {0} of its list has no {1}")]
    Entry(u32, &'static str),
    /// A kernel that its source does not have: its name, its number of parameters.
    #[error("{0} is not in its source with {1} parameters")]
    Signature(String, usize),
    /// An argument of another kind: the kernel, the kind.
    #[error("{0} has an argument of unknown kind {1}")]
    Kind(String, u32),
    /// None of the built-in kernels suits this processor.
    #[error("no compiled kernels run on this processor")]
    Processor,
}
