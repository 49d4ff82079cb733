//! The kernels of a project, scheduled from their source.

use std::collections::BTreeSet;

use derate_hls::{
    Connectivity, DirectiveKind, FileId, Function, Interface, Pragma, Sources, bare_name,
};
use derate_kernel::{
    Directives, KernelAnswer, Part, Program, Settings, UnitReader, estimate_kernel,
    find_top_candidates, ir,
};
use derate_project::{Build, CallMap, Code};
use derate_syntax::ast::{self, Item, Unit};
use derate_units::Hertz;

use crate::kernel_memo::{Circumstances, KernelMemo, UnitKernels};
use crate::{AskedByTop, DesignTool};

/// The kernels of a project under one clock, part and tool.
#[derive(Clone, Debug)]
pub struct KernelModels {
    /// What they are scheduled for.
    pub settings: Settings,
    /// Whether no file names the clock of these settings.
    pub assumes_clock: bool,
    /// The README that alone names their part.
    pub part_from: Option<String>,
    /// The tool of these settings, and who names its version.
    pub tool: DesignTool,
    /// In order of the sources.
    pub kernels: Vec<ModelledKernel>,
    /// The sources that have too much text, with what they include, to be read.
    pub too_large: Vec<FileId>,
}

/// A kernel, read and scheduled.
#[derive(Clone, Debug)]
pub struct ModelledKernel {
    /// Its source.
    pub file: FileId,
    /// What was read of it.
    pub program: Program,
    /// Its schedule.
    pub answer: KernelAnswer,
    /// The clock that it is scheduled for: that of its own script, else that of the design.
    pub clock: Hertz,
    /// Compute units that the v++ configuration makes of it, 1 where it does not say.
    pub units: u64,
}

/// What the kernels of a project are found in and scheduled for.
#[derive(Clone, Copy)]
pub(crate) struct KernelInputs<'a> {
    pub(crate) sources: &'a Sources,
    pub(crate) code: &'a Code,
    pub(crate) build: &'a Build,
    /// The functions that scripts and configurations name as tops.
    pub(crate) tops: &'a BTreeSet<String>,
    /// The sources that each script builds together.
    pub(crate) builds: &'a [BTreeSet<FileId>],
    /// The sources that are compiled each by itself.
    pub(crate) compiled: &'a BTreeSet<FileId>,
    pub(crate) clock: Hertz,
    /// Whether no file names that clock.
    pub(crate) assumes_clock: bool,
    /// The README that alone names the part.
    pub(crate) part_from: Option<&'a str>,
    pub(crate) tool: &'a DesignTool,
    /// What a script asks of the tool.
    pub(crate) asked: &'a AskedByTop,
    /// What copies of the design have.
    pub(crate) memo: Option<&'a KernelMemo>,
    /// Whether only these tops are kernels: the design defines one of them.
    pub(crate) only_tops: bool,
    /// Whether a tool compiles any of the sources; else there is no kernel.
    pub(crate) is_compiled: bool,
}

impl KernelModels {
    /// Finds the kernels of a design and schedules each.
    pub(crate) fn of_inputs(inputs: &KernelInputs<'_>, part: Part) -> Self {
        let base = Settings::new(part, 1e9 / inputs.clock.0, inputs.tool.version);
        let calls = Calls::of(inputs);
        let inputs = &KernelInputs { only_tops: defines_top(inputs), ..*inputs };
        let wanted = list_wanted(inputs, &calls);
        let roots = inputs.code.list_roots(inputs.sources).into_iter();
        let map = CallMap::of(inputs.code, inputs.sources);
        let (mut kernels, mut too_large) = (Vec::new(), Vec::new());
        for file in roots.filter(|file| inputs.is_compiled && wanted.contains(file)) {
            let Some(read) = read_kernels(inputs, (file, &map), &calls, &base) else {
                too_large.push(file);
                continue;
            };
            for (program, answer) in read {
                let units = count_units(inputs, &answer.top);
                let clock = inputs.asked.of_top(&answer.top).clock.unwrap_or(inputs.clock);
                kernels.push(ModelledKernel { file, program, answer, clock, units });
            }
        }
        keep_built(inputs, &mut kernels);
        let mut settings = base;
        settings.apply_tool_settings(&inputs.asked.others.settings);
        Self {
            settings,
            assumes_clock: inputs.assumes_clock,
            part_from: inputs.part_from.map(str::to_owned),
            tool: inputs.tool.clone(),
            kernels,
            too_large,
        }
    }
}

