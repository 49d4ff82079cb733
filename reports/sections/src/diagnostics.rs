//! Findings as diagnostics and as a table.

use derate_hls::Sources;
use derate_render::{Cell, Column, Diagnostic, Label, Level, Table};

use derate_audit::{self, Allowed, Finding};

use super::finding_groups::{FindingGroup, describe_place, group_findings};

pub(super) fn level(level: derate_audit::Level) -> Level {
    match level {
        derate_audit::Level::Error => Level::Error,
        derate_audit::Level::Warning => Level::Warning,
        derate_audit::Level::Note => Level::Note,
    }
}

/// Findings with the lines that they are about; those of one rule in one place are shown as one.
pub fn diagnostics(sources: &Sources, findings: &[Finding]) -> Vec<Diagnostic> {
    group_findings(findings).iter().map(|group| diagnose_group(sources, group)).collect()
}

fn diagnose_group(sources: &Sources, group: &FindingGroup<'_>) -> Diagnostic {
    let mut labels: Vec<Label> = Vec::new();
    for label in group.shown().flat_map(|finding| &finding.labels) {
        let excerpt = sources.excerpt(label.span);
        let label = Label {
            file: excerpt.name,
            first_line: excerpt.first_line,
            text: excerpt.text,
            start: excerpt.start,
            end: excerpt.end,
            message: label.text.clone(),
            primary: labels.is_empty(),
        };
        // Two sums in one loop have its pragma in common.
        if labels.iter().all(|other| Label { primary: false, ..other.clone() } != label) {
            labels.push(label);
        }
    }
    Diagnostic {
        code: group.first.code.to_owned(),
        level: level(group.first.level),
        message: group.message(),
        labels,
        notes: group.notes(sources),
        help: Some(group.first.help.clone()),
        design: group.first.design.clone(),
        cases: group.cases(),
    }
}

/// What somebody allowed, a sentence for each comment and rule, so that no reader takes silence for its absence.
pub(super) fn describe_allowed(
    sources: &Sources,
    allowed: &[Allowed],
) -> impl Iterator<Item = String> {
    let mut groups: Vec<(&Allowed, usize)> = Vec::new();
    for one in allowed {
        let same = |(first, _): &&mut (&Allowed, usize)| {
            (first.finding.code, first.by) == (one.finding.code, one.by)
        };
        match groups.iter_mut().find(same) {
            Some((_, more)) => *more += 1,
            None => groups.push((one, 0)),
        }
    }
    groups.into_iter().map(|(one, more)| {
        format!(
            "Allowed at {}:{}, {}: {}{}. The reason given: {}",
            sources.name(one.by.file),
            sources.position(one.by).line,
            one.finding.code,
            one.finding.message,
            if more > 0 { format!(" (and {more} more)") } else { String::new() },
            one.reason
        )
    })
}

/// One row per group of findings; at most `most`.
pub(super) fn tabulate_overview(sources: &Sources, findings: &[Finding], most: usize) -> Table {
    let groups = group_findings(findings);
    let rows = groups.iter().take(most).map(|group| {
        vec![
            Cell::Status(level(group.first.level), group.first.level.as_str().to_owned()),
            Cell::text(group.first.code),
            Cell::text(describe_place(sources, group.first)),
            Cell::text(group.message()),
        ]
    });
    Table {
        name: "findings".to_owned(),
        caption: "Findings: what costs most time first, then the gravest".to_owned(),
        columns: vec![
            Column::text("level", "Level"),
            Column::text("code", "Rule"),
            Column::text("place", "Where"),
            Column::text("message", "What is wrong"),
        ],
        rows: rows.collect(),
    }
}
