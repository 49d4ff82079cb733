//! SARIF 2.1.0, the static analysis results interchange format of OASIS: what code-scanning services read.

mod fingerprint;
mod model;
mod uri;

use self::fingerprint::Fingerprints;
use self::model::{
    ArtifactLocation, Base, Bases, Configuration, Content, Descriptor, Driver, Location, Message,
    PhysicalLocation, Region, Root, Run, Suppression, Tool,
};
use super::plain::plain_text;
use crate::{Level, Log, LogEntry, LogRule, Place, RenderError};

/// Renders a log. Files are named from the project's folder, and nothing depends on where or when it ran.
pub fn render_sarif(log: &Log) -> Result<Vec<u8>, RenderError> {
    let mut fingerprints = Fingerprints::default();
    let root = Root {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: &log.tool,
                    semantic_version: &log.version,
                    rules: log.rules.iter().map(describe_rule).collect(),
                },
            },
            column_kind: "unicodeCodePoints",
            original_uri_base_ids: Bases {
                project: Base {
                    description: Content { text: "the folder of the project file".to_owned() },
                },
            },
            results: log
                .entries
                .iter()
                .map(|entry| describe_finding(log, entry, &mut fingerprints))
                .collect(),
        }],
    };
    let mut bytes = serde_json::to_vec_pretty(&root)?;
    bytes.push(b'\n');
    Ok(bytes)
}

fn level_name(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note | Level::Help => "note",
        Level::Ok => "none",
    }
}

fn describe_rule(rule: &LogRule) -> Descriptor<'_> {
    Descriptor {
        id: &rule.code,
        short_description: Content { text: rule.summary.clone() },
        default_configuration: Configuration { level: level_name(rule.level) },
        help: Message { text: rule.manual.clone(), markdown: Some(rule.manual.clone()) },
    }
}

fn describe_finding<'a>(
    log: &Log,
    entry: &'a LogEntry,
    fingerprints: &mut Fingerprints,
) -> model::Finding<'a> {
    let located = |(index, place): (usize, &Place)| Location {
        // The first place needs no number; the others are counted from one.
        id: (index > 0).then_some(index),
        at: locate_place(place),
        message: (!place.message.is_empty()).then(|| escape_message(&place.message)),
    };
    let mut places = entry.places.iter().enumerate().map(located);
    model::Finding {
        rule_id: &entry.code,
        rule_index: log.rules.iter().position(|rule| rule.code == entry.code),
        level: level_name(entry.level),
        message: escape_message(&entry.to_prose()),
        locations: places.by_ref().take(1).collect(),
        related_locations: places.collect(),
        partial_fingerprints: model::PartialFingerprints {
            finding: fingerprints.fingerprint_entry(entry),
        },
        suppressions: entry
            .allowed
            .iter()
            .map(|reason| Suppression {
                kind: "inSource",
                justification: plain_text(reason).into_owned(),
            })
            .collect(),
    }
}

/// A message. Braces are doubled, because SARIF reads them as placeholders.
fn escape_message(text: &str) -> Message {
    let text = plain_text(text).replace('{', "{{").replace('}', "}}");
    Message { text, markdown: None }
}

fn locate_place(place: &Place) -> PhysicalLocation {
    PhysicalLocation {
        artifact_location: ArtifactLocation {
            uri: uri::uri_reference(&place.file),
            uri_base_id: (!uri::is_absolute(&place.file)).then_some("PROJECT"),
        },
        region: Region {
            start_line: place.start.0,
            start_column: place.start.1,
            end_line: place.end.0,
            end_column: place.end.1,
        },
    }
}

#[cfg(test)]
mod tests;
