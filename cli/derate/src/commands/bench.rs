//! `derate bench KIND`.

mod card;
mod machine;
mod operators;
mod own_roofs;
mod request;

use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Error, bail};
use derate_host::bench::Outcome as BenchOutcome;
use derate_host::cpu;
use derate_host::watch::{is_through, is_watched, run_watched};
use derate_model::measurement::KernelKind;
use derate_model::units::BytesPerSecond;
use derate_reports::Level;
use derate_reports::sections;

use crate::args::{self, Format};
use crate::output::{self, Outcome};
use crate::replace::replace_file;
use crate::session;
use request::{BenchRequest, BenchWork};

/// Runs a bench. Kernels that are not derate's run in a second process, and the first one reports how that ended.
pub(crate) fn run(args: &args::Bench) -> Result<Outcome, Error> {
    let request = BenchRequest::from_args(args)?;
    if !request.has_own_kernels() {
        return run_request(request);
    }
    if is_watched() {
        let done = run_request(request);
        is_through();
        return done;
    }
    let mut itself = Command::new(session::program()?);
    let watched = run_watched(
        itself.args(session::words()),
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

fn run_request(request: BenchRequest) -> Result<Outcome, Error> {
    let mut progress = output::show_progress;
    let BenchRequest { work, repeat, out, format } = request;
    let done = match work {
        BenchWork::Operators(work) => {
            return operators::run(&work, repeat, out.as_deref(), format);
        }
        BenchWork::CpuStreams { kind, sizes, threads } => {
            let setup = cpu::Machine { bytes: sizes, threads, repeat };
            machine::stream_memory(kind, &setup, &mut progress)
        }
        BenchWork::GpuCopies { gpu, sizes } => {
            machine::copy_on_gpu(gpu, &sizes, repeat, &mut progress)
        }
        BenchWork::Emulated { on, work } => card::run_emulated(&on, &work, &mut progress),
        BenchWork::Xrt(work) => match card::run_in_session()? {
            Some(outcome) => return Ok(outcome),
            None => card::run_on_xrt(work, &mut progress),
        },
    };
    progress("");
    let mut done = done?;
    done.measurement.command = Some(output::command_line());
    let right = done
        .measurement
        .runs
        .iter()
        .all(|run| run.check.as_ref().is_some_and(|check| check.passed));
    if let Some(out) = &out {
        replace_file(out, done.measurement.to_json().as_bytes())?;
        output::note(&format!("wrote {}", out.display()));
    }
    match format {
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
            let document = sections::measurement(&done.measurement, &result_notes(&done), is_bound);
            output::put_document(&document)?;
        }
    }
    Ok(if right && done.findings.is_empty() { Outcome::Clean } else { Outcome::Refused })
}

/// What the emulator knows beside the measurement.
fn result_notes(done: &BenchOutcome) -> Vec<(Level, String)> {
    let mut notes = Vec::new();
    // The few sums of a read make no copy of it.
    let one_way = matches!(done.measurement.kernel, KernelKind::Read | KernelKind::Write);
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
