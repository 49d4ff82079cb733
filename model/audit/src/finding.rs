//! What a rule found.

use derate_hls::Span;

use super::fix::Fix;
use derate_project::Level;

/// A place and what it says there.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What to see there.
    pub text: String,
}

impl Label {
    /// A label at `span`.
    pub fn new(span: Span, text: impl Into<String>) -> Self {
        Self { span, text: text.into() }
    }
}

/// A disagreement between a claim and what it is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The rule's code.
    pub code: &'static str,
    /// How grave it is.
    pub level: Level,
    /// What it is about: an alias, a tensor, a claim's key.
    pub subject: String,
    /// What is wrong, in a sentence.
    pub message: String,
    /// The offender first, then what it contradicts.
    pub labels: Vec<Label>,
    /// Figures and reasons.
    pub notes: Vec<String>,
    /// What to do.
    pub help: String,
    /// The rule's evidence, as data.
    pub evidence: serde_json::Value,
    /// What mends it, if an edit can.
    pub fixes: Vec<Fix>,
}

impl Finding {
    /// The first label's place.
    pub(super) fn place(&self) -> Option<Span> {
        self.labels.first().map(|label| label.span)
    }
}
