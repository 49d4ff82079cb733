//! `derate emu inspect FILE`.

mod document;
mod tables;

use anyhow::Error;
use derate_host::xclbin::{Xclbin, inspect_design};
use derate_model::load;

use crate::args::Inspect;
use crate::output::{self, Outcome};

pub(crate) fn run(args: &Inspect) -> Result<Outcome, Error> {
    let name = args.file.display().to_string();
    let bytes = load::read_bytes(&args.file)?;
    let xclbin = Xclbin::read(&name, &bytes)?;
    let report = inspect_design(&name, bytes.len() as u64, &xclbin);
    output::put_as(args.format, &report, || document::document(&report))?;
    Ok(if report.is_whole() { Outcome::Clean } else { Outcome::Refused })
}
