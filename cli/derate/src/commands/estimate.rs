//! `derate estimate`.

use anyhow::{Error, anyhow, bail};
use derate_model::audit::{Summary, audit};
use derate_model::design::{KernelDesign, join_kernels};
use derate_model::estimate::{Estimate as Estimates, ScenarioEstimate, estimate, estimate_one};
use derate_model::quantity::ParseQuantity;
use derate_model::scenario::{self, Assumptions, PeakBasis, Skipped};
use derate_model::units::{BytesPerSecond, OpsPerSecond};
use derate_model::{Analysis, Figure, Precision, Provenance, Schedule, Storage};
use derate_reports::sections;
use serde::Serialize;

use super::sweep;
use crate::args::{Estimate, EstimateFormat, Format};
use crate::load::load_project;
use crate::output::{self, Outcome};

/// Where the rest of an estimate is.
const MORE: &str = "--detail shows all parts and kernels, what is fused, and all peaks; `derate audit` says what is wrong; `derate report` writes all of it.";

/// Where the rest of one scenario is.
const MORE_OF_ONE: &str = "--detail shows all kernels, and the sources of the figures.";

pub(crate) fn run(args: &Estimate) -> Result<Outcome, Error> {
    if args.format == Some(EstimateFormat::Csv) && args.sweep.is_empty() {
        bail!("--format csv is for a sweep: give --sweep too, such as --sweep cameras=1,2,3");
    }
    #[cfg(feature = "parquet")]
    if args.points.parquet.is_some() && args.sweep.is_empty() {
        bail!("--parquet is for a sweep: give --sweep too, such as --sweep cameras=1,2,3");
    }
    let analysis = load_project(&args.project, &args.preprocess)?;
    let asked = [&args.precision, &args.bandwidth, &args.peak].iter().any(|o| o.is_some())
        || args.tokens.is_some();
    let mut chosen = match &args.scenario {
        Some(name) => Some(find_scenario(&analysis, name)?),
        None if asked => Some(custom_scenario(args, &analysis)?),
        None if !args.sweep.is_empty() || args.schedule.is_some() => last_scenario(&analysis),
        None => None,
    };
    if let (Some(scenario), Some(name)) = (&mut chosen, &args.schedule) {
        scenario.schedule = Schedule::parse(name).ok_or_else(|| {
            anyhow!("--schedule `{name}` is not known: write unfused, epilogue, attention or block")
        })?;
    }
    match chosen {
        Some(scenario) if !args.sweep.is_empty() => sweep::run(args, &analysis, &scenario)?,
        Some(scenario) => show_one(args, &analysis, &scenario)?,
        None => show_all(args, &analysis)?,
    }
    Ok(Outcome::Clean)
}

/// The last scenario of the ladder; a skipped one gets a note.
fn last_scenario(analysis: &Analysis) -> Option<Assumptions> {
    let (mut steps, skipped) = scenario::ladder_steps(analysis);
    note_skipped(&skipped);
    steps.pop()
}

/// Says on stderr which scenarios are left out, and why.
fn note_skipped(skipped: &[Skipped]) {
    for Skipped { scenario, reason } in skipped {
        output::note(&format!("note: scenario {scenario} left out: {reason}"));
    }
}

/// Every scenario.
fn show_all(args: &Estimate, analysis: &Analysis) -> Result<(), Error> {
    let estimate = estimate(analysis);
    let summarise = || Summary::of(&audit(analysis));
    if args.format == Some(EstimateFormat::Json) {
        let kernel_design = join_kernels(analysis)?;
        let data = WithKernels { estimate: &estimate, kernel_design };
        return output::put_as(Format::Json, &data, || {
            sections::estimate_in_short(analysis, summarise, &estimate)
        });
    }
    note_skipped(&estimate.skipped);
    if args.detail {
        return output::put_document(&sections::estimate(analysis, &estimate));
    }
    let document = sections::estimate_in_short(analysis, summarise, &estimate);
    output::put_screen(&document, false, MORE)
}

/// The estimate, and the kernels of `[[kernel]]` where there are any.
#[derive(Serialize)]
struct WithKernels<'a> {
    #[serde(flatten)]
    estimate: &'a Estimates,
    #[serde(skip_serializing_if = "Option::is_none")]
    kernel_design: Option<KernelDesign>,
}

/// A step of the ladder.
fn find_scenario(analysis: &Analysis, name: &str) -> Result<Assumptions, Error> {
    let (steps, skipped) = scenario::ladder_steps(analysis);
    let known = steps.iter().map(|s| s.kind.name()).collect::<Vec<_>>().join(", ");
    if let Some(Skipped { reason, .. }) = skipped.iter().find(|s| s.scenario.name() == name) {
        return Err(anyhow!("scenario `{name}` cannot be had: {reason}; there are {known}"));
    }
    steps
        .into_iter()
        .find(|s| s.kind.name() == name)
        .ok_or_else(|| anyhow!("there is no scenario `{name}`: there are {known}"))
}

/// What the options say, the claims where they are silent.
fn custom_scenario(args: &Estimate, analysis: &Analysis) -> Result<Assumptions, Error> {
    let storage = match args.precision.as_deref() {
        None => analysis.claimed_storage(),
        Some("as-stored") => Storage::as_stored(&analysis.shape),
        Some("as-built") => analysis.built_storage(),
        Some(name) => Storage::Uniform(Precision::parse(name).ok_or_else(|| {
            anyhow!("--precision `{name}` is not known: write fp32, bf16, fp16, int8, int4, as-stored or as-built")
        })?),
    };
    let given = |option: &str| format!("--{option} on the command line");
    let tokens = match args.tokens {
        Some(tokens) => Figure::new(f64::from(tokens), Provenance::Assumed, given("tokens")),
        None => scenario::claimed_tokens(analysis),
    };
    let bandwidth = match &args.bandwidth {
        Some(text) => {
            let value =
                BytesPerSecond::parse_quantity(text).map_err(|e| anyhow!("--bandwidth: {e}"))?;
            Figure::new(value, Provenance::Assumed, given("bandwidth"))
        }
        None => scenario::claimed_bandwidth(analysis),
    };
    let peaks = match args.peak.as_deref() {
        None | Some("claimed") => PeakBasis::Claimed,
        Some("derived") => PeakBasis::Derived,
        Some(text) => PeakBasis::Given(
            OpsPerSecond::parse_quantity(text)
                .map_err(|e| anyhow!("--peak: {e}, or claimed or derived"))?,
        ),
    };
    Ok(Assumptions::custom(storage, tokens, bandwidth, peaks))
}

fn show_one(args: &Estimate, analysis: &Analysis, scenario: &Assumptions) -> Result<(), Error> {
    let result: ScenarioEstimate = estimate_one(analysis, scenario)
        .map_err(|reason| anyhow!("scenario {}: {reason}", scenario.name()))?;
    if args.format == Some(EstimateFormat::Json) {
        let data = Estimates::of_one(analysis, result.clone());
        return output::put_as(Format::Json, &data, || sections::scenario(analysis, &result));
    }
    if args.detail {
        return output::put_document(&sections::scenario(analysis, &result));
    }
    output::put_screen(&sections::scenario_in_short(analysis, &result), false, MORE_OF_ONE)
}
