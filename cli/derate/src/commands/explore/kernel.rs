//! `derate explore FILE...`: the designs of one kernel.

use anyhow::{Error, anyhow, bail};
use derate_model::explore::kernel::{KernelSpace, fill_placeholders, kernel_cost};
use derate_model::explore::{
    Certificate, Design, Exploration, FoundDesign, Front, LeastResource, Objective, Refusal,
    Search, Space, TimeLimit, list_found, rank_designs, simplify_design,
};
use derate_model::kernel::{KernelAnswer, estimate_kernel, find_top_candidates, read_program};
use derate_model::load::KernelTexts;
use derate_model::{Budget, ResourceKind};

use super::best_files::{diff_kernel, find_config, is_tcl, write_best};
use super::clock::Clock;
use super::limits::{Limits, read_limits};
use super::open_designs::{AsWritten, choose_variations};
#[cfg(feature = "parquet")]
use super::part::write_designs;
use super::ports::{advise_words, describe_overcut, describe_wide_ports};
use super::put_found;
use super::saved::Saved;
use super::search::search_kernel;
use super::variant::{find_written, read_variant};
use crate::args::Explore;
use crate::commands::kernel::only_candidate;
use crate::commands::kernel::request::Request;
use crate::output::{self, Outcome, Written};

pub(super) fn run(args: &Explore) -> Result<Outcome, Error> {
    if args.per_slr {
        bail!("--per-slr is of a project: name its folder");
    }
    let clock = Clock::start(args.seconds);
    let objective = read_objective(args)?;
    let mut request = Request::of_args(&args.source)?;
    let limits = read_limits(&args.limit, find_limits(&request))?;
    let clock_ns = request.settings.clock_ns;
    let limits = Limits { time: limits.time.map(|time| count_cycles(time, clock_ns)), ..limits };
    let least = limits.least_resource(&objective)?;
    let (limits, time_limit) = (limits.budget, limits.time);
    check_target(args, &request)?;
    let texts = KernelTexts::read(&request.files, &request.preprocess)?;
    texts.replaced.iter().for_each(output::note_replaced);
    let unit = texts.parse(|_, text| fill_placeholders(text, &[]), &[]);
    let given = request.top.take();
    let top = given
        .map_or_else(|| only_candidate(&find_top_candidates(&unit), &mut request.notes), Ok)?;
    let program = read_program(&unit, &top)
        .map_err(|error| anyhow!("{error}: name the top function with --top"))?;
    let written = estimate_kernel(&program, &request.directives, &request.settings);
    note_open_cycles(&top, &written);
    let kernel = AsWritten {
        program: &program,
        directives: &request.directives,
        settings: &request.settings,
        answer: &written,
    };
    let open = choose_variations(args, kernel, &texts)?;
    request.notes.iter().for_each(|note| output::note(&format!("note: {note}")));
    let read = |values: &[(String, String)]| read_variant(&texts, &top, values);
    let space = KernelSpace::new(
        open.variations,
        &read,
        request.directives.clone(),
        request.settings.clone(),
    )
    .defining(|name| find_written(&texts, name));
    let space = if open.points.is_none() { space.keeping_work() } else { space };
    let scheduled = format!("{program:?} {:?} {:?}", request.directives, request.settings);
    #[cfg(feature = "parquet")]
    if args.designs.parquet.is_some() {
        let depends_on = format!("{scheduled} {objective:?} {time_limit:?}");
        return match least {
            None => write_designs(args, &space, limits, &depends_on),
            Some((resource, most)) => {
                let space = LeastResource::new(&space, resource, most);
                write_designs(args, &space, limits, &depends_on)
            }
        };
    }
    let asked = (scheduled, space.axes(), limits, &objective, time_limit);
    let mut saved = Saved::open(args.resume.as_deref(), &asked)?;
    space.remember(saved.costs.pop().unwrap_or_default());
    let points = open.points.as_deref();
    let found = match least {
        None => look_at(&space, &space, points, limits, (&clock, true), &mut saved)?,
        Some(least) => look_for_least(&space, least, points, limits, &clock, &mut saved)?,
    };
    saved.write(args.resume.as_deref())?;
    output::show_progress("");
    let start = find_start(&written, &limits);
    let name = |design: &Design| FoundDesign {
        changed_arguments: space.changed_arguments(&design.point),
        ..FoundDesign::of_timed(space.axes(), design, &objective)
    };
    let written_values = space.written_values();
    let exploration = Exploration {
        schema: "derate.exploration/1",
        command: output::command_line(),
        subject: top.clone(),
        part: request.settings.part.name.clone(),
        clock_ns: request.settings.clock_ns,
        objective: objective.clone(),
        limits,
        time_limit,
        axes: space.axes().to_vec(),
        written: written_values.clone(),
        not_opened: open.not_opened,
        designs: found.designs,
        evaluated: space.scheduled() as u64,
        certificate: judge_unknown(&space, found.best.as_ref(), found.certificate),
        start: (!start.cost.objective.is_nan()).then(|| FoundDesign {
            values: list_written(&written_values),
            ..FoundDesign::of_timed(&[], &start, &objective)
        }),
        best: found.best.as_ref().map(name),
        claimed: None,
        front: found.front.designs().iter().map(name).collect(),
        best_of: Vec::new(),
        refused: found.refused,
        assumed: list_assumed(&space, &written, found.best.as_ref()),
        ranking: points.map_or_else(Vec::new, |points| rank_designs(&space, &limits, points)),
    };
    write_best(args, &request.settings, &space, found.best.as_ref())?;
    let diff = || diff_kernel(args, &request, (&space, &top), &texts, found.best.as_ref());
    put_found(args, &exploration, diff, &request.files)
}

