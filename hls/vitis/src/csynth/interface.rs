//! Ports, bursts and pragmas: the tables that text reports draw and XML reports list.

use super::figure::{Figure, Located};
use super::port::{Burst, BurstVerdict, MemoryPort};
use super::pragmas::ReportedPragma;
use super::report::Report;
use super::table::{Grid, figure, word};

/// Reads a table if it is one of these.
pub(crate) fn read(report: &mut Report, grid: &Grid) {
    if grid.item.value == "M_AXI" {
        ports(report, grid);
    } else if grid.section == "M_AXI Burst Information" {
        bursts(report, grid);
    } else if grid.section == "Pragma Report" {
        pragmas(report, grid);
    }
}

fn ports(report: &mut Report, grid: &Grid) {
    let width = grid.column(|heading| heading.starts_with("Data Width"));
    for row in &grid.rows {
        let Some(name) = word(row, grid.named("Interface")) else { continue };
        let mut port = MemoryPort::new(name);
        if let Some(width) = word(row, width) {
            (port.source_bits, port.bits) = widths(&width);
        }
        port.access = word(row, grid.named("Read/Write"));
        port.latency = figure(row, grid.named("Latency"));
        port.max_widen_bitwidth = figure(row, grid.named("Max Widen Bitwidth"));
        port.max_read_burst = figure(row, grid.named("Max Read Burst Length"));
        port.max_write_burst = figure(row, grid.named("Max Write Burst Length"));
        port.read_outstanding = figure(row, grid.named("Num Read Outstanding"));
        port.write_outstanding = figure(row, grid.named("Num Write Outstanding"));
        report.ports.push(port);
    }
}

/// `32 -> 512`, or the port's width alone.
fn widths(text: &Located<String>) -> (Option<Located<Figure>>, Option<Located<Figure>>) {
    let Some((source, port)) = text.value.split_once("->") else {
        return (None, Some(text.clone().map(|word| Figure::parse(&word))));
    };
    let mut low = text.span;
    low.end = low.start + source.trim_end().len();
    let mut high = text.span;
    high.start = high.end.saturating_sub(port.trim_start().len());
    (Some(Located::new(Figure::parse(source), low)), Some(Located::new(Figure::parse(port), high)))
}

fn bursts(report: &mut Report, grid: &Grid) {
    let missed = grid.item.value.contains("Missed");
    let status = grid.named("Burst Status");
    let reason = grid.named("Problem").or_else(|| grid.named("Message"));
    let location = grid
        .named("Access Location")
        .or_else(|| grid.named("Location"))
        .or_else(|| grid.named("Loop Location"));
    for row in &grid.rows {
        let Some(interface) = word(row, grid.named("HW Interface")) else { continue };
        let reason = word(row, reason);
        let verdict = match word(row, status).as_ref().map(|status| status.value.as_str()) {
            Some("Inferred") => BurstVerdict::Inferred,
            Some("Widen Fail") => BurstVerdict::NotWidened,
            Some("Fail") => BurstVerdict::Failed,
            Some(_) => BurstVerdict::Missed,
            None if missed => verdict_of(reason.as_ref().map_or("", |reason| &reason.value)),
            None => BurstVerdict::Inferred,
        };
        let mut burst = Burst::new(interface, verdict);
        burst.variable = word(row, grid.named("Variable"));
        burst.direction = word(row, grid.named("Direction"));
        burst.length = figure(row, grid.named("Length"));
        burst.bits = figure(row, grid.named("Width"));
        burst.loop_name = word(row, grid.named("Loop"));
        burst.code = word(row, grid.named("Resolution"));
        burst.location = word(row, location);
        burst.reason = reason;
        report.bursts.push(burst);
    }
}

/// Older reports list missed bursts and missed widenings together.
fn verdict_of(problem: &str) -> BurstVerdict {
    if problem.starts_with("Could not widen") {
        BurstVerdict::NotWidened
    } else if problem.starts_with("Could not burst")
        || problem.starts_with("Could not analyze pattern")
        || problem.starts_with("Stride is incompatible")
        || problem.starts_with("Access ")
        || problem.contains("conditional branch")
    {
        BurstVerdict::Failed
    } else {
        BurstVerdict::Missed
    }
}

fn pragmas(report: &mut Report, grid: &Grid) {
    let heading = grid.item.value.to_ascii_lowercase();
    let status = if heading.starts_with("valid") {
        "valid".to_owned()
    } else if heading.contains("warning") {
        "warning".to_owned()
    } else if heading.contains("invalid") || heading.contains("ignored") {
        "invalid".to_owned()
    } else {
        grid.item.value.clone()
    };
    let status = Located::new(status, grid.item.span);
    for row in &grid.rows {
        let Some(kind) = word(row, grid.named("Type")) else { continue };
        let after = kind.span.end;
        let empty = || Located::new(String::new(), crate::Span { start: after, ..kind.span });
        let options = word(row, grid.named("Options")).unwrap_or_else(empty);
        let (location, function) = place(word(row, grid.named("Location")));
        report.pragmas.push(ReportedPragma {
            status: status.clone(),
            kind: kind.map(|kind| kind.to_ascii_lowercase()),
            options,
            location,
            function,
            message: word(row, grid.column(|heading| heading.starts_with("Message"))),
        });
    }
}

/// `a.cpp:16 in top, A`: the line, and the function.
fn place(text: Option<Located<String>>) -> (Option<Located<String>>, Option<Located<String>>) {
    let Some(text) = text else { return (None, None) };
    let Some((location, rest)) = text.value.split_once(" in ") else { return (Some(text), None) };
    let function = rest.split(',').next().unwrap_or(rest).trim_end();
    let start = text.span.start + location.len() + 4;
    let span = crate::Span { start, end: start + function.len(), ..text.span };
    let function = Located::new(function.to_owned(), span);
    let span = crate::Span { end: text.span.start + location.len(), ..text.span };
    (Some(Located::new(location.to_owned(), span)), Some(function))
}
