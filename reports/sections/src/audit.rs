//! The findings of an audit on a page of their own.

use derate_audit::{Audit, Summary};
use derate_hls::Sources;
use derate_render::{Block, Document, Section};

use super::diagnostics::{describe_allowed, diagnostics, tabulate_overview};

/// A table of the findings, then each with its lines.
pub fn audit(sources: &Sources, audit: &Audit) -> Document {
    let Summary { error, warning, note, allowed } = Summary::of(audit);
    let mut overview = Vec::new();
    if audit.findings.is_empty() {
        overview.push(Block::Prose("Nothing was found.".to_owned()));
    } else {
        overview.push(Block::Table(tabulate_overview(sources, &audit.findings, usize::MAX)));
    }
    overview.extend(describe_allowed(sources, &audit.allowed).map(Block::Prose));
    let mut sections = vec![Section::new("Findings", "Findings", overview)];
    if !audit.findings.is_empty() {
        let cards = vec![Block::Diagnostics(diagnostics(sources, &audit.findings))];
        sections.push(Section::new("Lines", "Each with its lines", cards));
    }
    let mut counted = vec![(error, "error"), (warning, "warning"), (note, "note")];
    counted.retain(|(n, _)| *n > 0);
    let plural = |n: usize| if n == 1 { "" } else { "s" };
    let mut said: Vec<String> =
        counted.into_iter().map(|(n, noun)| format!("{n} {noun}{}", plural(n))).collect();
    if allowed > 0 {
        said.push(format!("{allowed} allowed"));
    }
    Document {
        title: "Audit".to_owned(),
        subtitle: said.join(", "),
        controls: Vec::new(),
        sections,
    }
}
