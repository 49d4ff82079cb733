//! `derate emu run -- PROGRAM ARGS`.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Error, bail};
use derate_host::Scratch;
use derate_host::swemu::{Ended, Launcher, SOCKETS, become_program, libraries, prepare, session};

use crate::args::{Program, Run};
use crate::commands::platform::card;
use crate::output::{self, Outcome};

pub(crate) fn run(args: &Run) -> Result<Outcome, Error> {
    let platform = card(&args.platform)?;
    let libraries = libraries(std::env::var("XILINX_XRT").ok().as_deref())?;
    // The user's folder of sockets is this run's own, so that no old socket is in the way and none is left.
    let folder = Scratch::new(Path::new(SOCKETS));
    let folder = folder.with_context(|| {
        format!("no folder can be made in {SOCKETS}, where XRT puts its sockets: let it be written")
    })?;
    let user = folder.path().file_name().and_then(|name| name.to_str());
    let derate = std::env::current_exe()?;
    let launcher = Launcher { derate: &derate, platform: &args.platform };
    let prepared = prepare(folder.path(), &launcher, &libraries, &platform, user)?;
    prepared.notes.iter().for_each(|note| output::note(&format!("note: {note}")));
    let mut command = Command::new(&derate);
    command.args(["emu", "program", "--"]).args(&args.program).envs(&prepared.variables);
    prepared.unset.iter().for_each(|name| {
        command.env_remove(name);
    });
    let name = args.program.first().map(|name| name.to_string_lossy()).unwrap_or_default();
    let ended = wait(&mut command, &name)?;
    folder.close().with_context(|| format!("a folder in {SOCKETS} cannot be removed"))?;
    Ok(ended)
}

/// Runs a program in a session of its own, and says how it ended.
pub(crate) fn wait(command: &mut Command, name: &str) -> Result<Outcome, Error> {
    Ok(Outcome::Program(match session(command).context("the program cannot be started")? {
        Ended::Code(code) => code,
        Ended::Signal(signal) => {
            let why = match signal {
                6 | 15 => {
                    ": XRT ends its program so when the device is gone, and what happened to it is told above"
                }
                13 => ": its connection to the device was cut",
                _ => "",
            };
            output::note(&format!("{name} ended by signal {signal}{why}"));
            signalled(signal)
        }
        Ended::Interrupted(signal) => signalled(signal),
    }))
}

/// As a shell says it.
fn signalled(signal: i32) -> u8 {
    u8::try_from(signal).unwrap_or(0).saturating_add(128)
}

/// The program's own process, in a session that XRT may kill.
pub(crate) fn program(args: &Program) -> Result<Outcome, Error> {
    let [program, rest @ ..] = args.program.as_slice() else { bail!("name a program") };
    let program: &OsString = program;
    let error = become_program(Command::new(program).args(rest));
    Err(error).with_context(|| {
        format!(
            "{} cannot be started; check the path (a program in this folder is written ./PROGRAM) and that it may be executed",
            program.display()
        )
    })
}