/// Drops a kernel that no script builds where one of its name is in a file that a script does: an old version of it.
fn keep_built(inputs: &KernelInputs<'_>, kernels: &mut Vec<ModelledKernel>) {
    let code = inputs.code;
    let is_built = |file: FileId| {
        let mut all = inputs.builds.iter().flatten().chain(inputs.compiled);
        all.any(|&own| own == file || code.is_included(file, own))
    };
    let built: BTreeSet<String> =
        kernels.iter().filter(|one| is_built(one.file)).map(|one| one.answer.top.clone()).collect();
    kernels.retain(|one| !built.contains(&one.answer.top) || is_built(one.file));
}

/// The kernels of a source, scheduled; those of a copy that was read before are the same. `None` where it has too much text.
fn read_kernels(
    inputs: &KernelInputs<'_>,
    (file, map): (FileId, &CallMap<'_>),
    calls: &Calls<'_>,
    settings: &Settings,
) -> Option<Vec<(Program, KernelAnswer)>> {
    let (code, sources) = (inputs.code, inputs.sources);
    let (others, choices) = (map.list_called(file), map.list_choices(file));
    let files = [&[file], others.as_slice()].concat();
    let read = || {
        // With too much text, the file alone.
        let unit = code.read_unit(sources, &files).or_else(|| code.read_unit(sources, &[file]))?;
        Some(find_kernels(inputs, &unit, calls, settings))
    };
    let is_alone = others.is_empty() && choices.is_empty();
    let is_own =
        |(program, _): &(Program, KernelAnswer)| is_alone || defines_top_of(map, file, program);
    let memo = inputs.memo.filter(|memo| memo.is_repeated(sources, file) && choices.is_empty());
    let Some(memo) = memo else {
        let kernels = read()?.kernels.into_iter().filter(is_own);
        let choose =
            |one| read_chosen(inputs, (file, map, &choices), calls, settings, &one).unwrap_or(one);
        return Some(kernels.map(choose).collect());
    };
    let (texts, names) = code.list_unit_texts(sources, &files);
    let circumstances = Circumstances {
        family: settings.part.family,
        has_uram: settings.part.uram > 0,
        clock_ns: settings.clock_ns,
        tool: settings.tool,
        asked: inputs.asked.list(),
    };
    let is_same = |known: &UnitKernels| {
        known.scripted == *inputs.tops
            && known.only_tops == inputs.only_tops
            && known.candidates.iter().all(|(name, free)| calls.is_free(name) == *free)
            && known.tops.iter().all(|(name, named)| is_named(inputs, name) == *named)
    };
    let schedule = |program: &Program| schedule(inputs, program, settings);
    if let Some(kernels) = memo.find((&texts, &names), &circumstances, is_same, schedule) {
        return Some(kernels.into_iter().filter(is_own).collect());
    }
    let read = read()?;
    let kernels = read.kernels.iter().filter(|one| is_own(one)).cloned().collect();
    memo.keep((texts, names), circumstances, read);
    Some(kernels)
}

/// A kernel anew with the body that is in the file of its own name, of several files that have one.
fn read_chosen(
    inputs: &KernelInputs<'_>,
    (file, map, choices): (FileId, &CallMap<'_>, &[(FileId, &str)]),
    calls: &Calls<'_>,
    settings: &Settings,
    (program, _): &(Program, KernelAnswer),
) -> Option<(Program, KernelAnswer)> {
    let top = &program.functions.first()?.name;
    let (chosen, _) = choices.iter().find(|(_, name)| name == top)?;
    let mut files = vec![file];
    for other in map.list_called(file).into_iter().chain([*chosen]).chain(map.list_called(*chosen))
    {
        if !files.contains(&other) {
            files.push(other);
        }
    }
    let unit = inputs.code.read_unit(inputs.sources, &files)?;
    let kernels = find_kernels(inputs, &unit, calls, settings).kernels;
    kernels.into_iter().find(|(one, _)| one.functions.first().is_some_and(|one| one.name == *top))
}

/// Whether the top of a program is of a file or of what it includes; what the file calls elsewhere has tops of its own.
fn defines_top_of(map: &CallMap<'_>, file: FileId, program: &Program) -> bool {
    let top = program.functions.first();
    let mut functions = map.functions_of(file).filter(|one| one.body.is_some());
    functions.any(|one| top.is_some_and(|top| top.name == one.name))
}

/// Which functions are called by others, and which have an interface of the hardware.
struct Calls<'a> {
    called: BTreeSet<&'a str>,
    interfaced: BTreeSet<&'a str>,
}

impl<'a> Calls<'a> {
    /// What the functions of the project call, but for those of a test bench: software calls a function whose interface has
    /// directives as a stand-in for the hardware.
    fn of(inputs: &KernelInputs<'a>) -> Self {
        let interfaced = list_interfaced(inputs);
        let is_software = |one: &Function| one.pragmas.iter().all(|one| one.directive().is_none());
        let functions = inputs.code.functions().filter(|function| function.name != "main");
        let calls = functions.flat_map(|one| one.calls.iter().map(move |call| (one, call)));
        let called = calls
            .filter(|(function, call)| function.name != call.callee)
            .map(|(function, call)| (function, bare_name(&call.callee)))
            .filter(|(function, callee)| !(interfaced.contains(callee) && is_software(function)))
            .map(|(_, callee)| callee)
            .collect();
        Self { called, interfaced }
    }

    /// Whether no function calls it that is hardware.
    fn is_free(&self, name: &str) -> bool {
        !self.called.contains(bare_name(name))
    }
}

/// The functions with a body that have directives of a bus or of registers for their interface.
fn list_interfaced<'a>(inputs: &KernelInputs<'a>) -> BTreeSet<&'a str> {
    let is_interface = |pragma: &Pragma| match pragma.directive().map(|one| one.kind) {
        Some(DirectiveKind::Interface(Interface { mode: Some(mode), .. })) => {
            matches!(mode.as_str(), "m_axi" | "s_axilite")
        }
        _ => false,
    };
    let is_kernel = |one: &&Function| one.body.is_some() && one.pragmas.iter().any(is_interface);
    inputs.code.functions().filter(is_kernel).map(|one| one.name.as_str()).collect()
}

