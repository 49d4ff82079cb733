use std::io;
use std::path::PathBuf;

use crate::emulator::ImageError;
use crate::emulator::headers::list_headers;

/// Why sources did not become kernels. Each is a sentence.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// A file.
    #[error("{}: {error}: check the path", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// What is made on the way.
    #[error("{}: {error}: what is compiled lies there; make room, or set TMPDIR to another folder", path.display())]
    Temporary {
        /// Which.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The folder for what is made cannot be had.
    #[error("no folder can be made in {}: {error}: set TMPDIR to a folder that can be written", path.display())]
    NoFolder {
        /// The temporary folder.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A name that no `#include "..."` can hold.
    #[error(
        "{:?} cannot be included by the compiler, for a quotation mark or a line break in its path: rename it, or the folder that it is in",
        path
    )]
    Name {
        /// The whole path.
        path: PathBuf,
    },
    /// No function says how its arguments are reached.
    #[error(
        "{0} has no kernel: no function with a body has an m_axi or s_axilite interface pragma, none is alone in extern \"C\" or has the file's name, and neither nk= nor --kernel names one"
    )]
    NoKernel(String),
    /// A value that no host could fetch.
    #[error(
        "{place}: {kernel} returns `{returns}`, and a kernel that a host starts returns void: write the result through a port"
    )]
    Returns {
        /// File and line.
        place: String,
        /// The kernel.
        kernel: String,
        /// As the source spells it.
        returns: String,
    },
    /// There is no compiler.
    #[error(
        "kernels are compiled with a C++ compiler, and {compiler} cannot be started ({error}): install g++, or set CXX to the compiler that you have"
    )]
    NoCompiler {
        /// What was started.
        compiler: String,
        /// What the system says.
        error: io::Error,
    },
    /// A header that derate does not bring, and no folder has.
    #[error(
        "{place}: {header} is not here: derate brings {}; for another one of the vendor's, or of your own, give its folder with -I DIR (the vendor's are in Vitis HLS's include folder)",
        list_headers()
    )]
    MissingHeader {
        /// File and line.
        place: String,
        /// As the source spells it.
        header: String,
    },
    /// The compiler refused, in these indented lines.
    #[error("the kernels do not compile; fix what the compiler reports:\n{0}")]
    Refused(String),
    /// What was compiled cannot be used.
    #[error(transparent)]
    Load(#[from] ImageError),
}
