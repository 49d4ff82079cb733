//! `derate merge OUT PART...`.

use anyhow::Error;
use derate_columns::shards::merge_shards;

use super::shard::finish_file;
use crate::args::Merge;
use crate::output::{self, Outcome, Written};
use crate::replace::stage_beside;

pub(crate) fn run(args: &Merge) -> Result<Outcome, Error> {
    output::may_replace(&args.out, Written::Points)?;
    let mut file = stage_beside(&args.out)?;
    let (_, merged) = merge_shards(&args.parts, args.partial, || Ok(file.as_file_mut()))?;
    finish_file(file, &args.out)?;
    let missing = merged.about.missing();
    let left: u64 = missing.iter().map(|range| range.end - range.start).sum();
    let lack = if left > 0 { format!(", {left} points are missing") } else { String::new() };
    let plural = if args.parts.len() == 1 { "" } else { "s" };
    output::note(&format!(
        "wrote {}: {} rows of {} points, of {} file{plural}{lack}",
        args.out.display(),
        merged.rows,
        merged.about.points,
        args.parts.len()
    ));
    Ok(Outcome::Clean)
}
