//! Each kernel of `[[kernel]]` searched on its own.

use std::collections::BTreeSet;

use anyhow::{Context, Error, bail};
use derate_model::design::{DesignKernel, KernelDesign};
use derate_model::explore::kernel::{AS_WRITTEN, KernelSpace, Variation};
use derate_model::explore::{BuiltKernel, Cost, Objective, UnitCount};
use derate_model::kernel::estimate_kernel;
use derate_model::load::{self, KernelSetup, read_kernel_setup};
use derate_model::{KernelOrigin, KernelSection, ResourceKind, Usage};

use super::asked::Asked;
use super::clock::Clock;
use super::kernel_change::KernelChange;
use super::open_designs::{AsWritten, check_place};
use super::saved::Saved;
use super::search::search_kernel;
use super::units::list_counts;
use super::variant::{find_written, read_variant};

/// A kernel with its designs, and how to write one of them.
pub(super) struct Explored {
    pub(super) built: BuiltKernel,
    /// Designs of its own space with all counts of units, and how many of them were scheduled; one of a kernel that nothing is
    /// open of.
    pub(super) designs: f64,
    pub(super) evaluated: u64,
    pub(super) is_settled: bool,
    pub(super) changes: Vec<(String, KernelChange)>,
}

/// Searches the designs of each kernel on its own.
pub(super) fn explore_kernels(
    asked: &Asked<'_>,
    design: &KernelDesign,
) -> Result<Vec<Explored>, Error> {
    let analysis = asked.analysis;
    let sections = &analysis.project.kernels;
    check_names(asked, sections)?;
    let key = (&analysis.project.platform.value, &asked.objective, &asked.args.vary, asked.limits);
    let mut saved = Saved::open(asked.args.resume.as_deref(), &(key, asked.texts()))?;
    let clock = Clock::start(asked.args.seconds);
    let mut open = Vec::new();
    let mut kernels: Vec<Option<Explored>> = Vec::new();
    for (at, (section, joined)) in sections.iter().zip(&design.kernels).enumerate() {
        let names = names_of_hardware(design, joined);
        let times = find_times(asked, joined, &names)?;
        kernels.push(None);
        match open_kernel(asked, section, &names)? {
            Some((setup, variations)) => open.push((at, OpenKernel { setup, variations, times })),
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

/// The kernels that are the same hardware, itself among them: what is varied of one is varied of all.
fn names_of_hardware<'d>(design: &'d KernelDesign, kernel: &DesignKernel) -> Vec<&'d str> {
    let same = design.kernels.iter().filter(|one| one.hardware() == kernel.hardware());
    same.map(|one| one.name.as_str()).collect()
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

/// What makes cycles of a call seconds of the objective.
struct CallTimes {
    counts: Vec<UnitCount>,
    launches: f64,
}

fn find_times(
    asked: &Asked<'_>,
    kernel: &DesignKernel,
    names: &[&str],
) -> Result<CallTimes, Error> {
    let has_part = is_in_objective(asked, kernel)?;
    let calls = if has_part { kernel.calls.value } else { 0.0 };
    let launches = calls * asked.analysis.launch().value.0;
    Ok(CallTimes { counts: list_counts(asked, kernel, names, has_part)?, launches })
}

/// Whether its time is in the objective.
fn is_in_objective(asked: &Asked<'_>, kernel: &DesignKernel) -> Result<bool, Error> {
    if let Objective::Latency(Some(part)) = &asked.objective {
        let mut parts = kernel.serves.operations.iter().map(|one| one.part == *part);
        let is_part = parts.next().unwrap_or(false);
        if parts.any(|one| one != is_part) {
            bail!(
                "the kernel `{}` serves {part} and other parts, so its time in one is not known: use --objective latency",
                kernel.name
            );
        }
        return Ok(is_part);
    }
    Ok(true)
}

/// What one unit takes.
fn usage_of(kernel: &DesignKernel) -> Usage {
    let units = kernel.units as f64;
    let amount = |resource| kernel.amount(resource).unwrap_or(0.0) / units;
    Usage {
        dsp: amount(ResourceKind::Dsp),
        bram18: amount(ResourceKind::Bram18),
        uram: amount(ResourceKind::Uram),
        lut: amount(ResourceKind::Lut),
        ff: amount(ResourceKind::Ff),
    }
}

/// A kernel that is as it is: described by stages or by a report. Where its cycles are not known it takes room, and no time.
fn take_fixed(kernel: &DesignKernel, times: CallTimes) -> Explored {
    let cycles = kernel.cycles.as_ref().map_or(0.0, |one| one.value.value);
    let start = Cost { objective: cycles, usage: usage_of(kernel) };
    let designs = vec![(AS_WRITTEN.to_owned(), start)];
    Explored {
        designs: times.counts.len() as f64,
        built: build_kernel(kernel, times, designs),
        evaluated: 0,
        is_settled: true,
        changes: Vec::new(),
    }
}

fn build_kernel(
    kernel: &DesignKernel,
    times: CallTimes,
    designs: Vec<(String, Cost)>,
) -> BuiltKernel {
    let CallTimes { counts, launches } = times;
    let (name, hardware) = (kernel.name.clone(), kernel.hardware().to_owned());
    BuiltKernel { name, hardware, counts, launches, designs }
}

/// A kernel that has C++ with something open in it.
struct OpenKernel {
    setup: KernelSetup,
    variations: Vec<Variation>,
    times: CallTimes,
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
    names: &[&str],
) -> Result<Option<(KernelSetup, Vec<Variation>)>, Error> {
    let KernelOrigin::Source(source) = &section.origin else { return Ok(None) };
    let dir = load::project_folder(asked.place);
    let options = asked.args.source.preprocess.options();
    let setup = read_kernel_setup(dir, asked.analysis, section, source, &options)?;
    let variations = open_variations(asked, names, &setup)?;
    Ok((!variations.is_empty()).then_some((setup, variations)))
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
    let space = KernelSpace::new(variations, &read, directives, settings)
        .defining(|name| find_written(&setup.texts, name))
        .keeping_work();
    space.remember(saved.costs.pop().unwrap_or_default());
    let search =
        search_kernel(&space, asked.limits, space.written_point(), saved.searches.pop(), clock)?;
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
            arguments: space.changed_arguments(&point),
            units: None,
            promised: cost,
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
    let progress = search.progress();
    Ok(Explored {
        designs: progress.designs * times.counts.len() as f64,
        built: build_kernel(joined, times, designs),
        evaluated: space.scheduled() as u64,
        is_settled: space.scheduled() as f64 >= progress.designs && space.count_unknown() == 0,
        changes,
    })
}

/// What `--vary KERNEL.KEY=...` opens of a kernel; its loops where the option opens nothing at all.
fn open_variations(
    asked: &Asked<'_>,
    names: &[&str],
    setup: &KernelSetup,
) -> Result<Vec<Variation>, Error> {
    let written = estimate_kernel(&setup.program, &setup.directives, &setup.settings);
    if asked.args.vary.is_empty() {
        let kernel = AsWritten {
            program: &setup.program,
            directives: &setup.directives,
            settings: &setup.settings,
            answer: &written,
        };
        return Ok(kernel.propose().variations);
    }
    let own = asked.args.vary.iter().filter_map(|text| {
        let (name, rest) = text.split_once('.')?;
        let is_units = rest.starts_with("units=");
        (names.contains(&name) && !is_units).then_some(rest)
    });
    // Kernels that are one hardware may each be given the same.
    let own: BTreeSet<&str> = own.collect();
    let own: Vec<Variation> =
        own.into_iter().map(Variation::parse).collect::<Result<_, _>>().context("--vary")?;
    for variation in &own {
        check_place(&setup.program, &written, variation)?;
    }
    Ok(own)
}
