//! Which reports of a folder belong together.

use super::{Synthesis, SynthesisedLoop, tree};
use crate::FileId;
use crate::csynth::{Decimal, Figure, Located, Module, Report, ReportKind};
use std::collections::{BTreeMap, BTreeSet};

/// The syntheses that the reports of one folder are of. A summary has the whole tree, and the reports of its modules
/// complete it; without one, a module's text lists what it calls. Reports that contradict each other are of different
/// syntheses, and reports of other kinds are of none.
pub fn gather_syntheses(reports: &[(FileId, Report)]) -> Vec<Synthesis> {
    let of_kind = |kind: ReportKind| reports.iter().filter(move |(_, report)| report.kind == kind);
    let mut found: Vec<Synthesis> = Vec::new();
    for (file, report) in of_kind(ReportKind::TreeText).chain(of_kind(ReportKind::SummaryXml)) {
        let Some(one) = read_summary(*file, report) else { continue };
        match found.iter_mut().find(|known| is_same(known, &one)) {
            Some(known) => complete(known, one),
            None => found.push(one),
        }
    }
    let texts = of_kind(ReportKind::ModuleText).chain(of_kind(ReportKind::CsynthXml));
    let mut rest: Vec<(FileId, &Report)> = Vec::new();
    let named = names_of(reports);
    for (file, report) in texts {
        let Some(module) = report.top_module() else { continue };
        let one = read_module(*file, report, module);
        if let Some(known) = found.iter_mut().find(|known| is_same(known, &one)) {
            complete(known, one);
        } else if let Some(run) = found.iter_mut().find(|run| is_left_over(run, &one)) {
            let name = module.name.value.clone();
            if !named.contains(name.as_str()) && !run.left_over.contains(&name) {
                run.left_over.push(name);
            }
        } else if !named.contains(module.name.value.as_str()) {
            rest.push((*file, report));
        }
    }
    found.extend(read_modules(&rest));
    found
}

/// The modules that summaries name, but for their tops.
fn names_of(reports: &[(FileId, Report)]) -> BTreeSet<&str> {
    let summaries = reports
        .iter()
        .filter(|(_, report)| matches!(report.kind, ReportKind::TreeText | ReportKind::SummaryXml));
    let modules = summaries.flat_map(|(_, report)| report.modules.iter().skip(1));
    modules.map(|module| module.name.value.as_str()).collect()
}

fn read_summary(file: FileId, report: &Report) -> Option<Synthesis> {
    let top = report.top_module()?;
    let at = report.modules.iter().position(|module| std::ptr::eq(module, top))?;
    let mut one = read_module(file, report, top);
    one.loops = tree::list_loops(report, at);
    Some(one)
}

/// A report of one module, with its own loops.
fn read_module(file: FileId, report: &Report, module: &Module) -> Synthesis {
    let word = |text: &Option<Located<String>>| text.as_ref().map(|text| text.value.clone());
    let figure = |text: &Option<Located<Figure>>| text.as_ref().map(|text| text.value.clone());
    let number = |text: &Option<Located<Decimal>>| text.as_ref().and_then(|one| one.value.known());
    let only = Report {
        modules: vec![Module { caller: None, other_callers: Vec::new(), ..module.clone() }],
        ..empty(report)
    };
    Synthesis {
        reports: vec![file],
        top: module.name.value.clone(),
        version: word(&report.version),
        part: word(&report.part),
        clock_ns: number(&report.clock.target),
        estimated_ns: number(&module.clock.estimated).or(number(&report.clock.estimated)),
        latency: figure(&module.latency),
        interval: figure(&module.interval),
        resources: module.resources.clone(),
        memories: module
            .parts
            .iter()
            .filter_map(|part| Some((part.name.clone(), part.words?)))
            .collect(),
        loops: tree::list_loops(&only, 0),
        ports: report.ports.clone(),
        arguments: report.arguments.clone(),
        left_over: Vec::new(),
        pragmas: report.pragmas.clone(),
    }
}

/// A report of the same kind with nothing in it.
fn empty(report: &Report) -> Report {
    Report::new(report.kind)
}

