//! `derate completions SHELL`.

use anyhow::Error;
use clap::CommandFactory;

use crate::args::{Args, Completions};
use crate::output::{self, Outcome};

pub(crate) fn run(args: &Completions) -> Result<Outcome, Error> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "derate", &mut script);
    output::put_bytes(&script)?;
    Ok(Outcome::Clean)
}