/// The files that are read for their tops: those that define, themselves or by what they include, a function that nobody
/// calls, and those with text that only the reading of statements may understand. Such text of a header is read with the
/// files above, or if none of them includes it, with those that do: test benches of a library include all of it.
fn list_wanted(inputs: &KernelInputs<'_>, calls: &Calls<'_>) -> BTreeSet<FileId> {
    let code = inputs.code;
    let may_be_top = |one: &Function| {
        one.body.is_some()
            && !one.is_template()
            && one.name != "main"
            && (calls.is_free(&one.name) || inputs.tops.contains(&one.name))
    };
    let headers = code.all_headers();
    let free = headers.iter().filter(|header| header.functions.iter().any(may_be_top));
    let free: BTreeSet<FileId> = free.map(|header| header.file).collect();
    let below = |file: FileId| code.list_included(file);
    let files = || headers.iter().map(|header| header.file);
    let mut wanted: BTreeSet<FileId> =
        files().filter(|file| below(*file).is_some_and(|own| !own.is_disjoint(&free))).collect();
    let read: BTreeSet<FileId> =
        wanted.iter().filter_map(|&file| below(file)).flatten().copied().collect();
    for header in headers.iter().filter(|one| !one.unparsed.is_empty()) {
        if read.contains(&header.file) {
            wanted.insert(header.file);
        } else {
            wanted.extend(files().filter(|file| code.is_included(header.file, *file)));
        }
    }
    wanted
}

/// The functions that are the tops of kernels: nobody calls them, and a script, the v++ configuration, a report or a
/// directive of an interface says that the tool is given them. Where none is and a file has one candidate with directives, that one.
/// A top of a script that the design defines goes before directives.
fn find_kernels(
    inputs: &KernelInputs<'_>,
    unit: &Unit,
    calls: &Calls<'_>,
    settings: &Settings,
) -> UnitKernels {
    let judge = |name: String| {
        let free = calls.is_free(&name);
        (name, free)
    };
    let mut names = find_top_candidates(unit);
    // Software that runs the kernel may be in the unit.
    for &name in &calls.interfaced {
        if !names.iter().any(|known| is_meant(name, known)) && defines(unit, name) {
            names.push(name.to_owned());
        }
    }
    // A reference in a namespace is not the function of this name outside of it.
    let is_plain = |name: &str| has_body(unit, |one| one.name == name);
    names.retain(|name| !name.contains("::") || !is_plain(bare_name(name)));
    // An operator is of a type: no tool is given one.
    names.retain(|name| !is_operator(name));
    let candidates: Vec<(String, bool)> = names.into_iter().map(judge).collect();
    // A test may call the top that a script names.
    let called_tops = inputs.tops.iter().filter(|top| {
        !candidates.iter().any(|(name, free)| *free && is_meant(top, name)) && defines(unit, top)
    });
    let free = candidates.iter().filter(|(_, free)| *free).map(|(name, _)| name);
    let reader = UnitReader::new(unit);
    let meant = free.chain(called_tops).filter_map(|name| Some((name, reader.find_top(name)?)));
    let meant: Vec<(&String, &str)> = meant.collect();
    let tops = meant.iter().map(|(_, top)| ((*top).to_owned(), is_named(inputs, top))).collect();
    let is_sure = |program: &Program| {
        let top = program.functions.first();
        top.is_some_and(|top| is_named(inputs, &top.name) || (!inputs.only_tops && is_top(top)))
    };
    let may_be_sure = |(name, top): &&(&String, &str)| {
        is_named(inputs, top) || (!inputs.only_tops && reader.may_have_interface(name))
    };
    let read = |(name, _): &(&String, &str)| reader.read_statements(name).ok();
    let mut programs: Vec<Program> =
        meant.iter().filter(may_be_sure).filter_map(read).filter(is_sure).collect();
    if let (true, false, [only]) = (programs.is_empty(), inputs.only_tops, meant.as_slice()) {
        let is_kernel = |one: &Program| one.functions.iter().any(has_directives);
        programs.extend(read(only).filter(is_kernel));
    }
    let schedule = |mut program: Program| {
        program.work = program.count_work(&[]);
        let answer = schedule(inputs, &program, settings);
        (program, answer)
    };
    UnitKernels {
        scripted: inputs.tops.clone(),
        only_tops: inputs.only_tops,
        candidates,
        tops,
        kernels: programs.into_iter().map(schedule).collect(),
    }
}

