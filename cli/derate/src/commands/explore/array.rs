//! The array of `[design]` that a whole model runs on.

use std::fs;

use anyhow::{Context, Error, anyhow, bail};
use derate_model::estimate::{Latency, estimate_one};
use derate_model::explore::array::{ArrayAxes, ArraySpace};
use derate_model::explore::{
    Certificate, Design, Exploration, FoundDesign, Front, LeastResource, Objective, Refusal,
    Region, Search, Space,
};
use derate_model::scenario::{Assumptions, ScenarioKind, ladder_steps};
use derate_model::units::figures::quantity;
use derate_model::units::{Precision, Seconds};
use derate_model::{Analysis, Budget, ClaimedLatency, Figure, Provenance, ResourceKind};

use super::asked::Asked;
use super::clock::Clock;
use super::diff::diff_texts;
#[cfg(feature = "parquet")]
use super::part::write_designs;
use super::put_found;
use super::saved::Saved;
use super::search::continue_search;
use super::toml::change_design;
use crate::output::{self, Outcome};

/// What the searches of all number formats found.
#[derive(Default)]
struct Found {
    best_of: Vec<Design>,
    front: Front,
    refused: Vec<Refusal>,
    evaluated: u64,
    designs: f64,
    certificates: Vec<Certificate>,
}

pub(super) fn run(asked: &Asked<'_>) -> Result<Outcome, Error> {
    let (args, analysis) = (asked.args, asked.analysis);
    if args.per_slr {
        bail!("--per-slr is of projects with [[kernel]]: an array is one unit");
    }
    let limits = leave_logic_out(asked)?;
    if let Some((resource @ (ResourceKind::Lut | ResourceKind::Ff), _)) = asked.least {
        bail!(
            "--objective {}: what an array takes of it is not modelled: write dsp, bram18 or uram",
            resource.name().to_ascii_lowercase()
        );
    }
    let mut axes = ArrayAxes::of_project(analysis);
    for text in &args.vary {
        axes.vary(text).context("--vary")?;
    }
    let part = match &asked.objective {
        Objective::Latency(part) => part.as_deref(),
        _ => None,
    };
    let space = ArraySpace::new(analysis, part, axes, limits).map_err(Error::msg)?;
    if space.precisions().is_empty() {
        bail!(
            "nothing says what a multiply-add costs on {}: give it as dsp_per_mac under [design]",
            analysis.platform.name
        );
    }
    #[cfg(feature = "parquet")]
    if args.designs.parquet.is_some() {
        let depends_on =
            format!("{:?} {:?} {:?}", asked.objective, asked.time_limit, asked.texts());
        return match asked.least {
            None => write_designs(args, &space, limits, &depends_on),
            Some((resource, most)) => write_designs(
                args,
                &LeastResource::new(&space, resource, most),
                limits,
                &depends_on,
            ),
        };
    }
    let mut found = match asked.least {
        None => search_array(asked, limits, &space, space.precisions())?,
        Some((resource, most)) => {
            let small = LeastResource::new(&space, resource, most);
            search_array(asked, limits, &small, space.precisions())?
        }
    };
    let best = best_of(&found.best_of).map(|best| best.point.clone());
    // A search for a resource knows its amount; what is shown has its time too.
    for one in &mut found.best_of {
        one.cost = space.evaluate(&one.point);
    }
    let mut front = Front::default();
    for one in found.front.designs() {
        front.insert(Design { cost: space.evaluate(&one.point), ..one.clone() });
    }
    let best = found.best_of.iter().find(|one| Some(&one.point) == best.as_ref());
    let changed = best.map(|best| promise(asked, &space, best)).transpose()?;
    let name = |design: &Design| FoundDesign::of_timed(space.axes(), design, &asked.objective);
    let exploration = Exploration {
        schema: "derate.exploration/1",
        command: output::command_line(),
        subject: analysis.workload.name().to_owned(),
        part: analysis.platform.name.clone(),
        clock_ns: 1e9 / analysis.design_clock().value.0,
        objective: asked.objective.clone(),
        limits,
        time_limit: asked.time_limit,
        axes: space.axes().to_vec(),
        written: Vec::new(),
        not_opened: Vec::new(),
        designs: found.designs,
        evaluated: found.evaluated,
        certificate: join_certificates(&found.certificates, best.map(name).as_ref()),
        start: None,
        claimed: project_claim(asked),
        best: best.map(name),
        best_of: found.best_of.iter().map(name).collect(),
        front: front.designs().iter().map(name).collect(),
        refused: found.refused,
        ranking: Vec::new(),
        assumed: changed.as_ref().map_or_else(Vec::new, |one| list_assumed(asked, &space, one)),
    };
    let diff = || Ok(changed.as_ref().map_or_else(Vec::new, |one| one.diff.clone()));
    if let (Some(path), Some(changed)) = (&args.write, &changed) {
        fs::write(path, &changed.diff)
            .with_context(|| format!("{} cannot be written", path.display()))?;
        output::note(&format!("wrote {}", path.display()));
    }
    put_found(args, &exploration, diff, &[])
}

