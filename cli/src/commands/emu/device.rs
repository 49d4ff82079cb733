//! `derate emu device`: what XRT's software emulation starts.

use std::io::{self, Write};
use std::process::{Command, Stdio};

use anyhow::{Context, Error};
use derate_host::emulator::builtin;
use derate_host::swemu::{Event, Machine, connect, end_by_signal, serve, watch};

use crate::args::Device;
use crate::commands::platform::card;
use crate::output::{self, Outcome};

/// Whatever goes wrong is told, and then this process ends by a signal: XRT takes an exit for an orderly end.
pub(crate) fn run(args: &Device) -> Result<Outcome, Error> {
    if args.unwatched {
        return unwatched(args);
    }
    let watched = Command::new(std::env::current_exe()?)
        .args(["emu", "device", "--unwatched", "--platform"])
        .arg(&args.platform)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .and_then(watch);
    match watched {
        Ok(watched) if watched.status.success() => return Ok(Outcome::Clean),
        Ok(watched) => {
            if let Some(sentence) = watched.sentence() {
                output::complain(&Error::msg(sentence));
            }
        }
        Err(error) => output::complain(&Error::new(error).context("the device cannot be started")),
    }
    // Outside XRT, whoever called this sees the sentence and the status.
    if std::env::var_os("EMULATION_SOCKETID").is_none() {
        return Ok(Outcome::Program(2));
    }
    end_by_signal()
}

fn unwatched(args: &Device) -> Result<Outcome, Error> {
    let stream = connect()?;
    let platform = card(&args.platform)?;
    let kernels = builtin().map_err(Error::msg).context("the kernels of derate")?;
    let mut stdout = io::stdout().lock();
    serve(stream, &Machine { platform, kernels }, |event| {
        // Who watches may be gone; the socket says so too.
        let _ = match event {
            Event::Start(unit) => writeln!(stdout, "+{unit}"),
            Event::End(unit) => writeln!(stdout, "-{unit}"),
            Event::Note(text) => {
                output::note(&format!("note: {text}"));
                Ok(())
            }
        };
    })?;
    Ok(Outcome::Clean)
}
