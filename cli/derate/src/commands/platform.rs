//! `derate platform [NAME]`.

mod measure;

use derate_model::load;
use std::path::Path;

use anyhow::{Error, anyhow};
use derate_model::{PartName, Platform as Card, Target};
use derate_reports::sections;

use crate::args::{Platform, PlatformCommand, PlatformFormat};
use crate::output::{self, Outcome};

pub(crate) fn run(args: &Platform) -> Result<Outcome, Error> {
    if let Some(PlatformCommand::Measure(args)) = &args.command {
        return measure::run(args);
    }
    if args.format == PlatformFormat::Toml {
        let name = args.name.as_deref().ok_or_else(|| {
            anyhow!("--format toml prints the file of one platform: name it, as in `derate platform u280 --format toml`")
        })?;
        output::put_bytes(platform_file(name)?.as_bytes())?;
        return Ok(Outcome::Clean);
    }
    let (report, document) = match &args.name {
        None => sections::platforms(&Target::catalogue()),
        Some(name) if args.format != PlatformFormat::Toml && name == "gpus" => {
            sections::processors(&Target::catalogue())
        }
        Some(name) => sections::platform(&find_target(name)?, name),
    };
    match args.format {
        PlatformFormat::Json => output::put_json(&report)?,
        PlatformFormat::Text | PlatformFormat::Toml => output::put_document(&document)?,
    }
    Ok(Outcome::Clean)
}

/// The file of a platform, the user's own as it is, once it is one.
fn platform_file(name: &str) -> Result<String, Error> {
    if is_path(name) {
        let text = load::read_text(Path::new(name))?;
        Target::parse(name, &text)?;
        return Ok(text);
    }
    Ok(Target::file(name)?.to_owned())
}

/// Whether a name is a path to a file of the user's own.
fn is_path(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|e| e.eq_ignore_ascii_case("toml"))
}

/// A card of the catalogue, or of the user's own file.
pub(crate) fn find_card(name: &str) -> Result<Card, Error> {
    if is_path(name) {
        return Ok(Card::parse(name, &load::read_text(Path::new(name))?)?);
    }
    Ok(Card::named(name)?)
}

/// A card or a processor, of the catalogue or of the user's own file.
pub(crate) fn find_target(name: &str) -> Result<Target, Error> {
    if is_path(name) {
        return Ok(Target::parse(name, &load::read_text(Path::new(name))?)?);
    }
    Target::named(name).map_err(|unknown| name_boards(name).unwrap_or_else(|| unknown.into()))
}

/// Says which boards have a part that is named in place of a board.
fn name_boards(name: &str) -> Option<Error> {
    let boards = Card::with_part(&PartName::parse(name)?);
    let names: Vec<&str> = boards.iter().map(|board| board.name.as_str()).collect();
    let first = names.first()?;
    Some(anyhow!(
        "`{name}` is a part, not a platform: name a board that has it, such as `derate platform {first}`; there are {}",
        names.join(", ")
    ))
}