/// LUT and FF of an array are not modelled, so they limit nothing.
fn leave_logic_out(asked: &Asked<'_>) -> Result<Budget, Error> {
    let is_logic = |text: &&String| {
        let name = text.split('=').next().unwrap_or_default().trim();
        ["lut", "ff"].iter().any(|one| name.eq_ignore_ascii_case(one))
    };
    if let Some(text) = asked.args.limit.iter().find(is_logic) {
        bail!(
            "--limit `{text}`: what an array takes of it is not modelled: limit dsp, bram18 or uram"
        );
    }
    Ok(Budget { lut: None, ff: None, ..asked.limits })
}

/// Searches each number format on its own: first for its best design, then for its front.
fn search_array<S: Space>(
    asked: &Asked<'_>,
    limits: Budget,
    space: &S,
    precisions: &[Precision],
) -> Result<Found, Error> {
    let whole = Region::whole(space.axes().iter().map(|axis| axis.values.len()));
    let card = &asked.analysis.project.platform.value;
    let key = (card, &asked.objective, asked.time_limit, space.axes(), limits);
    let mut saved = Saved::open(asked.args.resume.as_deref(), &(key, asked.texts()))?;
    let clock = Clock::start(asked.args.seconds);
    let mut found = Found { designs: whole.designs(), ..Found::default() };
    let count = precisions.len();
    for (at, precision) in precisions.iter().enumerate() {
        let left = 2 * (count - at);
        let region = whole.with_value(0, at);
        let of_region = || Search::of_region(space, limits, region.clone());
        let mut search = continue_search(of_region(), saved.searches.pop())?;
        let own = clock.share(left, &precision.key());
        search.run(|progress| own.goes_on(progress));
        let mut wide = continue_search(of_region().with_front(), saved.searches.pop())?;
        let own = clock.share(left - 1, &format!("{}, front", precision.key()));
        wide.run(|progress| own.goes_on(progress));
        saved.keep_search(&search);
        saved.keep_search(&wide);
        found.certificates.push(search.certificate());
        let bests = [search.best(), wide.best()].into_iter().flatten().cloned();
        let best = bests.min_by(|a, b| a.cost.objective.total_cmp(&b.cost.objective));
        found.best_of.extend(best);
        let designs = search.front().designs().iter().chain(wide.front().designs());
        designs.for_each(|design| found.front.insert(design.clone()));
        found.evaluated += search.progress().evaluated + wide.progress().evaluated;
        for (resource, designs) in search.refused() {
            match found.refused.iter_mut().find(|one| one.resource == resource) {
                Some(one) => one.designs += designs,
                None => found.refused.push(Refusal { resource, designs }),
            }
        }
    }
    saved.write(asked.args.resume.as_deref())?;
    output::show_progress("");
    Ok(found)
}

fn best_of(designs: &[Design]) -> Option<&Design> {
    designs.iter().min_by(|a, b| a.cost.objective.total_cmp(&b.cost.objective))
}

/// The certificate of the best of several searches.
fn join_certificates(all: &[Certificate], best: Option<&FoundDesign>) -> Certificate {
    let open = all.iter().filter_map(|one| match one {
        Certificate::Gap { bound } => Some(*bound),
        _ => None,
    });
    let least = best.map_or(f64::INFINITY, |best| best.objective);
    match open.reduce(f64::min).filter(|bound| *bound < least) {
        Some(bound) => Certificate::Gap { bound },
        None if best.is_some() => Certificate::Optimal,
        None => Certificate::Infeasible,
    }
}

