//! Operators on this machine: every shape in every precision, and what is finished is kept.

use std::io::IsTerminal;

use anyhow::{Context, Error, anyhow, bail};
use derate_host::BenchError;
use derate_host::HeldSignals;
use derate_host::cpu;
use derate_host::measure::Cancel;
use derate_host::operators::OperatorDevice;
use derate_model::Precision;
use derate_model::measurement::{Measurement, Run};
use derate_model::operator::{Attention, OperatorKind, Shape};
use derate_model::quantity::shown;
use derate_reports::Level;
use derate_reports::sections;

use super::asked::{is_no_card, kind, precisions, repeat};
use super::out;
use crate::args::{self, Format};
use crate::output::{self, Outcome};

/// The shapes that are asked for.
pub(super) fn shapes(args: &args::Bench, kind: OperatorKind) -> Result<Vec<Shape>, Error> {
    let read =
        |text: &String| Shape::parse(kind, text).map_err(|error| anyhow!("--shape: {error}"));
    let mut shapes: Vec<Shape> = match (args.sweep, args.shape.is_empty()) {
        (true, _) => kind.ladder(),
        (false, true) => vec![kind.usual()],
        (false, false) => args.shape.iter().map(read).collect::<Result<_, _>>()?,
    };
    if args.causal {
        for shape in &mut shapes {
            if let Shape::Attention(own) = shape {
                *own = Attention { causal: true, ..*own };
                own.check().map_err(|error| anyhow!("--shape: {error}"))?;
            }
        }
        // A ladder has both, and each once.
        let mut seen = Vec::with_capacity(shapes.len());
        shapes.retain(|shape| {
            let first = !seen.contains(shape);
            seen.push(*shape);
            first
        });
    }
    if args.backward {
        for shape in &mut shapes {
            if let Shape::Mlp(own) = shape {
                own.backward = true;
            }
        }
    }
    Ok(shapes)
}

pub(super) fn run(args: &args::Bench) -> Result<Outcome, Error> {
    is_no_card(args)?;
    let kind = kind(args).operator().context("a stream is no operator")?;
    let (shapes, precisions) = (shapes(args, kind)?, precisions(args)?);
    let device = OperatorDevice::named(args.device(), args.ports)?;
    if let Some(path) = &args.out {
        out::check(path)?;
    }
    let points: Vec<_> =
        shapes.iter().flat_map(|&shape| precisions.iter().map(move |&one| (shape, one))).collect();
    let points = runnable(args.sweep, &device, points)?;
    // From here on Ctrl-C ends the work at its next step, and the process once what is finished is told.
    let signals = HeldSignals::new().context("this process cannot be told to stop")?;
    let done = measure(args, kind, &device, &points, &|| signals.asked().is_some())?;
    let Some(measurement) = done.measurement else {
        if let Some(error) = done.failed {
            return Err(error.into());
        }
        output::note("stopped before the first shape was finished: nothing is kept");
        return Ok(Outcome::Clean);
    };
    show(args, &measurement)?;
    let kept = format!(
        "{} of {} are finished, and are what is shown{}",
        measurement.runs.len(),
        points.len(),
        if args.out.is_some() { " and written" } else { "" }
    );
    if let Some(error) = done.failed {
        bail!("{error}; {kept}");
    }
    if done.stopped {
        output::note(&format!("stopped: {kept}"));
    }
    let right = !measurement.runs.iter().any(Run::is_wrong);
    Ok(if right { Outcome::Clean } else { Outcome::Refused })
}

/// The points that a device runs. A sweep has shapes for all devices: those that this one does not run are told. One that
/// somebody asks for is refused, before any is measured.
fn runnable(
    sweep: bool,
    device: &OperatorDevice,
    points: Vec<(Shape, Precision)>,
) -> Result<Vec<(Shape, Precision)>, Error> {
    let mut kept = Vec::with_capacity(points.len());
    let mut left_out = Vec::new();
    for (shape, precision) in points {
        // What it computes in no shape is no matter of a sweep.
        device.arithmetic(precision)?;
        match device.takes(&shape, precision) {
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
        output::note(&format!("left out: {} in {}: {error}", shape.title(), precision.key()));
    }
    Ok(kept)
}

/// Prints what was measured.
fn show(args: &args::Bench, measurement: &Measurement) -> Result<(), Error> {
    if let Some(path) = &args.out {
        output::note(&format!("wrote {}", path.display()));
    }
    let mut notes = Vec::new();
    if args.device() == "cpu" {
        notes.extend(args.ports.and_then(cpu::crowd_note));
        notes.extend(cpu::build_note());
    }
    match args.format {
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
            output::put_document(&sections::measurement(measurement, &notes, false))?;
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

fn measure(
    args: &args::Bench,
    kind: OperatorKind,
    device: &OperatorDevice,
    points: &[(Shape, Precision)],
    cancel: Cancel<'_>,
) -> Result<Done, Error> {
    let watched = std::io::stderr().is_terminal();
    let mut done: Option<Measurement> = None;
    for (at, (shape, precision)) in points.iter().enumerate() {
        let place = format!("[{}/{}] ", at + 1, points.len());
        let mut progress = |text: &str| {
            if watched {
                output::progress(&format!("{place}{text}"));
            }
        };
        let run = device.run(shape, *precision, repeat(args), cancel, &mut progress);
        progress("");
        let run = match run {
            Ok(run) => run,
            Err(BenchError::Cancelled) => {
                return Ok(Done { measurement: done, stopped: true, failed: None });
            }
            Err(error) => {
                return Ok(Done { measurement: done, stopped: false, failed: Some(error) });
            }
        };
        if args.sweep
            && let Some(median) = run.median()
        {
            let what = run.title().unwrap_or_default();
            output::note(&format!("{place}{what}: {}", shown(median)));
        }
        let mut measurement = match done.take() {
            None => device.measurement(kind, Vec::new())?,
            Some(before) => before,
        };
        measurement.command = Some(output::command());
        measurement.runs.push(run);
        if let Some(path) = &args.out {
            out::write(path, &measurement)?;
        }
        done = Some(measurement);
    }
    Ok(Done { measurement: done, ..Done::default() })
}
