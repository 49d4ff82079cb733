//! `derate emu device`: what XRT's software emulation starts.

use std::process::Command;

use anyhow::Error;
use derate_host::swemu::{connect, end_by_signal, serve};
use derate_host::watch::{is_through, is_watched, watch};

use crate::args::Device;
use crate::commands::platform::card;
use crate::output::{self, Outcome};

/// Whatever goes wrong is told, and then this process ends by a signal: XRT takes an exit for an orderly end.
pub(crate) fn run(args: &Device) -> Result<Outcome, Error> {
    if is_watched() {
        let done = device(args);
        is_through();
        return done;
    }
    let itself = std::env::current_exe()?;
    let watched = watch(
        Command::new(itself).args(["emu", "device", "--platform", &args.platform]),
        // Whoever runs the program says how long.
        None,
    );
    match watched {
        Ok(watched) => match watched.sentence("the device") {
            Some(sentence) => output::complain(&Error::msg(sentence)),
            None if watched.status.success() => return Ok(Outcome::Clean),
            // It has said why.
            None => {}
        },
        Err(error) => output::complain(&Error::new(error).context("the device cannot be started")),
    }
    // Outside XRT, whoever called this sees the sentence and the status.
    if std::env::var_os("EMULATION_SOCKETID").is_none() {
        return Ok(Outcome::Program(2));
    }
    end_by_signal()
}

fn device(args: &Device) -> Result<Outcome, Error> {
    let stream = connect()?;
    let platform = card(&args.platform)?;
    serve(stream, &platform, |text| output::note(&format!("note: {text}")))?;
    Ok(Outcome::Clean)
}
