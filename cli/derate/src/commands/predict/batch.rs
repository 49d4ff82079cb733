//! Many runs of one decoder in one call, for a program in this process.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::{Error, bail};
use derate_columns::shards::Share;
use derate_columns::{RecordBatch, concat_batches, number_lengths, tabulate_lengths};
use derate_model::language::Generation;
use derate_model::language::sweep::count_points;
use derate_model::operator::MOST_EXTENT;

use super::llm::Asked;
use crate::args::Llm;
use crate::commands::shard::Part;
use crate::output::Outcome;

/// Runs that a thread computes at a time: their points and columns stay in its cache.
const BLOCK: usize = 8192;

/// The listed runs of the model, platform and formats of `args`, a row each.
pub(crate) fn tabulate_runs(
    args: &Llm,
    runs: &[Generation],
    threads: Option<usize>,
) -> Result<RecordBatch, Error> {
    let is_beyond = |extent: u64| !(1..=MOST_EXTENT).contains(&extent);
    let beyond = |run: &Generation| [run.batch, run.prompt, run.generate].map(is_beyond);
    if let Some(at) = runs.iter().position(|run| beyond(run).contains(&true)) {
        bail!("row {at}: batch, prompt and generate are whole numbers from 1 to {MOST_EXTENT}");
    }
    let asked = Asked::of_args(args)?;
    let mut question = asked.question(args)?;
    let threads = threads.unwrap_or(question.threads).clamp(1, 256);
    question.threads = 1;
    let (question, setting) = (&question, &asked.setting);
    // No runs are a table, too.
    let blocks: Vec<&[Generation]> =
        if runs.is_empty() { vec![runs] } else { runs.chunks(BLOCK).collect() };
    let next = AtomicUsize::new(0);
    let work = || {
        let mut own = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(block) = blocks.get(at) else { return Ok(own) };
            let points = question.evaluate_runs(setting, block).map_err(Error::msg)?;
            own.push((at, tabulate_lengths(&points)?));
        }
    };
    let mut tables = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.min(blocks.len())).map(|_| scope.spawn(work)).collect();
        let mut tables = Vec::with_capacity(blocks.len());
        for worker in workers {
            let own: Result<Vec<_>, Error> =
                worker.join().unwrap_or_else(|_| bail!("a thread stopped on a defect of derate"));
            tables.extend(own?);
        }
        Ok::<_, Error>(tables)
    })?;
    tables.sort_unstable_by_key(|(at, _)| *at);
    let tables: Vec<RecordBatch> = tables.into_iter().map(|(_, table)| table).collect();
    let Some(first) = tables.first() else { bail!("no runs were computed") };
    Ok(concat_batches(&first.schema(), &tables)?)
}

/// `predict llm --sweep ... --parquet FILE`: the points of the part that is asked for.
pub(super) fn write_points(args: &Llm) -> Result<Outcome, Error> {
    let Some(file) = &args.points.parquet else { return Ok(Outcome::Clean) };
    let asked = Asked::of_args(args)?;
    let question = asked.question(args)?;
    if question.axes.is_empty() {
        bail!("--parquet is for a sweep: give --sweep too, such as --sweep batch=1,2,4");
    }
    let (model, setting) = (question.model, &asked.setting);
    let part = Part {
        file,
        share: args.points.shard.unwrap_or(Share::WHOLE),
        points: count_points(&question.axes).map_err(Error::msg)?,
        reduction: args.points.reduction("seconds")?,
        depends_on: format!("{model:?} {:?} {:?}", setting.target, setting.formats),
    };
    part.write_points(|range| {
        let points = question.sweep_part(setting, range.clone()).map_err(Error::msg)?;
        Ok(number_lengths(range.start, &points)?)
    })?;
    Ok(Outcome::Clean)
}
