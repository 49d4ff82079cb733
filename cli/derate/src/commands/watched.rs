//! `derate bench` with kernels of one's own, which may take their process along.

use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Error, bail};
use derate_host::watch::{is_through, is_watched, watch};

use super::bench;
use crate::args::Bench;
use crate::output::{self, Outcome};

/// Kernels that are not derate's run in a second process, and the first one tells how that ended.
pub(crate) fn bench(args: &Bench) -> Result<Outcome, Error> {
    if args.source.is_empty() {
        return bench::run(args);
    }
    if is_watched() {
        let done = bench::run(args);
        is_through();
        return done;
    }
    let mut itself = Command::new(std::env::current_exe()?);
    let watched = watch(
        itself.args(std::env::args_os().skip(1)),
        Some(Duration::from_secs(args.limit.into())),
        &mut |text| output::note(&format!("note: {text}")),
    );
    let watched = watched.context("the process for the bench cannot be started")?;
    if let Some(sentence) = watched.sentence("the bench") {
        bail!(sentence);
    }
    let status = watched.status.code().and_then(|code| u8::try_from(code).ok());
    Ok(Outcome::Program(status.unwrap_or(2)))
}
