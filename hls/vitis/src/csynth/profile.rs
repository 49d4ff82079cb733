//! `csynth.xml` and `<module>_csynth.xml`, 2018.2 to 2025.1.

use super::figure::{Decimal, Located};
use super::interface;
use super::module::{Module, ReportedLoop, Resource, Violation, resource_name, says_pipelined};
use super::port::MemoryPort;
use super::pragmas::ReportedPragma;
use super::report::{ClockPeriods, Report, ReportKind};
use super::table::{Cell, Grid};
use super::xml::{Element, between};
use crate::{Sources, Span};
use quick_xml::escape::unescape;
use std::collections::{BTreeMap, BTreeSet};

/// What stands beside the loops inside a loop's element.
const LOOP_FACTS: [&str; 12] = [
    "Name",
    "Slack",
    "TripCount",
    "Latency",
    "AbsoluteTimeLatency",
    "IterationLatency",
    "PipelineII",
    "PipelineDepth",
    "PipelineType",
    "InstanceList",
    "isPerfectNested",
    "PerformancePragma",
];

/// Reads the element `<profile>`.
pub(crate) fn read(root: &Element, sources: &Sources) -> Report {
    let listed = root.child("ModuleInformation");
    let kind = if listed.is_some() { ReportKind::SummaryXml } else { ReportKind::CsynthXml };
    let mut report = Report::new(kind);
    report.version = root.at(&["ReportVersion"]).and_then(|version| version.word("Version"));
    if let Some(given) = root.child("UserAssignments") {
        report.part = given.word("Part");
        report.top = given.word("TopModelName");
        report.clock = clock(given);
        report.flow_target = given.word("FlowTarget");
    }
    if let Some(timing) = root.at(&["PerformanceEstimates", "SummaryOfTimingAnalysis"]) {
        report.clock.estimated = nanoseconds(timing, "EstimatedClockPeriod");
    }
    let name = report.top.clone().unwrap_or_else(|| root.name.clone().map(|_| String::new()));
    report.modules.push(module(root, name));
    let modules = listed.map_or(&[][..], |listed| &listed.children);
    for element in modules.iter().filter(|element| element.name.value == "Module") {
        let Some(name) = element.word("Name") else {
            report.miss(element.name.span, "a module without a name");
            continue;
        };
        if report.top.as_ref().is_some_and(|top| top.value == name.value) {
            repeat(&mut report.modules[0], module(element, name));
        } else {
            report.modules.push(module(element, name));
        }
    }
    if let Some(top) = root.at(&["RTLDesignHierarchy", "TopModule"]) {
        callers(&mut report, top);
    }
    for section in ["ReportHWInterface", "ReportBurst"] {
        tables(&mut report, root.at(&[section, "section"]), sources);
    }
    if report.ports.is_empty() {
        rtl_ports(&mut report, root);
    }
    pragmas(&mut report, root);
    report
}

fn clock(given: &Element) -> ClockPeriods {
    ClockPeriods {
        target: nanoseconds(given, "TargetClockPeriod"),
        estimated: nanoseconds(given, "EstimatedClockPeriod"),
        uncertainty: nanoseconds(given, "ClockUncertainty"),
    }
}

fn nanoseconds(element: &Element, name: &str) -> Option<Located<Decimal>> {
    element.word(name).map(|word| word.map(|word| Decimal::parse(&word, "ns")))
}

/// The top stands in the list again, with loops that say more.
fn repeat(top: &mut Module, listed: Module) {
    if !listed.loops.is_empty() {
        top.loops = listed.loops;
    }
    if top.violations.is_empty() {
        top.violations = listed.violations;
    }
}

fn module(element: &Element, name: Located<String>) -> Module {
    let mut module = Module::new(name);
    if let Some(performance) = element.child("PerformanceEstimates") {
        if let Some(timing) = performance.child("SummaryOfTimingAnalysis") {
            module.clock = clock(timing);
        }
        module.pipeline = performance.word("PipelineType");
        if let Some(overall) = performance.child("SummaryOfOverallLatency") {
            latency(&mut module, overall);
        }
        if let Some(loops) = performance.child("SummaryOfLoopLatency") {
            module.loops = loops.children.iter().map(one_loop).collect();
        }
        if let Some(violations) = performance.child("SummaryOfViolations") {
            violation(&mut module, violations, None);
        }
    }
    module.dataflow |= module.pipeline.as_ref().is_some_and(|kind| kind.value == "dataflow");
    if let Some(area) = element.child("AreaEstimates") {
        resources(&mut module, area);
    }
    module
}

