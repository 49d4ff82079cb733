//! `derate man`.

use anyhow::Error;
use clap::CommandFactory;

use crate::args::Args;
use crate::output::{self, Outcome};

pub(crate) fn run() -> Result<Outcome, Error> {
    let mut page = Vec::new();
    clap_mangen::Man::new(Args::command()).render(&mut page)?;
    output::put_bytes(&page)?;
    Ok(Outcome::Clean)
}
