//! `derate explore FILE...`: the designs of one kernel.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, anyhow, bail};
use derate_model::Budget;
use derate_model::explore::kernel::{
    KernelSpace, ListedDesigns, Variation, VariationTarget, fill_placeholders, find_placeholders,
    kernel_cost, propose_variations, write_tcl,
};
use derate_model::explore::{
    Design, Exploration, FoundDesign, Objective, Search, Space, list_found, rank_designs,
};
use derate_model::kernel::{Program, estimate_kernel, find_top_candidates, read_program};
use derate_model::load::{self, KernelTexts};

use super::clock::Clock;
use super::diff::{Change, diff_texts};
use super::limits::read_limits;
use super::put_found;
use super::saved::Saved;
use super::search::search_kernel;
use super::variant::{change_text, read_variant};
use crate::args::Explore;
use crate::commands::kernel::only_candidate;
use crate::commands::kernel::request::Request;
use crate::output::{self, Outcome, Written};

pub(super) fn run(args: &Explore) -> Result<Outcome, Error> {
    if args.objective.is_some() || args.per_slr {
        bail!("--objective and --per-slr are of a project: name its folder");
    }
    let mut request = Request::of_args(&args.source)?;
    let limits = read_limits(&args.limit, find_limits(&request))?;
    check_target(args, &request)?;
    let texts = KernelTexts::read(&request.files, &request.preprocess)?;
    texts.replaced.iter().for_each(output::note_replaced);
    let unit = texts.parse(|text| fill_placeholders(text, &[]), &[]);
    let top = match request.top.take() {
        Some(top) => top,
        None => only_candidate(&find_top_candidates(&unit), &mut request.notes)?,
    };
    let program = read_program(&unit, &top)
        .map_err(|error| anyhow!("{error}: name the top function with --top"))?;
    let open = choose_variations(args, &program, &texts)?;
    request.notes.iter().for_each(|note| output::note(&format!("note: {note}")));
    let read = |values: &[(String, String)]| read_variant(&texts, &top, values);
    let space = KernelSpace::new(
        open.variations,
        &read,
        request.directives.clone(),
        request.settings.clone(),
    );
    let space = if open.points.is_none() { space.keeping_work() } else { space };
    let scheduled = format!("{program:?} {:?} {:?}", request.directives, request.settings);
    let asked = (scheduled, space.axes(), limits);
    let mut saved = Saved::open(args.resume.as_deref(), &asked)?;
    space.remember(saved.costs.pop().unwrap_or_default());
    let clock = Clock::start(args.seconds);
    let (search, ranking) = match &open.points {
        Some(points) => {
            let mut search = Search::new(&space, limits);
            search.run_listed(points, |progress| {
                clock.goes_on(progress);
            });
            let ranking = rank_designs(&space, &limits, points);
            (search, ranking)
        }
        None => (search_kernel(&space, limits, saved.searches.pop(), &clock)?, Vec::new()),
    };
    saved.keep(&search, &space);
    saved.write(args.resume.as_deref())?;
    output::show_progress("");
    let answer = estimate_kernel(&program, &request.directives, &request.settings);
    let start = Design {
        point: Vec::new(),
        cost: kernel_cost(&answer),
        share: limits.largest_share(&kernel_cost(&answer).usage).map_or(0.0, |(_, share)| share),
    };
    let (front, refused) = list_found(&search, space.axes());
    let exploration = Exploration {
        schema: "derate.exploration/1",
        command: output::command_line(),
        subject: top.clone(),
        part: request.settings.part.name.clone(),
        clock_ns: request.settings.clock_ns,
        objective: Objective::Cycles,
        limits,
        axes: space.axes().to_vec(),
        designs: search.progress().designs,
        evaluated: space.scheduled() as u64,
        certificate: search.certificate(),
        start: (!start.cost.objective.is_nan()).then(|| FoundDesign::of_design(&[], &start)),
        best: search.best().map(|best| FoundDesign::of_design(space.axes(), best)),
        claimed: None,
        front,
        best_of: Vec::new(),
        refused,
        assumed: Vec::new(),
        ranking,
    };
    if let (Some(path), Some(best)) = (&args.write, search.best()) {
        let text = write_best(args, &space, &best.point)?;
        fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))?;
        output::note(&format!("wrote {}", path.display()));
    }
    let diff = || diff_kernel(args, &request, &space, &texts, search.best());
    put_found(args, &exploration, diff, &request.files)
}

