//! Findings for other programs.

use derate_hls::Sources;
use derate_render::{Log, LogEntry, LogRule, Place};

use super::diagnostics::level;
use derate_audit::{Audit, Finding, Label, all_rules};

/// Everything that an audit says, with the rules' pages; what is allowed comes last.
pub fn log(sources: &Sources, audit: &Audit) -> Log {
    let found = audit.findings.iter().map(|finding| make_entry(sources, finding, None));
    let allowed =
        audit.allowed.iter().map(|one| make_entry(sources, &one.finding, Some(&one.reason)));
    Log {
        tool: "derate".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        rules: all_rules()
            .iter()
            .map(|rule| LogRule {
                code: rule.code.to_owned(),
                level: level(rule.level),
                summary: rule.summary().to_owned(),
                manual: rule.manual(),
            })
            .collect(),
        entries: found.chain(allowed).collect(),
    }
}

fn make_entry(sources: &Sources, finding: &Finding, allowed: Option<&String>) -> LogEntry {
    LogEntry {
        code: finding.code.to_owned(),
        level: level(finding.level),
        subject: finding.subject.clone(),
        message: finding.message.clone(),
        notes: finding.notes.clone(),
        help: finding.help.clone(),
        places: finding.labels.iter().map(|label| make_place(sources, label)).collect(),
        allowed: allowed.cloned(),
    }
}

fn make_place(sources: &Sources, Label { span, text }: &Label) -> Place {
    let position = |at: usize| {
        let position = sources.position(derate_hls::Span { start: at, ..*span });
        (position.line, position.column)
    };
    Place {
        file: sources.name(span.file).to_owned(),
        start: position(span.start),
        end: position(span.end.max(span.start)),
        text: sources.slice(*span).to_owned(),
        message: text.clone(),
    }
}
