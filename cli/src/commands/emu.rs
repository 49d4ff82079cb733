//! `derate emu ...`.

mod inspect;
mod xclbin;

use anyhow::Error;

use crate::args::EmuCommand;
use crate::output::Outcome;

pub(crate) fn run(command: EmuCommand) -> Result<Outcome, Error> {
    match command {
        EmuCommand::Inspect(args) => inspect::run(&args),
        EmuCommand::Xclbin(args) => xclbin::run(&args),
    }
}
