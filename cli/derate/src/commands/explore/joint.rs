//! All kernels of `[[kernel]]` together, within one card.

use std::fs;

use anyhow::{Context, Error, anyhow, bail};
use derate_model::design::{DesignKernel, KernelDesign, join_kernels};
use derate_model::explore::kernel::{AS_WRITTEN, KernelSpace, Variation, propose_variations};
use derate_model::explore::{
    BuiltKernel, Certificate, ChipRegions, Cost, Design, Exploration, FoundDesign, Joining,
    Objective, Search, SeparableSpace, Space, join_units, list_found,
};
use derate_model::load::{self, KernelSetup, read_kernel_setup};
use derate_model::units::figures::{quantity, significant};
use derate_model::{KernelOrigin, KernelSection, ResourceKind, Usage};

use super::array::claimed_latency;
use super::asked::Asked;
use super::change::{KernelChange, change_files};
use super::clock::Clock;
use super::diff::{Change, diff_texts};
use super::kernel::check_place;
use super::put_found;
use super::saved::Saved;
use super::search::search_kernel;
use super::variant::read_variant;
use crate::output::{self, Outcome};

/// A kernel with its designs, and how to write one of them.
struct Explored {
    built: BuiltKernel,
    /// Designs of its own space, and how many of them were scheduled; one of a kernel that nothing is open of.
    designs: f64,
    evaluated: u64,
    is_settled: bool,
    changes: Vec<(String, KernelChange)>,
    start: Cost,
}

