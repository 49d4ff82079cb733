//! All kernels of `[[kernel]]` together, within one card.

use std::fs;

use anyhow::{Context, Error, anyhow, bail};
use derate_model::Budget;
use derate_model::design::join_kernels;
use derate_model::explore::kernel::AS_WRITTEN;
use derate_model::explore::{
    Axis, BuiltKernel, Certificate, ChipRegions, Cost, Design, Exploration, FoundDesign, Joining,
    LeastResource, Objective, Refusal, Search, SeparableSpace, Space, Unit, join_units, list_found,
};
use derate_reports::sections;

use super::array::claimed_latency;
use super::asked::Asked;
use super::assumed::{describe_places, list_assumed};
use super::change::change_files;
use super::clock::Clock;
use super::diff::diff_texts;
use super::explored::{Explored, explore_kernels};
use super::kernel_change::KernelChange;
use super::link::change_link;
use super::ports::{describe_wide_ports, write_interface_comment};
use super::put_found;
use crate::output::{self, Outcome};

pub(super) fn run(asked: &Asked<'_>) -> Result<Outcome, Error> {
    let (args, analysis) = (asked.args, asked.analysis);
    let design = join_kernels(analysis)?.ok_or_else(|| anyhow!("there is no [[kernel]]"))?;
    let mut kernels = explore_kernels(asked, &design)?;
    let is_whole = matches!(asked.objective, Objective::Latency(None) | Objective::Resource(_));
    if let Some(first) = kernels.first_mut().filter(|_| is_whole) {
        // What no design changes is counted once.
        first.built.launches += design.totals.transfers.0;
    }
    let built: Vec<BuiltKernel> = kernels.iter().map(|one| one.built.clone()).collect();
    let joining = match asked.objective {
        Objective::Interval => Joining::Pipelined,
        _ => Joining::Sequential,
    };
    let slr = analysis.platform.slr.as_ref().map_or(1.0, |slr| slr.value);
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a count between 1 and 64"
    )]
    let regions = ChipRegions::share(slr.round().clamp(1.0, 64.0) as usize, &asked.limits);
    let units = join_units(&built);
    if let Some(unit) = units.iter().find(|unit| unit.choices.is_empty()) {
        bail!(
            "the cycles of `{}` as it is written are not known for all sizes that it gets: see derate estimate",
            unit.name
        );
    }
    let mut space = SeparableSpace::new(units.clone()).joined_by(joining);
    if args.per_slr {
        space = space.within_regions(regions);
    }
    let space = space.with_prices(&asked.limits);
    let clock = Clock::start(args.seconds.max(1.0));
    let found = match asked.least {
        None => search_joint(&space, asked.limits, &clock),
        Some((resource, most)) => {
            let mut found =
                search_joint(&LeastResource::new(&space, resource, most), asked.limits, &clock);
            // The search knows its amount of the resource; what is shown has its time too.
            if let Some(best) = &mut found.best {
                best.cost = space.evaluate(&best.point);
            }
            found
        }
    };
    let mut wide = Search::new(&space, asked.limits).with_front();
    let own = clock.share(1, "front");
    wide.run(|progress| own.goes_on(progress));
    output::show_progress("");
    let fastest = wide.best().filter(|_| asked.least.is_none());
    let best = found.best.as_ref().or(fastest);
    let name = |design: &Design| FoundDesign::of_timed(space.axes(), design, &asked.objective);
    let chosen = best.map(|best| choose_changes(&kernels, space.axes(), best)).unwrap_or_default();
    let mut changes = best.map(|_| change_files(asked, &design, &chosen)).transpose()?;
    let link = change_link(asked, &design, &chosen);
    if let Some(changes) = &mut changes {
        changes.extend(link.change);
    }
    let mut assumed = list_assumed(asked, &design, &kernels);
    if let Some(best) = best.filter(|_| regions.count > 1) {
        assumed.push(describe_places(&units, space.axes(), best, regions));
    }
    assumed.extend(link.notes);
    assumed.extend(describe_ports(&chosen));
    let exploration = Exploration {
        schema: "derate.exploration/1",
        command: output::command_line(),
        subject: analysis.workload.name().to_owned(),
        part: analysis.platform.name.clone(),
        clock_ns: 1e9 / analysis.design_clock().value.0,
        objective: asked.objective.clone(),
        limits: asked.limits,
        time_limit: asked.time_limit,
        axes: space.axes().to_vec(),
        written: Vec::new(),
        not_opened: Vec::new(),
        designs: kernels
            .iter()
            .filter(|one| one.built.hardware == one.built.name)
            .map(|one| one.designs)
            .product(),
        evaluated: kernels.iter().map(|one| one.evaluated).sum(),
        certificate: certify(&kernels, found.certificate),
        start: find_start(asked, &units, joining),
        claimed: Some(&asked.objective)
            .filter(|one| **one == Objective::Latency(None))
            .and_then(|_| claimed_latency(analysis)),
        best: best.map(name),
        best_of: Vec::new(),
        front: wide.front().designs().iter().map(name).collect(),
        refused: found.refused,
        ranking: Vec::new(),
        assumed,
    };
    let diff = diff_texts(changes.as_deref().unwrap_or_default());
    let diff = if diff.is_empty() { diff } else { [write_heads(&chosen), diff].concat() };
    if let (Some(path), Some(_)) = (&args.write, best) {
        fs::write(path, &diff).with_context(|| format!("{} cannot be written", path.display()))?;
        output::note(&format!("wrote {}", path.display()));
    }
    put_found(args, &exploration, || Ok(diff), &[])
}

