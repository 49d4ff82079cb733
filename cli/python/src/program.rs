//! The binary inside the shared object.

use std::ffi::OsString;
use std::path::PathBuf;

use pyo3::prelude::*;

/// Runs the command of these words, the first of which is the program's name, prints as the binary does, and gives the exit
/// status. `program` is the file that starts it, for commands that need a second process.
#[pyfunction]
pub(crate) fn run_program(py: Python<'_>, words: Vec<OsString>, program: Option<PathBuf>) -> u8 {
    if let Some(program) = program {
        derate::set_program(program);
    }
    py.detach(|| derate::run_program(words))
}
