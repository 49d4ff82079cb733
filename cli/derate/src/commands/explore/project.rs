//! `derate explore DIR`: the designs of a whole project.

use std::path::Path;

use anyhow::{Error, anyhow, bail};
use derate_model::explore::{Objective, TimeLimit};
use derate_model::{Analysis, Budget};

use super::asked::Asked;
use super::limits::read_limits;
use super::{array, joint};
use crate::args::{Explore, KernelSource};
use crate::load::load_project;
use crate::output::{self, Outcome, Written};

/// Explores the kernels of `[[kernel]]` together; where there are none, the array of `[design]`.
pub(super) fn run(args: &Explore, place: &Path) -> Result<Outcome, Error> {
    refuse_options(args)?;
    if let Some(path) = &args.write {
        output::may_replace(path, Written::Diff)?;
    }
    let analysis = load_project(place, &args.source.preprocess)?;
    let limits = read_limits(&args.limit, Budget::of_platform(&analysis.platform))?;
    let objective = read_objective(args, &analysis)?;
    let least = limits.least_resource(&objective)?;
    if let Some(TimeLimit::Cycles(_)) = limits.time {
        bail!("--limit cycles is of one kernel: give a project's as latency=25ms");
    }
    let asked = Asked {
        args,
        place,
        analysis: &analysis,
        objective,
        limits: limits.budget,
        time_limit: limits.time,
        least,
    };
    #[cfg(feature = "parquet")]
    if args.designs.parquet.is_some() && !analysis.project.kernels.is_empty() {
        bail!(
            "--parquet is for one kernel, or for the array of a project: the [[kernel]]s of {} are searched together; name the source of one",
            place.display()
        );
    }
    if analysis.project.kernels.is_empty() { array::run(&asked) } else { joint::run(&asked) }
}

/// Options of one kernel say nothing of a project.
fn refuse_options(args: &Explore) -> Result<(), Error> {
    let KernelSource { top, directives, part, platform, clock, tool, constants, .. } = &args.source;
    let given = [
        ("--top", top.is_some()),
        ("--directives", !directives.is_empty()),
        ("--part", part.is_some()),
        ("--platform", platform.is_some()),
        ("--clock", clock.is_some()),
        ("--tool", tool.is_some()),
        ("--constants", constants.is_some()),
        ("--space", args.space.is_some()),
    ];
    match given.into_iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => bail!("{option} is of one kernel: the project's derate.toml says it"),
        None => Ok(()),
    }
}

fn read_objective(args: &Explore, analysis: &Analysis) -> Result<Objective, Error> {
    let text = args.objective.as_deref().unwrap_or("latency");
    let objective = Objective::parse(text).ok_or_else(|| {
        anyhow!("--objective `{text}` is not known: write latency, latency:PART, throughput, dsp, bram18, uram, lut or ff")
    })?;
    if let Objective::Latency(Some(part)) = &objective {
        let parts = analysis.inference_parts();
        let running: Vec<&str> = parts
            .iter()
            .filter(|one| one.never_runs.is_none())
            .map(|one| one.key.as_ref())
            .collect();
        if !running.contains(&part.as_str()) {
            bail!(
                "--objective names the part `{part}`, which an inference does not have: there are {}",
                running.join(", ")
            );
        }
    }
    Ok(objective)
}