pub(super) fn run(asked: &Asked<'_>) -> Result<Outcome, Error> {
    let (args, analysis) = (asked.args, asked.analysis);
    let design = join_kernels(analysis)?.ok_or_else(|| anyhow!("there is no [[kernel]]"))?;
    let mut kernels = explore_kernels(asked, &design)?;
    if let (Objective::Latency(None), Some(first)) = (&asked.objective, kernels.first_mut()) {
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
    let mut space = SeparableSpace::new(join_units(&built)).joined_by(joining);
    if args.per_slr {
        space = space.within_regions(regions);
    }
    let space = space.with_prices(&asked.limits);
    let clock = Clock::start(args.seconds.max(1.0));
    let mut search = Search::new(&space, asked.limits);
    search.run(|progress| clock.goes_on(progress));
    let mut wide = Search::new(&space, asked.limits).with_front();
    let own = clock.share(1, "front");
    wide.run(|progress| own.goes_on(progress));
    output::show_progress("");
    let best = search.best().or(wide.best());
    let (front, _) = list_found(&wide, space.axes());
    let (_, refused) = list_found(&search, space.axes());
    let changes =
        best.map(|best| write_changes(asked, &kernels, space.axes(), best)).transpose()?;
    let exploration = Exploration {
        schema: "derate.exploration/1",
        command: output::command_line(),
        subject: analysis.workload.name().to_owned(),
        part: analysis.platform.name.clone(),
        clock_ns: 1e9 / analysis.design_clock().value.0,
        objective: asked.objective.clone(),
        limits: asked.limits,
        axes: space.axes().to_vec(),
        designs: kernels.iter().map(|one| one.designs).product(),
        evaluated: kernels.iter().map(|one| one.evaluated).sum(),
        certificate: certify(&kernels, search.certificate()),
        start: find_start(asked, &kernels, joining),
        claimed: Some(&asked.objective)
            .filter(|one| **one == Objective::Latency(None))
            .and_then(|_| claimed_latency(analysis)),
        best: best.map(|best| FoundDesign::of_design(space.axes(), best)),
        best_of: Vec::new(),
        front,
        refused,
        ranking: Vec::new(),
        assumed: list_assumed(asked, &design, &kernels, best.map(|best| (&space, best)), regions),
    };
    let diff = diff_texts(changes.as_deref().unwrap_or_default());
    if let (Some(path), Some(_)) = (&args.write, best) {
        fs::write(path, &diff).with_context(|| format!("{} cannot be written", path.display()))?;
        output::note(&format!("wrote {}", path.display()));
    }
    put_found(args, &exploration, || Ok(diff), &[])
}

/// Searches the designs of each kernel on its own.
fn explore_kernels(asked: &Asked<'_>, design: &KernelDesign) -> Result<Vec<Explored>, Error> {
    let analysis = asked.analysis;
    let sections = &analysis.project.kernels;
    check_names(asked, sections)?;
    let key = (&analysis.project.platform.value, &asked.objective, &asked.args.vary, asked.limits);
    let mut saved = Saved::open(asked.args.resume.as_deref(), &(key, asked.texts()))?;
    let clock = Clock::start(asked.args.seconds);
    let mut open = Vec::new();
    let mut kernels: Vec<Option<Explored>> = Vec::new();
    for (at, (section, joined)) in sections.iter().zip(&design.kernels).enumerate() {
        let times = find_times(asked, joined)?;
        kernels.push(None);
        match open_kernel(asked, section, times)? {
            Some(kernel) => open.push((at, kernel)),
            None => kernels[at] = Some(take_fixed(joined, times)),
        }
    }
    // Small spaces first: what they leave of the time is for the others.
    open.sort_by(|a, b| a.1.designs().total_cmp(&b.1.designs()).then(a.0.cmp(&b.0)));
    let mut left = open.len();
    for (at, kernel) in open {
        let own = clock.share(left, &sections[at].name.value);
        let found = explore_one(asked, &design.kernels[at], kernel, &own, &mut saved)?;
        kernels[at] = Some(found);
        left -= 1;
    }
    let kernels = kernels.into_iter().flatten().collect();
    saved.write(asked.args.resume.as_deref())?;
    Ok(kernels)
}

/// Refuses `--vary` of a kernel that is not there.
fn check_names(asked: &Asked<'_>, sections: &[KernelSection]) -> Result<(), Error> {
    for text in &asked.args.vary {
        let name = text.split_once('.').map(|(name, _)| name);
        if !sections.iter().any(|one| Some(one.name.value.as_str()) == name) {
            let names: Vec<&str> = sections.iter().map(|one| one.name.value.as_str()).collect();
            bail!(
                "--vary `{text}` names no kernel: write KERNEL.KEY=V1,V2 with one of {}",
                names.join(", ")
            );
        }
    }
    Ok(())
}

/// Seconds of a cycle and of the launches in the objective.
fn find_times(asked: &Asked<'_>, kernel: &DesignKernel) -> Result<(f64, f64), Error> {
    if let Objective::Latency(Some(part)) = &asked.objective {
        let mut parts = kernel.serves.operations.iter().map(|one| one.part == *part);
        let is_part = parts.next().unwrap_or(false);
        if parts.any(|one| one != is_part) {
            bail!(
                "the kernel `{}` serves {part} and other parts, so its time in one is not known: use --objective latency",
                kernel.name
            );
        }
        if !is_part {
            return Ok((0.0, 0.0));
        }
    }
    let launch = asked.analysis.launch().value.0;
    Ok((kernel.calls.value / kernel.clock.value.0, kernel.calls.value * launch))
}

fn usage_of(kernel: &DesignKernel) -> Usage {
    let amount = |resource| kernel.amount(resource).unwrap_or(0.0);
    Usage {
        dsp: amount(ResourceKind::Dsp),
        bram18: amount(ResourceKind::Bram18),
        uram: amount(ResourceKind::Uram),
        lut: amount(ResourceKind::Lut),
        ff: amount(ResourceKind::Ff),
    }
}

/// A kernel that is as it is: described by stages or by a report. Where its cycles are not known it takes room, and no time.
fn take_fixed(kernel: &DesignKernel, (seconds_per_cycle, launches): (f64, f64)) -> Explored {
    let cycles = kernel.cycles.as_ref().map_or(0.0, |one| one.value.value);
    let start = Cost { objective: cycles, usage: usage_of(kernel) };
    let designs = vec![(AS_WRITTEN.to_owned(), start)];
    Explored {
        built: BuiltKernel { name: kernel.name.clone(), seconds_per_cycle, launches, designs },
        designs: 1.0,
        evaluated: 0,
        is_settled: true,
        changes: Vec::new(),
        start,
    }
}

/// A kernel that has C++ with something open in it.
struct OpenKernel {
    setup: KernelSetup,
    variations: Vec<Variation>,
    times: (f64, f64),
}

impl OpenKernel {
    fn designs(&self) -> f64 {
        self.variations.iter().map(|one| one.values.len() as f64).product()
    }
}

/// Reads a kernel; `None` where nothing is open.
fn open_kernel(
    asked: &Asked<'_>,
    section: &KernelSection,
    times: (f64, f64),
) -> Result<Option<OpenKernel>, Error> {
    let KernelOrigin::Source(source) = &section.origin else { return Ok(None) };
    let dir = load::project_folder(asked.place);
    let options = asked.args.source.preprocess.options();
    let setup = read_kernel_setup(dir, asked.analysis, section, source, &options)?;
    let variations = open_variations(asked, section, &setup)?;
    Ok((!variations.is_empty()).then_some(OpenKernel { setup, variations, times }))
}

/// The designs of a kernel that has C++.
fn explore_one(
    asked: &Asked<'_>,
    joined: &DesignKernel,
    kernel: OpenKernel,
    clock: &Clock,
    saved: &mut Saved,
) -> Result<Explored, Error> {
    let OpenKernel { setup, variations, times } = kernel;
    let read = |values: &[(String, String)]| read_variant(&setup.texts, &setup.top, values);
    let (directives, settings) = (setup.directives.clone(), setup.settings.clone());
    let space = KernelSpace::new(variations, &read, directives, settings).keeping_work();
    space.remember(saved.costs.pop().unwrap_or_default());
    let search = search_kernel(&space, asked.limits, saved.searches.pop(), clock)?;
    saved.keep(&search, &space);
    // What is stated of the source as it is written holds for that alone.
    let start = Cost {
        objective: joined.cycles.as_ref().map_or(f64::NAN, |one| one.value.value),
        usage: usage_of(joined),
    };
    let mut designs = vec![(AS_WRITTEN.to_owned(), start)];
    let mut changes = Vec::new();
    for (point, cost) in space.scheduled_designs() {
        let name = space.describe(&point);
        if name == AS_WRITTEN || asked.limits.refusing_resource(&cost.usage).is_some() {
            continue;
        }
        let change = KernelChange {
            values: space.substitutions(&point),
            directives: space.own_directives(&point),
        };
        designs.push((name.clone(), cost));
        changes.push((name, change));
    }
    if designs.iter().all(|(_, cost)| cost.objective.is_nan()) {
        bail!(
            "the cycles of the kernel `{}` are not known in any design: see derate estimate",
            joined.name
        );
    }
    let (seconds_per_cycle, launches) = times;
    let name = joined.name.clone();
    let progress = search.progress();
    Ok(Explored {
        built: BuiltKernel { name, seconds_per_cycle, launches, designs },
        designs: progress.designs,
        evaluated: space.scheduled() as u64,
        is_settled: space.scheduled() as f64 >= progress.designs && progress.unknown == 0,
        changes,
        start,
    })
}

/// What `--vary KERNEL.KEY=...` opens of a kernel; its loops where the option opens nothing at all.
fn open_variations(
    asked: &Asked<'_>,
    section: &KernelSection,
    setup: &KernelSetup,
) -> Result<Vec<Variation>, Error> {
    if asked.args.vary.is_empty() {
        return Ok(propose_variations(&setup.program));
    }
    let own = asked.args.vary.iter().filter_map(|text| {
        let (name, rest) = text.split_once('.')?;
        (name == section.name.value).then_some(rest)
    });
    let own: Vec<Variation> =
        own.map(Variation::parse).collect::<Result<_, _>>().context("--vary")?;
    for variation in &own {
        check_place(&setup.program, variation)?;
    }
    Ok(own)
}

/// The design as it is written, all kernels together.
fn find_start(asked: &Asked<'_>, kernels: &[Explored], joining: Joining) -> Option<FoundDesign> {
    let mut all = Cost::default();
    for one in kernels {
        let BuiltKernel { seconds_per_cycle, launches, .. } = one.built;
        let seconds = one.start.objective * seconds_per_cycle + launches;
        all.objective = joining.join(all.objective, seconds);
        all.usage = all.usage + one.start.usage;
        if one.start.objective.is_nan() {
            return None;
        }
    }
    let share = asked.limits.largest_share(&all.usage).map_or(0.0, |(_, share)| share);
    Some(FoundDesign::of_design(&[], &Design { point: Vec::new(), cost: all, share }))
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

/// The files that make the best design.
fn write_changes(
    asked: &Asked<'_>,
    kernels: &[Explored],
    axes: &[derate_model::explore::Axis],
    best: &Design,
) -> Result<Vec<Change>, Error> {
    let named = FoundDesign::of_design(axes, best).values;
    let chosen = kernels.iter().zip(&named).map(|(kernel, name)| {
        let change = kernel.changes.iter().find(|(one, _)| one == name).map(|(_, change)| change);
        (kernel.built.name.as_str(), change)
    });
    change_files(asked, &chosen.collect::<Vec<_>>())
}

/// What the time of the kernels rests on.
fn list_assumed(
    asked: &Asked<'_>,
    design: &KernelDesign,
    kernels: &[Explored],
    best: Option<(&SeparableSpace, &Design)>,
    regions: ChipRegions,
) -> Vec<String> {
    let mut list = Vec::new();
    for (kernel, explored) in design.kernels.iter().zip(kernels) {
        if explored.designs <= 1.0 {
            list.push(format!("{} stays as it is: it has no open loop in C++", kernel.name));
        }
        if kernel.cycles.is_none() && explored.designs <= 1.0 {
            list.push(format!(
                "The cycles of {} are not known; it takes room and no time",
                kernel.name
            ));
        }
        list.push(format!(
            "{} is called {} times ({}) at {} ({})",
            kernel.name,
            significant(kernel.calls.value, 6),
            kernel.calls.source,
            quantity(kernel.clock.value),
            kernel.clock.source
        ));
    }
    let share = design.totals.served_share;
    if share < 0.9995 {
        list.push(format!(
            "The kernels compute {} % of the multiply-adds; the rest is in no figure here",
            significant(100.0 * share, 3)
        ));
    }
    let launch = asked.analysis.launch();
    list.push(format!("A call by the host takes {}: {}", quantity(launch.value), launch.source));
    if asked.objective == Objective::Latency(None) {
        let transfers = quantity(design.totals.transfers);
        list.push(format!("Transfers between host and card take {transfers}"));
    }
    if asked.objective == Objective::Interval {
        list.push(
            "Kernels work on different inferences at the same time, each in its own memory"
                .to_owned(),
        );
    }
    if let Some((space, best)) = best.filter(|_| regions.count > 1) {
        list.push(describe_places(kernels, space, best, regions));
    }
    list
}

/// In which SLR each kernel of the best design has room.
fn describe_places(
    kernels: &[Explored],
    space: &SeparableSpace,
    best: &Design,
    regions: ChipRegions,
) -> String {
    let names = FoundDesign::of_design(space.axes(), best).values;
    let usage = |(kernel, name): (&Explored, &String)| {
        let designs = &kernel.built.designs;
        designs
            .iter()
            .find(|(one, _)| one == name)
            .map_or_else(Usage::default, |(_, cost)| cost.usage)
    };
    let usages: Vec<Usage> = kernels.iter().zip(&names).map(usage).collect();
    match regions.place(&usages) {
        Some(places) => {
            let one =
                |(kernel, place): (&Explored, &usize)| format!("{} in {place}", kernel.built.name);
            let list: Vec<String> = kernels.iter().zip(&places).map(one).collect();
            format!(
                "Each kernel has room in one SLR, where each has a {}th of what the shell leaves: {}",
                regions.count,
                list.join(", ")
            )
        }
        None => format!(
            "The kernels have no room in one SLR each, where each of the {} has an equal share of the limits: some cross, which costs clock. --per-slr searches without that",
            regions.count
        ),
    }
}
