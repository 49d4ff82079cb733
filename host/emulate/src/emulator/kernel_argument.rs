//! An argument of a kernel.

/// What an argument is to the compiled kernel.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum KernelArgumentKind {
    /// A number of so many bytes.
    Scalar {
        /// Its size.
        bytes: u32,
    },
    /// A pointer to external memory.
    Port {
        /// The size of what it points at: as wide as the port is, in bytes.
        bytes: u32,
        /// Whether the kernel may write through it.
        writes: bool,
    },
}

/// An argument of a kernel.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct KernelArgument {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: KernelArgumentKind,
    /// The bundle of a pointer that names one.
    pub bundle: Option<String>,
    /// Its offset among the control registers, in bytes.
    pub offset: u32,
}
