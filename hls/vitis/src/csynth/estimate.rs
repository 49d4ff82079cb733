//! `system_estimate*.xtxt`: tables under a line of dashes, one word a column.

use super::figure::{Decimal, Figure, Located};
use super::module::{Frequency, Module};
use super::report::{Report, ReportKind};
use super::resource::Resource;
use super::xml::merge_figures;
use crate::{FileId, Sources, Span};
use std::collections::BTreeMap;

/// Real tables have a dozen columns.
const COLUMNS: usize = 64;
/// Modules of all compute units together.
const MODULES: usize = 4096;

type Row = BTreeMap<String, Located<String>>;

/// Reads the whole report.
pub(crate) fn read_estimate(sources: &Sources, file: FileId) -> Report {
    let mut report = Report::new(ReportKind::SystemEstimate);
    let mut before: Option<&str> = None;
    let mut columns: Option<Vec<(String, usize)>> = None;
    let mut start = 0;
    for line in sources.text(file).split_inclusive('\n') {
        let from = start;
        start += line.len();
        let line = line.trim_end();
        let dashes = line.contains(' ') && line.bytes().all(|byte| matches!(byte, b'-' | b' '));
        if dashes {
            columns = before.map(|heading| columns_of(heading, line));
        } else if line.is_empty() || line.starts_with('-') || line.starts_with('=') {
            columns = None;
        } else if let Some(columns) = &columns {
            add_row(&mut report, cut_cells(file, from, line, columns));
        } else {
            add_fact(&mut report, file, from, line);
        }
        before = Some(line);
    }
    report
}

/// A column begins where its dashes begin.
fn columns_of(heading: &str, dashes: &str) -> Vec<(String, usize)> {
    let starts = dashes
        .char_indices()
        .filter(|&(at, sign)| sign == '-' && (at == 0 || dashes.as_bytes()[at - 1] == b' '))
        .map(|(at, _)| at)
        .take(COLUMNS);
    let starts: Vec<usize> = starts.collect();
    let name = |(index, &from): (usize, &usize)| {
        let to = starts.get(index + 1).copied().unwrap_or(usize::MAX);
        let text: String = heading.chars().skip(from).take(to.saturating_sub(from)).collect();
        (text.trim().to_owned(), from)
    };
    starts.iter().enumerate().map(name).collect()
}

fn cut_cells(file: FileId, start: usize, line: &str, columns: &[(String, usize)]) -> Row {
    let byte = |column: usize| line.char_indices().nth(column).map_or(line.len(), |(at, _)| at);
    let mut row = Row::new();
    for (index, (name, from)) in columns.iter().enumerate() {
        let from = byte(*from);
        let to = columns.get(index + 1).map_or(line.len(), |(_, next)| byte(*next));
        let text = line.get(from..to).unwrap_or("");
        let at = start + from + (text.len() - text.trim_start().len());
        let text = text.trim();
        let span = Span { file, start: at, end: at + text.len() };
        if !text.is_empty() {
            row.insert(name.clone(), Located::new(text.to_owned(), span));
        }
    }
    row
}

fn add_row(report: &mut Report, row: Row) {
    let (Some(unit), Some(name)) = (row.get("Compute Unit"), row.get("Module Name")) else {
        return;
    };
    let found = report.modules.iter().position(|module| {
        module.name.value == name.value
            && module.compute_unit.as_ref().is_some_and(|one| one.value == unit.value)
    });
    if found.is_none() && report.modules.len() >= MODULES {
        return report.note_unread(name.span, format!("more than {MODULES} modules"));
    }
    let at = found.unwrap_or_else(|| {
        let mut module = Module::new(name.clone());
        module.compute_unit = Some(unit.clone());
        report.modules.push(module);
        report.modules.len() - 1
    });
    let module = &mut report.modules[at];
    let figure =
        |name: &str| row.get(name).cloned().map(|text| text.map(|word| Figure::parse(&word)));
    let decimal = |name: &str| {
        row.get(name).cloned().map(|text| text.map(|word| Decimal::parse(&word, "MHz")))
    };
    if let (Some(target), Some(estimated)) =
        (decimal("Target Frequency"), decimal("Estimated Frequency"))
    {
        module.frequency = Some(Frequency { target, estimated });
    } else if let (Some(best), Some(worst)) = (figure("Best (cycles)"), figure("Worst (cycles)")) {
        module.latency = Some(merge_figures(&best, &worst));
        module.interval = figure("Start Interval");
    } else {
        for (name, text) in row {
            if !matches!(name.as_str(), "Compute Unit" | "Kernel Name" | "Module Name") {
                let used = text.map(|word| Figure::parse(&word));
                module.resources.insert(name, Resource { used, available: None, share: None });
            }
        }
    }
}

fn add_fact(report: &mut Report, file: FileId, start: usize, line: &str) {
    let Some((key, value)) = line.split_once(':') else { return };
    let at = start + line.len() - value.trim_start().len();
    let value = value.trim();
    let span = Span { file, start: at, end: at + value.len() };
    let text = Located::new(value.to_owned(), span);
    match key.trim() {
        "Version" => {
            // `v++ v2020.2 (64-bit)`
            let words: Vec<&str> = value.split_whitespace().collect();
            if let [tool, version, ..] = words[..] {
                let from = at + value.find(version).unwrap_or(0);
                let bare = version.trim_start_matches('v');
                let from = from + version.len() - bare.len();
                let span = Span { file, start: from, end: from + bare.len() };
                report.version = Some(Located::new(bare.to_owned(), span));
                let span = Span { file, start: at, end: at + tool.len() };
                report.tool = Some(Located::new(tool.to_owned(), span));
            }
        }
        "Design Name" => report.top = Some(text),
        "Target Device" => report.part = Some(text),
        "Target Clock" => {
            let bare = value.strip_suffix("MHz").unwrap_or(value).trim_end().len();
            let span = Span { file, start: at, end: at + bare };
            report.target_frequency = Some(Located::new(Decimal::parse(value, "MHz"), span));
        }
        _ => {}
    }
}
