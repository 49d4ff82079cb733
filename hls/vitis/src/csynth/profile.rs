//! `csynth.xml` and `<module>_csynth.xml`, 2018.2 to 2025.1.

use super::clock_periods::ClockPeriods;
use super::figure::{Decimal, Figure, Located};
use super::interface;
use super::module::{Module, ReportedLoop, Violation, says_pipelined};
use super::port::MemoryPort;
use super::pragmas::ReportedPragma;
use super::report::{Report, ReportKind};
use super::resource::{Resource, resource_name};
use super::table::{Cell, Grid};
use super::xml::{Element, merge_figures};
use crate::{Sources, Span};
use quick_xml::escape::unescape;
use std::collections::{BTreeMap, BTreeSet};

/// What is beside the loops inside a loop's element.
const LOOP_FACTS: &str = "Name Slack TripCount Latency AbsoluteTimeLatency IterationLatency \
    PipelineII PipelineDepth PipelineType InstanceList isPerfectNested PerformancePragma";

/// Reads the element `<profile>`.
pub(crate) fn read_profile(root: &Element, sources: &Sources) -> Report {
    let listed = root.find_child("ModuleInformation");
    let kind = if listed.is_some() { ReportKind::SummaryXml } else { ReportKind::CsynthXml };
    let mut report = Report::new(kind);
    report.version =
        root.element_at(&["ReportVersion"]).and_then(|version| version.word_of("Version"));
    if let Some(given) = root.find_child("UserAssignments") {
        report.part = given.word_of("Part");
        report.top = given.word_of("TopModelName");
        report.clock = read_clock(given);
        report.flow_target = given.word_of("FlowTarget");
    }
    if let Some(timing) = root.element_at(&["PerformanceEstimates", "SummaryOfTimingAnalysis"]) {
        report.clock.estimated = read_nanoseconds(timing, "EstimatedClockPeriod");
    }
    let name = report.top.clone().unwrap_or_else(|| root.name.clone().map(|_| String::new()));
    report.modules.push(read_module(root, name));
    let modules = listed.map_or(&[][..], |listed| &listed.children);
    for element in modules.iter().filter(|element| element.name.value == "Module") {
        let Some(name) = element.word_of("Name") else {
            report.note_unread(element.name.span, "a module without a name");
            continue;
        };
        if report.top.as_ref().is_some_and(|top| top.value == name.value) {
            merge_repeat(&mut report.modules[0], read_module(element, name));
        } else {
            report.modules.push(read_module(element, name));
        }
    }
    if let Some(top) = root.element_at(&["RTLDesignHierarchy", "TopModule"]) {
        read_callers(&mut report, top);
    }
    for section in ["ReportHWInterface", "ReportBurst"] {
        read_tables(&mut report, root.element_at(&[section, "section"]), sources);
    }
    if report.ports.is_empty() {
        rtl_ports(&mut report, root);
    }
    read_pragmas(&mut report, root);
    report
}

fn read_clock(given: &Element) -> ClockPeriods {
    ClockPeriods {
        target: read_nanoseconds(given, "TargetClockPeriod"),
        estimated: read_nanoseconds(given, "EstimatedClockPeriod"),
        uncertainty: read_nanoseconds(given, "ClockUncertainty"),
    }
}

pub(crate) fn read_nanoseconds(element: &Element, name: &str) -> Option<Located<Decimal>> {
    element.word_of(name).map(|word| word.map(|read_word| Decimal::parse(&read_word, "ns")))
}

/// The top is in the list again, and its loops there say more.
fn merge_repeat(top: &mut Module, listed: Module) {
    if !listed.loops.is_empty() {
        top.loops = listed.loops;
    }
    if top.violations.is_empty() {
        top.violations = listed.violations;
    }
}

