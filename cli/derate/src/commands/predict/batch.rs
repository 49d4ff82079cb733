//! Many runs of one decoder in one call, for a program in this process.

use anyhow::{Error, bail};
use derate_model::language::Generation;
use derate_model::language::sweep::LengthPoint;
use derate_model::operator::MOST_EXTENT;

use super::llm::Asked;
use crate::args::Llm;
#[cfg(feature = "parquet")]
use {
    crate::commands::shard::Part,
    crate::output::Outcome,
    derate_columns::{number_lengths, shards::Share},
    derate_model::language::sweep::count_points,
};

/// The listed runs of the model, platform and formats of `args`.
pub(crate) fn evaluate_runs(
    args: &Llm,
    runs: &[Generation],
    threads: Option<usize>,
) -> Result<Vec<LengthPoint>, Error> {
    let is_beyond = |extent: u64| !(1..=MOST_EXTENT).contains(&extent);
    let beyond = |run: &Generation| [run.batch, run.prompt, run.generate].map(is_beyond);
    if let Some(at) = runs.iter().position(|run| beyond(run).contains(&true)) {
        bail!("row {at}: batch, prompt and generate are whole numbers from 1 to {MOST_EXTENT}");
    }
    let asked = Asked::of_args(args)?;
    let mut question = asked.question(args)?;
    question.threads = threads.unwrap_or(question.threads);
    question.evaluate_runs(&asked.setting, runs).map_err(Error::msg)
}

/// `predict llm --sweep ... --parquet FILE`: the points of the part that is asked for.
#[cfg(feature = "parquet")]
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
