//! Ports, bursts and pragmas: the tables that text reports draw and XML reports list.

use super::figure::{Figure, Located};
use super::port::{Burst, BurstVerdict, MemoryPort, TopArgument};
use super::pragmas::ReportedPragma;
use super::report::Report;
use super::table::{Grid, read_figure, read_word};

/// Reads a table if it is one of these.
pub(crate) fn read_interface(report: &mut Report, grid: &Grid) {
    if grid.item.value == "M_AXI" {
        add_ports(report, grid);
    } else if ["BRAM", "AXIS", "AP_MEMORY"].contains(&grid.item.value.as_str()) {
        add_word_ports(report, grid);
    } else if grid.item.value == "TOP LEVEL CONTROL" {
        let types = grid.rows.iter().filter_map(|row| read_word(row, grid.column_named("Type")));
        let mut free = types.filter(|word| word.value == "ap_ctrl_none");
        report.free_running = free.next().map(|word| word.span);
    } else if grid.section == "M_AXI Burst Information" {
        add_bursts(report, grid);
    } else if grid.item.value == "Top Function Arguments" {
        add_arguments(report, grid);
    } else if grid.section == "Pragma Report" {
        add_pragmas(report, grid);
    }
}

fn add_arguments(report: &mut Report, grid: &Grid) {
    for row in &grid.rows {
        let cell = |heading: &str| read_word(row, grid.column_named(heading));
        let (Some(name), Some(datatype)) = (cell("Argument"), cell("Datatype")) else { continue };
        report.arguments.push(TopArgument { name: name.value, datatype: datatype.value });
    }
}

/// Ports that give or take one word a cycle.
fn add_word_ports(report: &mut Report, grid: &Grid) {
    for row in &grid.rows {
        let name = read_word(row, grid.column_named("Interface"));
        let bits = read_figure(row, grid.column_named("Data Width"));
        if let (Some(name), Some(bits)) = (name, bits.and_then(|it| it.value.known())) {
            report.word_ports.push((name.value, bits));
        }
    }
}

fn add_ports(report: &mut Report, grid: &Grid) {
    let width = grid.find_column(|heading| heading.starts_with("Data Width"));
    for row in &grid.rows {
        let Some(name) = read_word(row, grid.column_named("Interface")) else { continue };
        let mut port = MemoryPort::new(name);
        if let Some(width) = read_word(row, width) {
            (port.source_bits, port.bits) = split_widths(&width);
        }
        port.access = read_word(row, grid.column_named("Read/Write"));
        port.latency = read_figure(row, grid.column_named("Latency"));
        port.max_widen_bitwidth = read_figure(row, grid.column_named("Max Widen Bitwidth"));
        port.max_read_burst = read_figure(row, grid.column_named("Max Read Burst Length"));
        port.max_write_burst = read_figure(row, grid.column_named("Max Write Burst Length"));
        port.read_outstanding = read_figure(row, grid.column_named("Num Read Outstanding"));
        port.write_outstanding = read_figure(row, grid.column_named("Num Write Outstanding"));
        report.ports.push(port);
    }
}

/// `32 -> 512`, or the port's width alone.
fn split_widths(text: &Located<String>) -> (Option<Located<Figure>>, Option<Located<Figure>>) {
    let Some((source, port)) = text.value.split_once("->") else {
        return (None, Some(text.clone().map(|word| Figure::parse(&word))));
    };
    let mut low = text.span;
    low.end = low.start + source.trim_end().len();
    let mut high = text.span;
    high.start = high.end.saturating_sub(port.trim_start().len());
    (Some(Located::new(Figure::parse(source), low)), Some(Located::new(Figure::parse(port), high)))
}

fn add_bursts(report: &mut Report, grid: &Grid) {
    let missed = grid.item.value.contains("Missed");
    let status = grid.column_named("Burst Status");
    let reason = grid.column_named("Problem").or_else(|| grid.column_named("Message"));
    let location = grid
        .column_named("Access Location")
        .or_else(|| grid.column_named("Location"))
        .or_else(|| grid.column_named("Loop Location"));
    for row in &grid.rows {
        let Some(interface) = read_word(row, grid.column_named("HW Interface")) else { continue };
        let reason = read_word(row, reason);
        let verdict = match read_word(row, status).as_ref().map(|status| status.value.as_str()) {
            Some("Inferred") => BurstVerdict::Inferred,
            Some("Widen Fail") => BurstVerdict::NotWidened,
            Some("Fail") => BurstVerdict::Failed,
            Some(_) => BurstVerdict::Missed,
            None if missed => verdict_of(reason.as_ref().map_or("", |reason| &reason.value)),
            None => BurstVerdict::Inferred,
        };
        report.bursts.push(Burst {
            interface,
            verdict,
            variable: read_word(row, grid.column_named("Variable")),
            direction: read_word(row, grid.column_named("Direction")),
            length: read_figure(row, grid.column_named("Length")),
            bits: read_figure(row, grid.column_named("Width")),
            loop_name: read_word(row, grid.column_named("Loop")),
            code: read_word(row, grid.column_named("Resolution")),
            location: read_word(row, location),
            reason,
        });
    }
}

/// Older reports list missed bursts and missed widenings together.
fn verdict_of(problem: &str) -> BurstVerdict {
    // Some reports have the types of a call before it.
    if problem.contains("Could not widen") {
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

fn add_pragmas(report: &mut Report, grid: &Grid) {
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
        let Some(kind) = read_word(row, grid.column_named("Type")) else { continue };
        let after = kind.span.end;
        let empty = || Located::new(String::new(), crate::Span { start: after, ..kind.span });
        let options = read_word(row, grid.column_named("Options")).unwrap_or_else(empty);
        let (location, function) = split_place(read_word(row, grid.column_named("Location")));
        report.pragmas.push(ReportedPragma {
            status: status.clone(),
            kind: kind.map(|kind| kind.to_ascii_lowercase()),
            options,
            location,
            function,
            message: read_word(row, grid.find_column(|heading| heading.starts_with("Message"))),
        });
    }
}

/// `a.cpp:16 in top, A`: the line, and the function.
fn split_place(
    text: Option<Located<String>>,
) -> (Option<Located<String>>, Option<Located<String>>) {
    let Some(text) = text else { return (None, None) };
    let Some((location, rest)) = text.value.split_once(" in ") else { return (Some(text), None) };
    let function = rest.split(',').next().unwrap_or(rest).trim_end();
    let start = text.span.start + location.len() + 4;
    let span = crate::Span { start, end: start + function.len(), ..text.span };
    let function = Located::new(function.to_owned(), span);
    let span = crate::Span { end: text.span.start + location.len(), ..text.span };
    (Some(Located::new(location.to_owned(), span)), Some(function))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missed_widening_is_no_missed_burst() {
        let widening = "Could not widen since the size of type 'i32' is greater than the threshold";
        let behind_types = format!(", ap_fixed<32, 10> (*) [80]){widening}");
        for problem in [widening, &behind_types] {
            assert_eq!(verdict_of(problem), BurstVerdict::NotWidened, "{problem}");
        }
        let burst = "Could not burst due to multiple potential writes to the same bundle";
        assert_eq!(verdict_of(burst), BurstVerdict::Failed);
        assert_eq!(verdict_of("something new"), BurstVerdict::Missed);
    }
}
