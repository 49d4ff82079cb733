//! `derate emu env FOLDER`.

use anyhow::Error;

use super::prepared::{fill_folder, put_lines};
use crate::args::Env;
use crate::commands::platform::find_card;
use crate::output::Outcome;

pub(crate) fn run(args: &Env) -> Result<Outcome, Error> {
    let platform = find_card(&args.device.platform)?;
    let named = Some(args.device.platform.as_str());
    let (_, prepared) = fill_folder(&args.folder, &platform, named, &args.device)?;
    // The bench, which may run in this shell, asks for software emulation by its own name.
    let value = |name, value| if name == "XCL_EMULATION_MODE" { "sw_emu" } else { value };
    let variables = prepared.variables.iter();
    let variables = variables.map(|(name, given)| (*name, value(*name, given.as_str())));
    put_lines(&prepared.unset, variables, "")?;
    Ok(Outcome::Clean)
}
