//! `derate`, the binary: all of it is in the library of this package.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(derate::run_program(std::env::args_os().collect()))
}
