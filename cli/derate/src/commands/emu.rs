//! `derate emu ...`.

mod build;
mod damage;
mod device;
mod env;
mod inspect;
mod prepared;
mod profile;
mod python;
pub(super) mod run;
mod tool;
mod toolchain;
mod xclbin;

use anyhow::Error;

use crate::args::EmuCommand;
use crate::output::Outcome;

pub(crate) fn run(command: EmuCommand) -> Result<Outcome, Error> {
    match command {
        EmuCommand::Inspect(args) => inspect::run(&args),
        EmuCommand::Xclbin(args) => xclbin::run(&args),
        EmuCommand::Run(args) => run::run(&args),
        EmuCommand::Env(args) => env::run(&args),
        EmuCommand::Python(args) => python::run(&args),
        EmuCommand::Toolchain(args) => toolchain::run(&args),
        EmuCommand::Tool(args) => tool::run(&args),
        EmuCommand::Device(args) => device::run(&args),
        EmuCommand::Program(args) => run::run_program(&args),
    }
}
