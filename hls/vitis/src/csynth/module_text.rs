//! `<module>_csynth.rpt`: one module as text, 2018.2 and later.

use super::date::ReportDate;
use super::figure::{Decimal, Figure, Located};
use super::interface;
use super::module::{Module, ReportedLoop, resource_name, says_pipelined};
use super::parts::add_parts;
use super::report::{Report, ReportKind};
use super::resource::Resource;
use super::table::{Cell, Grid, Layout, NO_BURST, read_figure, read_word};
use super::xml::merge_figures;
use crate::Span;

/// Loops nest, but not like this.
const DEPTH: usize = 64;

/// What each part of the tool's own log of a schedule begins with; `*.verbose.sched.rpt` is written before resources are known.
const VERBOSE: &str = "+ Verbose Summary:";

/// The section with what a module takes.
const RESOURCES: &str = "Utilization Estimates";

/// Reads the whole report.
pub(crate) fn read_module_text(text: &str, layout: &Layout) -> Report {
    let mut report = Report::new(ReportKind::ModuleText);
    read_general(&mut report, layout);
    let name = report.top.clone().or_else(|| layout.titles.first().cloned());
    let Some(name) = name else { return report };
    let place = name.span;
    let mut module = Module::new(name);
    let (mut timed, mut measured, mut weighed, mut shared) = (false, false, false, false);
    for grid in &layout.grids {
        if grid.column_named("Clock").is_some() && !timed {
            timed = read_clock(&mut report, grid);
        } else if grid.column_named("Loop Name").is_some() {
            read_loops(&mut report, &mut module, grid);
        } else if grid.column_named("Instance").is_some() && grid.column_named("Module").is_some() {
            add_calls(&mut module, grid);
            if grid.section == RESOURCES {
                add_parts(&mut module, grid);
            }
        } else if grid.column_named("Pipeline Type").is_some()
            && grid.column_named("Instance").is_none()
            && !measured
        {
            measured = read_latency(&mut module, grid);
        } else if grid.section == RESOURCES && grid.column_named("Memory").is_some() {
            add_parts(&mut module, grid);
        } else if grid.section == RESOURCES
            && grid.headings.first().is_some_and(|first| first == "Name")
            && !weighed
        {
            add_parts(&mut module, grid);
            weighed = read_resources(&mut module, grid);
            shared = grid.rows.iter().any(|row| is_row(row, SHARE));
        } else {
            interface::read_interface(&mut report, grid);
        }
    }
    report.modules.push(module);
    let is_schedule = || text.lines().any(|line| line.starts_with(VERBOSE));
    let weighed = weighed && shared || !weighed && is_schedule();
    let sections = [
        (timed, "the clock (`Timing`)"),
        (measured, "the latency (`Performance Estimates`)"),
        (weighed, "the end of the resources (`Utilization Estimates`)"),
    ];
    for (_, section) in sections.into_iter().filter(|(found, _)| !found) {
        report.note_unread(place, format!("{section} is not in the text: it may be cut off"));
    }
    report
}

/// The lines above the tables: version, part, tool, top.
pub(crate) fn read_general(report: &mut Report, layout: &Layout) {
    report.version = layout.find_fact("Version").as_ref().map(first_word);
    report.part = layout.find_fact("Target device");
    report.no_burst = layout.find_fact(NO_BURST).map(|line| line.span);
    report.family = layout.find_fact("Product family");
    report.date = layout.find_fact("Date").and_then(|date| ReportDate::parse(&date.value));
    if let Some(solution) = layout.find_fact("Solution") {
        // `solution1 (Vivado IP Flow Target)`
        for (said, flow) in [("(Vivado ", "vivado"), ("(Vitis ", "vitis")] {
            if let Some(at) = solution.value.find(said) {
                let start = solution.span.start + at + 1;
                let span = Span { start, end: start + flow.len(), ..solution.span };
                report.flow_target = Some(Located::new(flow.to_owned(), span));
            }
        }
    }
    for title in &layout.titles {
        if let Some(at) = title.value.find("HLS Report for") {
            let tool = format!("{}HLS", &title.value[..at]);
            let span = Span { end: title.span.start + tool.len(), ..title.span };
            report.tool.get_or_insert(Located::new(tool, span));
        }
        if let Some(name) = title.value.split('\'').nth(1)
            && title.value.contains("Report")
            && let Some(at) = title.value.find('\'')
        {
            let start = title.span.start + at + 1;
            let span = Span { start, end: start + name.len(), ..title.span };
            report.top.get_or_insert(Located::new(name.to_owned(), span));
        }
    }
}

/// `2022.2 (Build ...)` without the build.
fn first_word(text: &Located<String>) -> Located<String> {
    let word = text.value.split_whitespace().next().unwrap_or("").to_owned();
    let span = Span { end: text.span.start + word.len(), ..text.span };
    Located::new(word, span)
}

