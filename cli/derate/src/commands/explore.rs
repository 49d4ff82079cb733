//! `derate explore`.

mod array;
mod asked;
mod assumed;
mod best_files;
mod change;
mod clock;
mod diff;
mod explored;
mod joint;
mod kernel;
mod kernel_change;
mod limits;
mod link;
mod open_designs;
#[cfg(feature = "parquet")]
mod part;
mod ports;
mod project;
mod saved;
mod search;
mod sources;
mod toml;
mod units;
mod variant;

use std::path::{Path, PathBuf};

use anyhow::{Error, bail};
use derate_model::explore::Exploration;
use derate_model::load::FILE;
use derate_reports::sections;

use super::report::{self, File};
use crate::args::{Explore, ExploreFormat, Format};
use crate::output::{self, Outcome};

pub(crate) fn run(args: &Explore) -> Result<Outcome, Error> {
    if !(args.seconds > 0.0 && args.seconds <= 1e6) {
        bail!("--seconds {} is not a time: write a number of seconds above 0", args.seconds);
    }
    match args.source.files.as_slice() {
        [place] if is_project(place) => project::run(args, place),
        _ => kernel::run(args),
    }
}

/// A folder, or a `derate.toml`.
fn is_project(place: &Path) -> bool {
    place.is_dir() || place.file_name().is_some_and(|name| name == FILE)
}

/// Prints what was found, and writes the page, the workbook, the charts and the tables where they are asked for.
fn put_found(
    args: &Explore,
    found: &Exploration,
    diff: impl FnOnce() -> Result<Vec<u8>, Error>,
    read: &[PathBuf],
) -> Result<Outcome, Error> {
    match args.format {
        ExploreFormat::Json => {
            output::put_as(Format::Json, found, || sections::exploration_report(found))?;
        }
        ExploreFormat::Csv => {
            let table = sections::exploration_table(found);
            output::put_bytes(&derate_reports::render_csv(&table)?)?;
        }
        ExploreFormat::Diff => {
            let diff = diff()?;
            if diff.is_empty() {
                let file = args.write.as_ref().map(|path| path.display().to_string());
                let reason = sections::describe_no_change(found, file.as_deref());
                output::note(&format!("note: {reason}"));
            }
            output::put_bytes(&diff)?;
        }
        ExploreFormat::Text => output::put_document(&sections::exploration(found))?,
    }
    if let (Some(path), None) = (&args.write, &found.best) {
        output::note(&format!("note: no design fits, so {} is not written", path.display()));
    }
    if let Some(out) = &args.out {
        let wrote = write_found(out, found, read)?;
        output::note(wrote.trim_end());
    }
    Ok(Outcome::Clean)
}

fn write_found(out: &Path, found: &Exploration, read: &[PathBuf]) -> Result<String, Error> {
    let document = sections::exploration_report(found);
    let mut files: Vec<File> = vec![
        ("exploration.html".to_owned(), derate_reports::render_html(&document)?),
        ("exploration.xlsx".to_owned(), derate_reports::render_xlsx(&document)?),
        ("exploration.md".to_owned(), derate_reports::render_markdown(&document)?),
    ];
    files.extend(report::picture_files(document.charts(), document.bars())?);
    files.extend(report::table_files(&document)?);
    report::write_files(out, &files, read.iter().cloned())
}