/// Where no design that was looked at has known cycles, more time finds none.
fn judge_unknown(
    space: &KernelSpace<'_>,
    best: Option<&Design>,
    certificate: Certificate,
) -> Certificate {
    let unknown = space.count_unknown();
    match best {
        None if unknown > 0 && unknown == space.scheduled() => {
            Certificate::Unknown { designs: unknown as u64 }
        }
        _ => certificate,
    }
}

/// What of the kernel the figures leave out.
fn describe_unread(written: &KernelAnswer) -> Option<String> {
    let first = describe_first_unknown(written).filter(|_| !written.is_read)?;
    Some(format!("A part of the kernel is not read, and is not in the figures: {first}"))
}

/// The first thing that is not known of a kernel: file, line, reason.
fn describe_first_unknown(written: &KernelAnswer) -> Option<String> {
    let first = written.unknown.first()?;
    let file = written.files.get(usize::from(first.place.file)).map_or("", String::as_str);
    Some(format!("{file}:{}: {}", first.place.line, first.reason))
}

/// The value of each axis that leaves the kernel as it is written.
fn list_written(values: &[Option<String>]) -> Vec<String> {
    let values = values.iter().cloned();
    values.map(|value| value.unwrap_or_else(|| "as-written".to_owned())).collect()
}

fn note_open_cycles(top: &str, written: &KernelAnswer) {
    let first = describe_first_unknown(written).filter(|_| !written.latency.is_known());
    if let Some(first) = first {
        output::note(&format!(
            "note: the cycles of `{top}` as it is written are not known: {first}"
        ));
    }
}

/// What is to be small: cycles, or a resource.
fn read_objective(args: &Explore) -> Result<Objective, Error> {
    let Some(text) = args.objective.as_deref() else { return Ok(Objective::Cycles) };
    match Objective::parse(text) {
        Some(Objective::Resource(_)) if args.space.is_some() => {
            bail!("--objective {text} is not for --space: the rows of a table are ranked by cycles")
        }
        Some(objective @ Objective::Resource(_)) => Ok(objective),
        Some(Objective::Latency(None)) => Ok(Objective::Cycles),
        _ => bail!(
            "--objective `{text}` is not of one kernel: write latency, dsp, bram18, uram, lut or ff, or name a project's folder"
        ),
    }
}

/// A time in cycles of a clock.
fn count_cycles(time: TimeLimit, clock_ns: f64) -> TimeLimit {
    match time {
        TimeLimit::Cycles(_) => time,
        TimeLimit::Seconds(most) => TimeLimit::Cycles((most * 1e9 / clock_ns).floor()),
    }
}

/// Designs of the front, the fastest first, that lose the changes which give nothing.
const SIMPLIFIED: usize = 24;

/// What a search of a kernel found.
struct Looked {
    best: Option<Design>,
    front: Front,
    refused: Vec<Refusal>,
    certificate: Certificate,
    designs: f64,
}

/// The design as it is written.
fn find_start(written: &KernelAnswer, limits: &Budget) -> Design {
    let cost = kernel_cost(written);
    let share = limits.largest_share(&cost.usage).map_or(0.0, |(_, share)| share);
    Design { point: Vec::new(), cost, share }
}