/// The best design in `derate.toml`, predicted anew.
struct Promise {
    diff: Vec<u8>,
    latency: Latency,
}

/// Writes the best design into the text of `derate.toml` and estimates that project: what is promised is what it gives.
fn promise(asked: &Asked<'_>, space: &ArraySpace<'_>, best: &Design) -> Result<Promise, Error> {
    let values = FoundDesign::of_design(space.axes(), best).values;
    let (again, change) = change_design(asked, &values)?;
    let (steps, skipped) = ladder_steps(&again);
    let design = steps.iter().find(|step| step.kind == ScenarioKind::Design);
    let design = design.ok_or_else(|| {
        let reason = skipped.iter().find(|one| one.scenario == ScenarioKind::Design);
        anyhow!(
            "the best design cannot be estimated anew: {}",
            reason.map_or("[design] gives no array", |one| one.reason.as_str())
        )
    })?;
    let latency = estimate_one(&again, design).map_err(Error::msg)?.latency;
    let latency = latency.ok_or_else(|| anyhow!("the best design has no latency"))?;
    let is_whole = !matches!(asked.objective, Objective::Latency(Some(_)));
    let (anew, promised) = (latency.seconds.0, best.cost.objective);
    if is_whole && (anew / promised - 1.0).abs() > 1e-9 {
        bail!("the best design takes {anew} s where it is written, not {promised} s: report this");
    }
    Ok(Promise { diff: diff_texts(&[change]), latency })
}

/// What `derate.toml` claims of the whole; without a claimed latency, the time that its claims give.
fn project_claim(asked: &Asked<'_>) -> Option<Figure<Seconds>> {
    match asked.objective {
        Objective::Latency(None) => claimed_latency(asked.analysis),
        _ => None,
    }
}

/// The claimed latency, else the roofline time of the claims.
pub(super) fn claimed_latency(analysis: &Analysis) -> Option<Figure<Seconds>> {
    let claim = analysis.project.claims.latency.as_ref().map(|claim| claim.value);
    if let Some(ClaimedLatency::Known(time)) = claim {
        return Some(Figure::new(time, Provenance::Assumed, "[claims] latency in derate.toml"));
    }
    let claimed = estimate_one(analysis, &Assumptions::claimed(analysis)).ok()?;
    let source = "the roofline time of [claims], which claims no latency";
    Some(Figure::new(claimed.totals.throughput_seconds?, Provenance::Assumed, source))
}

/// What the latency of the best design rests on.
fn list_assumed(asked: &Asked<'_>, space: &ArraySpace<'_>, promise: &Promise) -> Vec<String> {
    let (array, analysis) = (&promise.latency.array, asked.analysis);
    let bandwidth = space.bandwidth();
    let mut list = vec![
        "All tensors have the chosen number format. Whether the model keeps its accuracy in it is not judged".to_owned(),
        format!("Clock {}: {}. It is not lowered as the chip fills up", quantity(array.clock.value), array.clock.source),
        format!("Bandwidth {}: {}", quantity(bandwidth.value), bandwidth.source),
        "Compute and transfers overlap: operands are double-buffered in the buffer".to_owned(),
        format!("Fill of a tile {} cycles: {}", array.fill.value, array.fill.source),
        format!("One addition per sum every {} cycles: {}", array.accumulation_ii.value, array.accumulation_ii.source),
        format!("Memory answers after {} cycles: {}", array.memory_latency.value, array.memory_latency.source),
        format!("A call by the host takes {}: {}", quantity(array.launch.value), array.launch.source),
        "Buffers are in UltraRAM first; one block gives 64 bits a cycle to an edge of the array".to_owned(),
        "LUT and FF of the array are not modelled: nothing says what an element takes of them".to_owned(),
    ];
    list.extend(array.dsp.as_ref().map(|dsp| format!("{} DSP: {}", dsp.value, dsp.source)));
    if let Some(slr) = analysis.platform.slr.as_ref().filter(|slr| slr.value > 1.0) {
        list.push(format!(
            "The array is spread over the {} SLR of the chip as if they were one",
            slr.value
        ));
    }
    list
}
