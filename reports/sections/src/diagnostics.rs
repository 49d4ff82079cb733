//! Findings as diagnostics and as a table.

use derate_hls::Sources;
use derate_render::{Cell, Column, Diagnostic, Label, Level, Table};

use derate_audit::{self, Allowed, Finding};

pub(super) fn level(level: derate_audit::Level) -> Level {
    match level {
        derate_audit::Level::Error => Level::Error,
        derate_audit::Level::Warning => Level::Warning,
        derate_audit::Level::Note => Level::Note,
    }
}

/// Findings with the lines that they speak of.
pub fn diagnostics(sources: &Sources, findings: &[Finding]) -> Vec<Diagnostic> {
    findings.iter().map(|finding| diagnostic(sources, finding)).collect()
}

fn diagnostic(sources: &Sources, finding: &Finding) -> Diagnostic {
    let labels = finding.labels.iter().enumerate().map(|(index, label)| {
        let excerpt = sources.excerpt(label.span);
        Label {
            file: excerpt.name,
            first_line: excerpt.first_line,
            text: excerpt.text,
            start: excerpt.start,
            end: excerpt.end,
            message: label.text.clone(),
            primary: index == 0,
        }
    });
    Diagnostic {
        code: finding.code.to_owned(),
        level: level(finding.level),
        message: finding.message.clone(),
        labels: labels.collect(),
        notes: finding.notes.clone(),
        help: Some(finding.help.clone()),
    }
}

/// What somebody allowed, so that no reader takes silence for its absence.
pub(super) fn allowed(sources: &Sources, allowed: &[Allowed]) -> impl Iterator<Item = String> {
    allowed.iter().map(|one| {
        format!(
            "Allowed at {}:{}, {}: {}. The reason given: {}",
            sources.name(one.by.file),
            sources.position(one.by).line,
            one.finding.code,
            one.finding.message,
            one.reason
        )
    })
}

/// One row per finding.
pub(super) fn overview(sources: &Sources, findings: &[Finding]) -> Table {
    let rows = findings.iter().map(|finding| {
        let place = finding.labels.first().map(|label| {
            format!("{}:{}", sources.name(label.span.file), sources.position(label.span).line)
        });
        vec![
            Cell::Status(level(finding.level), finding.level.as_str().to_owned()),
            Cell::text(finding.code),
            Cell::text(place.unwrap_or_default()),
            Cell::text(&finding.message),
        ]
    });
    Table {
        name: "findings".to_owned(),
        caption: "Findings, the gravest first".to_owned(),
        columns: vec![
            Column::text("level", "Level"),
            Column::text("code", "Rule"),
            Column::text("place", "Where"),
            Column::text("message", "What is wrong"),
        ],
        rows: rows.collect(),
    }
}
