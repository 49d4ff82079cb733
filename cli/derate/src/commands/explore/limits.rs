//! `--limit`: how much of each resource a design may take, and how long.

use anyhow::{Error, anyhow, bail};
use derate_model::explore::{Objective, TimeLimit};
use derate_model::quantity::ParseQuantity;
use derate_model::units::Seconds;
use derate_model::{Budget, ResourceKind};

/// What `--limit` says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Limits {
    /// What there is, or less.
    pub(super) budget: Budget,
    /// How long a design may take.
    pub(super) time: Option<TimeLimit>,
}

/// What there is; then what `--limit` says. A share is of what there is.
pub(super) fn read_limits(texts: &[String], all: Budget) -> Result<Limits, Error> {
    let mut limits = Limits { budget: all, time: None };
    for text in texts {
        let error = || {
            anyhow!(
                "--limit `{text}` is not a limit: write one such as dsp=4000, lut=75% or latency=25ms, for dsp, bram18, uram, lut, ff, latency or cycles"
            )
        };
        let (name, amount) = text.split_once('=').ok_or_else(error)?;
        let amount = amount.trim();
        let budget = &mut limits.budget;
        let (own, of_all) = match name.trim().to_ascii_lowercase().as_str() {
            "dsp" => (&mut budget.dsp, all.dsp),
            "bram18" => (&mut budget.bram18, all.bram18),
            "uram" => (&mut budget.uram, all.uram),
            "lut" => (&mut budget.lut, all.lut),
            "ff" => (&mut budget.ff, all.ff),
            "latency" => {
                let time = Seconds::parse_quantity(amount).ok().filter(|time| time.0 > 0.0);
                limits.time = Some(TimeLimit::Seconds(time.ok_or_else(error)?.0));
                continue;
            }
            "cycles" => {
                let cycles = read_number(amount).filter(|cycles| *cycles > 0.0);
                limits.time = Some(TimeLimit::Cycles(cycles.ok_or_else(error)?));
                continue;
            }
            _ => return Err(error()),
        };
        *own = Some(
            match amount.strip_suffix('%') {
                Some(percent) => {
                    read_number(percent).zip(of_all).map(|(percent, all)| percent / 100.0 * all)
                }
                None => read_number(amount),
            }
            .ok_or_else(error)?,
        );
    }
    Ok(limits)
}

fn read_number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0)
}

impl Limits {
    /// The resource to be small with the longest time; `None` where time is to be small. A time without a resource limits
    /// nothing, and a resource without a time would be that of the slowest design.
    pub(super) fn least_resource(
        &self,
        objective: &Objective,
    ) -> Result<Option<(ResourceKind, f64)>, Error> {
        match (objective, self.time) {
            (Objective::Resource(resource), Some(time)) => Ok(Some((*resource, time.value()))),
            (Objective::Resource(resource), None) => bail!(
                "--objective {} needs the longest time: add --limit latency=25ms",
                resource.name().to_ascii_lowercase()
            ),
            (_, Some(_)) => bail!(
                "--limit of a time is for --objective with a resource: without one, the time itself is made small"
            ),
            (_, None) => Ok(None),
        }
    }
}
