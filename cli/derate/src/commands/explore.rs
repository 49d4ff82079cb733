//! `derate explore`.

mod limits;

use std::cell::Cell;
use std::fmt::Write as _;
use std::fs;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use anyhow::{Context, Error, anyhow, bail};
use derate_model::explore::kernel::{
    KernelSpace, ListedDesigns, Variation, VariationTarget, fill_placeholders, find_placeholders,
    kernel_cost, propose_variations, write_tcl,
};
use derate_model::explore::{
    Design, Exploration, FoundDesign, Progress, RankedDesign, Search, Space, descend, list_found,
    rank_designs,
};
use derate_model::kernel::{Program, estimate_kernel, find_top_candidates, read_program};
use derate_model::load::{self, KernelTexts};
use derate_reports::sections;

use crate::args::{Explore, ExploreFormat};
use crate::commands::kernel::only_candidate;
use crate::commands::kernel::request::Request;
use crate::output::{self, Outcome, Written};

/// A space with fewer designs is looked at whole.
const SMALL: f64 = 500.0;
/// The progress is shown at this interval.
const TICK: Duration = Duration::from_millis(200);

pub(crate) fn run(args: &Explore) -> Result<Outcome, Error> {
    if !(args.seconds > 0.0 && args.seconds <= 1e6) {
        bail!("--seconds {} is no time: write a number of seconds above 0", args.seconds);
    }
    let mut request = Request::of_args(&args.source)?;
    let limits = limits::read_limits(&args.limit, &request)?;
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
    let placeholders: Vec<String> =
        texts.files().iter().flat_map(|file| find_placeholders(&file.text)).collect();
    let read = |values: &[(String, String)]| -> Option<Program> {
        let is_macro = |(name, _): &&(String, String)| !placeholders.contains(name);
        let macros: Vec<(String, String)> = values.iter().filter(is_macro).cloned().collect();
        let unit = texts.parse(|text| fill_placeholders(text, values), &macros);
        read_program(&unit, &top).ok()
    };
    let space = KernelSpace::new(
        open.variations,
        &read,
        request.directives.clone(),
        request.settings.clone(),
    );
    let mut search = Search::new(&space, limits);
    let ranking = search_designs(&space, &mut search, open.points.as_deref(), args.seconds);
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
        top: top.clone(),
        part: request.settings.part.name.clone(),
        clock_ns: request.settings.clock_ns,
        limits,
        axes: space.axes().to_vec(),
        designs: search.progress().designs,
        evaluated: space.scheduled() as u64,
        certificate: search.certificate(),
        start: (!start.cost.objective.is_nan()).then(|| FoundDesign::of_design(&[], &start)),
        best: search.best().map(|best| FoundDesign::of_design(space.axes(), best)),
        front,
        refused,
        ranking,
    };
    if let (Some(path), Some(best)) = (&args.write, search.best()) {
        let text = write_best(args, &space, &best.point)?;
        fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))?;
        output::note(&format!("wrote {}", path.display()));
    }
    match args.format {
        ExploreFormat::Json => output::put_json(&exploration)?,
        ExploreFormat::Csv => {
            output::put_bytes(&derate_reports::render_csv(&sections::exploration_table(
                &exploration,
            ))?)?;
        }
        ExploreFormat::Text => output::put_document(&sections::exploration(&exploration))?,
    }
    Ok(Outcome::Clean)
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

/// Schedules designs as long as there is time, or all rows of a table, which are ranked.
fn search_designs<'a>(
    space: &KernelSpace<'a>,
    search: &mut Search<'_, KernelSpace<'a>>,
    points: Option<&[Vec<usize>]>,
    seconds: f64,
) -> Vec<RankedDesign> {
    let clock = Clock::start(seconds);
    if let Some(points) = points {
        search.run_listed(points, |progress| {
            clock.goes_on(progress);
        });
        return rank_designs(space, search.limits(), points);
    }
    // A large space is searched near good designs first, for half of the time.
    if search.progress().designs > SMALL {
        let start = vec![0; space.axes().len()];
        descend(search, start, |progress| clock.goes_on(progress) && !clock.is_half());
    }
    search.run(|progress| clock.goes_on(progress));
    Vec::new()
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
fn check_place(program: &Program, variation: &Variation) -> Result<(), Error> {
    let function = match &variation.target {
        VariationTarget::Unroll { function, .. }
        | VariationTarget::Pipeline { function, .. }
        | VariationTarget::Partition { function, .. } => function,
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

/// What is open, and the rows of a table, if there is one.
struct OpenDesigns {
    variations: Vec<Variation>,
    points: Option<Vec<Vec<usize>>>,
}

/// The time that a search may take, with its progress on a terminal.
struct Clock {
    begun: Instant,
    seconds: f64,
    shown: Cell<Instant>,
}

impl Clock {
    fn start(seconds: f64) -> Self {
        let now = Instant::now();
        Self { begun: now, seconds, shown: Cell::new(now) }
    }

    fn goes_on(&self, progress: &Progress) -> bool {
        let now = Instant::now();
        if now - self.shown.get() > TICK && std::io::stderr().is_terminal() {
            self.shown.set(now);
            output::show_progress(&format!("{} designs", progress.evaluated));
        }
        self.begun.elapsed().as_secs_f64() < self.seconds
    }

    fn is_half(&self) -> bool {
        self.begun.elapsed().as_secs_f64() > self.seconds / 2.0
    }
}