fn read_module(element: &Element, name: Located<String>) -> Module {
    let mut module = Module::new(name);
    if let Some(performance) = element.find_child("PerformanceEstimates") {
        if let Some(timing) = performance.find_child("SummaryOfTimingAnalysis") {
            module.clock = read_clock(timing);
        }
        module.pipeline = performance.word_of("PipelineType");
        if let Some(overall) = performance.find_child("SummaryOfOverallLatency") {
            read_latency(&mut module, overall);
        }
        if let Some(loops) = performance.find_child("SummaryOfLoopLatency") {
            module.loops = loops.children.iter().map(one_loop).collect();
        }
        if let Some(violations) = performance.find_child("SummaryOfViolations") {
            add_violation(&mut module, violations, None);
        }
    }
    module.dataflow |= module.pipeline.as_ref().is_some_and(|kind| kind.value == "dataflow");
    if let Some(area) = element.find_child("AreaEstimates") {
        read_resources(&mut module, area);
    }
    module
}

fn read_latency(module: &mut Module, overall: &Element) {
    let ends = |low: &str, high: &str| match (overall.figure_of(low), overall.figure_of(high)) {
        (Some(low), Some(high)) => Some(merge_figures(&low, &high)),
        (one, other) => one.or(other),
    };
    module.latency = ends("Best-caseLatency", "Worst-caseLatency");
    module.interval = ends("Interval-min", "Interval-max")
        .or_else(|| overall.figure_of("PipelineInitiationInterval"));
    module.depth = overall.figure_of("PipelineDepth");
    module.pipeline = module.pipeline.take().or_else(|| overall.word_of("PipelineType"));
    module.dataflow = overall.find_child("DataflowPipelineThroughput").is_some();
}

fn one_loop(element: &Element) -> ReportedLoop {
    let mut one =
        ReportedLoop::new(element.word_of("Name").unwrap_or_else(|| element.name.clone()));
    one.trip_count = element.figure_of("TripCount");
    one.latency = element.figure_of("Latency");
    one.iteration_latency = element.figure_of("IterationLatency");
    one.ii_achieved = element.figure_of("PipelineII");
    one.slack = read_nanoseconds(element, "Slack");
    let word = element.word_of("PipelineType");
    one.pipelined = word
        .and_then(|word| says_pipelined(&word.value))
        .or_else(|| Some(one.ii_achieved.is_some()));
    if one.pipelined == Some(true) {
        one.depth = element.figure_of("PipelineDepth");
    }
    let instances = element.find_child("InstanceList").map_or(&[][..], |list| &list.children);
    one.instances = instances.iter().map(|instance| instance.text.value.clone()).collect();
    let inner = element.children.iter();
    one.loops = inner
        .filter(|child| !LOOP_FACTS.split(' ').any(|fact| fact == child.name.value))
        // A loop has counts; a fact of a later version has none.
        .filter(|child| {
            child.find_child("TripCount").is_some() || child.find_child("Latency").is_some()
        })
        .map(one_loop)
        .collect();
    one
}

fn add_violation(module: &mut Module, element: &Element, loop_name: Option<String>) {
    let said = |name: &str| element.word_of(name).filter(|word| word.value != "-");
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
                add_violation(module, one, Some(one.name.value.clone()));
            }
        } else if child.find_child("IssueType").is_some() {
            add_violation(module, child, Some(child.name.value.clone()));
        }
    }
}

/// What the part has of a resource, where the report lists it beside what is used.
pub(crate) fn read_available(area: &Element, name: &str) -> Option<Located<Figure>> {
    area.find_child("AvailableResources")?.figure_of(name)
}