/// What the best design rests on.
fn list_assumed(
    space: &KernelSpace<'_>,
    written: &KernelAnswer,
    best: Option<&Design>,
) -> Vec<String> {
    let unread = describe_unread(written);
    let of_best = best.map(|best| {
        let wide = describe_wide_ports(&space.own_directives(&best.point));
        let wide = wide.into_iter().chain(advise_words(space, &best.point));
        wide.chain(describe_overcut(&space.overcut_arrays()))
    });
    unread.into_iter().chain(of_best.into_iter().flatten()).collect()
}

/// The designs with the least of a resource. The search knows its amount alone; what is shown has its time too.
fn look_for_least(
    space: &KernelSpace<'_>,
    (resource, most): (ResourceKind, f64),
    points: Option<&[Vec<usize>]>,
    limits: Budget,
    clock: &Clock,
    saved: &mut Saved,
) -> Result<Looked, Error> {
    let small = LeastResource::new(space, resource, most);
    let mut found = look_at(&small, space, points, limits, (clock, false), saved)?;
    found.front = find_front(space, &limits);
    if let Some(best) = &mut found.best {
        best.cost = space.evaluate(&best.point);
    }
    Ok(found)
}

/// Searches `space`, or the rows of a table; `kernel` has the designs that are scheduled for it. Only a front that is shown is made
/// simple.
fn look_at<S: Space>(
    space: &S,
    kernel: &KernelSpace<'_>,
    points: Option<&[Vec<usize>]>,
    limits: Budget,
    (clock, shows_front): (&Clock, bool),
    saved: &mut Saved,
) -> Result<Looked, Error> {
    let search = if let Some(points) = points {
        let mut search = Search::new(space, limits);
        search.run_listed(points, |progress| {
            clock.goes_on(progress);
        });
        search
    } else {
        let (start, before) = (kernel.written_point(), saved.searches.pop());
        search_kernel(space, limits, start, before, &clock.of_search())?
    };
    let (_, refused) = list_found(&search, space.axes());
    let (mut best, mut front) = (search.best().cloned(), search.front().clone());
    if points.is_none() {
        // Of designs that are equally good, the search has any.
        let written = kernel.written_point();
        let has_time = || clock.has_time();
        let simplify = |design: Design| simplify_design(space, &limits, &written, design, has_time);
        best = best.map(simplify);
        if shows_front {
            let mut simple = Front::default();
            for (at, design) in front.designs().iter().cloned().enumerate() {
                simple.insert(if at < SIMPLIFIED { simplify(design) } else { design });
            }
            front = simple;
        }
    }
    saved.keep(&search, kernel);
    Ok(Looked {
        best,
        front,
        refused,
        certificate: search.certificate(),
        designs: search.progress().designs,
    })
}

/// The front over cycles and share of all designs that were scheduled and fit.
fn find_front(space: &KernelSpace<'_>, limits: &Budget) -> Front {
    let mut front = Front::default();
    for (point, cost) in space.scheduled_designs() {
        let share = limits.largest_share(&cost.usage).map_or(0.0, |(_, share)| share);
        if limits.refusing_resource(&cost.usage).is_none() {
            front.insert(Design { point, cost, share });
        }
    }
    front
}

/// Refuses a file for the best design that is read, that is not the project's own, or that could not have all directives.
fn check_target(args: &Explore, request: &Request) -> Result<(), Error> {
    let Some(path) = &args.write else { return Ok(()) };
    let directives = &args.source.directives;
    output::is_no_input(path, request.files.iter().chain(directives).chain(&args.space))?;
    output::may_replace(path, Written::Directives)?;
    let Some(config) = find_config(directives) else { return Ok(()) };
    if directives.len() > 1 {
        bail!(
            "--write writes one file, and {} is given with another one: give all directives in it",
            config.display()
        );
    }
    if is_tcl(path) {
        bail!(
            "--write {}: the settings of {} are no Tcl: name a .cfg file",
            path.display(),
            config.display()
        );
    }
    Ok(())
}

/// What the shell of the card leaves, or all of a part.
fn find_limits(request: &Request) -> Budget {
    let part = &request.settings.part;
    let whole = Budget {
        dsp: Some(part.dsp as f64),
        bram18: Some(part.bram18 as f64),
        uram: Some(part.uram as f64),
        lut: Some(part.lut as f64),
        ff: Some(part.ff as f64),
    };
    request.platform.as_ref().map_or(whole, Budget::of_platform)
}
