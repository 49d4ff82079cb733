//! Operators on this machine: every shape in every precision, and what is finished is kept.

use std::path::Path;

use anyhow::{Context, Error, bail};
use derate_host::BenchError;
use derate_host::HeldSignals;
use derate_host::cpu;
use derate_host::measure::{Cancel, Repeat};
use derate_host::operators::OperatorDevice;
use derate_model::Encoding;
use derate_model::measurement::{Measurement, Run};
use derate_model::operator::Shape;
use derate_model::predict::PredictedRun;
use derate_model::quantity::shown;
use derate_reports::Level;
use derate_reports::sections;

use super::own_roofs::OwnRoofs;
use super::request::OperatorWork;
use crate::args::Format;
use crate::output::{self, Outcome};
use crate::replace::{check_writable, replace_file};

pub(super) fn run(
    work: &OperatorWork,
    repeat: Repeat,
    out: Option<&Path>,
    format: Format,
) -> Result<Outcome, Error> {
    let device = OperatorDevice::named(&work.device, work.threads)?;
    if let Some(path) = out {
        check_writable(path)?;
    }
    let pair = |&shape: &Shape| work.precisions.iter().map(move |&precision| (shape, precision));
    let points =
        select_runnable(work.is_sweep, &device, work.shapes.iter().flat_map(pair).collect())?;
    // From here on Ctrl-C ends the work at its next step, and the process once what is finished is shown.
    let signals = HeldSignals::new().context("signals cannot be caught")?;
    let cancel = || signals.asked().is_some();
    let mut roofs = OwnRoofs::of(work, &device, &cancel)?;
    let done = measure_points(work, repeat, out, &device, &points, &cancel, roofs.as_mut())?;
    let Some(measurement) = done.measurement else {
        if let Some(error) = done.failed {
            return Err(error.into());
        }
        output::note("stopped before the first shape was finished: nothing is kept");
        return Ok(Outcome::Clean);
    };
    let beside = roofs.map(|roofs| roofs.beside).unwrap_or_default();
    show_measurement(work, out, format, &measurement, &beside)?;
    let kept = format!(
        "{} of {} are finished, and are what is shown{}",
        measurement.runs.len(),
        points.len(),
        if out.is_some() { " and written" } else { "" }
    );
    if let Some(error) = done.failed {
        bail!("{error}; {kept}");
    }
    if done.stopped {
        output::note(&format!("stopped: {kept}"));
    }
    let is_wrong = measurement.runs.iter().any(Run::is_wrong);
    Ok(if is_wrong { Outcome::Refused } else { Outcome::Clean })
}

/// The points that a device runs. A sweep leaves out, with a note, the shapes that the device cannot run. A given shape
/// that it cannot run is an error before any is measured.
fn select_runnable(
    sweep: bool,
    device: &OperatorDevice,
    points: Vec<(Shape, Encoding)>,
) -> Result<Vec<(Shape, Encoding)>, Error> {
    let mut kept = Vec::with_capacity(points.len());
    let mut left_out = Vec::new();
    for (shape, precision) in points {
        // A precision that the device cannot compute at all is an error in a sweep, too.
        device.arithmetic(precision)?;
        match device.check_support(&shape, precision) {
            Ok(()) => kept.push((shape, precision)),
            Err(error) if sweep => left_out.push((shape, precision, error)),
            Err(error) => return Err(error.into()),
        }
    }
    if kept.is_empty()
        && let Some((.., error)) = left_out.pop()
    {
        return Err(error.into());
    }
    for (shape, precision, error) in left_out {
        output::note(&format!("left out: {} in {}: {error}", shape.title(), precision));
    }
    Ok(kept)
}

/// Prints what was measured.
fn show_measurement(
    work: &OperatorWork,
    out: Option<&Path>,
    format: Format,
    measurement: &Measurement,
    beside: &[PredictedRun],
) -> Result<(), Error> {
    if let Some(path) = out {
        output::note(&format!("wrote {}", path.display()));
    }
    let mut notes = Vec::new();
    if work.device == "cpu" {
        notes.extend(work.threads.and_then(cpu::crowd_note));
        notes.extend(cpu::build_note());
    }
    match format {
        Format::Json => {
            output::put_json(measurement)?;
            for text in &notes {
                output::note(&format!("note: {text}"));
            }
            if let Some(said) = sections::wrong(measurement) {
                output::note(&said);
            }
        }
        Format::Text => {
            let notes: Vec<_> = notes.into_iter().map(|text| (Level::Note, text)).collect();
            let mut document = sections::measurement(measurement, &notes, false);
            if !beside.is_empty() {
                document.sections.insert(0, sections::predicted_runs(beside));
            }
            output::put_document(&document)?;
        }
    }
    Ok(())
}

/// What was finished, and why not all.
#[derive(Default)]
struct Done {
    measurement: Option<Measurement>,
    stopped: bool,
    failed: Option<BenchError>,
}

fn measure_points(
    work: &OperatorWork,
    repeat: Repeat,
    out: Option<&Path>,
    device: &OperatorDevice,
    points: &[(Shape, Encoding)],
    cancel: Cancel<'_>,
    mut roofs: Option<&mut OwnRoofs>,
) -> Result<Done, Error> {
    let mut done: Option<Measurement> = None;
    for (at, (shape, precision)) in points.iter().enumerate() {
        let place = format!("[{}/{}] ", at + 1, points.len());
        let mut progress = |text: &str| output::show_progress(&format!("{place}{text}"));
        let before = roofs.as_ref().map(|roofs| roofs.read_rate(shape, *precision, &mut progress));
        let before = before.transpose()?;
        let run = device.run(shape, *precision, repeat, cancel, &mut progress);
        output::show_progress("");
        let run = match run {
            Ok(run) => run,
            Err(BenchError::Cancelled) => {
                return Ok(Done { measurement: done, stopped: true, failed: None });
            }
            Err(error) => {
                return Ok(Done { measurement: done, stopped: false, failed: Some(error) });
            }
        };
        if let (Some(roofs), Some(before)) = (&mut roofs, before) {
            let after = roofs.read_rate(shape, *precision, &mut progress)?;
            output::show_progress("");
            roofs.add_run(work, &run, (before, after));
        }
        if work.is_sweep
            && let Some(median) = run.median()
        {
            let what = run.title().unwrap_or_default();
            output::note(&format!("{place}{what}: {}", shown(median)));
        }
        let mut measurement = match done.take() {
            None => device.measurement(work.kind, Vec::new())?,
            Some(before) => before,
        };
        measurement.command = Some(output::command_line());
        measurement.runs.push(run);
        if let Some(path) = out {
            replace_file(path, measurement.to_json().as_bytes())?;
        }
        done = Some(measurement);
    }
    Ok(Done { measurement: done, ..Done::default() })
}