fn read_resources(module: &mut Module, area: &Element) {
    let Some(used) = area.find_child("Resources") else { return };
    for element in &used.children {
        let name = element.name.value.as_str();
        if name.starts_with("AVAIL_") || name.starts_with("UTIL_") {
            continue;
        }
        let short = name.strip_suffix("_18K").unwrap_or(name);
        let available = read_available(area, name)
            .or_else(|| used.figure_of(&format!("AVAIL_{short}")))
            .or_else(|| used.figure_of(&format!("AVAIL_{name}")));
        let share = used.word_of(&format!("UTIL_{short}"));
        let Some(count) = used.figure_of(name) else { continue };
        let resource = Resource { used: count, available, share };
        module.resources.insert(resource_name(name).to_owned(), resource);
    }
}

/// Who calls whom. A function that is called twice keeps the first caller, and has the others beside it; they list it among what
/// they call.
fn read_callers(report: &mut Report, top: &Element) {
    let names = report.modules.iter().enumerate();
    let names: BTreeMap<String, usize> =
        names.rev().map(|(at, module)| (module.name.value.clone(), at)).collect();
    let mut open = vec![(top, None)];
    let mut seen = BTreeSet::new();
    while let Some((element, caller)) = open.pop() {
        let name = element.word_of("ModuleName");
        let found = name.and_then(|name| names.get(&name.value).copied());
        if let (Some(at), Some(caller)) = (found, caller)
            && at != caller
        {
            let instance = element.word_of("InstName").map(|name| name.value);
            let around = instance.and_then(|name| find_loop(&report.modules[caller], &name));
            add_caller(report, at, (caller, around));
        }
        // What an instance has in it is the same in each of them.
        if found.is_some_and(|at| !seen.insert(at)) {
            continue;
        }
        let inside = element.find_child("InstancesList").map_or(&[][..], |list| &list.children);
        open.extend(inside.iter().rev().map(|instance| (instance, found.or(caller))));
    }
}

fn add_caller(report: &mut Report, at: usize, (caller, around): (usize, Option<String>)) {
    match report.modules[at].caller {
        None => {
            report.modules[at].caller = Some(caller);
            report.modules[at].caller_loop = around;
        }
        Some(first) => {
            report.modules[at].other_callers.push((caller, around));
            let name = report.modules[at].name.value.clone();
            let calls = &mut report.modules[caller].calls;
            if first != caller && !calls.contains(&name) {
                calls.push(name);
            }
        }
    }
}

/// The innermost loop in which an instance runs.
fn find_loop(caller: &Module, instance: &str) -> Option<String> {
    let all = caller.all_loops();
    let mut around = all.iter().rev().filter(|one| one.instances.iter().any(|it| it == instance));
    around.next().map(|one| one.name.value.clone())
}

/// The tables of a section: `<item><table><keys/><column/>..`.
fn read_tables(report: &mut Report, section: Option<&Element>, sources: &Sources) {
    let Some(section) = section else { return };
    let title = section.find_attribute("name").map_or_else(String::new, |name| name.value);
    for item in section.children.iter().filter(|item| item.name.value == "item") {
        let Some(table) = item.find_child("table") else { continue };
        let heading = item.find_attribute("name").unwrap_or_else(|| item.name.clone());
        let Some(keys) = table.word_of("keys") else { continue };
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
            match read_cells(column, &grid.headings, sources) {
                Some(row) => grid.rows.push(row),
                None => grid.odd.push(column.text.span),
            }
        }
        for span in &grid.odd {
            report.note_unread(*span, "a row that does not fit its headings");
        }
        interface::read_interface(report, &grid);
    }
}

