//! Findings as the editor shows them.

use derate_hls::Span;
use derate_model::audit::{Finding, Level};
use gen_lsp_types::{
    Code, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, Message, Range,
};

use crate::check::Checked;
use crate::position::{Encoding, range_of};
use crate::uri::uri_of;

/// Where a span is, as the editor counts.
pub(crate) fn find_range(checked: &Checked, span: Span, encoding: Encoding) -> Range {
    range_of(checked.sources.text(span.file), span.start..span.end, encoding)
}

/// A finding with its other places; `None` where it has no place.
pub(crate) fn make_diagnostic(
    checked: &Checked,
    finding: &Finding,
    encoding: Encoding,
) -> Option<Diagnostic> {
    let (first, others) = finding.labels.split_first()?;
    let related = others.iter().map(|label| {
        let uri = uri_of(&checked.path(label.span.file));
        let place = Location::new(uri, find_range(checked, label.span, encoding));
        DiagnosticRelatedInformation::new(place, label.text.clone())
    });
    let related: Vec<DiagnosticRelatedInformation> = related.collect();
    let help = (!finding.help.is_empty()).then(|| format!("help: {}", finding.help));
    let message: Vec<String> =
        [Some(finding.message.clone()), help].into_iter().flatten().collect();
    Some(Diagnostic::new(
        find_range(checked, first.span, encoding),
        Some(severity(finding.level)),
        Some(Code::String(finding.code.to_owned())),
        None,
        Some("derate".to_owned()),
        Message::String(message.join("\n")),
        None,
        (!related.is_empty()).then_some(related),
        None,
    ))
}

fn severity(level: Level) -> DiagnosticSeverity {
    match level {
        Level::Error => DiagnosticSeverity::Error,
        Level::Warning => DiagnosticSeverity::Warning,
        Level::Note => DiagnosticSeverity::Information,
    }
}