fn latency(module: &mut Module, overall: &Element) {
    let ends = |low: &str, high: &str| match (overall.figure(low), overall.figure(high)) {
        (Some(low), Some(high)) => Some(between(&low, &high)),
        (one, other) => one.or(other),
    };
    module.latency = ends("Best-caseLatency", "Worst-caseLatency");
    module.interval = ends("Interval-min", "Interval-max")
        .or_else(|| overall.figure("PipelineInitiationInterval"));
    module.depth = overall.figure("PipelineDepth");
    module.pipeline = module.pipeline.take().or_else(|| overall.word("PipelineType"));
    module.dataflow = overall.child("DataflowPipelineThroughput").is_some();
}

fn one_loop(element: &Element) -> ReportedLoop {
    let mut one = ReportedLoop::new(element.word("Name").unwrap_or_else(|| element.name.clone()));
    one.trip_count = element.figure("TripCount");
    one.latency = element.figure("Latency");
    one.iteration_latency = element.figure("IterationLatency");
    one.ii_achieved = element.figure("PipelineII");
    one.slack = nanoseconds(element, "Slack");
    let word = element.word("PipelineType");
    one.pipelined = word
        .and_then(|word| says_pipelined(&word.value))
        .or_else(|| Some(one.ii_achieved.is_some()));
    if one.pipelined == Some(true) {
        one.depth = element.figure("PipelineDepth");
    }
    let inner = element.children.iter();
    one.loops = inner
        .filter(|child| !LOOP_FACTS.contains(&child.name.value.as_str()))
        // A loop has counts; a fact of a later version has none.
        .filter(|child| child.child("TripCount").is_some() || child.child("Latency").is_some())
        .map(one_loop)
        .collect();
    one
}

fn violation(module: &mut Module, element: &Element, loop_name: Option<String>) {
    let said = |name: &str| element.word(name).filter(|word| word.value != "-");
    if let Some(issue) = said("IssueType") {
        module.violations.push(Violation {
            issue,
            cause: said("ViolationType"),
            location: said("SourceLocation"),
            loop_name,
        });
    }
    for child in &element.children {
        if child.name.value == "SummaryOfLoopViolations" {
            for one in &child.children {
                violation(module, one, Some(one.name.value.clone()));
            }
        } else if child.child("IssueType").is_some() {
            violation(module, child, Some(child.name.value.clone()));
        }
    }
}

fn resources(module: &mut Module, area: &Element) {
    let Some(used) = area.child("Resources") else { return };
    for element in &used.children {
        let name = element.name.value.as_str();
        if name.starts_with("AVAIL_") || name.starts_with("UTIL_") {
            continue;
        }
        let short = name.strip_suffix("_18K").unwrap_or(name);
        let available = area
            .at(&["AvailableResources"])
            .and_then(|available| available.figure(name))
            .or_else(|| used.figure(&format!("AVAIL_{short}")))
            .or_else(|| used.figure(&format!("AVAIL_{name}")));
        let share = used.word(&format!("UTIL_{short}"));
        let Some(count) = used.figure(name) else { continue };
        let resource = Resource { used: count, available, share };
        module.resources.insert(resource_name(name).to_owned(), resource);
    }
}

/// Who calls whom. A function that is called twice keeps the first caller.
fn callers(report: &mut Report, top: &Element) {
    let names = report.modules.iter().enumerate();
    let names: BTreeMap<String, usize> =
        names.rev().map(|(at, module)| (module.name.value.clone(), at)).collect();
    let mut open = vec![(top, None)];
    while let Some((element, caller)) = open.pop() {
        let name = element.word("ModuleName");
        let found = name.and_then(|name| names.get(&name.value).copied());
        if let (Some(at), Some(caller)) = (found, caller)
            && at != caller
        {
            report.modules[at].caller.get_or_insert(caller);
        }
        let inside = element.child("InstancesList").map_or(&[][..], |list| &list.children);
        open.extend(inside.iter().rev().map(|instance| (instance, found.or(caller))));
    }
}

/// The tables of a section: `<item><table><keys/><column/>..`.
fn tables(report: &mut Report, section: Option<&Element>, sources: &Sources) {
    let Some(section) = section else { return };
    let title = section.attribute("name").map_or_else(String::new, |name| name.value);
    for item in section.children.iter().filter(|item| item.name.value == "item") {
        let Some(table) = item.child("table") else { continue };
        let heading = item.attribute("name").unwrap_or_else(|| item.name.clone());
        let Some(keys) = table.word("keys") else { continue };
        let headings: Vec<String> =
            keys.value.split(',').map(|key| key.trim().to_owned()).collect();
        let mut grid = Grid {
            section: title.clone(),
            item: heading,
            headings,
            rows: Vec::new(),
            odd: Vec::new(),
        };
        for column in table.children.iter().filter(|one| one.name.value == "column") {
            match cells(column, &grid.headings, sources) {
                Some(row) => grid.rows.push(row),
                None => grid.odd.push(column.text.span),
            }
        }
        for span in &grid.odd {
            report.miss(*span, "a row that does not fit its headings");
        }
        interface::read(report, &grid);
    }
}

