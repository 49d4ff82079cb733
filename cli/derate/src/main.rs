//! `derate`: reads files, calls the crates below, renders, sets the exit code.

mod args;
mod commands;
mod load;
mod original;
mod output;
mod replace;

use std::process::ExitCode;

use anyhow::Error;
use clap::Parser;

use args::{Args, Command};
use output::Outcome;

fn main() -> ExitCode {
    let args = Args::parse();
    match run(args.command) {
        Ok(Outcome::Clean) => ExitCode::SUCCESS,
        Ok(Outcome::Refused) => ExitCode::from(1),
        Ok(Outcome::Program(status)) => ExitCode::from(status),
        Err(error) => {
            output::print_error(&error);
            ExitCode::from(2)
        }
    }
}

fn run(command: Command) -> Result<Outcome, Error> {
    match command {
        Command::Init(args) => commands::init::run(&args),
        Command::Shapes(args) => commands::shapes::run(&args),
        Command::Types(args) => commands::types::run(&args),
        Command::Hls(args) => commands::hls::run(&args),
        Command::Kernel(args) => commands::kernel::run(&args),
        Command::Audit(args) => commands::audit::run(&args),
        Command::Estimate(args) => commands::estimate::run(&args),
        Command::Explore(args) => commands::explore::run(&args),
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
