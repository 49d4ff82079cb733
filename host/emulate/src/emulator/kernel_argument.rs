//! An argument of a kernel.

/// What an argument is to the compiled kernel.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum KernelArgumentKind {
    /// A number of so many bytes.
    Scalar {
        /// Its size.
        bytes: u32,
    },
    /// A number of so many bytes that the kernel may write, for the host to read.
    Result {
        /// Its size.
        bytes: u32,
    },
    /// A stream from another unit, or to one.
    Stream {
        /// The size of an element.
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
    /// Whether it is a plain pointer, whose accesses are not counted.
    pub is_plain: bool,
    /// Its offset among the control registers, in bytes. Of a stream, which has none, 0.
    pub offset: u32,
}
