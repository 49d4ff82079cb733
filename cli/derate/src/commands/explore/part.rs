//! `derate explore --parquet FILE`: a part of the designs, searched to its end.

use std::time::{Duration, Instant};

use anyhow::{Error, bail};
use derate_columns::shards::{Reduction, ShardFile, Share};
use derate_columns::{read_designs, tabulate_designs};
use derate_model::Budget;
use derate_model::explore::{PartSearch, Space};

use crate::args::Explore;
use crate::commands::shard::Part;
use crate::output::{self, Outcome};
use crate::session;

/// The progress is shown at this interval.
const TICK: Duration = Duration::from_millis(200);

/// Numbers beyond this are not whole in every program that reads them.
const MOST: f64 = 9_007_199_254_740_992.0;

/// Searches the part that is asked for and writes its designs. `depends_on` has all that the costs depend on.
pub(super) fn write_designs<S: Space>(
    args: &Explore,
    space: &S,
    limits: Budget,
    depends_on: &str,
) -> Result<Outcome, Error> {
    let Some(file) = &args.designs.parquet else { return Ok(Outcome::Clean) };
    let designs: f64 = space.axes().iter().map(|axis| axis.values.len() as f64).product();
    if designs > MOST {
        bail!(
            "the space has more than 2^53 designs, which cannot be numbered: open less of it with --vary"
        );
    }
    let columns = |names: [&str; 2]| names.map(str::to_owned);
    let [objective, share] = columns(["objective", "share"]);
    let part = Part {
        file,
        share: args.designs.shard.unwrap_or(Share::WHOLE),
        points: space.axes().iter().map(|axis| axis.values.len() as u64).product(),
        reduction: Some(Reduction {
            top: args.designs.best,
            by: vec![objective.clone(), share.clone()],
            front: Some((objective, share)),
        }),
        depends_on: format!("{:?} {limits:?} {depends_on}", space.axes()),
    };
    part.write_designs(|| {
        let mut search = PartSearch::new(space, limits, args.designs.best, part.range());
        for path in &args.designs.known {
            let known = ShardFile::open(path)?;
            if !part.is_of_search(&known) {
                bail!(
                    "{} has designs of another search: --known names what this one wrote with --parquet",
                    path.display()
                );
            }
            for rows in known.read()? {
                search.know(read_designs(space.axes(), &rows?)?);
            }
        }
        let mut shown = Instant::now();
        let is_done = search.run(|progress| {
            if shown.elapsed() > TICK && output::shows_progress() {
                shown = Instant::now();
                let share = progress.settled / progress.designs.max(1.0);
                let text =
                    format!("{} designs, {:.0} % of the part", progress.evaluated, 100.0 * share);
                output::show_share(&text, Some(share));
            }
            !session::is_stopped()
        });
        if !is_done {
            bail!("stopped before all designs were searched, so no file was written");
        }
        let unknown = search.progress().unknown;
        if unknown > 0 {
            output::note(&format!(
                "note: the objective of {unknown} designs is not known; one of them may be the best"
            ));
        }
        Ok(tabulate_designs(space.axes(), &search.kept())?)
    })?;
    Ok(Outcome::Clean)
}
