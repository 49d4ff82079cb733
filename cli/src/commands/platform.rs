//! `derate platform [NAME]`.

use std::path::Path;

use anyhow::Error;
use derate_model::{Platform as Card, present};

use crate::args::{Format, Platform};
use crate::output::{self, Outcome};
use crate::read;

pub(crate) fn run(args: &Platform) -> Result<Outcome, Error> {
    let (report, document) = match &args.name {
        None => present::platforms(&Card::catalogue()),
        Some(name) => present::platform(&card(name)?, name),
    };
    match args.format {
        Format::Json => output::put_json(&report)?,
        Format::Text => output::put_document(&document)?,
    }
    Ok(Outcome::Clean)
}

/// A card of the catalogue, or of the user's own file.
pub(crate) fn card(name: &str) -> Result<Card, Error> {
    let path = Path::new(name);
    if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("toml")) {
        return Ok(Card::parse(name, &read::text(path)?)?);
    }
    Ok(Card::named(name)?)
}