/// What a diff says of interfaces that change.
fn write_heads(chosen: &[(&str, Option<KernelChange>)]) -> Vec<u8> {
    let heads = chosen.iter().filter_map(|(name, change)| {
        Some(write_interface_comment(name, &change.as_ref()?.arguments))
    });
    heads.collect::<String>().into_bytes()
}

/// What the changes of kernels mean for their ports.
fn describe_ports(chosen: &[(&str, Option<KernelChange>)]) -> Vec<String> {
    let wide = chosen.iter().filter_map(|(name, change)| {
        Some(format!("{name}: {}", describe_wide_ports(&change.as_ref()?.directives)?))
    });
    let interfaces = chosen.iter().filter_map(|(name, change)| {
        let words = sections::describe_interface(&change.as_ref()?.arguments)?;
        Some(format!("{name}: its interface changes: {words}"))
    });
    wide.chain(interfaces).collect()
}

/// What a search of all kernels together found.
struct Joint {
    best: Option<Design>,
    refused: Vec<Refusal>,
    certificate: Certificate,
}

fn search_joint<S: Space>(space: &S, limits: Budget, clock: &Clock) -> Joint {
    let mut search = Search::new(space, limits);
    search.run(|progress| clock.goes_on(progress));
    let (_, refused) = list_found(&search, space.axes());
    Joint { best: search.best().cloned(), refused, certificate: search.certificate() }
}

/// The design as it is written, all kernels together.
fn find_start(asked: &Asked<'_>, units: &[Unit], joining: Joining) -> Option<FoundDesign> {
    let mut all = Cost::default();
    for unit in units {
        let written = unit.choices.iter().find(|one| one.name == AS_WRITTEN)?;
        all.objective = joining.join(all.objective, written.cost.objective);
        all.usage = all.usage + written.cost.usage;
    }
    let share = asked.limits.largest_share(&all.usage).map_or(0.0, |(_, share)| share);
    let start = Design { point: Vec::new(), cost: all, share };
    Some(FoundDesign::of_timed(&[], &start, &asked.objective))
}

/// What is proved of all kernels: the best of all designs that were scheduled, and no more where some were not.
fn certify(kernels: &[Explored], joint: Certificate) -> Certificate {
    let is_settled = kernels.iter().all(|one| one.is_settled);
    match joint {
        Certificate::Optimal | Certificate::Infeasible if !is_settled => {
            Certificate::Gap { bound: 0.0 }
        }
        other => other,
    }
}

/// What the best design changes of each kernel; `None` where it stays as it is.
fn choose_changes<'k>(
    kernels: &'k [Explored],
    axes: &[Axis],
    best: &Design,
) -> Vec<(&'k str, Option<KernelChange>)> {
    let named = FoundDesign::of_design(axes, best).values;
    let chosen = kernels.iter().map(|kernel| {
        let unit = axes.iter().position(|axis| axis.name == kernel.built.hardware);
        let name = unit.and_then(|unit| named.get(unit));
        let choice =
            name.and_then(|name| kernel.built.choices().into_iter().find(|one| one.name == *name));
        let change = choice.map(|choice| {
            let own = kernel.changes.iter().find(|(one, _)| one == choice.design);
            let own = own.map(|(_, change)| change.clone()).unwrap_or_default();
            KernelChange { units: choice.units, ..own }
        });
        (kernel.built.name.as_str(), change.filter(|change| !change.is_empty()))
    });
    chosen.collect()
}
