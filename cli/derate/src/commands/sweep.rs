//! `derate estimate --sweep`.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Error, anyhow};
use derate_model::Analysis;
use derate_model::scenario::Assumptions;
use derate_model::sweep::{Axis, Sweep, SweepPoint, combinations, sweep};
use derate_reports::sections;
#[cfg(feature = "parquet")]
use {
    super::shard::Part,
    derate_columns::{shards::Share, tabulate_sweep},
    derate_model::sweep::{count_points, sweep_range},
    std::path::Path,
};

use crate::args::{Estimate, EstimateFormat, Format};
use crate::{output, session};

/// The progress is shown at this interval.
const TICK: Duration = Duration::from_millis(200);

pub(crate) fn run(
    args: &Estimate,
    analysis: &Analysis,
    scenario: &Assumptions,
) -> Result<(), Error> {
    let axes = args
        .sweep
        .iter()
        .map(|text| Axis::parse(text).map_err(|error| anyhow!("--sweep {error}")))
        .collect::<Result<Vec<_>, _>>()?;
    #[cfg(feature = "parquet")]
    if let Some(file) = &args.points.parquet {
        return write_points(args, file, analysis, scenario, &axes);
    }
    let total = combinations(&axes).map_err(Error::msg)?;
    let points = run_with_progress(total, |done| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        sweep(analysis, scenario, &axes, threads, done).map_err(Error::msg)
    })?;
    let format = args.format.unwrap_or(EstimateFormat::Csv);
    let result = Sweep::new(analysis, scenario, axes, points, format_name(format));
    match format {
        EstimateFormat::Json => {
            output::put_as(Format::Json, &result, || sections::sweep_document(&result))
        }
        EstimateFormat::Csv => {
            output::put_bytes(&derate_reports::render_csv(&sections::sweep(&result))?)
        }
        EstimateFormat::Text => {
            output::put_screen(&sections::sweep_document(&result), args.detail, "")
        }
    }
}

/// Writes the points of the part that is asked for.
#[cfg(feature = "parquet")]
fn write_points(
    args: &Estimate,
    file: &Path,
    analysis: &Analysis,
    scenario: &Assumptions,
    axes: &[Axis],
) -> Result<(), Error> {
    let sources = &analysis.sources;
    let texts: Vec<&str> = sources.files().map(|file| sources.text(file)).collect();
    let part = Part {
        file,
        share: args.points.shard.unwrap_or(Share::WHOLE),
        points: count_points(axes)?,
        reduction: args.points.reduction("throughput_seconds")?,
        depends_on: format!("{scenario:?} {:?} {texts:?}", analysis.platform),
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    part.write_points(|range| {
        let done = AtomicU64::new(0);
        let points = sweep_range(analysis, scenario, axes, range.clone(), threads, &done)?;
        Ok(tabulate_sweep(axes, range.start, &points)?)
    })
}

fn format_name(format: EstimateFormat) -> &'static str {
    match format {
        EstimateFormat::Text => "text",
        EstimateFormat::Json => "json",
        EstimateFormat::Csv => "csv",
    }
}

/// Runs `work` and says on a terminal's stderr how far it is.
fn run_with_progress(
    total: u64,
    work: impl FnOnce(&AtomicU64) -> Result<Vec<SweepPoint>, Error> + Send,
) -> Result<Vec<SweepPoint>, Error> {
    let (done, over) = (AtomicU64::new(0), AtomicBool::new(false));
    if !output::shows_progress() {
        return work(&done);
    }
    let watch = session::watch();
    thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            loop {
                thread::park_timeout(TICK);
                if over.load(Ordering::Relaxed) {
                    return;
                }
                let done = done.load(Ordering::Relaxed);
                let text = format!("{done} of {total} points");
                // The command's own thread is busy.
                match &watch {
                    Some(watch) => watch.show(&text, Some(done as f64 / total as f64)),
                    None => output::show_progress(&text),
                }
            }
        });
        let result = work(&done);
        over.store(true, Ordering::Relaxed);
        watcher.thread().unpark();
        let _ = watcher.join();
        output::show_progress("");
        result
    })
}