/// The first cell is an attribute, the others stand in the text with commas between them. A
/// sentence may hold commas of its own.
fn cells(column: &Element, headings: &[String], sources: &Sources) -> Option<Vec<Cell>> {
    let first = column.attribute("name").unwrap_or_else(|| column.name.clone());
    // As written, so that places are exact where there are entities.
    let written = sources.slice(column.text.span);
    let mut ends: Vec<(usize, usize)> = Vec::new();
    let mut from = 0;
    for part in written.split(',') {
        ends.push((from, from + part.len()));
        from += part.len() + 1;
    }
    let wanted = headings.len().checked_sub(1)?;
    let sentence = headings.iter().position(|one| one == "Problem" || one == "Message");
    if let (Some(at), Some(excess)) = (sentence, ends.len().checked_sub(wanted))
        && at > 0
        && excess > 0
    {
        let joined = (ends.get(at - 1)?.0, ends.get(at - 1 + excess)?.1);
        ends.splice(at - 1..=at - 1 + excess, [joined]);
    }
    if ends.len() != wanted {
        return None;
    }
    let mut row = vec![Cell { text: first, indent: 0 }];
    for (from, to) in ends {
        let part = written.get(from..to)?;
        let start = column.text.span.start + from + (part.len() - part.trim_start().len());
        let part = part.trim();
        let span = Span { start, end: start + part.len(), ..column.text.span };
        let value = unescape(part).map_or_else(|_| part.to_owned(), Into::into);
        row.push(Cell { text: Located::new(value, span), indent: 0 });
    }
    Some(row)
}

/// Module reports of old versions name the wires only.
fn rtl_ports(report: &mut Report, root: &Element) {
    let Some(summary) = root.child("InterfaceSummary") else { return };
    let wires = summary.children.iter().filter(|wire| {
        wire.name.value == "RtlPorts"
            && wire.word("IOProtocol").is_some_and(|kind| kind.value == "m_axi")
    });
    let mut seen = BTreeSet::new();
    for wire in wires {
        let Some(name) = wire.word("name") else { continue };
        let bus = name.value.strip_suffix("_RDATA").or_else(|| name.value.strip_suffix("_WDATA"));
        let Some(bus) = bus.map(str::to_owned) else { continue };
        if !seen.insert(bus.clone()) {
            continue;
        }
        let span = Span { end: name.span.start + bus.len(), ..name.span };
        let mut port = MemoryPort::new(Located::new(bus, span));
        port.bits = wire.figure("Bits");
        report.ports.push(port);
    }
}

fn pragmas(report: &mut Report, root: &Element) {
    let Some(list) = root.child("PragmaReport") else { return };
    for pragma in list.children.iter().filter(|one| one.name.value == "Pragma") {
        let here = || Located::new(String::new(), pragma.name.span);
        let Some(kind) = pragma.attribute("type") else {
            report.miss(pragma.name.span, "a pragma without a type");
            continue;
        };
        let message = pragma.child("Msg").and_then(|message| {
            message.attribute("msg_body").or_else(|| Some(message.text.clone()))
        });
        report.pragmas.push(ReportedPragma {
            status: pragma.attribute("status").unwrap_or_else(here),
            kind: kind.map(|kind| kind.to_ascii_lowercase()),
            options: pragma.attribute("options").unwrap_or_else(here),
            location: pragma.attribute("location"),
            function: pragma.attribute("parentFunction"),
            message: message.or_else(|| pragma.attribute("msg")),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csynth::figure::Figure;
    use crate::csynth::xml;

    fn of(text: &str) -> Report {
        let mut sources = Sources::default();
        let file = sources.add("a.xml", text);
        read(&xml::read(&sources, file).unwrap().0.unwrap(), &sources)
    }

    #[test]
    fn undef_is_no_number() {
        let report = of("<profile><PerformanceEstimates><SummaryOfOverallLatency>\
             <Best-caseLatency>undef</Best-caseLatency><Worst-caseLatency>undef</Worst-caseLatency>\
             </SummaryOfOverallLatency></PerformanceEstimates></profile>");
        let latency = report.modules[0].latency.clone().unwrap().value;
        assert_eq!(latency, Figure::Unknown("undef".to_owned()));
    }

    #[test]
    fn a_sentence_may_hold_commas() {
        let report = of("<profile><ReportBurst><section name=\"M_AXI Burst Information\">\
             <item name=\"Bursts and Widening Missed\"><table>\
             <keys size=\"6\">HW Interface, Variable, Loop, Problem, Resolution, Location</keys>\
             <column name=\"m_axi_a\">x, L, Could not burst, as it is odd, 214-229, a.cpp:3:1</column>\
             </table></item></section></ReportBurst></profile>");
        let burst = &report.bursts[0];
        assert_eq!(burst.reason.as_ref().unwrap().value, "Could not burst, as it is odd");
        assert_eq!(burst.code.as_ref().unwrap().value, "214-229");
    }
}