/// Refuses a file for the best design that is read, that is somebody else's, or that could not have all directives.
fn check_target(args: &Explore, request: &Request) -> Result<(), Error> {
    let Some(path) = &args.write else { return Ok(()) };
    let directives = args.source.directives.as_ref();
    output::is_no_input(path, request.files.iter().chain(directives).chain(&args.space))?;
    output::may_replace(path, Written::Directives)?;
    if let Some(given) = directives.filter(|given| given.extension().is_none_or(|end| end != "tcl"))
    {
        bail!(
            "--write writes Tcl, which cannot hold the settings of {}: give the directives as a .tcl file",
            given.display()
        );
    }
    Ok(())
}

/// The directives of a design as Tcl: those that were given, then its own. What Tcl cannot say is in comments.
fn write_best(args: &Explore, space: &KernelSpace<'_>, point: &[usize]) -> Result<String, Error> {
    let mut text = format!("{}: {}\n", output::EXPLORED, output::command_line());
    for (name, value) in space.substitutions(point) {
        // Writing to a text cannot fail.
        let _ = writeln!(text, "# in the source or by -D: {name} = {value}");
    }
    if let Some(given) = &args.source.directives {
        text.push_str(load::read_text(given)?.trim_end());
        text.push('\n');
    }
    text.push_str(&write_tcl(&space.own_directives(point)));
    Ok(text)
}

/// What is open: as it is asked for, else the loops. With a table, its rows too.
fn choose_variations(
    args: &Explore,
    program: &Program,
    texts: &KernelTexts,
) -> Result<OpenDesigns, Error> {
    if let Some(path) = &args.space {
        let table = ListedDesigns::read(&load::read_text(path)?)
            .with_context(|| format!("{} is not a table of designs", path.display()))?;
        return Ok(OpenDesigns { variations: table.variations, points: Some(table.points) });
    }
    let asked = args.vary.iter().map(|text| Variation::parse(text));
    let asked = asked.collect::<Result<Vec<_>, _>>().context("--vary")?;
    let variations = if asked.is_empty() { propose_variations(program) } else { asked };
    if variations.is_empty() {
        let open = texts.files().iter().flat_map(|file| find_placeholders(&file.text)).next();
        let how = open.map_or_else(
            || "give macros with --vary NAME=V1,V2".to_owned(),
            |name| {
                format!("give the values of its placeholders with --vary {name}=V1,V2 or --space")
            },
        );
        bail!("no loop of the kernel has constant bounds that could be unrolled: {how}");
    }
    for variation in &variations {
        check_place(program, variation)?;
    }
    Ok(OpenDesigns { variations, points: None })
}

/// Refuses a function that the kernel does not have.
pub(super) fn check_place(program: &Program, variation: &Variation) -> Result<(), Error> {
    let function = match &variation.target {
        VariationTarget::Unroll { function, .. }
        | VariationTarget::Pipeline { function, .. }
        | VariationTarget::Partition { function, .. }
        | VariationTarget::Dataflow { function } => function,
        VariationTarget::Text { .. } => return Ok(()),
    };
    let names: Vec<&str> = program.functions.iter().map(|one| one.name.as_str()).collect();
    if names.contains(&function.as_str()) {
        return Ok(());
    }
    bail!(
        "--vary names the function `{function}`, which the kernel does not have: there are {}",
        names.join(", ")
    )
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

/// The best design as changes of the sources, with its directives in a new file.
fn diff_kernel(
    args: &Explore,
    request: &Request,
    space: &KernelSpace<'_>,
    texts: &KernelTexts,
    best: Option<&Design>,
) -> Result<Vec<u8>, Error> {
    let Some(best) = best else { return Ok(Vec::new()) };
    let values = space.substitutions(&best.point);
    let mut changes: Vec<Change> = texts
        .files()
        .iter()
        .map(|file| Change {
            name: file.path.clone(),
            old: Some(file.text.clone()),
            new: change_text(&file.text, &values),
        })
        .collect();
    let path = args.write.clone().unwrap_or_else(|| beside(request.files.first()));
    let tcl = write_best(args, space, &best.point)?;
    if !space.own_directives(&best.point).is_empty() {
        changes.push(Change { name: path.display().to_string(), old: None, new: tcl });
    }
    Ok(diff_texts(&changes))
}

/// `best.tcl` in the folder of a source.
fn beside(source: Option<&PathBuf>) -> PathBuf {
    let folder = source.and_then(|path| path.parent()).unwrap_or(Path::new(""));
    folder.join("best.tcl")
}

/// What is open, and the rows of a table, if there is one.
struct OpenDesigns {
    variations: Vec<Variation>,
    points: Option<Vec<Vec<usize>>>,
}
