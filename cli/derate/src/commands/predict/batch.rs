//! Many runs of one decoder in one call, for a program in this process.

use anyhow::{Error, bail};
use derate_model::language::Generation;
use derate_model::language::sweep::LengthPoint;
use derate_model::operator::MOST_EXTENT;

use super::llm::Asked;
use crate::args::Llm;

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