/// Whether two are of one synthesis: their top, and all that both know. Forms of a report write the part with other signs.
fn is_same(one: &Synthesis, other: &Synthesis) -> bool {
    let worst = |one: &Synthesis| one.latency.as_ref().and_then(Figure::max);
    let part = |one: &Synthesis| Some(one.part.as_ref()?.replace('-', "").to_ascii_lowercase());
    one.top == other.top
        && agree(part(one), part(other))
        && agree(worst(one), worst(other))
        && agree(one.version.as_deref(), other.version.as_deref())
        && agree(one.clock_ns.map(f64::to_bits), other.clock_ns.map(f64::to_bits))
}

/// Whether a module's report lies beside a summary of the same tool and part: the summary has all modules of its own run.
fn is_left_over(run: &Synthesis, module: &Synthesis) -> bool {
    module.version.is_some() && (&run.version, &run.part) == (&module.version, &module.part)
}

/// Whether two figures are equal as far as both are known.
fn agree<T: PartialEq>(one: Option<T>, other: Option<T>) -> bool {
    one.zip(other).is_none_or(|(one, other)| one == other)
}

/// Adds what another report of the same synthesis knows more.
fn complete(known: &mut Synthesis, other: Synthesis) {
    known.reports.extend(other.reports);
    known.part = known.part.take().or(other.part);
    known.version = known.version.take().or(other.version);
    known.clock_ns = known.clock_ns.or(other.clock_ns);
    known.estimated_ns = known.estimated_ns.or(other.estimated_ns);
    known.interval = known.interval.take().or(other.interval);
    // A summary prints the worst case alone.
    if let Some(range @ Figure::Range { .. }) = other.latency {
        known.latency = Some(range);
    }
    if known.loops.is_empty() {
        known.loops = other.loops;
    }
    for (name, resource) in other.resources {
        let one = known.resources.entry(name).or_insert_with(|| resource.clone());
        one.available = one.available.take().or(resource.available);
    }
    if known.memories.is_empty() {
        known.memories = other.memories;
    }
    if known.ports.is_empty() {
        known.ports = other.ports;
    }
    if known.arguments.is_empty() {
        known.arguments = other.arguments;
    }
    if known.pragmas.is_empty() {
        known.pragmas = other.pragmas;
    }
}

/// Modules without a summary: those that no other one calls are tops, with what they call below them. XML of Vivado HLS does
/// not say what a module calls: all that are beside `csynth.xml` are below its top.
fn read_modules(rest: &[(FileId, &Report)]) -> Vec<Synthesis> {
    let all = || rest.iter().map(|(_, report)| *report);
    let is_beside = |report: &Report| all().any(|whole| whole.has_beside(report, all()));
    let called: BTreeSet<&str> = rest
        .iter()
        .filter_map(|(_, report)| report.top_module())
        .flat_map(|module| module.calls.iter().map(String::as_str))
        .collect();
    let by_name: BTreeMap<&str, &Module> = rest
        .iter()
        .filter_map(|(_, report)| report.top_module())
        .rev()
        .map(|module| (module.name.value.as_str(), module))
        .collect();
    let mut found: Vec<Synthesis> = Vec::new();
    for (file, report) in rest {
        let Some(module) = report.top_module() else { continue };
        let is_called = called.contains(module.name.value.as_str());
        if is_beside(report) || is_called && !report.is_whole_without_list() {
            continue;
        }
        let mut one = read_module(*file, report, module);
        for (file, inner) in rest.iter().filter(|(_, inner)| report.has_beside(inner, all())) {
            one.loops.extend(
                inner
                    .top_module()
                    .into_iter()
                    .flat_map(|module| list_called_loops(*file, inner, module)),
            );
        }
        let mut seen: BTreeSet<&str> = BTreeSet::from([module.name.value.as_str()]);
        let mut open: Vec<&str> = module.calls.iter().rev().map(String::as_str).collect();
        while let Some(name) = open.pop() {
            let Some(inner) = by_name.get(name).filter(|_| seen.insert(name)) else { continue };
            one.loops.extend(list_called_loops(*file, report, inner));
            open.extend(inner.calls.iter().rev().map(String::as_str));
        }
        match found.iter_mut().find(|known| is_same(known, &one)) {
            Some(known) => complete(known, one),
            None => found.push(one),
        }
    }
    found
}

/// The loops of a module that another one calls. Its text does not say in which loop it is called: how often is not known.
fn list_called_loops(file: FileId, report: &Report, module: &Module) -> Vec<SynthesisedLoop> {
    let mut loops = read_module(file, report, module).loops;
    for one in &mut loops {
        one.runs = None;
    }
    loops
}
