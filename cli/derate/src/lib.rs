//! The commands of `derate`, for its binary and its Python package: reads files, calls the crates below, renders.
//!
//! [`run_program`] is the binary: it prints, and gives an exit status. [`answer_command`] runs the same command for a program
//! in this process: what it would print comes back as an [`Answer`].
//!
//! ```
//! let words = ["predict", "gemv", "--platform", "h100-sxm", "--shape", "4096x4096"];
//! let answer = derate::answer_command(words.map(str::to_owned).to_vec(), derate::Watch::default())?;
//! assert!(answer.json.starts_with(b"{\n  \"schema\": \"derate.prediction/1\""));
//! # Ok::<(), derate::CommandError>(())
//! ```

mod answer;
mod args;
mod commands;
mod hash;
mod load;
mod original;
mod output;
mod place;
mod replace;
mod session;

use std::ffi::OsString;

use anyhow::Error;
use clap::Parser;

#[cfg(feature = "parquet")]
pub use answer::tabulate_runs;
pub use answer::{Answer, CommandError, answer_command};
pub use session::{Watch, set_program};

use args::{Args, Command};
use output::Outcome;

/// Runs the command of these words, the first of which is the program's name, and gives its exit status.
pub fn run_program(words: Vec<OsString>) -> u8 {
    let args = match Args::try_parse_from(&words) {
        Ok(args) => args,
        Err(refused) => {
            // A closed stream is not an error.
            let _ = refused.print();
            return u8::try_from(refused.exit_code()).unwrap_or(2);
        }
    };
    session::start_program(words);
    match run_command(args.command) {
        Ok(Outcome::Clean) => 0,
        Ok(Outcome::Refused) => 1,
        Ok(Outcome::Program(status)) => status,
        Err(error) => {
            output::print_error(&error);
            2
        }
    }
}

fn run_command(command: Command) -> Result<Outcome, Error> {
    match command {
        Command::Init(args) => commands::init::run(&args),
        Command::Shapes(args) => commands::shapes::run(&args),
        Command::Types(args) => commands::types::run(&args),
        Command::Hls(args) => commands::hls::run(&args),
        Command::Kernel(args) => commands::kernel::run(&args),
        Command::Audit(args) => commands::audit::run(&args),
        Command::Estimate(args) => commands::estimate::run(&args),
        Command::Explore(args) => commands::explore::run(&args),
        #[cfg(feature = "parquet")]
        Command::Merge(args) => commands::merge::run(&args),
        Command::Report(args) => commands::report::run(&args),
        Command::Bench(args) => commands::bench::run(&args),
        Command::Validate(args) => commands::validate::run(&args),
        Command::Platform(args) => commands::platform::run(&args),
        Command::Formats(args) => commands::formats::run(&args),
        Command::Predict(args) => commands::predict::run(&args),
        Command::Compare(args) => commands::compare::run(&args),
        #[cfg(feature = "serve")]
        Command::Serve(args) => commands::serve::run(&args),
        #[cfg(feature = "lsp")]
        Command::Lsp(_) => commands::lsp::run(),
        Command::Emu(args) => commands::emu::run(args.command),
        Command::Rules(args) => commands::rules::list_rules(&args),
        Command::Rule(args) => commands::rules::explain_rule(&args),
        Command::Completions(args) => commands::completions::run(&args),
        Command::Man => commands::man::run(),
    }
}
