//! `derate bench KIND`.

mod asked;
mod card;
mod machine;
mod operators;
pub(crate) mod out;

use std::io::IsTerminal;

use anyhow::{Error, anyhow, bail};
use derate_host::bench::Outcome as Bench;
use derate_host::cuda::CudaName;
use derate_model::measurement::Kind;
use derate_model::units::BytesPerSecond;
use derate_reports::Level;
use derate_reports::sections;

use crate::args::{self, Format};
use crate::output::{self, Outcome};
use asked::{is_machine, kind};

/// A thread each, so no more than a machine has threads.
const MOST_PORTS: usize = 1024;

pub(crate) fn run(args: &args::Bench) -> Result<Outcome, Error> {
    // What cannot be written at the end is better known before.
    if let Some(out) = args.out.as_ref().filter(|out| out.is_dir()) {
        bail!("--out {}: that is a folder; name a file", out.display());
    }
    let compiles = !args.preprocess.include.is_empty() || !args.preprocess.define.is_empty();
    if args.source.is_empty() && (compiles || args.kernel.is_some()) {
        bail!("-I, -D and --kernel are for a kernel of --source: name its file, too");
    }
    if let Some(ports) = args.ports.filter(|&ports| ports > MOST_PORTS) {
        bail!("--ports {ports}: no card has more than {MOST_PORTS}; give fewer");
    }
    if let Some(out) = &args.out {
        output::is_no_input(out, args.source.iter().chain(&args.xclbin))?;
        output::may_replace(out, output::Written::Measurement)?;
        let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            bail!(
                "--out {}: there is no folder {}: make it first",
                out.display(),
                folder.display()
            );
        }
    }
    asked::check_operator(args)?;
    if is_machine(args) && kind(args).operator().is_some() {
        return operators::run(args);
    }
    if let Some(outcome) = card::apart(args)? {
        return Ok(outcome);
    }
    let watched = std::io::stderr().is_terminal();
    let mut progress = |text: &str| {
        if watched {
            output::progress(text);
        }
    };
    let done = match args.device() {
        "emu" => card::emulated(args, &mut progress),
        "cpu" => machine::streams(args, &mut progress),
        other if CudaName::is_meant(other) => machine::on_gpu(args, &mut progress),
        other => match other.parse() {
            Ok(name) => card::on_xrt(args, name, &mut progress),
            Err(_) => Err(anyhow!(
                "--device {other}: there is no such device; give emu, cpu, cuda:0 for the first GPU, or xrt:0 for the first card"
            )),
        },
    };
    progress("");
    let mut done = done?;
    done.measurement.command = Some(output::command());
    let right = done
        .measurement
        .runs
        .iter()
        .all(|run| run.check.as_ref().is_some_and(|check| check.passed));
    if let Some(out) = &args.out {
        out::write(out, &done.measurement)?;
        output::note(&format!("wrote {}", out.display()));
    }
    match args.format {
        Format::Json => {
            output::put_json(&done.measurement)?;
            if let Some(said) = sections::wrong(&done.measurement) {
                output::note(&said);
            }
            done.findings
                .iter()
                .for_each(|one| output::note(&format!("finding: {}", one.sentence())));
            done.notes.iter().for_each(|one| output::note(&format!("note: {one}")));
        }
        Format::Text => {
            let is_bound = done.modelled.iter().any(|modelled| modelled.is_bound);
            let document = sections::measurement(&done.measurement, &notes(&done), is_bound);
            output::put_document(&document)?;
        }
    }
    Ok(if right && done.findings.is_empty() { Outcome::Clean } else { Outcome::Refused })
}

/// What the emulator knows beside the measurement.
fn notes(done: &Bench) -> Vec<(Level, String)> {
    let mut notes = Vec::new();
    // The few sums of a read make no copy of it.
    let one_way = matches!(done.measurement.kernel, Kind::Read | Kind::Write);
    for modelled in done.modelled.iter().filter(|_| !one_way) {
        if let Some(best) = &modelled.at_best {
            let gigabytes = |rate: BytesPerSecond| rate.0 / 1e9;
            notes.push((
                Level::Note,
                format!(
                    "Channels are read and written at once: by what is published of copies it is between {:.1} and \
                     {:.1} GB/s.",
                    gigabytes(modelled.bandwidth.value),
                    gigabytes(best.value)
                ),
            ));
        }
    }
    notes.extend(done.notes.iter().map(|one| (Level::Note, one.clone())));
    notes.extend(done.findings.iter().map(|one| (Level::Error, format!("{}.", one.sentence()))));
    notes
}