/// The schedule of a kernel with the directives and settings of its own top.
fn schedule(inputs: &KernelInputs<'_>, program: &Program, settings: &Settings) -> KernelAnswer {
    let top = program.functions.first().map_or("", |top| top.name.as_str());
    let asked = inputs.asked.of_top(top);
    let mut settings = settings.clone();
    settings.clock_ns = asked.clock.map_or(settings.clock_ns, |clock| 1e9 / clock.0);
    settings.apply_tool_settings(&asked.settings);
    estimate_kernel(program, &Directives { list: asked.directives.clone() }, &settings)
}

/// Whether a name is `operator<<` or the like, with its class or without.
fn is_operator(name: &str) -> bool {
    let last = name.rsplit("::").next().unwrap_or(name);
    let sign = last.strip_prefix("operator").and_then(|rest| rest.chars().next());
    sign.is_some_and(|sign| !sign.is_ascii_alphanumeric() && sign != '_')
}

/// Whether a unit has a function of this name with a body.
fn defines(unit: &Unit, name: &str) -> bool {
    has_body(unit, |one| is_meant(name, &one.name))
}

/// Whether a unit has a body of such a function that is not a method.
fn has_body(unit: &Unit, is_it: impl Fn(&ast::Function) -> bool) -> bool {
    unit.items.iter().any(|item| {
        matches!(item, Item::Function(one) if one.body.is_some() && one.owner.is_none() && is_it(one))
    })
}

/// Whether the design defines a top that a script names. Its other functions that nobody calls are for tests, or for
/// another design.
fn defines_top(inputs: &KernelInputs<'_>) -> bool {
    let is_top = |one: &Function| {
        one.body.is_some() && inputs.tops.iter().any(|top| is_meant(top, &one.name))
    };
    !inputs.tops.is_empty() && inputs.code.functions().any(is_top)
}

fn is_named(inputs: &KernelInputs<'_>, name: &str) -> bool {
    let build = inputs.build;
    let mut links = build.connectivity.iter().map(|(_, one)| one);
    let links_unit = |link: &Connectivity| {
        let mut units = link.memory.iter().map(|pin| link.kernel_of_unit(&pin.unit.value));
        link.kernels.iter().any(|one| one.kernel.value == name) || units.any(|unit| unit == name)
    };
    let mut tops = build.reports.iter().filter_map(|report| report.top.as_ref());
    inputs.tops.iter().any(|top| is_meant(top, name))
        || links.any(links_unit)
        || tops.any(|top| is_meant(&top.value, name))
}

/// Whether a name that a script or a report has is that of a function: it may leave out the namespace.
fn is_meant(name: &str, function: &str) -> bool {
    function == name || bare_name(function) == name
}

fn is_top(function: &ir::Function) -> bool {
    function.pragmas.iter().any(|one| matches!(one.kind, DirectiveKind::Interface(_)))
}

fn has_directives(function: &ir::Function) -> bool {
    !function.pragmas.is_empty() || loops_of(&function.body).any(|one| !one.pragmas.is_empty())
}

/// The outermost loops of a body.
fn loops_of(body: &[ir::Stmt]) -> impl Iterator<Item = &ir::Loop> {
    body.iter().filter_map(|stmt| match stmt {
        ir::Stmt::Loop(item) => Some(item.as_ref()),
        _ => None,
    })
}

fn count_units(inputs: &KernelInputs<'_>, kernel: &str) -> u64 {
    let all = inputs.build.connectivity.iter().flat_map(|(_, one)| &one.kernels);
    let own: u64 = all.filter(|one| one.kernel.value == kernel).map(|one| one.count.value).sum();
    own.max(1)
}
