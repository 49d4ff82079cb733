//! `derate emu run -- PROGRAM ARGS`.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Error, bail};
use derate_host::swemu::{
    Ended, Launcher, SOCKETS, become_program, find_libraries, prepare_folder, run_session,
};
use derate_host::{Scratch, explain_signal};

use super::damage::find_damage;
use super::profile::Profiler;
use crate::args::{Program, Run};
use crate::commands::platform::find_card;
use crate::output::{self, Outcome};
use crate::session;

/// Where the devices write what they do, in the run's own folder.
const RECORDS: &str = "records";
/// The exit status where the device ended first, whichever signal XRT's answer to that was.
const DEVICE_GONE: u8 = 125;

pub(crate) fn run(args: &Run) -> Result<Outcome, Error> {
    let platform = find_card(&args.device.platform)?;
    args.program
        .iter()
        .filter_map(|word| find_damage(Path::new(word)))
        .for_each(|text| output::note(&text));
    let profiler = Profiler::prepare(&args.profile, &platform)?;
    let libraries = find_libraries(std::env::var("XILINX_XRT").ok().as_deref())?;
    // The user's folder of sockets is this run's own, so that no old socket is in the way and none is left.
    let folder = Scratch::new(Path::new(SOCKETS));
    let folder = folder.with_context(|| {
        format!("no folder can be made in {SOCKETS}, where XRT puts its sockets: let it be written")
    })?;
    let user = folder.path().file_name().and_then(|name| name.to_str());
    let derate = session::program()?;
    let records = folder.path().join(RECORDS);
    if profiler.is_some() {
        fs::create_dir(&records)
            .with_context(|| format!("{} cannot be made: let it be written", records.display()))?;
    }
    let launcher = Launcher {
        derate: &derate,
        platform: Some(&args.device.platform),
        cards: args.devices,
        limit: args.device.limit,
        coherent: args.device.coherent,
        record: profiler.as_ref().map(|_| records.as_path()),
    };
    let prepared = prepare_folder(folder.path(), &launcher, &libraries, &platform, user)?;
    // The program runs on the first; what this is about is in the help.
    if prepared.corrected.iter().any(|library| library.ends_with("libxrt_swemu.so.2")) {
        output::note("note: Debian 12's libxrt_swemu.so.2 is faulty, a corrected copy is used");
    }
    let mut command = Command::new(&derate);
    command.args(["emu", "program", "--"]).args(&args.program).envs(&prepared.variables);
    prepared.unset.iter().for_each(|name| {
        command.env_remove(name);
    });
    let name = args.program.first().map(|name| name.to_string_lossy()).unwrap_or_default();
    let ended = run_in_session(&mut command, &name)?;
    if let Some(profiler) = profiler {
        let program = args.program.first().and_then(|path| Path::new(path).file_name());
        profiler.write(&records, &program.unwrap_or_default().to_string_lossy())?;
    }
    folder.close().with_context(|| format!("a folder in {SOCKETS} cannot be removed"))?;
    Ok(ended)
}

/// Runs a program in a session of its own, and says how it ended.
pub(crate) fn run_in_session(command: &mut Command, name: &str) -> Result<Outcome, Error> {
    let mut note = |text: &str| output::note(&format!("note: {text}"));
    let ended = run_session(command, &mut note).context("the program cannot be started")?;
    Ok(Outcome::Program(match ended {
        Ended::Code(code) => code,
        Ended::Signal(signal) => {
            let (meaning, why) = (explain_signal(signal), likely_cause(signal));
            output::note(&format!("{name} ended by signal {signal}{meaning}{why}"));
            signal_status(signal)
        }
        Ended::DeviceGone => {
            output::note(&format!(
                "{name} was ended by XRT because its device was gone: the lines above say what happened to it"
            ));
            DEVICE_GONE
        }
        Ended::Interrupted(signal) => signal_status(signal),
    }))
}

/// What may have brought a program a signal of its own.
fn likely_cause(signal: i32) -> &'static str {
    match signal {
        6 => {
            ": a failed assertion, an exception that nobody caught, or a call of abort(); XRT's `bitset::test` and \
             `vector::_M_range_check` are a buffer in a bank that the argument is not connected to: allocate it in \
             `kernel.group_id(N)`"
        }
        11 => {
            ": an access beyond its memory; XRT ends so, too, where a program leaves with runs, kernels or buffers still open"
        }
        15 => ": another process ended it, or it divided by zero, which XRT turns into this signal",
        _ => "",
    }
}

/// As a shell says it.
fn signal_status(signal: i32) -> u8 {
    u8::try_from(signal).unwrap_or(0).saturating_add(128)
}

/// The program's own process, in a session that XRT may kill.
pub(crate) fn run_program(args: &Program) -> Result<Outcome, Error> {
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