fn read_clock(report: &mut Report, grid: &Grid) -> bool {
    let Some(row) = grid.rows.first() else { return false };
    let period = |name: &str| {
        let text = read_word(row, grid.column_named(name))?;
        let bare =
            text.value.strip_suffix("ns").map_or(text.value.len(), |bare| bare.trim_end().len());
        let span = Span { end: text.span.start + bare, ..text.span };
        Some(Located::new(Decimal::parse(&text.value, "ns"), span))
    };
    report.clock.target = period("Target");
    report.clock.estimated = period("Estimated");
    report.clock.uncertainty = period("Uncertainty");
    true
}

/// The columns `min` and `max` under a heading.
fn read_ends(row: &[Cell], grid: &Grid, heading: &str) -> Option<Located<Figure>> {
    let column = |end: &str| {
        let test =
            |one: &str| one.starts_with(heading) && one.ends_with(end) && !one.contains("absolute");
        read_figure(row, grid.find_column(test))
    };
    match (column("min"), column("max")) {
        (Some(low), Some(high)) => Some(merge_figures(&low, &high)),
        (one, other) => one.or(other),
    }
}

fn read_latency(module: &mut Module, grid: &Grid) -> bool {
    let Some(row) = grid.rows.first() else { return false };
    module.latency = read_ends(row, grid, "Latency");
    module.interval = read_ends(row, grid, "Interval");
    module.pipeline = read_word(row, grid.column_named("Pipeline Type"));
    module.dataflow = module.pipeline.as_ref().is_some_and(|kind| kind.value == "dataflow");
    true
}

fn read_loops(report: &mut Report, module: &mut Module, grid: &Grid) {
    // The last loop of each level.
    let mut path: Vec<usize> = Vec::new();
    for row in &grid.rows {
        let Some(text) = read_word(row, grid.column_named("Loop Name")) else { continue };
        let signs = text.value.len() - text.value.trim_start_matches(['+', '-']).len();
        let depth = if text.value.starts_with('+') { signs } else { 0 };
        if depth > path.len() || depth >= DEPTH {
            report.note_unread(text.span, "a loop without a loop around it");
            continue;
        }
        let name = text.value.get(signs..).unwrap_or("").trim().to_owned();
        let span = Span { start: text.span.end - name.len(), ..text.span };
        let one = one_loop(row, grid, Located::new(name, span));
        path.truncate(depth);
        let mut level = &mut module.loops;
        for &step in &path {
            level = &mut level[step].loops;
        }
        path.push(level.len());
        level.push(one);
    }
}

/// The instances, those of one module once.
fn add_calls(module: &mut Module, grid: &Grid) {
    for row in &grid.rows {
        let Some(name) = read_word(row, grid.column_named("Module")) else { continue };
        if !module.calls.contains(&name.value) {
            module.calls.push(name.value);
        }
    }
}

fn one_loop(row: &[Cell], grid: &Grid, name: Located<String>) -> ReportedLoop {
    let mut one = ReportedLoop::new(name);
    one.latency = read_ends(row, grid, "Latency");
    one.iteration_latency = read_figure(row, grid.column_named("Iteration Latency"));
    one.trip_count = read_figure(row, grid.column_named("Trip Count"));
    let interval = |end: &str| {
        grid.find_column(|one| one.starts_with("Initiation Interval") && one.ends_with(end))
    };
    let word = read_word(row, grid.column_named("Pipelined"));
    one.pipelined = word.and_then(|word| says_pipelined(&word.value));
    one.ii_achieved = read_figure(row, interval("achieved"));
    one.ii_target = read_figure(row, interval("target"));
    if one.pipelined == Some(true) {
        one.depth.clone_from(&one.iteration_latency);
    }
    one
}

/// The last row of the resources.
const SHARE: &str = "Utilization (%)";

fn is_row(row: &[Cell], name: &str) -> bool {
    row.first().is_some_and(|cell| cell.text.value == name)
}

fn read_resources(module: &mut Module, grid: &Grid) -> bool {
    let row = |name: &str| grid.rows.iter().find(|row| is_row(row, name));
    let Some(total) = row("Total") else { return false };
    let (available, share) = (row("Available"), row(SHARE));
    for (column, heading) in grid.headings.iter().enumerate().skip(1) {
        let Some(used) = read_figure(total, Some(column)) else { continue };
        let available = available.and_then(|row| read_figure(row, Some(column)));
        let share = share.and_then(|row| read_word(row, Some(column)));
        let resource = Resource { used, available, share };
        module.resources.insert(resource_name(heading).to_owned(), resource);
    }
    true
}
