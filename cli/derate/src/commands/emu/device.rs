//! `derate emu device`: what XRT's software emulation starts.

use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, parent_id};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Error};
use derate_host::end_by_signal;
use derate_host::swemu::{Manner, Patient, become_device, connect_program, serve_calls};
use derate_host::watch::{
    Watched, is_left, is_through, is_watched, run_watched, stdout_for_results,
};

use crate::args::OnlyDevice;
use crate::commands::platform::find_card;
use crate::output::{self, Outcome};
use crate::session;

/// What a program that left is given to be gone.
const GRACE: Duration = Duration::from_secs(1);
/// A program that asks for nothing this long gets a note.
const PATIENCE: Duration = Duration::from_secs(20);

/// Prints every error, then ends this process by a signal: for XRT, an exit is an orderly end.
pub(crate) fn run(args: &OnlyDevice) -> Result<Outcome, Error> {
    if is_watched() {
        let done = run_device(args);
        is_through();
        return done;
    }
    become_device();
    let program = parent_id();
    match watch_device(args) {
        Ok(watched) if watched.status.success() => return Ok(Outcome::Clean),
        // The program's own end is what counts: no signal of this process' comes into it.
        Ok(watched) if watched.left && is_gone(program) => return Ok(Outcome::Clean),
        // It has said why.
        Ok(_) => {}
        Err(error) => output::print_error(&error),
    }
    // Outside XRT, the caller sees the sentence and the status.
    if std::env::var_os("EMULATION_SOCKETID").is_none() {
        return Ok(Outcome::Program(2));
    }
    end_by_signal()
}

/// Starts the second process. The error is what it could not say itself.
fn watch_device(args: &OnlyDevice) -> Result<Watched, Error> {
    // Open until the error is printed: XRT ends all processes when it closes.
    let socket = connect_program()?;
    let mut second = Command::new(session::program()?);
    second.args(["emu", "device"]);
    if let Some(platform) = &args.platform {
        second.args(["--platform", platform]);
    }
    if args.coherent {
        second.arg("--coherent");
    }
    if let Some(folder) = &args.record {
        second.arg("--record").arg(folder);
    }
    // What XRT sends to the program's group is for this process alone.
    second.process_group(0).stdout(OwnedFd::from(socket.try_clone()?));
    let limit = args.limit.map(|seconds| Duration::from_secs(seconds.into()));
    let watched =
        run_watched(&mut second, limit, &mut |text| output::note(&format!("note: {text}")));
    let watched = watched.context("the device cannot be started")?;
    match watched.sentence("the device") {
        Some(sentence) => Err(Error::msg(sentence)),
        None => Ok(watched),
    }
}

/// Whether a program that was this process' parent ends within moments.
fn is_gone(program: u32) -> bool {
    let begin = Instant::now();
    while begin.elapsed() < GRACE {
        if parent_id() != program {
            return true;
        }
        sleep(Duration::from_millis(5));
    }
    false
}

/// The second process: what it has instead of results is the socket.
fn run_device(args: &OnlyDevice) -> Result<Outcome, Error> {
    let socket = stdout_for_results().context("there is no socket")?.try_clone()?;
    let platform = args.platform.as_deref().map(find_card).transpose()?;
    let note = |text: &str| output::note(&format!("note: {text}"));
    let socket = Patient::new(UnixStream::from(OwnedFd::from(socket)), PATIENCE, note)?;
    // There XRT keeps ordinary buffers in the program's own memory: what it maps is meant to be shared.
    let hardware = std::env::var_os("XCL_EMULATION_MODE").is_some_and(|mode| mode == "hw_emu");
    let coherent = args.coherent || hardware;
    let manner = Manner { platform, coherent, record: args.record.clone() };
    match serve_calls(socket, &manner, note) {
        Err(error) if error.is_the_programs() => {
            output::print_error(&Error::new(error));
            is_left()
        }
        ended => ended.map(|()| Outcome::Clean).map_err(Error::new),
    }
}