/// The first cell is an attribute, the others are in the text with commas between them. A
/// sentence may hold commas of its own.
fn read_cells(column: &Element, headings: &[String], sources: &Sources) -> Option<Vec<Cell>> {
    let first = column.find_attribute("name").unwrap_or_else(|| column.name.clone());
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
    // Vitis HLS 2022 pads rows of figures with empty cells.
    while sentence.is_none()
        && ends.len() > wanted
        && ends.last().is_some_and(|&(from, to)| written[from..to].trim().is_empty())
    {
        ends.pop();
    }
    if let (Some(at), Some(excess)) = (sentence, ends.len().checked_sub(wanted))
        && at > 0
        && excess > 0
    {
        let joined = (ends.get(at - 1)?.0, ends.get(at - 1 + excess)?.1);
        ends.splice(at - 1..=at - 1 + excess, [joined]);
    }
    // 2021.1 leaves the ports of `ap_ctrl_hs` out: there are none.
    if ends.len() + 1 == wanted && headings.last().is_some_and(|last| last == "Ports") {
        ends.push((written.len(), written.len()));
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
    let Some(summary) = root.find_child("InterfaceSummary") else { return };
    let wires = summary.children.iter().filter(|wire| {
        wire.name.value == "RtlPorts"
            && wire.word_of("IOProtocol").is_some_and(|kind| kind.value == "m_axi")
    });
    let mut seen = BTreeSet::new();
    for wire in wires {
        let Some(name) = wire.word_of("name") else { continue };
        let bus = name.value.strip_suffix("_RDATA").or_else(|| name.value.strip_suffix("_WDATA"));
        let Some(bus) = bus.map(str::to_owned) else { continue };
        if !seen.insert(bus.clone()) {
            continue;
        }
        let span = Span { end: name.span.start + bus.len(), ..name.span };
        let mut port = MemoryPort::new(Located::new(bus, span));
        port.bits = wire.figure_of("Bits");
        report.ports.push(port);
    }
}

fn read_pragmas(report: &mut Report, root: &Element) {
    let Some(list) = root.find_child("PragmaReport") else { return };
    for pragma in list.children.iter().filter(|one| one.name.value == "Pragma") {
        let here = || Located::new(String::new(), pragma.name.span);
        let Some(kind) = pragma.find_attribute("type") else {
            report.note_unread(pragma.name.span, "a pragma without a type");
            continue;
        };
        let message = pragma.find_child("Msg").and_then(|message| {
            message.find_attribute("msg_body").or_else(|| Some(message.text.clone()))
        });
        report.pragmas.push(ReportedPragma {
            status: pragma.find_attribute("status").unwrap_or_else(here),
            kind: kind.map(|kind| kind.to_ascii_lowercase()),
            options: pragma.find_attribute("options").unwrap_or_else(here),
            location: pragma.find_attribute("location"),
            function: pragma.find_attribute("parentFunction"),
            message: message.or_else(|| pragma.find_attribute("msg")),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csynth::xml;

    fn of(text: &str) -> Report {
        let mut sources = Sources::default();
        let file = sources.add("a.xml", text);
        read_profile(&xml::read_xml(&sources, file).unwrap().0.unwrap(), &sources)
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
    fn a_row_may_be_padded_with_empty_cells() {
        let report = of("<profile><ReportHWInterface><section name=\"HW Interfaces\">\
             <item name=\"M_AXI\"><table>\
             <keys size=\"3\">Interface, Data Width (SW-&gt;HW), Latency</keys>\
             <column name=\"m_axi_x\">8 -&gt; 256, 64, , , </column>\
             </table></item></section></ReportHWInterface></profile>");
        assert!(report.unread.is_empty());
        assert_eq!(report.ports[0].bits.as_ref().unwrap().value.known(), Some(256));
    }

    #[test]
    fn a_control_without_ports_has_a_short_row() {
        let of = |cells: &str| {
            of(&format!(
                "<profile><ReportHWInterface><section name=\"HW Interfaces\">\
                 <item name=\"TOP LEVEL CONTROL\"><table><keys size=\"3\">Interface, Type, Ports</keys>\
                 <column name=\"ap_ctrl\">{cells}</column></table></item></section></ReportHWInterface></profile>"
            ))
        };
        let free = of("ap_ctrl_none");
        assert!(free.unread.is_empty() && free.free_running.is_some());
        assert!(of("ap_ctrl_hs").free_running.is_none());
        assert_eq!(of("clock, a, b").unread.len(), 1);
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
